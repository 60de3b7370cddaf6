// Package purego stands where another module of that name would (go.mod replaces it): the encoders of WebP and
// AVIF take a library of the system through it wherever they find one, and then the bytes of a build would
// depend on the machine. Here is none to be found, so they run what they bring along.
package purego

import "errors"

// The flags of Dlopen mean nothing here.
const (
	RTLD_NOW    = 0
	RTLD_GLOBAL = 0
)

// Dlopen finds no library.
func Dlopen(string, int) (uintptr, error) {
	return 0, errors.New("no library of the system is used")
}

// RegisterLibFunc panics, which the encoders take for a library that is of no use: on Windows they open one
// without Dlopen.
func RegisterLibFunc(any, uintptr, string) { panic("no library of the system is used") }

// NewCallback returns nothing that could be called.
func NewCallback(any) uintptr { return 0 }
