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
	// smallest is the size in bytes of the smallest body to compress. Compressing a smaller body saves less than one
	// network packet.
	smallest = 256
	// A higher compression level takes up to twice as long and saves little. For example, gzip 6 takes 10 to 33 percent
	// more time than gzip 5 and saves a thousandth of a page. A lower level saves little time and produces at least two
	// percent more bytes, and brotli then loses most of its advantage over gzip.
	gzipLevel   = 5
	brotliLevel = 5
	// brotliLarge is the size in bytes at which brotli switches to another search algorithm. A writer keeps the
	// algorithm that it chose for its first body. A writer is therefore used only for smaller bodies or only for larger
	// bodies, so that its output doesn't depend on earlier bodies.
	brotliLarge = 1 << 20
)

// encoders contains pools of compressors, which are expensive to create.
type encoders struct {
	gzip, brotli, largeBrotli sync.Pool
}

// A compressor is a gzip.Writer or a brotli.Writer.
type compressor interface {
	io.WriteCloser
	Reset(io.Writer)
}

// An encoder is a compressor with a buffer for its output. The buffer grows as needed, because the size of the output
// isn't known in advance.
type encoder struct {
	compressor
	coded bytes.Buffer
}

func newEncoders() *encoders {
	e := &encoders{}
	e.gzip.New = func() any {
		// Ignore the error, which only an invalid level causes.
		w, _ := gzip.NewWriterLevel(io.Discard, gzipLevel)
		return &encoder{compressor: w}
	}
	e.brotli.New = func() any {
		return &encoder{compressor: brotli.NewWriterLevel(io.Discard, brotliLevel)}
	}
	e.largeBrotli.New = e.brotli.New
	return e
}

// encode compresses body with the given coding. It returns nil if body is too small to compress, or if the result isn't
// smaller than body.
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

// run compresses body into the buffer of the encoder.
func (e *encoder) run(body []byte) error {
	e.coded.Reset()
	e.Reset(&e.coded)
	if _, err := e.Write(body); err != nil {
		return err
	}
	return e.Close()
}
