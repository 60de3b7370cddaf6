package publish

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"sync"

	"github.com/andybalholm/brotli"

	"vitrine/internal/artifact"
)

const (
	// Below this size a coded body saves less than a network packet holds.
	smallest = 256
	// Higher levels cost several times as much and save a percent or two.
	gzipLevel   = 6
	brotliLevel = 5
	// From this size on brotli searches in another way. A writer keeps the way of
	// the first body that it is given, so it may have only one kind: otherwise
	// the bytes would depend on what was compressed before.
	brotliLarge = 1 << 20
)

// encoders keeps compressors, which are dear to make, for use again.
type encoders struct {
	gzip, brotli, largeBrotli sync.Pool
}

// compressor is what gzip.Writer and brotli.Writer have in common.
type compressor interface {
	io.WriteCloser
	Reset(io.Writer)
}

func newEncoders() *encoders {
	e := &encoders{}
	e.gzip.New = func() any {
		// The level is a constant that gzip knows.
		w, _ := gzip.NewWriterLevel(io.Discard, gzipLevel)
		return w
	}
	e.brotli.New = func() any { return brotli.NewWriterLevel(io.Discard, brotliLevel) }
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
	w := pool.Get().(compressor)
	defer pool.Put(w)
	var coded bytes.Buffer
	coded.Grow(len(body) / 2)
	w.Reset(&coded)
	if _, err := w.Write(body); err != nil {
		return nil, fmt.Errorf("compressing with %s: %w", coding, err)
	}
	if err := w.Close(); err != nil {
		return nil, fmt.Errorf("compressing with %s: %w", coding, err)
	}
	if coded.Len() >= len(body) {
		return nil, nil
	}
	return coded.Bytes(), nil
}
