//go:build proof && unix

package faults

import (
	"io"
	"testing"
)

// A build that is stopped and continued, or competes for processors, is byte-for-byte equal to an undisturbed one.
func TestStop(t *testing.T) {
	const builds = 6
	report, err := Stop(t.Context(), StopOptions{Program: program(t), Dir: t.TempDir(), Builds: builds, Seed: 1, Log: io.Discard})
	if err != nil {
		t.Fatal(err)
	}
	if report.Stops < builds {
		t.Errorf("only %d stops in %d builds: they prove little", report.Stops, builds)
	}
	t.Log(report)
}
