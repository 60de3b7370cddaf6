//go:build !unix || solaris || illumos || aix

package preview

import "os"

// hold marks nothing here: a file that is open can be neither renamed nor removed
// on Windows, and the other systems have no lock that ends with its process.
func hold(string) (*os.File, error) { return nil, nil }

// removeAbandoned does nothing, because it can't distinguish abandoned folders from used ones.
func removeAbandoned(string) error { return nil }
