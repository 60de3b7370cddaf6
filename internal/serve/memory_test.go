package serve

import (
	"errors"
	"log/slog"
	"net"
	"slices"
	"testing"
	"time"
)

// piped is a listener of connections without a peer.
type piped struct{ net.Listener }

func (piped) Accept() (net.Conn, error) {
	c, _ := net.Pipe()
	return c, nil
}

// accept accepts n connections and calls make with each. It moves each connection's last transfer and the start of its
// header section back by ago.
func accept(t *testing.T, l *LimitedListener, n int, ago time.Duration, make func(*Connection)) []*Connection {
	t.Helper()
	all := []*Connection{}
	for range n {
		c, err := l.Accept()
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = c.Close() })
		account := c.(*Connection)
		account.mu.Lock()
		then := time.Now().Add(-ago)
		make(account)
		account.moved, account.headSince = then, then
		account.settle()
		all = append(all, account)
	}
	return all
}

func left(all []*Connection) (n int) {
	for _, c := range all {
		c.mu.Lock()
		if !c.gone {
			n++
		}
		c.mu.Unlock()
	}
	return n
}

// All connections of one kind are closed before any connection of the next kind, regardless of their order of arrival.
func TestOrder(t *testing.T) {
	const each = 10
	idle := func(c *Connection) { c.waits = false }
	kinds := []struct {
		name string
		ago  time.Duration
		make func(*Connection)
	}{
		{"stalled handshakes", 2 * time.Second, func(c *Connection) { c.protocol, c.backlog = shaking, 100<<10 }},
		{"smaller stalled handshakes", 20 * time.Second, func(c *Connection) { c.protocol, c.backlog = shaking, 60<<10 }},
		{"heads", 3 * time.Second, func(c *Connection) { c.held = 1000 }},
		{"heads, later", 2 * time.Second, func(c *Connection) { c.held = 8000 }},
		{"stalled streams", 6 * time.Second, func(c *Connection) { c.protocol, c.waits, c.open = HTTP2, false, 50 }},
		{"unread responses", 5 * time.Second, func(c *Connection) { c.waits, c.writing, c.works = false, 1, true }},
		{"HTTP/1.1 over TLS, idle", 50 * time.Second, func(c *Connection) { c.protocol, c.waits = Secure1, false }},
		{"HTTP/2, idle", 2 * time.Second, func(c *Connection) { c.protocol, c.waits = HTTP2, false }},
		{"HTTP/1.1, idle for long", 60 * time.Second, idle},
		{"HTTP/1.1, idle", 2 * time.Second, idle},
		{"moving responses", 0, func(c *Connection) { c.waits, c.writing, c.works = false, 1, true }},
	}
	m := NewMemory(1<<40, slog.New(slog.DiscardHandler))
	l := m.Limit(piped{}, 0)
	var conns [][]*Connection
	for _, k := range slices.Backward(kinds) {
		conns = append([][]*Connection{accept(t, l, each, k.ago, k.make)}, conns...)
	}
	for i, k := range kinds[:9] { // some connections of the later kinds stay open
		var rest int64
		for _, kind := range conns[i+1:] {
			for _, c := range kind {
				rest += c.cost
			}
		}
		// The limit is just too low for one connection of this kind in addition to all later kinds.
		m.most = (rest+1)*relief/(relief-1) + relief
		m.relieve()
		for j, kind := range conns {
			want := each
			if j <= i {
				want = 0
			}
			if got := left(kind); got != want {
				t.Errorf("%s: %d of %q are left, want %d", k.name, got, kinds[j].name, want)
			}
		}
	}
	// Connections with a moving response are closed only if no connections of other kinds are left, except for a few
	// idle connections.
	m.most = 400 << 10
	m.relieve()
	if idle, busy := left(conns[9]), left(conns[10]); m.staying() > m.most || idle == 0 || idle == each || busy == 0 || busy == each {
		t.Errorf("%d that wait and %d answers are left, which cost %d of %d", idle, busy, m.staying(), m.most)
	}
}

// A connection's cost is released exactly once, whether its engine or the memory limit closes it first.
func TestReleaseOnce(t *testing.T) {
	m := NewMemory(1<<40, slog.New(slog.DiscardHandler))
	l := m.Limit(piped{}, 3)
	all := accept(t, l, 3, 0, func(*Connection) {})
	m.most = 1
	m.relieve()
	for range 2 {
		for _, c := range all {
			_ = c.Close()
			c.Holds(5000)
			c.Writing(true, true)
		}
	}
	if m.Used() != 0 || m.Closed() != 3 || l.Open() != 0 {
		t.Errorf("%d bytes are used, %d connections closed for memory, %d open", m.Used(), m.Closed(), l.Open())
	}
	if _, err := all[0].Write([]byte("x")); !errors.Is(err, net.ErrClosed) && err == nil {
		t.Error("a closed connection can be written to")
	}
}

// The cost of an evicted connection counts until its engine has closed it, so that new connections don't arrive faster
// than old connections end. The cost of leaving connections doesn't cause further evictions.
func TestLeavingConnectionsCount(t *testing.T) {
	m := NewMemory(1<<40, slog.New(slog.DiscardHandler))
	l := m.Limit(piped{}, 0)
	all := accept(t, l, 40, 5*time.Second, func(c *Connection) { c.held = 8000 })
	before := m.Used()
	m.most = before / 2
	m.relieve()
	stay := left(all)
	if stay == 0 || stay == len(all) || m.Used() != before || m.staying() > m.most {
		t.Fatalf("%d of %d stay; they cost %d of %d, %d with those that leave", stay, len(all), m.staying(), m.most, m.Used())
	}
	m.relieve()
	m.charge(1)
	m.charge(-1)
	if left(all) != stay {
		t.Errorf("%d stay where %d did: what leaves was counted against them", left(all), stay)
	}
	accepted := make(chan net.Conn)
	go func() {
		c, _ := l.Accept()
		accepted <- c
	}()
	select {
	case <-accepted:
		t.Fatal("a connection was taken in before those that leave have ended")
	case <-time.After(roomTime / 5):
	}
	for _, c := range all {
		if c.gone {
			_ = c.Close()
		}
	}
	_ = (<-accepted).Close()
	if m.leaving.Load() != 0 || m.Used() != m.staying() {
		t.Errorf("%d are leaving after all have ended", m.leaving.Load())
	}
}
