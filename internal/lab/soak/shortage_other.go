//go:build !linux

package soak

import (
	"context"
	"errors"
)

// outOfFiles needs a system on which the limits of another process can be set.
func outOfFiles(context.Context, *Bench, *server, *Result) error {
	return errors.New("this proof needs Linux, which lets a process set the limits of another")
}
