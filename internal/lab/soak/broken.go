package soak

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"time"
)

// sources returns the requests to mutate: plain requests, and known forms of request smuggling, path traversal, and
// resource exhaustion.
func sources() []string {
	const host = "Host: x\r\n"
	return []string{
		"GET / HTTP/1.1\r\n" + host + "\r\n",
		"GET /pricing?a=1 HTTP/1.1\r\n" + host + "Accept: text/markdown\r\nAccept-Encoding: gzip;q=0.5, br\r\n\r\n",
		"HEAD /api HTTP/1.1\r\n" + host + "If-None-Match: \"a\", W/\"b\", *\r\n\r\n",
		"OPTIONS * HTTP/1.1\r\n" + host + "\r\n",
		"GET http://x/pricing HTTP/1.1\r\n" + host + "\r\n",
		"POST /api HTTP/1.1\r\n" + host + "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET / HTTP/1.1\r\n\r\n",
		"GET / HTTP/1.1\r\n" + host + "Content-Length: 0\r\nContent-Length: 6\r\n\r\nabcdef",
		"GET / HTTP/1.1\nHost: x\n\n",
		"GET / HTTP/1.1\r\n" + host + "X: a\r\n\tb\r\nTransfer-Encoding:\x0bchunked\r\n\r\n",
		"GET /%2e%2e/%252e/..\\..//evil.example/%00%ff HTTP/1.1\r\n" + host + "\r\n",
		"GET //evil.example/%2f.. HTTP/1.1\r\n" + host + "Range: bytes=0-1,2-3,4-\r\n\r\n",
		"GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n",
		"GET / HTTP/1.1\r\n" + host + "Expect: 100-continue\r\nUpgrade: h2c\r\nConnection: upgrade\r\n\r\n",
		"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\x00\x00\x00\x04\x00\x00\x00\x00\x00",
	}
}

// mutate returns one of the requests with some bytes changed and sometimes a different length.
func mutate(random *rand.Rand, all []string) []byte {
	b := []byte(all[random.IntN(len(all))])
	for range random.IntN(6) {
		if len(b) == 0 {
			break
		}
		i := random.IntN(len(b))
		switch random.IntN(5) {
		case 0:
			b[i] = byte(random.IntN(256))
		case 1:
			b[i] ^= 1 << random.IntN(8)
		case 2:
			b = slices.Delete(b, i, min(len(b), i+1+random.IntN(4)))
		case 3:
			b = slices.Insert(b, i, []byte("\r\n: \x00,%;\"")[random.IntN(9)])
		case 4:
			other := all[random.IntN(len(all))]
			b = append(b[:i:i], other[random.IntN(len(other)):]...)
		}
	}
	return b
}

// brokenRequests sends mutated and incomplete requests. Every response must be complete and have a known status,
// redirects must stay on the host, and the server must keep running. The seed is fixed to make failures reproducible.
func brokenRequests(ctx context.Context, b *Bench, s *server, r *Result) error {
	n := b.times(20_000)
	var sent, answered atomic.Int64
	err := s.underLoad(ctx, r, func() error {
		return each(n, 32, func(i int) error {
			random := rand.New(rand.NewPCG(1, uint64(i)))
			request := mutate(random, sources())
			c, err := dial(s.addr)
			if err != nil {
				return err
			}
			defer c.close()
			if err := c.SetDeadline(time.Now().Add(patience)); err != nil {
				return err
			}
			_, _ = c.Write(request) // the server may close the connection earlier
			sent.Add(1)
			if random.IntN(8) > 0 { // otherwise don't wait for the responses
				_ = c.Conn.(*net.TCPConn).CloseWrite()
				stream, err := io.ReadAll(c.r)
				if err != nil && len(stream) > 0 {
					return nil // the server reset the connection after a response, because it didn't read all bytes
				}
				count, err := known(stream)
				answered.Add(int64(count))
				if err != nil {
					return fmt.Errorf("the response to %q: %w; the response starts with %.300q", request, err, stream)
				}
			}
			return nil
		})
	})
	r.Requests += sent.Load()
	r.Connections += sent.Load()
	if err == nil && answered.Load() == 0 {
		err = errors.New("no response")
	}
	return err
}

// known counts the responses in a stream. It returns an error if a response is malformed, has an unknown status, or
// redirects to another host.
func known(stream []byte) (count int, err error) {
	r := bufio.NewReader(bytes.NewReader(stream))
	for {
		if _, err := r.Peek(1); err == io.EOF {
			return count, nil
		}
		head, _, _ := bytes.Cut(stream[len(stream)-r.Buffered():], []byte("\r\n"))
		response, err := http.ReadResponse(r, &http.Request{Method: http.MethodGet})
		if err != nil {
			return count, fmt.Errorf("after %d responses: %w", count, err)
		}
		count++
		switch response.StatusCode {
		case 100, 200, 204, 304, 308, 400, 404, 405, 412, 413, 417, 429, 431, 501, 505:
		default:
			return count, fmt.Errorf("unexpected status %d", response.StatusCode)
		}
		if location := response.Header.Get("Location"); location != "" && (!strings.HasPrefix(location, "/") || strings.HasPrefix(location, "//") || strings.HasPrefix(location, `/\`)) {
			return count, fmt.Errorf("unexpected redirect to another host: %q", location)
		}
		// A response to HEAD has a Content-Length but no body, so the next response or the end follows.
		if next, _ := r.Peek(len("HTTP/1.")); string(next) == "HTTP/1." {
			continue
		}
		if _, err := io.Copy(io.Discard, response.Body); err != nil {
			if bytes.Contains(head, []byte("HTTP/1.")) && errors.Is(err, io.ErrUnexpectedEOF) {
				return count, nil
			}
			return count, err
		}
	}
}
