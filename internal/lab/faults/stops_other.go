//go:build !unix

package faults

import (
	"context"
	"errors"
	"io"
)

// StopOptions are the options of Stop.
type StopOptions struct {
	Program Program
	Dir     string
	Builds  int
	Seed    uint64
	Log     io.Writer
}

// StopReport is empty on this system.
type StopReport struct{}

// Stop returns an error, because this system can't stop and continue a process.
func Stop(context.Context, StopOptions) (StopReport, error) {
	return StopReport{}, errors.New("this system cannot stop and continue processes; run the builds on Linux or macOS")
}
