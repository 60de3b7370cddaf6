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

// Memory limits the total cost of all connections. It calculates the cost of a connection from its protocol, its
// backlog, the bytes of its header section, its streams, and its waiting responses. See docs/project/reliability.md for
// the source of the figures. If the total exceeds the limit, Memory closes the most expensive connections. A
// well-behaved connection doesn't change its cost, so its requests need neither a shared lock nor a search. Memory is
// safe for concurrent use.
type Memory struct {
	most int64
	log  *slog.Logger
	// used is the cost of all connections in bytes. leaving is the part of used that belongs to evicted connections not
	// yet released by their engines.
	used, leaving atomic.Int64
	// closed is the number of connections closed because of their cost.
	closed     atomic.Int64
	closedSaid sparing

	mu    sync.Mutex
	conns map[*Connection]struct{}
	// relieving guards candidates while relieve chooses the connections to close.
	relieving  sync.Mutex
	candidates []candidate
}

// NewMemory returns a Memory that limits the total cost to most, in bytes. If most is below 1, the Memory tracks costs
// but doesn't limit them.
func NewMemory(most int64, log *slog.Logger) *Memory {
	return &Memory{most: most, log: log, conns: make(map[*Connection]struct{})}
}

// Used returns the cost of all connections in bytes, including connections closed because of their cost that haven't
// ended yet.
func (m *Memory) Used() int64 { return m.used.Load() }

// Most returns the maximum cost of open connections in bytes. A value below 1 means no limit.
func (m *Memory) Most() int64 { return m.most }

// Closed returns the number of connections closed because of their cost.
func (m *Memory) Closed() int64 { return m.closed.Load() }

// Protocol identifies the protocol and engine of a connection, which determine its base cost.
type Protocol uint8

const (
	// HTTP1 is HTTP/1.1 with net/http.
	HTTP1 Protocol = iota
	// Fast is HTTP/1.1 with the fast engine.
	Fast
	// shaking is a TLS handshake.
	shaking
	// Secure1 is HTTP/1.1 over TLS with net/http.
	Secure1
	// SecureFast is HTTP/1.1 over TLS with the fast engine.
	SecureFast
	// HTTP2 is HTTP/2 over TLS.
	HTTP2
)

// costs returns the cost of an idle connection, and the cost of each received byte that has no response yet. A cost is
// the growth of the process in bytes, including stacks and uncollected garbage.
func (p Protocol) costs() (base, forByte int64) {
	switch p {
	case Fast:
		return 10 << 10, 0
	case shaking:
		return 30 << 10, 2 // the input buffer grows by doubling
	case Secure1:
		return 44 << 10, 2
	case SecureFast:
		return 36 << 10, 0 // including a crypto/tls buffer for a complete record
	case HTTP2:
		return 40 << 10, 0 // including a full HPACK table
	}
	return 32 << 10, 0
}

const (
	// workCost is the memory that one of our engines uses while a response waits for its client.
	workCost = 38 << 10
	// recordCost is the memory that TLS uses while a record waits for its client.
	recordCost = 36 << 10
	// streamCost is the memory of a waiting HTTP/2 stream: its position in a shared body.
	streamCost = 256
	// mostBacklog is the maximum backlog of a connection in bytes, far above the size of a handshake. A backlog below
	// backlogStep isn't charged, so that well-behaved requests don't change the cost.
	mostBacklog, backlogStep = 192 << 10, 4 << 10
)

// costs returns the current cost of a connection. The caller must hold c.mu.
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

// add wraps conn, a connection accepted by l, and starts to track its cost.
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

// remove removes a connection closed by its engine and releases its cost.
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

// evict marks a connection as leaving until its engine removes it. The caller must then close it. evict returns false
// if the connection was already closed or leaving.
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

// staying returns the cost of connections that are not leaving.
func (m *Memory) staying() int64 { return m.used.Load() - m.leaving.Load() }

// charge adds more, which may be negative, to the total cost. If the cost has grown and exceeds the limit, charge
// closes connections.
func (m *Memory) charge(more int64) {
	if used := m.used.Add(more); more > 0 && m.most > 0 && used-m.leaving.Load() > m.most {
		m.relieve()
	}
}

const (
	// roomTime is the maximum time that a new connection waits for leaving connections.
	roomTime = 250 * time.Millisecond
	// roomStep is the time between two checks whether enough connections have left.
	roomStep = 2 * time.Millisecond
)

// awaitRoom waits until staying and leaving connections together are within the limit, so that new connections don't
// arrive faster than old connections end. It waits at most roomTime, because leaving connections may need longer to end
// on busy processors.
func (m *Memory) awaitRoom() {
	for waited := time.Duration(0); waited < roomTime && m.most > 0 && m.leaving.Load() > 0 && m.used.Load() > m.most; waited += roomStep {
		time.Sleep(roomStep)
	}
}

// candidate is a snapshot of a connection for choosing the connections to close.
type candidate struct {
	conn  *Connection
	order order
	// cost is in bytes. held is the cost beyond the base cost of the protocol, in units of alike.
	cost, held int64
	// since is the time since the most recent transfer or, for an unfinished connection, since the start of its header
	// section or handshake.
	since time.Duration
	// reset reports whether to drop unsent data; see abort.
	reset bool
}

// order ranks connections for closing, from the lowest value to the highest.
type order uint8

const (
	// large means that the connection costs more than any well-behaved connection and transfers no data.
	large order = iota
	// unfinished means that the header section or handshake is incomplete.
	unfinished
	// stalled means that the client doesn't accept the response.
	stalled
	// greedy means that the connection transfers data but costs many times its share.
	greedy
	// waiting means that the connection is idle.
	waiting
	// moving means that a response is in progress.
	moving
)

const (
	// largeCost is above the cost of any HTTP/1 connection.
	largeCost = 128 << 10
	// stillTime is the time without a transfer after which an expensive connection is large, and the time after which
	// an incomplete header section is unfinished.
	stillTime = time.Second
	// restTime is the time without a transfer after which a connection is at rest; see rests.
	restTime = 100 * time.Millisecond
	// stallTime is the time without a transfer after which a response is stalled.
	stallTime = 3 * time.Second
	// alike is the unit in which costs are compared, so that small differences have no effect.
	alike = 8 << 10
	// greed is the multiple of its share of the limit above which an expensive connection is greedy.
	greed = 4
	// relief determines how far relieve reduces the cost: to 1/relief below the limit, so that the next connection
	// doesn't start another search.
	relief = 16
	// kept determines the amount reserved for idle connections: 1/kept of the limit.
	kept = 4
)

// judged returns c as a candidate with its current order. share is the limit divided by the number of connections.
// stays is false if c is already closed or leaving.
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

// before compares candidates. The result is negative if a must be closed before b. Among large and greedy connections,
// the most expensive come first. Waiting connections are compared by three criteria. The first is their cost beyond the
// base cost, such as part of a header section. The second is rests, so that recently used connections come last. The
// third is their total cost. In a tie, the connection with the largest since comes first.
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

// rests returns 1 if the connection had no transfer for restTime, otherwise 0.
func (a candidate) rests() int {
	if a.since > restTime {
		return 1
	}
	return 0
}

// relieve closes connections in the order of candidate.before until the total cost is 1/relief below the limit. It
// closes connections with a moving response last, and only until the total is within the limit. It keeps idle
// connections with a combined cost of up to 1/kept of the limit, because closing these connections would free almost no
// memory if other connections use most of the memory.
func (m *Memory) relieve() {
	m.relieving.Lock()
	defer m.relieving.Unlock()
	if m.staying() <= m.most {
		return // another call is already closing connections
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
	// Close in a goroutine, because Close waits for the connection's readers and writers, and the caller may be one of
	// them.
	go func() {
		for _, j := range victims {
			j.conn.abort(j.reset)
		}
	}()
	if n, ok := m.closedSaid.say(now, int64(len(victims))); ok {
		m.log.LogAttrs(context.Background(), slog.LevelWarn, "connections used too much memory: closed the most expensive ones",
			slog.Int64("closed", n), slog.Int64("bound", m.most), slog.Int("open", open))
	}
}

// abort closes a connection. Its owner notices at the next read or write. If reset is set, the system drops all unsent
// data.
func (c *Connection) abort(reset bool) {
	if tcp, ok := c.Conn.(*net.TCPConn); ok && reset {
		_ = tcp.SetLinger(0) // it may be closed already
	}
	_ = c.Conn.Close()
}

// sparing limits a log message to one per minute and counts the events since the previous message.
type sparing struct {
	mu   sync.Mutex
	last time.Time
	n    int64
}

// say adds n events. It returns the number of events to log and true if the message may be logged now. Otherwise, it
// returns 0 and false.
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
