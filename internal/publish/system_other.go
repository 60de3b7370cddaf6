//go:build !linux

package publish

import (
	"errors"
	"os"
)

// create writes a new file, and fails where there is one.
func create(name string, body []byte) error {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	if _, err := f.Write(body); err != nil {
		return errors.Join(err, f.Close())
	}
	return f.Close()
}

func exchange(a, b string) error { return exchangeInSteps(a, b) }
