//go:build !linux

package paired

import "os"

// settle does nothing, because only tables from Linux are published.
func settle() {}

// peak returns 0, because peak memory is only measured on Linux.
func peak(*os.ProcessState) int64 { return 0 }
