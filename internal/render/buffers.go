package render

import (
	"bytes"
	"sync"
)

// buffers are used again from page to page, so that each page takes no more
// memory than it has bytes.
type buffers struct {
	pool sync.Pool
}

func (b *buffers) get() *bytes.Buffer {
	if used, ok := b.pool.Get().(*bytes.Buffer); ok {
		return used
	}
	return new(bytes.Buffer)
}

func (b *buffers) put(done ...*bytes.Buffer) {
	for _, buffer := range done {
		buffer.Reset()
		b.pool.Put(buffer)
	}
}

// exactly is a copy of what a buffer holds, without room for more.
func exactly(b *bytes.Buffer) []byte {
	return append(make([]byte, 0, b.Len()), b.Bytes()...)
}
