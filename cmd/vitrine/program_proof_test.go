//go:build proof

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

const (
	// maxProgram is the maximum size in bytes of the released program.
	maxProgram = 46_000_000
	// maxInitialization is the maximum number of allocations for initializing all packages, which happens in every run.
	// Chroma's lexers account for 31,000.
	maxInitialization = 45_000
	// maxOwnInitialization is the maximum for one package of this module. Compiling a regular expression or parsing a
	// table would exceed it and must be deferred to the first use (internal/lazyregexp).
	maxOwnInitialization = 500
)

// The released program is small and starts without work that most runs don't need.
func TestProgramSizeAndStart(t *testing.T) {
	program := filepath.Join(t.TempDir(), "vitrine")
	build := exec.CommandContext(t.Context(), "go", "build", "-trimpath", "-tags", "nodynamic", "-ldflags", "-s -w", "-o", program, ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	info, err := os.Stat(program)
	if err != nil {
		t.Fatal(err)
	}
	if info.Size() > maxProgram {
		t.Errorf("the program has %d bytes; want at most %d", info.Size(), maxProgram)
	}
	help := exec.CommandContext(t.Context(), program, "help")
	help.Env = append(os.Environ(), "GODEBUG=inittrace=1")
	var trace strings.Builder
	help.Stderr = &trace
	if err := help.Run(); err != nil {
		t.Fatal(err)
	}
	all, packages := 0, 0
	for line := range strings.Lines(trace.String()) {
		name, allocations, ok := initialized(line)
		if !ok {
			continue
		}
		packages++
		all += allocations
		if (strings.HasPrefix(name, "vitrine/") || name == "main") && allocations > maxOwnInitialization {
			t.Errorf("%s makes %d allocations at the start of every run; want at most %d", name, allocations, maxOwnInitialization)
		}
	}
	if packages < 100 {
		t.Errorf("the trace has %d packages:\n%s", packages, trace.String())
	}
	if all > maxInitialization {
		t.Errorf("every run starts with %d allocations; want at most %d", all, maxInitialization)
	}
}

// initialized parses a line of the trace printed with GODEBUG=inittrace=1: init NAME @0.1 ms, 0.2 ms clock, 300 bytes,
// 4 allocs.
func initialized(line string) (name string, allocations int, ok bool) {
	fields := strings.Fields(line)
	if len(fields) != 11 || fields[0] != "init" || fields[10] != "allocs" {
		return "", 0, false
	}
	allocations, err := strconv.Atoi(fields[9])
	return fields[1], allocations, err == nil
}
