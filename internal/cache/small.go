package cache

import (
	"bytes"
	"encoding/binary"
	"maps"
	"os"
	"slices"
)

// OpenClosed opens the cache at path for calls of Get. It never writes to the file. It returns nil if the file is
// missing, can't be opened, or isn't a properly closed cache.
func OpenClosed(path string) *File {
	file, err := os.Open(path)
	if err != nil {
		return nil
	}
	info, err := file.Stat()
	f := &File{path: path, file: file, used: make(map[uint64]bool)}
	if err != nil || !f.readIndex(info.Size()) {
		_ = file.Close()
		return nil
	}
	return f
}

// Small returns the entries in the cache file at path whose data has at most the given size, in bytes. The result has
// the format that File.Add reads. Small returns nil if there are no such entries or the file isn't a properly closed
// cache. Another process may be writing to the file.
func Small(path string, most int) []byte {
	f := OpenClosed(path)
	if f == nil {
		return nil
	}
	defer f.Close()
	data := []byte(magic)
	for _, key := range slices.Sorted(maps.Keys(f.entries)) {
		if f.entries[key].size > most {
			continue
		}
		if entry, ok := f.Get(key); ok {
			data = append(data, f.entryOf(key, entry)...)
		}
	}
	if len(data) == len(magic) {
		return nil
	}
	return data
}

// Add stores the entries in data, the result of Small. It skips damaged entries.
func (f *File) Add(data []byte) {
	data, ok := bytes.CutPrefix(data, []byte(magic))
	for ok && len(data) >= headerSize {
		size := uint64(binary.LittleEndian.Uint32(data[8:]))
		if size > uint64(len(data)-headerSize) {
			return
		}
		if key := binary.LittleEndian.Uint64(data); whole(data[:headerSize+size], key) {
			f.Put(key, data[headerSize:headerSize+size])
		}
		data = data[headerSize+size:]
	}
}
