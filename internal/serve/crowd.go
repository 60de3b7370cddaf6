package serve

import (
	"net"
	"slices"
	"sync"
)

// LimitShort returns a listener with at most n open connections, for short exchanges such as redirects. To accept
// another connection, it closes the oldest connection that is waiting for its first request or for the rest of a
// request, so that connections without a request can't block the address. If no other connection is waiting, it closes
// the new connection. The connections count toward the memory limit, as with Limit.
func (m *Memory) LimitShort(l net.Listener, n int) *LimitedListener {
	return &LimitedListener{Listener: l, memory: m, most: int64(n), crowd: &crowd{most: n}}
}

// crowd contains the open connections of a listener for short exchanges, oldest first. It is safe for concurrent use.
type crowd struct {
	most int
	mu   sync.Mutex
	all  []*Connection
}

// add adds a new connection. If this exceeds the limit, add closes the oldest connection that is waiting for a request.
// The new connection is waiting too, so add closes the new connection if no other connection is waiting.
func (c *crowd) add(added *Connection) {
	c.mu.Lock()
	c.all = append(c.all, added)
	var victim *Connection
	if len(c.all) > c.most {
		at := max(slices.IndexFunc(c.all, (*Connection).awaited), 0)
		victim = c.all[at]
		c.all = slices.Delete(c.all, at, at+1)
	}
	c.mu.Unlock()
	if victim != nil && victim.evict() {
		victim.abort(true)
	}
}

func (c *crowd) remove(closed *Connection) {
	if c == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if at := slices.Index(c.all, closed); at >= 0 {
		c.all = slices.Delete(c.all, at, at+1)
	}
}

// awaited reports whether the connection is waiting for its first request or for the rest of a request.
func (c *Connection) awaited() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.waits
}
