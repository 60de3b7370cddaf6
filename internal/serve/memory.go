package serve

import (
	"cmp"
	"context"
	"log/slog"
	"net"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// Memory bounds what all connections cost together. What a connection costs is not
// measured but known: by its protocol, by what was read of a head, by its streams, and
// by the answers that it keeps waiting; see docs/project/reliability.md for how the figures
// were found. Where all together would cost more than they may, the costliest are
// closed. A connection that answers as it should changes nothing here, so that
// neither a lock nor a search is part of a request. It is safe for concurrent use.
type Memory struct {
	most int64
	log  *slog.Logger
	// used is what all cost, leaving the part of it of those that were closed for what they
	// cost, until whoever serves them has found that out and let them go.
	used, leaving atomic.Int64
	// closed counts connections that were closed for what they cost.
	closed     atomic.Int64
	closedSaid sparing

	mu    sync.Mutex
	conns map[*Connection]struct{}
	// relieving is held while connections are chosen, from among candidates.
	relieving  sync.Mutex
	candidates []candidate
}

// NewMemory returns a bound in bytes; below 1, costs are counted and not bounded.
func NewMemory(most int64, log *slog.Logger) *Memory {
	return &Memory{most: most, log: log, conns: make(map[*Connection]struct{})}
}

// Used is what all connections cost, in bytes, those among them that were closed for it and
// have not ended.
func (m *Memory) Used() int64 { return m.used.Load() }

// Most is the bound of what those cost that stay, in bytes; below 1 there is none.
func (m *Memory) Most() int64 { return m.most }

// Closed is the number of connections that were closed for what they cost.
func (m *Memory) Closed() int64 { return m.closed.Load() }

// Protocol is what a connection speaks.
type Protocol uint8

// Protocols.
const (
	// HTTP1 is HTTP/1.1 with net/http, Fast with the fast engine.
	HTTP1 Protocol = iota
	Fast
	// shaking is a handshake of TLS; Secure1 is HTTP/1.1 over it with net/http, SecureFast with
	// the fast engine, HTTP2 what it says.
	shaking
	Secure1
	SecureFast
	HTTP2
)

// costs are what a connection costs while nothing happens on it, and for each byte that
// came and was not answered: what the process has more, with stacks and with garbage
// that is not collected yet.
func (p Protocol) costs() (base, forByte int64) {
	switch p {
	case Fast:
		return 10 << 10, 0
	case shaking:
		return 30 << 10, 2 // what comes is kept, in a buffer that doubles
	case Secure1:
		return 44 << 10, 2
	case SecureFast:
		return 36 << 10, 0 // a buffer of crypto/tls for a whole record among it
	case HTTP2:
		return 40 << 10, 0 // a full table of its header blocks among it
	}
	return 32 << 10, 0
}

const (
	// workCost is what an engine of ours holds while an answer waits for its client.
	workCost = 38 << 10
	// recordCost is what TLS holds while a record waits for its client.
	recordCost = 36 << 10
	// streamCost is a stream of HTTP/2 that waits: where it stands in a body that all share.
	streamCost = 256
	// mostBacklog is far above what comes of a handshake. backlogStep keeps requests
	// as they should be out of the account.
	mostBacklog, backlogStep = 192 << 10, 4 << 10
)

// costs is what a connection costs now. Its lock is held.
func (c *Connection) costs() int64 {
	base, forByte := c.protocol.costs()
	cost := base + 2*c.held + forByte*(c.backlog&^(backlogStep-1)) + streamCost*c.open
	if c.works {
		cost += workCost
	}
	if c.writing > 0 && c.protocol >= shaking {
		cost += recordCost
	}
	return cost
}

// add takes a connection in.
func (m *Memory) add(conn net.Conn, l *LimitedListener) *Connection {
	now := time.Now()
	c := &Connection{Conn: conn, listener: l, waits: true, headSince: now, moved: now}
	m.mu.Lock()
	m.conns[c] = struct{}{}
	m.mu.Unlock()
	c.mu.Lock()
	c.settle()
	return c
}

// remove forgets a connection that is closed, by whoever serves it: what it cost is free now.
func (m *Memory) remove(c *Connection) {
	m.mu.Lock()
	delete(m.conns, c)
	m.mu.Unlock()
	c.mu.Lock()
	if c.gone {
		m.leaving.Add(-c.cost)
	}
	c.gone = true
	m.used.Add(-c.cost)
	c.mu.Unlock()
}

// evict settles what a connection costs that is closed for it, until it is removed. It reports
// whether it was not leaving before.
func (c *Connection) evict() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.gone {
		return false
	}
	c.gone = true
	c.listener.memory.leaving.Add(c.cost)
	return true
}

// staying is what those cost that are not leaving.
func (m *Memory) staying() int64 { return m.used.Load() - m.leaving.Load() }

// charge notes that connections cost more, or less.
func (m *Memory) charge(more int64) {
	if used := m.used.Add(more); more > 0 && m.most > 0 && used-m.leaving.Load() > m.most {
		m.relieve()
	}
}

const (
	// roomTime is how long a new connection waits for those that leave, roomStep how often it
	// is looked whether they have.
	roomTime = 250 * time.Millisecond
	roomStep = 2 * time.Millisecond
)

// awaitRoom waits until those that stay and those that are leaving cost what all may, so that
// new ones do not come faster than old ones end; but not for ever, as those that leave are
// waited for in the same queue for a processor.
func (m *Memory) awaitRoom() {
	for waited := time.Duration(0); waited < roomTime && m.most > 0 && m.leaving.Load() > 0 && m.used.Load() > m.most; waited += roomStep {
		time.Sleep(roomStep)
	}
}

// candidate is a connection as it was when connections to be closed were chosen.
type candidate struct {
	conn  *Connection
	order order
	// held is the part of its cost that is beyond what its protocol costs, roughly.
	cost, held int64
	// since is how long it has been what its order says.
	since time.Duration
	reset bool
}

// order is when a connection is closed: lower ones first.
type order uint8

const (
	// large: it costs more than any that is used as it should be, and stands still.
	large order = iota
	// unfinished: its head, or its handshake, is waited for.
	unfinished
	// stalled: its client takes nothing of its answer.
	stalled
	// greedy: it moves, and costs many times its share.
	greedy
	// waiting: nothing is under way.
	waiting
	// moving: an answer is under way.
	moving
)

const (
	// largeCost is more than a connection of HTTP/1 ever costs.
	largeCost = 128 << 10
	// stillTime is how long nothing moves on one that stands still, and how long a head
	// is not yet late; stallTime is how long the client of an answer may take nothing.
	stillTime = time.Second
	// restTime is how long nothing has to come before nothing is under way.
	restTime  = 100 * time.Millisecond
	stallTime = 3 * time.Second
	// alike is how far apart costs are that count as the same.
	alike = 8 << 10
	// greed is how many times its share one may cost.
	greed = 4
	// relief is the part of the bound that is made free at once, so that the next
	// connection does not begin another search.
	relief = 16
	// kept is the part of the bound that connections have on which nothing is under way.
	kept = 4
)

// judged says what a connection is now; stays is false where it is leaving already.
func (c *Connection) judged(now time.Time, share int64) (j candidate, stays bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.gone {
		return j, false
	}
	busy := c.writing > 0 || c.open > 0
	base, _ := c.protocol.costs()
	j = candidate{conn: c, cost: c.cost, held: (c.cost - base) / alike, since: now.Sub(c.moved), reset: busy || c.waits}
	switch headTime := now.Sub(c.headSince); {
	case c.cost > largeCost && j.since > stillTime:
		j.order = large
	case c.waits && headTime > stillTime:
		j.order, j.since = unfinished, headTime
	case busy && j.since > stallTime:
		j.order = stalled
	case c.cost > largeCost && c.cost > greed*share:
		j.order = greedy
	case !busy:
		j.order = waiting
	default:
		j.order = moving
	}
	return j, true
}

// before orders candidates. Large ones are closed by what they cost; those that wait by what
// they have beyond any of their protocol, such as a part of a head, and then by what they
// cost, those last that were just in use; and all among their like by how long nothing came.
func (a candidate) before(b candidate) int {
	if a.order != b.order {
		return cmp.Compare(a.order, b.order)
	}
	class := 0
	switch a.order {
	case large, greedy:
		class = cmp.Compare(b.cost, a.cost)
	case waiting:
		class = cmp.Or(cmp.Compare(b.held, a.held), b.rests()-a.rests(), cmp.Compare(b.cost/alike, a.cost/alike))
	}
	return cmp.Or(class, cmp.Compare(b.since, a.since))
}

// rests is 1 where nothing came for a while.
func (a candidate) rests() int {
	if a.since > restTime {
		return 1
	}
	return 0
}

// relieve closes the costliest connections until all together cost what they may. Answers
// that move are closed last, and only for as much as it takes; of connections on which
// nothing is under way a few stay even so: where the memory is not spent on them,
// closing them would free next to nothing.
func (m *Memory) relieve() {
	m.relieving.Lock()
	defer m.relieving.Unlock()
	if m.staying() <= m.most {
		return // another call was first
	}
	now := time.Now()
	all := m.candidates[:0]
	m.mu.Lock()
	share := m.most / int64(max(len(m.conns), 1))
	for c := range m.conns {
		if j, stays := c.judged(now, share); stays {
			all = append(all, j)
		}
	}
	m.mu.Unlock()
	slices.SortFunc(all, candidate.before)
	var victims []candidate
	var idle int64
	for _, j := range all {
		if j.order == waiting {
			idle += j.cost
		}
	}
	for _, j := range all {
		enough := m.most - m.most/relief
		switch j.order {
		case moving:
			enough = m.most
		case waiting:
			if idle <= m.most/kept {
				continue
			}
			idle -= j.cost
		}
		if m.staying() <= enough {
			break
		}
		if j.conn.evict() {
			victims = append(victims, j)
		}
	}
	open := len(all)
	clear(all)
	m.candidates = all[:0]
	m.closed.Add(int64(len(victims)))
	// Closing waits for whoever is reading or writing, and one of these may be waiting here.
	go func() {
		for _, j := range victims {
			j.conn.abort(j.reset)
		}
	}()
	if n, ok := m.closedSaid.say(now, int64(len(victims))); ok {
		m.log.LogAttrs(context.Background(), slog.LevelWarn, "connections cost too much memory: the costliest were closed",
			slog.Int64("closed", n), slog.Int64("bound", m.most), slog.Int("open", open))
	}
}

// abort closes a connection. Its owner finds out when it reads or writes next. With reset
// nothing of what is not taken stays in the system.
func (c *Connection) abort(reset bool) {
	if tcp, ok := c.Conn.(*net.TCPConn); ok && reset {
		_ = tcp.SetLinger(0) // it may be closed already
	}
	_ = c.Conn.Close()
}

// sparing lets something be logged once a minute, with the number since.
type sparing struct {
	mu   sync.Mutex
	last time.Time
	n    int64
}

// say reports whether it is to be logged now, and how often it came.
func (s *sparing) say(now time.Time, n int64) (int64, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.n += n
	if s.n == 0 || !s.last.IsZero() && now.Sub(s.last) < time.Minute {
		return 0, false
	}
	n, s.n, s.last = s.n, 0, now
	return n, true
}
