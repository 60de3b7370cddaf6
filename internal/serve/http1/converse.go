package http1

import (
	"runtime"

	"vitrine/internal/serve/decide"
	"vitrine/internal/serve/socket"
)

// converseRaw is like converse, on the descriptor itself. The net package only waits for the client and keeps the
// descriptor open; it doesn't read or write. That saves its locks and bookkeeping for each call, and the connection
// needs memory only when bytes have arrived.
func (c *conn) converseRaw() (s state, err error) {
	waitErr := c.wire.Turns(func() (done bool) {
		s, err = c.takeTurns()
		return s != idle || err != nil
	})
	if err == nil {
		err = waitErr
	}
	return s, err
}

// takeTurns takes turns with the client until no more input is available, which it reports as idle without an error.
func (c *conn) takeTurns() (state, error) {
	for {
		w := c.take()
		n, err := c.read(w.in[w.end:])
		switch {
		case n > 0:
		case err == socket.ErrWouldBlock:
			c.release()
			return idle, nil
		default:
			return broken, err
		}
		w.end += n
		if s := c.turn(); s != idle {
			return s, nil
		}
		c.wire.Again()
		if c.server.oneProcessor {
			// The next request may arrive while other connections run. Reading it then costs less than a read without
			// input and a wait. With more than one processor, yielding would wake an idle processor needlessly.
			runtime.Gosched()
		}
	}
}

// largestTry is the maximum number of bytes to write without telling the scheduler, which a long
// copy would block.
const largestTry = 256 << 10

// tryWrite writes as much as the system accepts immediately, and returns the rest.
func (c *conn) tryWrite(head, body []byte, shelf *decide.Shelf) (restOfHead, restOfBody []byte, err error) {
	if len(body) > largestTry {
		return head, body, nil
	}
	var n int
	if file, at, ok := shelf.Place(body); ok {
		n, err = c.wire.TryFile(head, file, at, len(body))
	} else {
		n, err = c.wire.Try(head, body)
	}
	ofHead := min(n, len(head))
	return head[ofHead:], body[n-ofHead:], err
}
