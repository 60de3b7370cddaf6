//go:build !windows && (!unix || solaris || illumos || aix)

package artifact

import "os"

// lockShared does nothing because these systems have no flock. A server on these systems must be reloaded after every
// build.
func lockShared(*os.File) error { return nil }

// InUse returns false because these systems can't detect whether a reader has a folder of public files open.
func InUse(string) bool { return false }
