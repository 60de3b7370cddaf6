// Package purego replaces another module of that name (see go.mod). The WebP and AVIF encoders use that module to load
// a system library if there is one, which would make the bytes of a build depend on the machine. With this package, the
// encoders find no library and run their bundled code.
package purego

import "errors"

// The flags of Dlopen have no effect here.
const (
	RTLD_NOW    = 0
	RTLD_GLOBAL = 0
)

// Dlopen finds no library.
func Dlopen(string, int) (uintptr, error) {
	return 0, errors.New("system libraries are disabled")
}

// RegisterLibFunc panics, which the encoders treat as an unusable library. On Windows they open a library without
// Dlopen.
func RegisterLibFunc(any, uintptr, string) { panic("system libraries are disabled") }

// NewCallback returns a value that must not be called.
func NewCallback(any) uintptr { return 0 }
