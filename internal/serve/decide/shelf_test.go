package decide

import (
	"bytes"
	"runtime"
	"testing"
)

// Large bodies are on the shelf and found there. Small bodies, and bodies without space on the
// shelf, are on the heap.
func TestShelf(t *testing.T) {
	s := newShelf(100 << 10)
	if s == nil {
		if runtime.GOOS == "linux" {
			t.Fatal("there is no shelf")
		}
		t.Skip("the system has no files in memory")
	}
	first, second := bytes.Repeat([]byte("a"), 20_001), bytes.Repeat([]byte("b"), 70_000)
	a, b := s.put(first), s.put(second)
	if !bytes.Equal(a, first) || !bytes.Equal(b, second) {
		t.Fatal("the shelf has other bytes")
	}
	for _, body := range [][]byte{a, b} {
		fd, at, ok := s.Place(body)
		if got := make([]byte, len(body)); !ok || readAt(t, fd, got, at) != len(body) || !bytes.Equal(got, body) {
			t.Errorf("at %d, %v, the file has other bytes", at, ok)
		}
	}
	if s.put(make([]byte, 20<<10)) != nil {
		t.Error("there was room beyond the end")
	}
	if _, _, ok := s.Place(make([]byte, 20<<10)); ok {
		t.Error("a body on the heap is said to be in the file")
	}
	if err := overwrite(s.fd); err == nil {
		t.Error("the file can be written to")
	}
	runtime.KeepAlive(s)
}
