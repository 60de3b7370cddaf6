package serve

import (
	"net"
	"net/netip"
	"sync"
	"time"
)

// pacer bounds the processor time that an address can consume with connections that aren't worth their TLS handshake:
// connections that the server closes because of client errors, such as a flood (RFC 9113 §10.5), and connections
// without a request. A handshake costs more than many requests, so closing a flooding connection bounds the cost only
// if the client can't reconnect for free. Each connection that isn't worth its handshake adds to the debt of its
// address. New connections of an address in debt must wait for their turn before the handshake. A well-behaved client
// with the same address waits but doesn't fail. A connection with a valid request adds no debt. A pacer is safe for
// concurrent use.
type pacer struct {
	exempt func(netip.Addr) bool

	mu      sync.Mutex
	debtors map[netip.Prefix]debtor
}

// debtor is the debt of an address. The debt decreases over time, so it is stored as the time when it will be paid off.
type debtor struct {
	// paid is the time when the debt will be paid off. next is the earliest time of the next turn.
	paid, next time.Time
}

const (
	// turnTime is the debt that a connection adds, and the time between turns. It allows 40 handshakes a second, which
	// take about a tenth of a processor.
	turnTime = 25 * time.Millisecond
	// freeDebt is the maximum debt at which connections don't wait. Browsers open connections in advance and don't use
	// all of them.
	freeDebt = time.Second
	// longestTurn is the maximum wait for a turn, which leaves time for the handshake. Connections that would wait
	// longer are closed.
	longestTurn = readHeaderTimeout - time.Second
	// mostDebt is the maximum debt of an address, which bounds the time until the debt is paid off.
	mostDebt = 10 * time.Minute
	// mostDebtors is the maximum number of debtors, which bounds the memory.
	mostDebtors = 4096
)

// Pace makes new connections of addresses in debt take turns. Addresses for which exempt returns true, such as trusted
// proxies, never have a debt. The caller must call Pace before it uses the listener.
func (l *LimitedListener) Pace(exempt func(netip.Addr) bool) {
	l.pacer = &pacer{exempt: exempt, debtors: make(map[netip.Prefix]debtor)}
}

// Paced returns the number of connections that waited because their address was in debt.
func (l *LimitedListener) Paced() int64 { return l.paced.Load() }

// Wasted returns the number of connections that weren't worth their handshake, because they had no valid request or
// because the server closed them because of client errors.
func (l *LimitedListener) Wasted() int64 { return l.wasted.Load() }

// awaitTurn waits until the handshake may start. It returns false if the connection must be closed instead, because too
// many other connections are waiting or because ended was closed.
func (c *Connection) awaitTurn(ended <-chan struct{}) bool {
	if c == nil || c.listener.pacer == nil {
		return true
	}
	wait, ok := c.listener.pacer.turn(c.debtor(), time.Now())
	if !ok {
		c.listener.refused.Add(1)
		return false
	}
	if wait > 0 {
		c.listener.paced.Add(1)
		timer := time.NewTimer(wait)
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-ended:
			return false
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.owes = true
	return true
}

// Worth records that the connection was worth its handshake because it had a valid request.
func (c *Connection) Worth() {
	if c == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.owes = false
}

// settleDebt adds to the debt of the connection's address if the connection wasn't worth its handshake.
func (c *Connection) settleDebt() {
	c.mu.Lock()
	owes := c.owes
	c.owes = false
	c.mu.Unlock()
	if owes {
		c.listener.wasted.Add(1)
		c.listener.pacer.charge(c.debtor(), time.Now())
	}
}

// debtor returns the network that shares a connection's debt: the IPv4 address, or the /64 of the IPv6 address, because
// a host can have any address in its /64 (RFC 4291 §2.5.1). It is the zero Prefix if the connection can't have a debt.
func (c *Connection) debtor() netip.Prefix {
	tcp, ok := c.RemoteAddr().(*net.TCPAddr)
	if !ok {
		return netip.Prefix{}
	}
	address := tcp.AddrPort().Addr().Unmap()
	if c.listener.pacer.exempt(address.WithZone("")) {
		return netip.Prefix{}
	}
	bits := address.BitLen()
	if address.Is6() {
		bits = 64
	}
	network, _ := address.Prefix(bits) // the zero Prefix for the zero Addr
	return network
}

// turn reserves the next turn of the address from and returns the time until that turn. It returns 0 if the debt of the
// address is at most freeDebt, and false if the wait would exceed longestTurn.
func (p *pacer) turn(from netip.Prefix, now time.Time) (wait time.Duration, ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	d, found := p.debtors[from]
	if !found || d.paid.Sub(now) <= freeDebt {
		return 0, true
	}
	wait = max(d.next.Sub(now), 0)
	if wait > longestTurn {
		return 0, false
	}
	d.next = now.Add(wait + turnTime)
	p.debtors[from] = d
	return wait, true
}

// charge adds a connection to the debt of an address.
func (p *pacer) charge(to netip.Prefix, now time.Time) {
	if !to.IsValid() {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	d, found := p.debtors[to]
	if !found && len(p.debtors) >= mostDebtors {
		p.forget(now)
	}
	if d.paid.Before(now) {
		d.paid = now
	}
	if d.paid = d.paid.Add(turnTime); d.paid.Sub(now) > mostDebt {
		d.paid = now.Add(mostDebt)
	}
	p.debtors[to] = d
}

// forget makes room for a debtor. It removes all debts that are paid off. If no debts are paid off, it removes the debt
// that will be paid off first.
func (p *pacer) forget(now time.Time) {
	var first netip.Prefix
	var earliest time.Time
	for from, d := range p.debtors {
		switch {
		case !d.paid.After(now):
			delete(p.debtors, from)
		case !first.IsValid() || d.paid.Before(earliest):
			first, earliest = from, d.paid
		}
	}
	if len(p.debtors) >= mostDebtors {
		delete(p.debtors, first)
	}
}
