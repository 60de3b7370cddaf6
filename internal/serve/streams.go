package serve

import (
	"context"
	"net"
	"net/http"
	"time"
)

// What HTTP/2 costs, and which of its requests net/http answers itself, is seen from
// outside: by the requests that it begins (SetReadDeadline), those that come here, and
// the moments at which a connection has no stream.

// lingering is how many short answers a connection may have handed to net/http that it
// may not have written yet. Beyond it they are waited for.
const lingering = 8

// Speaks says what a connection speaks from now on.
func (c *Connection) Speaks(p Protocol) {
	if c == nil {
		return
	}
	c.mu.Lock()
	c.protocol, c.backlog = p, 0
	c.settle()
}

func (c *Connection) streamed() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.begun
}

// enter notes a request of HTTP/2 that came to the Handler.
func (c *Connection) enter() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.entered++
	c.inside++
}

// leave notes that it was answered. net/http keeps a short answer until it has let the
// Handler go, and then waits for the client: where many may do so the answer is
// sent before.
func (c *Connection) leave(w http.ResponseWriter, length int) {
	c.mu.Lock()
	sent := length >= keptByNetHTTP
	wait := !sent && c.open-c.inside >= lingering
	c.mu.Unlock()
	if wait {
		_ = http.NewResponseController(w).Flush() // the client is gone
		sent = true
	}
	c.mu.Lock()
	c.inside--
	if sent {
		c.open = max(c.open-1, c.inside)
	}
	c.settle()
}

// keptByNetHTTP is the length of an answer that net/http writes at once.
const keptByNetHTTP = 4 << 10

// lost is the number of requests that no Handler was asked, and that were not counted
// before. The lock is held.
func (c *Connection) lost() int64 {
	n := max(c.scheduled-c.entered-c.unanswered, 0)
	c.unanswered += n
	return n
}

// changed is told of the states of net/http's connections.
func changed(conn net.Conn, state http.ConnState) {
	c := connectionOf(conn)
	if c == nil || state != http.StateIdle {
		return
	}
	c.mu.Lock()
	var lost int64
	if c.protocol == secure2 {
		if !c.begun {
			c.begun = true
			c.waits = false
		}
		c.open = c.inside
		lost = c.lost()
	} else {
		c.waits, c.moved = false, time.Now()
	}
	c.settle()
	c.listener.memory.lose(lost)
}

// connectionKey finds a connection in the context of its requests.
type connectionKey struct{}

// withConnection puts what a request is asked on into its context: a gate, or a
// connection of HTTP/2.
func withConnection(ctx context.Context, c net.Conn) context.Context {
	if g, ok := c.(*Gate); ok {
		return context.WithValue(ctx, gateKey{}, g)
	}
	if c := connectionOf(c); c != nil {
		return context.WithValue(ctx, connectionKey{}, c)
	}
	return ctx
}
