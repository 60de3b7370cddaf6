package http1

import (
	"runtime"

	"vitrine/internal/serve/decide"
	"vitrine/internal/serve/socket"
)

// converseRaw is like converse, but uses the connection's descriptor. The net package only waits for the client and
// keeps the descriptor open. Bypassing the net package saves the cost of its locks and bookkeeping for each read and
// write, and the connection needs buffers only when bytes have arrived.
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

// takeTurns alternates between reading and responding. It returns idle, nil if no more input is available.
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
			// The next request may arrive while other connections run. Reading it then is cheaper than a read without
			// input followed by a wait. With several processors, yielding would wake an idle processor needlessly.
			runtime.Gosched()
		}
	}
}

// largestTry is the maximum number of bytes to write without notifying the scheduler. A longer copy would block the
// scheduler.
const largestTry = 256 << 10

// tryWrite writes as much of head and body as the system accepts immediately and returns the rest. It writes nothing if
// body is larger than largestTry.
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
