package record

import (
	"bufio"
	"errors"
	"io"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"

	"github.com/cespare/xxhash/v2"

	"vitrine/internal/codec"
)

// A place is the location of a record in the heap: the record's offset, its size in bytes, and the XXH64 of its bytes.
// The zero place means that there is no record.
type place struct {
	offset int64
	size   int
	sum    uint64
}

func (p *place) record(c codec.Coder) {
	codec.Int(c, &p.offset)
	codec.Uint(c, &p.size)
	c.Hash(&p.sum)
}

// A heap reads the records in a heap file and checks their hashes. It is safe for concurrent use.
type heap struct {
	name string
	// from reads the heap if the heap isn't in the folder. Otherwise, it is nil.
	from io.ReaderAt
	// end is the offset after the last record to which the index refers.
	end int64

	// damaged reports whether a read has failed because a record was missing or damaged.
	damaged atomic.Bool

	mu     sync.Mutex
	file   *os.File
	failed bool
}

// read returns the record at p. ok is false if there is no record or the record is damaged.
func (h *heap) read(p place) (data string, ok bool) {
	file := h.open()
	defer func() {
		if !ok && p.size > 0 {
			h.damaged.Store(true)
		}
	}()
	if file == nil || p.size == 0 || p.offset < 0 || p.offset+int64(p.size) > h.end {
		return "", false
	}
	bytes := make([]byte, p.size)
	if _, err := file.ReadAt(bytes, p.offset); err != nil || xxhash.Sum64(bytes) != p.sum {
		return "", false
	}
	return string(bytes), true
}

// open returns a reader of the heap, and opens the file on the first call. It returns nil if the file can't be opened.
func (h *heap) open() io.ReaderAt {
	if h.from != nil {
		return h.from
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.file == nil && !h.failed {
		var err error
		h.file, err = os.Open(h.name)
		h.failed = err != nil
	}
	if h.file == nil {
		return nil
	}
	return h.file
}

func (h *heap) close() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.file == nil {
		return nil
	}
	err := h.file.Close()
	h.file, h.failed = nil, true
	return err
}

// A heapWriter appends records to a heap or writes a new heap. It never overwrites a record to which the stored index
// refers, so that index stays valid if the run is killed.
type heapWriter struct {
	name string
	// fresh is the provisional name of a new heap, or "" if the records are appended to the existing heap.
	fresh string
	// tail is the previous run's heap if that heap isn't in the folder, and otherwise nil. If tail is set, the written
	// file contains only the bytes of the heap from the offset base, starting with the bytes from base to the end of
	// tail.
	tail io.ReaderAt
	base int64
	end  int64
	file *os.File
	out  *bufio.Writer
	data codec.Writer
	// failed is the first error. After an error, the methods write nothing.
	failed error
}

// write appends the record of page without the page's row, and returns the place of the record.
func (h *heapWriter) write(page *Page) place {
	h.data.Data = h.data.Data[:0]
	page.RecordRest(codec.To(&h.data))
	return h.add(h.data.Data, xxhash.Sum64(h.data.Data))
}

// take returns k, a page of the previous run, for the record of this run. If this run writes a new heap, take copies
// the page's record to that heap and updates the place in k. If the page's record is damaged, the returned page has no
// place.
func (h *heapWriter) take(was *Last, k kept) kept {
	if h.fresh == "" || was.heap == nil {
		return k
	}
	data, ok := was.heap.read(k.place)
	if k.place = (place{}); ok {
		k.place = h.add([]byte(data), xxhash.Sum64String(data))
	}
	return k
}

// add appends a record with the given hash, and returns its place.
func (h *heapWriter) add(data []byte, sum uint64) place {
	if h.open(); h.failed == nil {
		_, h.failed = h.out.Write(data)
	}
	p := place{h.end, len(data), sum}
	h.end += int64(len(data))
	return p
}

// open opens the file on the first call.
func (h *heapWriter) open() {
	if h.file != nil || h.failed != nil {
		return
	}
	name, flags := h.name, os.O_WRONLY
	if h.tail != nil {
		flags |= os.O_CREATE | os.O_TRUNC
	}
	if h.fresh != "" {
		name, flags = h.fresh, os.O_WRONLY|os.O_CREATE|os.O_TRUNC
	}
	if h.fresh != "" || h.tail != nil {
		h.failed = os.MkdirAll(filepath.Dir(name), 0o777)
	}
	if h.failed == nil {
		h.file, h.failed = os.OpenFile(name, flags, 0o600)
	}
	switch {
	case h.failed != nil:
	case h.tail != nil:
		_, h.failed = io.Copy(h.file, io.NewSectionReader(h.tail, h.base, h.end-h.base))
	case h.end > 0:
		_, h.failed = h.file.Seek(h.end, 0)
	}
	if h.failed == nil {
		h.out = bufio.NewWriterSize(h.file, 1<<16)
	}
}

// finish completes the heap and closes the file. The heap of the previous run must be closed first, because finish may
// replace its file.
func (h *heapWriter) finish() error {
	if h.file == nil && h.fresh == "" {
		return h.failed
	}
	if h.open(); h.failed == nil {
		h.failed = h.out.Flush()
	}
	if h.file != nil {
		h.failed = errors.Join(h.failed, h.file.Close())
	}
	if h.failed == nil && h.fresh != "" {
		_ = os.Remove(h.name) // see File.Finish
		h.failed = os.Rename(h.fresh, h.name)
	}
	return h.failed
}

func (h *heapWriter) discard() error {
	if h.file == nil {
		return nil
	}
	_ = h.file.Close() // finish may have closed the file
	h.failed = os.ErrClosed
	if h.fresh == "" {
		return nil
	}
	return RemoveIfThere(h.fresh)
}
