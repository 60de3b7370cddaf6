//go:build !unix || solaris || illumos || aix

package preview

import "os"

// hold marks nothing here: a file that is open can be neither renamed nor removed
// on Windows, and the other systems have no lock that ends with its process.
func hold(string) (*os.File, error) { return nil, nil }

// removeAbandoned leaves what it cannot tell from what is in use.
func removeAbandoned(string) error { return nil }
