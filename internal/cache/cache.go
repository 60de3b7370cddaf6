// Package cache stores the results of expensive operations between builds. A lookup returns either exactly the bytes
// that were stored or nothing: a truncated or modified entry is treated as missing. A cache is a single file, because
// one file per entry would take more time than most entries save. The user may delete the file at any time. If a build
// fails or is killed, the cache keeps the entries stored until then.
package cache

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/cespare/xxhash/v2"
)

// A File is an open cache. It is safe for concurrent use by goroutines. If two processes write to the same file,
// entries may be lost, but neither process reads wrong data.
type File struct {
	path string

	mu   sync.Mutex
	file *os.File
	// end is the offset of the next entry.
	end     int64
	entries map[uint64]span
	// used is the set of keys read or written since the cache was opened.
	used map[uint64]bool
	// indexed reports whether the file contains an index, which starts at end.
	indexed bool
	// entry is the buffer for encoding entries.
	entry []byte
}

// span is the location of an entry's data in the file: the offset and the size in bytes.
type span struct {
	offset int64
	size   int
}

// A cache file begins with magic, and entries follow. An entry is a header and its data. The header contains the key,
// the size of the data, and a checksum of the key, the size, and the data. In a closed file, the last entry is the
// index; see indexKey.
const (
	magic      = "vitrine cache 1\n"
	headerSize = 8 + 4 + 8
)

// Open opens the cache at path. It creates a missing file, and replaces the content of a file that isn't a cache.
func Open(path string) (*File, error) {
	if err := makeFolder(filepath.Dir(path)); err != nil {
		return nil, fmt.Errorf("creating the cache folder: %w", err)
	}
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, fmt.Errorf("opening the cache: %w", err)
	}
	f := &File{path: path, file: file, entries: make(map[uint64]span), used: make(map[uint64]bool)}
	if err := f.scan(); err != nil {
		return nil, errors.Join(fmt.Errorf("reading the cache: %w", err), file.Close())
	}
	return f, nil
}

// Seed copies the cache at from to path, unless path exists. Another process may be writing to from, so the copy may
// contain incomplete entries, which Get treats as missing. If copying fails, Seed removes the copy, and the cache
// starts empty.
func Seed(path, from string) error {
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if info, err := os.Lstat(from); err != nil || !info.Mode().IsRegular() {
		return nil // don't wait for the other end of a named pipe
	}
	source, err := os.Open(from)
	if err != nil {
		return nil // the cache may belong to another user
	}
	defer source.Close()
	if err := makeFolder(filepath.Dir(path)); err != nil {
		return fmt.Errorf("creating the cache folder: %w", err)
	}
	copied, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return fmt.Errorf("creating the cache: %w", err)
	}
	_, err = io.Copy(copied, source)
	if err = errors.Join(err, copied.Close()); err != nil {
		if removed := os.Remove(path); removed != nil {
			return fmt.Errorf("copying the cache: %w", errors.Join(err, removed))
		}
	}
	return nil
}

// makeFolder creates a folder. It replaces a named pipe, a socket, or a symbolic link that doesn't resolve to a folder,
// because a cache can always be created again.
func makeFolder(dir string) error {
	if info, err := os.Stat(dir); err == nil && info.IsDir() {
		return nil
	}
	info, err := os.Lstat(dir)
	switch {
	case err == nil && info.IsDir():
		return nil // another goroutine has just created the folder
	case err == nil && info.Mode().IsRegular():
		return fmt.Errorf("%s is a file, but the build needs a folder there; move or remove the file", dir)
	case err == nil:
		if err := os.Remove(dir); err != nil {
			return err
		}
	}
	return os.MkdirAll(dir, 0o777)
}

// scan finds the entries in the file. It replaces the content of a file that isn't a cache with an empty cache, and
// truncates a cache without an index after the last complete entry. It doesn't verify checksums, because Get does.
func (f *File) scan() error {
	info, err := f.file.Stat()
	if err != nil {
		return err
	}
	head := make([]byte, headerSize)
	f.indexed = false
	if n, _ := f.file.ReadAt(head[:len(magic)], 0); string(head[:n]) != magic {
		if _, err := f.file.WriteAt([]byte(magic), 0); err != nil {
			return err
		}
		f.end = int64(len(magic))
		return f.file.Truncate(f.end)
	}
	if f.readIndex(info.Size()) {
		return nil
	}
	f.end = int64(len(magic))
	for f.end+headerSize <= info.Size() {
		if _, err := f.file.ReadAt(head, f.end); err != nil {
			return err
		}
		s := span{f.end + headerSize, int(binary.LittleEndian.Uint32(head[8:]))}
		if s.offset+int64(s.size) > info.Size() {
			break
		}
		if key := binary.LittleEndian.Uint64(head); key != indexKey {
			f.entries[key] = s
		}
		f.end = s.offset + int64(s.size)
	}
	return f.file.Truncate(f.end)
}

// Get returns the data stored under key. ok is false if the entry is missing or damaged.
func (f *File) Get(key uint64) (data []byte, ok bool) {
	f.mu.Lock()
	s, ok := f.entries[key]
	file := f.file
	f.mu.Unlock()
	if !ok {
		return nil, false
	}
	entry := make([]byte, headerSize+s.size)
	if _, err := file.ReadAt(entry, s.offset-headerSize); err != nil || !whole(entry, key) {
		return nil, false
	}
	f.mu.Lock()
	f.used[key] = true
	f.mu.Unlock()
	return entry[headerSize:], true
}

// whole reports whether entry, a header with its data, is intact and belongs to key.
func whole(entry []byte, key uint64) bool {
	return binary.LittleEndian.Uint64(entry) == key && binary.LittleEndian.Uint64(entry[12:]) == sum(entry)
}

// sum returns the checksum of an entry, which covers everything in it except the checksum itself.
func sum(entry []byte) uint64 {
	h := xxhash.New()
	// A digest's Write never fails.
	_, _ = h.Write(entry[:12])
	_, _ = h.Write(entry[headerSize:])
	return h.Sum64()
}

// Put stores data under key. It ignores write errors, because a missing entry only makes the next build slower.
func (f *File) Put(key uint64, data []byte) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.indexed {
		// Remove the index, which starts at f.end. Close writes a new one.
		if f.file.Truncate(f.end) != nil {
			return
		}
		f.indexed = false
	}
	entry := f.entryOf(key, data)
	if _, err := f.file.WriteAt(entry, f.end); err != nil {
		return
	}
	f.entries[key] = span{f.end + headerSize, len(data)}
	f.used[key] = true
	f.end += int64(len(entry))
}

// entryOf returns the encoded entry for key and data. The result is valid until the next call of entryOf.
func (f *File) entryOf(key uint64, data []byte) []byte {
	f.entry = append(slices.Grow(f.entry[:0], headerSize+len(data))[:headerSize], data...)
	binary.LittleEndian.PutUint64(f.entry, key)
	binary.LittleEndian.PutUint32(f.entry[8:], uint32(len(data)))
	binary.LittleEndian.PutUint64(f.entry[12:], sum(f.entry))
	return f.entry
}

// Sweep removes the entries that were neither read nor written since the cache was opened. It does nothing unless these
// entries take more space than all other entries. Call Sweep only after a build has used all entries that it needs.
func (f *File) Sweep() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	needed := int64(len(magic))
	for key := range f.used {
		needed += headerSize + int64(f.entries[key].size)
	}
	if f.end <= 2*needed {
		return nil
	}
	if err := f.rewrite(); err != nil {
		return fmt.Errorf("removing old entries from the cache: %w", err)
	}
	return nil
}

// rewrite replaces the cache's file with one that contains only the used entries.
func (f *File) rewrite() error {
	next, err := os.CreateTemp(filepath.Dir(f.path), filepath.Base(f.path)+".*")
	if err != nil {
		return err
	}
	err = f.copyUsed(next)
	if err = errors.Join(err, next.Close()); err == nil {
		// Some operating systems can't replace an open file.
		if err = f.file.Close(); err == nil {
			err = os.Rename(next.Name(), f.path)
		}
	}
	if err != nil {
		return errors.Join(err, os.Remove(next.Name()))
	}
	f.file, err = os.OpenFile(f.path, os.O_RDWR, 0o666)
	if err != nil {
		return err
	}
	f.entries = make(map[uint64]span)
	return f.scan()
}

func (f *File) copyUsed(to io.Writer) error {
	if _, err := io.WriteString(to, magic); err != nil {
		return err
	}
	for key := range f.used {
		s := f.entries[key]
		entry := io.NewSectionReader(f.file, s.offset-headerSize, headerSize+int64(s.size))
		if _, err := io.Copy(to, entry); err != nil {
			return err
		}
	}
	return nil
}

// Close writes the index, unless the file already contains it, and closes the file.
func (f *File) Close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.indexed {
		f.writeIndex()
	}
	return f.file.Close()
}
