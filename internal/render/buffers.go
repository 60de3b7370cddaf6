package render

import (
	"bytes"
	"sync"
)

// largestKept is the size in bytes, of what a buffer has room for, up to which
// it is used again. What a larger page needs is not held for the others.
const largestKept = 512 << 10

// buffers are used again from page to page, so that pages leave little behind
// for the collector.
type buffers struct {
	pool sync.Pool
}

func (b *buffers) get() *bytes.Buffer {
	if used, ok := b.pool.Get().(*bytes.Buffer); ok {
		return used
	}
	return new(bytes.Buffer)
}

// put takes back buffers whose bytes nobody reads any longer.
func (b *buffers) put(done ...*bytes.Buffer) {
	for _, buffer := range done {
		if buffer != nil && buffer.Cap() <= largestKept {
			buffer.Reset()
			b.pool.Put(buffer)
		}
	}
}
