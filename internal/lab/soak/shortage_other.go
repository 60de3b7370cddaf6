//go:build !linux

package soak

import (
	"context"
	"errors"
)

// outOfFiles returns an error, because only Linux lets a process set another process's limits.
func outOfFiles(context.Context, *Bench, *server, *Result) error {
	return errors.New("this proof needs Linux, which lets a process set the limits of another")
}
