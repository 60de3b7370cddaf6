package report

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"sync"

	"vitrine/internal/readers"
)

// Log is an open access log. Name identifies the log in errors.
type Log struct {
	Name   string
	Reader io.Reader
}

// chunkSize is the number of bytes of a log that a worker processes at a time.
const chunkSize = 256 << 10

// Read reads logs to their ends and returns a summary. It decompresses logs in gzip format (RFC 1952). It uses bounded
// memory for logs of any length. If a log can't be read, the error contains its name.
func Read(ctx context.Context, logs []Log, options Options) (*Report, error) {
	index := readers.NewIndex(options.Tools...)
	chunks := make(chan []byte)
	counters := make([]*counter, runtime.GOMAXPROCS(0))
	var working sync.WaitGroup
	for i := range counters {
		c := newCounter(&options, index)
		counters[i] = c
		working.Go(func() {
			for chunk := range chunks {
				c.addAll(chunk)
			}
		})
	}
	err := split(ctx, logs, chunks)
	close(chunks)
	working.Wait()
	if err != nil {
		return nil, err
	}
	for _, c := range counters[1:] {
		counters[0].merge(c)
	}
	return counters[0].report(), nil
}

// addAll parses and counts the lines of chunk.
func (c *counter) addAll(chunk []byte) {
	var l line
	for text := range bytes.Lines(chunk) {
		if len(bytes.TrimSpace(text)) == 0 {
			continue
		}
		if l.parse(text) != nil {
			c.unread++
			continue
		}
		c.add(&l)
	}
}

// split sends the logs to chunks in pieces of complete lines. If a log can't be read, the error contains its name.
func split(ctx context.Context, logs []Log, chunks chan<- []byte) error {
	for _, log := range logs {
		if err := splitOne(ctx, log.Reader, chunks); err != nil {
			return fmt.Errorf("reading %s: %w", log.Name, err)
		}
	}
	return nil
}

func splitOne(ctx context.Context, r io.Reader, chunks chan<- []byte) error {
	buffered := bufio.NewReader(r)
	r = buffered
	if magic, _ := buffered.Peek(2); bytes.Equal(magic, []byte{0x1f, 0x8b}) {
		unzipped, err := gzip.NewReader(buffered)
		if err != nil {
			return err
		}
		r = unzipped
	}
	var rest []byte
	// skipping is true if the rest of an overlong line follows.
	skipping := false
	for {
		chunk := make([]byte, chunkSize+len(rest))
		n := copy(chunk, rest)
		read, err := fill(r, chunk[n:])
		chunk = chunk[:n+read]
		if skipping {
			end := bytes.IndexByte(chunk, '\n') + 1
			if skipping = end == 0; skipping {
				end = len(chunk)
			}
			chunk = chunk[end:]
		}
		whole := chunk
		ended := errors.Is(err, io.EOF)
		switch {
		case ended:
		case err != nil:
			return err
		default:
			// A line longer than a chunk can't be a log entry, so replace it with a line that is counted as unread.
			end := bytes.LastIndexByte(chunk, '\n') + 1
			whole, rest = chunk[:end], chunk[end:]
			if len(rest) > chunkSize {
				whole, rest, skipping = append(whole, "overlong\n"...), nil, true
			}
		}
		select {
		case chunks <- whole:
		case <-ctx.Done():
			return ctx.Err()
		}
		if ended {
			return nil
		}
	}
}

// fill reads until buffer is full, and returns the number of bytes read. Unlike io.ReadFull, it returns the reader's
// own error if the reader ends first, so that a truncated gzip file isn't mistaken for a complete file.
func fill(r io.Reader, buffer []byte) (n int, err error) {
	for n < len(buffer) && err == nil {
		var read int
		read, err = r.Read(buffer[n:])
		n += read
	}
	if n == len(buffer) {
		return n, nil
	}
	return n, err
}
