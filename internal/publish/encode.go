package publish

import (
	"bytes"
	"fmt"
	"io"
	"sync"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/gzip"

	"vitrine/internal/artifact"
)

const (
	// Below this size a coded body saves less than a network packet holds.
	smallest = 256
	// Higher levels cost up to twice as much and save little: gzip 6 a thousandth of a page for a tenth to a third more
	// time. Lower ones lose two percent and more for little time, and with brotli most of what it is ahead of gzip.
	gzipLevel   = 5
	brotliLevel = 5
	// From this size on brotli searches in another way. A writer keeps the way of
	// the first body that it is given, so it may have only one kind: otherwise
	// the bytes would depend on what was compressed before.
	brotliLarge = 1 << 20
)

// encoders keeps compressors, which are expensive to make, for use again.
type encoders struct {
	gzip, brotli, largeBrotli sync.Pool
}

// compressor is what gzip.Writer and brotli.Writer have in common.
type compressor interface {
	io.WriteCloser
	Reset(io.Writer)
}

// encoder is a compressor and the buffer that it writes to: how long a coded
// body gets is known only when it is there.
type encoder struct {
	compressor
	coded bytes.Buffer
}

func newEncoders() *encoders {
	e := &encoders{}
	e.gzip.New = func() any {
		// The level is a constant that gzip knows.
		w, _ := gzip.NewWriterLevel(io.Discard, gzipLevel)
		return &encoder{compressor: w}
	}
	e.brotli.New = func() any {
		return &encoder{compressor: brotli.NewWriterLevel(io.Discard, brotliLevel)}
	}
	e.largeBrotli.New = e.brotli.New
	return e
}

// encode returns a body in a content coding, or nil where that saves nothing.
func (e *encoders) encode(body []byte, coding artifact.Coding) ([]byte, error) {
	if len(body) < smallest {
		return nil, nil
	}
	pool := &e.gzip
	switch {
	case coding == artifact.Brotli && len(body) >= brotliLarge:
		pool = &e.largeBrotli
	case coding == artifact.Brotli:
		pool = &e.brotli
	}
	w := pool.Get().(*encoder)
	defer pool.Put(w)
	if err := w.run(body); err != nil {
		return nil, fmt.Errorf("compressing with %s: %w", coding, err)
	}
	if w.coded.Len() >= len(body) {
		return nil, nil
	}
	return bytes.Clone(w.coded.Bytes()), nil
}

// run puts the coded body into the encoder's buffer.
func (e *encoder) run(body []byte) error {
	e.coded.Reset()
	e.Reset(&e.coded)
	if _, err := e.Write(body); err != nil {
		return err
	}
	return e.Close()
}
