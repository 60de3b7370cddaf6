//go:build unix

package http1

import (
	"io"
	"runtime"
	"syscall"
)

// descriptors says that a connection's descriptor can be read and written
// without waiting.
const descriptors = true

// converseRaw is converse on the descriptor itself. The net package waits for
// the client, and keeps the descriptor open meanwhile, but has no part in
// reading and writing: that saves the locks and the bookkeeping of each, and
// memory is needed only when bytes have come.
func (c *conn) converseRaw() (s state, err error) {
	waitErr := c.raw.Read(func(fd uintptr) (done bool) {
		c.fd = int(fd)
		s, err = c.takeTurns()
		c.fd = -1
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
		n, err := ignoringEINTR(receive, c.fd, w.in[w.end:])
		switch {
		case err == syscall.EAGAIN:
			c.release()
			return idle, nil
		case err != nil:
			return broken, err
		case n == 0:
			return broken, io.EOF
		}
		w.end += n
		if s := c.turn(); s != idle {
			return s, nil
		}
		if c.server.oneProcessor {
			// While others are answered the next request may come. Reading it
			// then costs less than a read that finds nothing, and a wait. With
			// more than one processor this would wake an idle one for nothing.
			runtime.Gosched()
		}
	}
}

// largestTry bounds what is written without telling the scheduler, whom a copy
// of many bytes would keep waiting.
const largestTry = 256 << 10

// tryWrite writes what the system takes at once, and returns the rest.
func (c *conn) tryWrite(head, body []byte) (restOfHead, restOfBody []byte, err error) {
	if c.fd < 0 || len(body) > largestTry {
		return head, body, nil
	}
	n, err := send(c.fd, head, body)
	for err == syscall.EINTR {
		n, err = send(c.fd, head, body)
	}
	if err == syscall.EAGAIN {
		return head, body, nil
	}
	n = max(n, 0)
	ofHead := min(n, len(head))
	return head[ofHead:], body[n-ofHead:], err
}

// ignoringEINTR calls again where a signal came in between.
func ignoringEINTR(call func(int, []byte) (int, error), fd int, p []byte) (int, error) {
	for {
		n, err := call(fd, p)
		if err != syscall.EINTR {
			return n, err
		}
	}
}
