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
	// smallest is the minimum size in bytes of a body to compress. Compressing a smaller body saves less than one
	// network packet.
	smallest = 256
	// Higher levels take up to twice as long and save little: gzip 6 saves a thousandth of a page for 10 to 33 percent more
	// time. Lower levels save little time and produce at least two percent more bytes; brotli loses most of its advantage over gzip.
	gzipLevel   = 5
	brotliLevel = 5
	// brotliLarge is the size in bytes at which brotli switches to a different search algorithm. A writer keeps the
	// algorithm of its first body, so it must get either only smaller bodies or only larger ones. Otherwise, its output
	// would depend on earlier bodies.
	brotliLarge = 1 << 20
)

// encoders pools compressors, which are expensive to create.
type encoders struct {
	gzip, brotli, largeBrotli sync.Pool
}

// compressor is the interface shared by gzip.Writer and brotli.Writer.
type compressor interface {
	io.WriteCloser
	Reset(io.Writer)
}

// encoder is a compressor with an output buffer that grows as needed, because the length of a compressed body isn't
// known in advance.
type encoder struct {
	compressor
	coded bytes.Buffer
}

func newEncoders() *encoders {
	e := &encoders{}
	e.gzip.New = func() any {
		// Ignore the error: gzip supports this level.
		w, _ := gzip.NewWriterLevel(io.Discard, gzipLevel)
		return &encoder{compressor: w}
	}
	e.brotli.New = func() any {
		return &encoder{compressor: brotli.NewWriterLevel(io.Discard, brotliLevel)}
	}
	e.largeBrotli.New = e.brotli.New
	return e
}

// encode compresses body with coding. It returns nil if the body is too small or doesn't shrink.
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

// run compresses a body into the encoder's buffer.
func (e *encoder) run(body []byte) error {
	e.coded.Reset()
	e.Reset(&e.coded)
	if _, err := e.Write(body); err != nil {
		return err
	}
	return e.Close()
}
