package cache

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"testing"
)

func open(t *testing.T, path string) *File {
	t.Helper()
	f, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() })
	return f
}

// Get returns the stored data, also after the file is opened again. If a key is stored twice, Get returns the newer
// data. Get finds no other keys.
func TestPutAndGet(t *testing.T) {
	path := filepath.Join(t.TempDir(), "cache", "social")
	f := open(t, path)
	if _, ok := f.Get(1); ok {
		t.Error("an empty cache has an entry")
	}
	f.Put(1, []byte("old"))
	f.Put(2, nil)
	f.Put(1, []byte("an image"))
	for _, opened := range []*File{f, open(t, path)} {
		if got, ok := opened.Get(1); !ok || string(got) != "an image" {
			t.Errorf("got %q, %t", got, ok)
		}
		if got, ok := opened.Get(2); !ok || len(got) != 0 {
			t.Errorf("nothing was kept, and %q, %t came back", got, ok)
		}
	}
}

// If any bit of the file is changed or the file is truncated anywhere, each entry is intact or missing, and the cache
// stays usable.
func TestDamage(t *testing.T) {
	path := filepath.Join(t.TempDir(), "cache")
	f := open(t, path)
	want := map[uint64]string{7: "the first", 8: "the second"}
	f.Put(7, []byte(want[7]))
	f.Put(8, []byte(want[8]))
	killed := readFile(t, path)
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	closed := readFile(t, path)
	try := func(what string, content []byte) {
		if err := os.WriteFile(path, content, 0o666); err != nil {
			t.Fatal(err)
		}
		damaged, err := Open(path)
		if err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		for key, value := range want {
			if got, ok := damaged.Get(key); ok && string(got) != value {
				t.Errorf("%s: entry %d is %q", what, key, got)
			}
		}
		damaged.Put(9, []byte("new"))
		if err := damaged.Close(); err != nil {
			t.Fatal(err)
		}
		again, err := Open(path)
		if err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		defer again.Close()
		if got, ok := again.Get(9); !ok || string(got) != "new" {
			t.Errorf("%s: what is put afterwards is %q, %t", what, got, ok)
		}
	}
	for name, whole := range map[string][]byte{"killed": killed, "closed": closed} {
		for i := range len(whole) * 8 {
			changed := bytes.Clone(whole)
			changed[i/8] ^= 1 << (i % 8)
			try(fmt.Sprintf("%s, bit %d changed", name, i), changed)
		}
		for n := range len(whole) {
			try(fmt.Sprintf("%s, cut at %d", name, n), whole[:n])
		}
	}
	try("another's file", []byte("this is no cache at all, and long enough to be one"))
}

// Sweep removes unused entries only if they take more space than all other entries.
func TestSweep(t *testing.T) {
	path := filepath.Join(t.TempDir(), "cache")
	first := open(t, path)
	for key := range uint64(8) {
		first.Put(key, bytes.Repeat([]byte{byte(key)}, 100))
	}
	second := open(t, path)
	for key := range uint64(5) {
		second.Get(key)
	}
	sweep(t, second, map[uint64]bool{0: true, 4: true, 5: true, 7: true})
	third := open(t, path)
	third.Get(0)
	third.Put(9, []byte("new"))
	sweep(t, third, map[uint64]bool{0: true, 1: false, 7: false, 9: true})
	third.Put(10, []byte("after"))
	last := open(t, path)
	for _, key := range []uint64{0, 9, 10} {
		if _, ok := last.Get(key); !ok {
			t.Errorf("entry %d is lost", key)
		}
	}
}

func sweep(t *testing.T, f *File, want map[uint64]bool) {
	t.Helper()
	if err := f.Sweep(); err != nil {
		t.Fatal(err)
	}
	for key, there := range want {
		f.mu.Lock()
		_, ok := f.entries[key]
		f.mu.Unlock()
		if ok != there {
			t.Errorf("after the sweep entry %d is there: %t, want %t", key, ok, there)
		}
	}
}

// No entry is lost if goroutines store entries concurrently.
func TestConcurrent(t *testing.T) {
	f := open(t, filepath.Join(t.TempDir(), "cache"))
	var all sync.WaitGroup
	for key := range uint64(64) {
		all.Go(func() {
			f.Put(key, fmt.Append(nil, "entry ", key))
			if got, ok := f.Get(key); !ok || string(got) != fmt.Sprint("entry ", key) {
				t.Errorf("entry %d is %q, %t", key, got, ok)
			}
		})
	}
	all.Wait()
}

// Opening a closed cache reads only its index. New entries overwrite the index, so after the process is killed, Open
// finds all entries by scanning the file.
func TestIndex(t *testing.T) {
	path := filepath.Join(t.TempDir(), "cache")
	f := open(t, path)
	for key := range uint64(3) {
		f.Put(key, fmt.Append(nil, "entry ", key))
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	data := readFile(t, path)
	// With this size in the header of the first entry, a scan of the file would stop there.
	data[len(magic)+8] ^= 0x80
	if err := os.WriteFile(path, data, 0o666); err != nil {
		t.Fatal(err)
	}
	indexed := open(t, path)
	_, damaged := indexed.Get(0)
	got, ok := indexed.Get(2)
	if damaged || !ok || string(got) != "entry 2" {
		t.Errorf("entry 2 is %q, %t, and the damaged one is found: %t", got, ok, damaged)
	}
	data[len(magic)+8] ^= 0x80
	if err := os.WriteFile(path, data, 0o666); err != nil {
		t.Fatal(err)
	}
	killed := open(t, path)
	killed.Put(3, []byte("entry 3"))
	killed.Put(0, []byte("other"))
	last := open(t, path)
	for key, want := range []string{"other", "entry 1", "entry 2", "entry 3"} {
		if got, ok := last.Get(uint64(key)); !ok || string(got) != want {
			t.Errorf("entry %d is %q, %t, want %q", key, got, ok, want)
		}
	}
}

func readFile(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// A seeded cache contains the entries of its source, except incomplete entries. If the source is missing or isn't a
// file, the cache is empty. Seed doesn't change an existing cache.
func TestSeed(t *testing.T) {
	dir := t.TempDir()
	from := filepath.Join(dir, "from")
	source, err := Open(from)
	if err != nil {
		t.Fatal(err)
	}
	source.Put(1, []byte("one"))
	source.Put(2, []byte("two"))
	if err := source.Close(); err != nil {
		t.Fatal(err)
	}
	body, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	truncated := filepath.Join(dir, "truncated")
	if err := os.WriteFile(truncated, body[:len(magic)+2*headerSize+len("one")+1], 0o666); err != nil {
		t.Fatal(err)
	}
	for i, c := range []struct {
		from     string
		one, two bool
	}{{from, true, true}, {truncated, true, false}, {filepath.Join(dir, "missing"), false, false}, {dir, false, false}} {
		path := filepath.Join(dir, "own", strconv.Itoa(i), "cache")
		// The second call must keep the existing cache.
		for _, from := range []string{c.from, from} {
			if err := Seed(path, from); err != nil {
				t.Fatal(err)
			}
			own, err := Open(path)
			if err != nil {
				t.Fatal(err)
			}
			_, one := own.Get(1)
			_, two := own.Get(2)
			if one != c.one || two != c.two {
				t.Errorf("seeded from %s: one %t, two %t", c.from, one, two)
			}
			if err := own.Close(); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// Small returns the entries up to the given size. Add stores them in another cache, but skips damaged entries.
func TestSmall(t *testing.T) {
	path := filepath.Join(t.TempDir(), "cache")
	if data := Small(path, 10); data != nil {
		t.Errorf("a missing cache has %q", data)
	}
	f := open(t, path)
	f.Put(1, []byte("ten bytes."))
	f.Put(2, []byte("one more byte"))
	f.Put(3, nil)
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	before := readFile(t, path)
	data := Small(path, 10)
	if !bytes.Equal(readFile(t, path), before) {
		t.Error("Small changed the cache")
	}
	for n := range len(data) + 1 {
		next := open(t, filepath.Join(t.TempDir(), "next"))
		next.Add(data[:n])
		got, ok := next.Get(1)
		if ok && string(got) != "ten bytes." || n == len(data) && !ok {
			t.Errorf("after %d bytes, entry 1 is %q, %t", n, got, ok)
		}
		if _, ok := next.Get(3); n == len(data) && !ok {
			t.Error("an empty entry is missing")
		}
		if _, ok := next.Get(2); ok {
			t.Error("a large entry was added")
		}
	}
}
