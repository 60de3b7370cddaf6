//go:build proof

package main

import (
	"bytes"
	"path/filepath"
	"testing"
)

// A build with a flipped bit in any byte or a file truncated to any length is rejected, and the previous build is still
// served.
func TestEveryByteCounts(t *testing.T) {
	s := newSmall(t)
	flips, cuts := 0, 0
	for path, good := range s.files {
		for i := range good {
			bad := bytes.Clone(good)
			bad[i] ^= 1 << (i % 8)
			s.rejects(t, path, bad, "a flipped bit")
			s.rejects(t, path, good[:i], "a cut")
			flips, cuts = flips+1, cuts+1
		}
		if filepath.Ext(path) != ".pack" { // bytes after the last body in a pack are never read
			s.rejects(t, path, append(bytes.Clone(good), 0), "an extra byte")
		}
		s.restore(t, path)
	}
	s.loads(t)
	t.Logf("%d files, %d bits flipped, %d cuts, all refused", len(s.files), flips, cuts)
}
