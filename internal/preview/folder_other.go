//go:build !unix || solaris || illumos || aix

package preview

import "os"

// hold does nothing. On Windows, an open file can't be renamed or removed, and the other systems have no lock that ends
// with its process.
func hold(string) (*os.File, error) { return nil, nil }

// removeAbandoned does nothing, because it can't distinguish abandoned folders from used ones.
func removeAbandoned(string) error { return nil }
