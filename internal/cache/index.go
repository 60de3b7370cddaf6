package cache

import (
	"encoding/binary"
	"math"
)

// indexKey is the key of the index, an entry with the keys, offsets, and sizes of all other entries. The index is the
// last entry of a closed file and ends with its own length. As a result, opening a cache takes a few reads instead of
// one read per entry.
const indexKey = math.MaxUint64

// placeSize is the size in bytes of a row of the index. tailSize is the size in bytes of the length at the end of the
// index.
const (
	placeSize = 8 + 8 + 4
	tailSize  = 8
)

// readIndex reads the index at the end of the file, and reports whether the file ends with an intact index. size is the
// size of the file in bytes.
func (f *File) readIndex(size int64) bool {
	tail := make([]byte, tailSize)
	if _, err := f.file.ReadAt(tail, size-tailSize); err != nil {
		return false
	}
	length := binary.LittleEndian.Uint64(tail)
	if length < tailSize || (length-tailSize)%placeSize != 0 || length > uint64(size) {
		return false
	}
	start := size - int64(length) - headerSize
	if start < int64(len(magic)) {
		return false
	}
	entry := make([]byte, headerSize+length)
	if _, err := f.file.ReadAt(entry, start); err != nil || !whole(entry, indexKey) {
		return false
	}
	places := entry[headerSize : headerSize+length-tailSize]
	f.entries = make(map[uint64]span, len(places)/placeSize)
	for ; len(places) > 0; places = places[placeSize:] {
		f.entries[binary.LittleEndian.Uint64(places)] = span{
			int64(binary.LittleEndian.Uint64(places[8:])), int(binary.LittleEndian.Uint32(places[16:])),
		}
	}
	f.end, f.indexed = start, true
	return true
}

// writeIndex writes the index after the last other entry. It ignores errors, because without an index, the next Open
// reads the file entry by entry.
func (f *File) writeIndex() {
	data := make([]byte, 0, len(f.entries)*placeSize+tailSize)
	for key, s := range f.entries {
		data = binary.LittleEndian.AppendUint64(data, key)
		data = binary.LittleEndian.AppendUint64(data, uint64(s.offset))
		data = binary.LittleEndian.AppendUint32(data, uint32(s.size))
	}
	data = binary.LittleEndian.AppendUint64(data, uint64(len(data)+tailSize))
	if uint64(len(data)) > math.MaxUint32 {
		return
	}
	entry := f.entryOf(indexKey, data)
	if _, err := f.file.WriteAt(entry, f.end); err != nil {
		return
	}
	// The index must be at the end of the file, so remove data that another process has written after the index.
	f.indexed = f.file.Truncate(f.end+int64(len(entry))) == nil
}
