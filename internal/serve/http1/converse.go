package http1

import (
	"runtime"

	"vitrine/internal/serve/decide"
	"vitrine/internal/serve/socket"
)

// converseRaw is converse on the descriptor itself. The net package waits for
// the client, and keeps the descriptor open meanwhile, but has no part in
// reading and writing: that saves the locks and the bookkeeping of each, and
// memory is needed only when bytes have come.
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

// takeTurns takes turns with the client until nothing more has come, which it
// reports as idle without an error.
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
			// While others are answered the next request may come. Reading it
			// then costs less than a read that finds nothing, and a wait. With
			// more than one processor this would wake an idle one for nothing.
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
