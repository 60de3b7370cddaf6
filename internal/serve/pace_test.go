package serve

import (
	"net"
	"net/netip"
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

// addressed is a connection with a remote address.
type addressed struct {
	net.Conn
	from net.Addr
}

func (c addressed) RemoteAddr() net.Addr { return c.from }

// from returns a new connection of l from a client with the IP address address.
func from(t *testing.T, l *LimitedListener, address string) *Connection {
	t.Helper()
	server, client := net.Pipe()
	c := l.memory.add(addressed{server, net.TCPAddrFromAddrPort(netip.AddrPortFrom(netip.MustParseAddr(address), 4711))}, l)
	l.open.Add(1)
	t.Cleanup(func() {
		_ = c.Close()
		_ = client.Close()
	})
	return c
}

// waste opens and closes n connections from address without sending a request.
func waste(t *testing.T, l *LimitedListener, address string, n int) {
	t.Helper()
	for range n {
		c := from(t, l, address)
		c.awaitTurn(nil)
		_ = c.Close()
	}
}

// turnOf returns how long a new connection from address waits for its handshake.
func turnOf(t *testing.T, l *LimitedListener, address string) time.Duration {
	t.Helper()
	begun := time.Now()
	if !from(t, l, address).awaitTurn(nil) {
		t.Fatalf("the connection from %s is rejected", address)
	}
	return time.Since(begun)
}

func pacedListener(trusted string) *LimitedListener {
	l := NewMemory(0, nil).Limit(nil, 0)
	l.Pace(func(a netip.Addr) bool { return netip.MustParsePrefix(trusted).Contains(a) })
	return l
}

const free = int(freeDebt / turnTime)

// New connections from an address that wasted many connections take turns, 40 a second. The first connection doesn't
// wait, other addresses aren't affected, and the debt decreases over time.
func TestPace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := pacedListener("10.0.0.0/8")
		waste(t, l, "192.0.2.1", free)
		for range 3 {
			if wait := turnOf(t, l, "192.0.2.1"); wait != 0 {
				t.Errorf("a connection waits %s within the free debt", wait)
			}
		}
		// The first connection is within the free debt, and the second connection gets the first turn.
		waste(t, l, "192.0.2.1", 400)
		if paced, wasted := l.Paced(), l.Wasted(); paced != 398 || wasted != int64(free+400) {
			t.Errorf("%d connections waited and %d were wasted", paced, wasted)
		}
		if wait := turnOf(t, l, "192.0.2.2"); wait != 0 {
			t.Errorf("another address waits %s", wait)
		}
		// The wasted connections took turns themselves, so the debt is still within the free debt.
		time.Sleep(turnTime)
		if wait := turnOf(t, l, "192.0.2.1"); wait != 0 {
			t.Errorf("the address waits %s after its debt is paid", wait)
		}
	})
}

// Concurrently waiting connections are served in order. If too many wait, excess connections are rejected.
func TestPaceIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := pacedListener("10.0.0.0/8")
		indebt(l, "192.0.2.1", 10*time.Second)
		results := make(chan time.Duration, 1000)
		begun := time.Now()
		for range cap(results) {
			c := from(t, l, "192.0.2.1")
			go func() {
				if !c.awaitTurn(nil) {
					results <- -1
					return
				}
				results <- time.Since(begun)
			}()
		}
		var waits []time.Duration
		rejected := 0
		for range cap(results) {
			if wait := <-results; wait < 0 {
				rejected++
			} else {
				waits = append(waits, wait)
			}
		}
		if most := int(longestTurn/turnTime) + 1; len(waits) != most || int64(rejected) != l.Refused() {
			t.Errorf("%d connections got a turn, %d were rejected, %d by the count", len(waits), rejected, l.Refused())
		}
		slices.Sort(waits)
		for i, wait := range waits {
			if want := time.Duration(i) * turnTime; wait != want {
				t.Fatalf("turn %d is after %s, want %s", i, wait, want)
			}
		}
	})
}

// indebt gives address the given debt.
func indebt(l *LimitedListener, address string, debt time.Duration) {
	for range debt / turnTime {
		l.pacer.charge(netip.PrefixFrom(netip.MustParseAddr(address), 32), time.Now())
	}
}

// Connections that wait for a turn when the listener closes get no handshake.
func TestPaceEndsWithListener(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := pacedListener("10.0.0.0/8")
		indebt(l, "192.0.2.1", 10*time.Second)
		turnOf(t, l, "192.0.2.1")
		ended := make(chan struct{})
		time.AfterFunc(10*time.Millisecond, func() { close(ended) })
		if from(t, l, "192.0.2.1").awaitTurn(ended) {
			t.Error("a connection got a turn after the end")
		}
	})
}

// A connection with a valid request adds no debt. Connections of a trusted proxy never add debt.
func TestGoodConnectionAddsNoDebt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := pacedListener("10.0.0.0/8")
		for range 10 * free {
			c := from(t, l, "192.0.2.1")
			c.awaitTurn(nil)
			c.Worth()
			_ = c.Close()
		}
		waste(t, l, "10.1.2.3", 10*free)
		waste(t, l, "::ffff:10.1.2.3", 10*free)
		if len(l.pacer.debtors) > 0 || l.Paced() > 0 {
			t.Errorf("%v are in debt, %d connections waited", l.pacer.debtors, l.Paced())
		}
	})
}

// Each IPv4 address has its own debt, even if it arrives in IPv6 form. All addresses of an IPv6 /64 share one debt.
func TestDebtors(t *testing.T) {
	l := pacedListener("10.0.0.0/8")
	for address, want := range map[string]string{
		"192.0.2.1": "192.0.2.1/32", "::ffff:192.0.2.1": "192.0.2.1/32", "2001:db8:1:2:3:4:5:6": "2001:db8:1:2::/64",
		"fe80::1%eth0": "fe80::/64", "10.0.0.1": "invalid Prefix",
	} {
		if got := from(t, l, address).debtor().String(); got != want {
			t.Errorf("%s: %s, want %s", address, got, want)
		}
	}
	server, client := net.Pipe()
	defer client.Close()
	if c := l.memory.add(server, l); c.debtor().IsValid() {
		t.Errorf("a pipe is in debt: %s", c.debtor())
	}
}

// The number of debtors and each debt are bounded. If there are too many debtors, the smallest debt is forgotten.
func TestDebtIsBounded(t *testing.T) {
	l := pacedListener("10.0.0.0/8")
	now := time.Now()
	network := func(i int) netip.Prefix {
		return netip.PrefixFrom(netip.AddrFrom4([4]byte{192, 0, byte(i >> 8), byte(i)}), 32)
	}
	for range mostDebt/turnTime + 100 {
		l.pacer.charge(network(0), now)
	}
	if got := l.pacer.debtors[network(0)].paid.Sub(now); got != mostDebt {
		t.Errorf("the debt is %s, want %s", got, mostDebt)
	}
	for i := range mostDebtors + 100 {
		l.pacer.charge(network(i), now)
	}
	if len(l.pacer.debtors) != mostDebtors || !l.pacer.debtors[network(0)].paid.After(now) {
		t.Errorf("there are %d debtors, and the first owes %v", len(l.pacer.debtors), l.pacer.debtors[network(0)])
	}
	l.pacer.charge(network(4*mostDebtors), now.Add(time.Second))
	if len(l.pacer.debtors) != 2 {
		t.Errorf("%d debtors remain after their debts are paid", len(l.pacer.debtors))
	}
}
