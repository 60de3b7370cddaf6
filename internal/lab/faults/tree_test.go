package faults

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// SameTree detects extra files and different bytes.
func TestSameTreeDetectsDifferences(t *testing.T) {
	one, other := t.TempDir(), t.TempDir()
	write := func(dir, name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write(one, "a", "x")
	write(other, "a", "x")
	if err := errors.Join(SameTree(one, other), SameTree(other, one)); err != nil {
		t.Error(err)
	}
	write(other, "b", "")
	if SameTree(one, other) == nil || SameTree(other, one) == nil {
		t.Error("a file too many is not found")
	}
	write(one, "b", "y")
	if SameTree(one, other) == nil {
		t.Error("a byte that differs is not found")
	}
}
