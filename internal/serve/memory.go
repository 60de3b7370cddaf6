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
// by the answers that it keeps waiting; see docs/reliability.md for how the figures
// were found. Where all together would cost more than they may, the costliest are
// closed. A connection that answers as it should changes nothing here, so that
// neither a lock nor a search is part of a request. It is safe for concurrent use.
type Memory struct {
	most int64
	log  *slog.Logger
	used atomic.Int64
	// closed counts connections that were closed for what they cost, unanswered the
	// requests of HTTP/2 that ended before a Handler was asked.
	closed, unanswered         atomic.Int64
	closedSaid, unansweredSaid sparing

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

// Used is what all connections cost, Most what they may, in bytes.
func (m *Memory) Used() int64 { return m.used.Load() }

// Most is the bound in bytes; below 1 there is none.
func (m *Memory) Most() int64 { return m.most }

// Closed is the number of connections that were closed for what they cost.
func (m *Memory) Closed() int64 { return m.closed.Load() }

// Unanswered is the number of requests of HTTP/2 that no Handler was asked: net/http
// answered them itself, with 400 or 431, or their client had gone.
func (m *Memory) Unanswered() int64 { return m.unanswered.Load() }

// Protocol is what a connection speaks.
type Protocol uint8

// Protocols.
const (
	// HTTP1 is HTTP/1.1 with net/http, Fast with the fast engine.
	HTTP1 Protocol = iota
	Fast
	// shaking is a handshake of TLS; secure1 and secure2 are HTTP/1.1 and HTTP/2 over it.
	shaking
	secure1
	secure2
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
	case secure1:
		return 44 << 10, 2
	case secure2:
		return 64 << 10, 8 // a frame of 9 bytes is kept as an object, in a queue
	}
	return 32 << 10, 0
}

const (
	// workCost is what the fast engine holds while an answer waits for its client.
	workCost = 38 << 10
	// recordCost is what TLS holds while a record waits for its client.
	recordCost = 36 << 10
	// streamCost is a request of HTTP/2 that is answered, or waits for it.
	streamCost = 28 << 10
	// mostStreams is more than net/http lets a client have open.
	mostStreams = 128
	// mostBacklog is where net/http ends a connection whose client reads no
	// acknowledgement: 10,000 of them. backlogStep keeps requests as they should be
	// out of the account.
	mostBacklog, backlogStep = 192 << 10, 4 << 10
)

// costs is what a connection costs now. Its lock is held.
func (c *Connection) costs() int64 {
	base, forByte := c.protocol.costs()
	cost := base + 2*c.held + forByte*(c.backlog&^(backlogStep-1)) + streamCost*min(c.open, mostStreams)
	switch {
	case c.works:
		cost += workCost
	case c.writing > 0 && c.protocol >= shaking:
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

// remove forgets a connection that is closed.
func (m *Memory) remove(c *Connection) {
	m.mu.Lock()
	delete(m.conns, c)
	m.mu.Unlock()
	c.release()
	c.mu.Lock()
	lost := c.lost()
	c.mu.Unlock()
	m.lose(lost)
}

// release gives back what a connection was charged, and reports whether it was not
// given back before.
func (c *Connection) release() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.gone {
		return false
	}
	c.gone = true
	c.listener.memory.used.Add(-c.cost)
	return true
}

// charge notes that connections cost more, or less.
func (m *Memory) charge(more int64) {
	if used := m.used.Add(more); more > 0 && m.most > 0 && used > m.most {
		m.relieve()
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

// judged says what a connection is now.
func (c *Connection) judged(now time.Time, share int64) candidate {
	c.mu.Lock()
	defer c.mu.Unlock()
	busy := c.writing > 0 || c.open > 0
	base, _ := c.protocol.costs()
	j := candidate{conn: c, cost: c.cost, held: (c.cost - base) / alike, since: now.Sub(c.moved), reset: busy || c.waits}
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
	return j
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
	if m.used.Load() <= m.most {
		return // another call was first
	}
	now := time.Now()
	all := m.candidates[:0]
	m.mu.Lock()
	share := m.most / int64(max(len(m.conns), 1))
	for c := range m.conns {
		all = append(all, c.judged(now, share))
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
		if m.used.Load() <= enough {
			break
		}
		if j.conn.release() {
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

// lose counts requests that no Handler was asked.
func (m *Memory) lose(n int64) {
	if n == 0 {
		return
	}
	m.unanswered.Add(n)
	if n, ok := m.unansweredSaid.say(time.Now(), n); ok {
		m.log.LogAttrs(context.Background(), slog.LevelInfo,
			"requests of HTTP/2 ended before they were decided: net/http refused them with 400 or 431, or their client reset them",
			slog.Int64("requests", n))
	}
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
