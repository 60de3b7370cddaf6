//go:build !linux

package paired

import "os"

// settle does nothing: the suite's tables are made on Linux.
func settle() {}

// peak returns 0: this system doesn't report it.
func peak(*os.ProcessState) int64 { return 0 }
