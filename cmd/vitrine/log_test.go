package main

import (
	"log/slog"
	"testing"
)

// testLog writes a server's log to the log of its test.
func testLog(t *testing.T) *slog.Logger {
	return slog.New(slog.NewTextHandler(testWriter{t}, nil))
}
