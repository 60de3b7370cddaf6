package record

import (
	"bytes"
	"io"
	"os"
	"strings"
)

// ReadFile reads a file into a string without a second copy of it.
func ReadFile(name string) (string, error) {
	f, err := os.Open(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	var text strings.Builder
	if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
		text.Grow(int(info.Size()) + bytes.MinRead)
	}
	if _, err := io.Copy(&text, onlyReader{f}); err != nil {
		return "", err
	}
	return text.String(), nil
}

// onlyReader hides what else a file can do.
type onlyReader struct{ io.Reader }
