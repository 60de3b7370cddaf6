//go:build linux

package main

import (
	"context"
	"fmt"
	"net/http"
	"net/netip"
	"runtime"
	"slices"
	"sort"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"vitrine/internal/lab/bench/paired"
)

// latency compares response times at the same rate of requests. Requests are due at fixed times, regardless of earlier
// responses, and response times are measured from when the request is due. One client alternates between two servers on
// one core, so a pause of the machine, of the core, or of the client affects both equally.
func (s *settings) latency(ctx context.Context, servers []*server) error {
	byName := make(map[string]*server)
	for _, server := range servers {
		byName[server.name] = server
	}
	fmt.Printf("\n#### Time to an answer at the same offered load\n\nTimes from when a request is due to its response, in µs: p50 and p99, each the median of all rounds. The client alternates between\n")
	fmt.Println("the servers with each request, so an interruption of the machine affects both. The client never sleeps. If it did not run for")
	fmt.Println("more than 100 µs, it was interrupted, and \"quiet\" excludes the requests to both servers that were in progress then.")
	fmt.Printf("\n| each, a second | bar of p99 | ours p50, p99, quiet p99 | nginx p50, p99, quiet p99 | p99 ÷ nginx's | quiet p99 ÷ nginx's | lower p99 in rounds, all and quiet | stops of the client |\n|---|---|---|---|---|---|---|---|\n")
	const nginx = nginxNamed + "on"
	for _, e := range exchanges() {
		if e.name != "JSON 200" && e.name != "HTML 20 KB" || !s.only.MatchString(e.name) {
			continue
		}
		for _, rate := range []int{5000, 15000} {
			var ours, theirs []delay
			var stopped time.Duration
			var stops int
			rounds := 3 * s.rounds // many short rounds, because rounds differ from each other more than servers do
			for round := range rounds {
				// The servers take turns going first.
				pair := []*server{byName[fast], byName[nginx]}
				if round%2 == 1 {
					slices.Reverse(pair)
				}
				o, err := s.offer(ctx, pair, e, rate)
				if err != nil {
					return err
				}
				for i, d := range o.delays() {
					if pair[i].name == fast {
						ours = append(ours, d)
					} else {
						theirs = append(theirs, d)
					}
				}
				stops += len(o.stops)
				for _, stop := range o.stops {
					stopped += stop.to - stop.from
				}
			}
			share := 100 * stopped.Seconds() / (float64(rounds) * s.length.Seconds())
			p99 := paired.Compare(each(ours, last), each(theirs, last))
			fmt.Printf("| %s, %d | %s | %s | %s | %s | %s | %d, %d of %d | %d, %.1f %% of the time |\n", e.name, rate, atMost(1, p99), showDelays(ours), showDelays(theirs),
				p99, paired.Compare(each(ours, quiet), each(theirs, quiet)),
				lower(ours, theirs, last), lower(ours, theirs, quiet), len(ours), stops, share)
		}
	}
	return nil
}

// delay summarizes a server's response times in a round, in microseconds.
type delay struct {
	// middle is the median. last is the p99 of all requests. quiet is the p99 of requests during which the client
	// wasn't paused.
	middle, last, quiet float64
}

// delays summarizes a round. It returns one delay for each target, in the order of o.targets.
func (o *offerer) delays() []delay {
	all, still := make([][]float64, len(o.targets)), make([][]float64, len(o.targets))
	for _, a := range o.answers {
		all[a.target] = append(all[a.target], a.took)
		if !o.stopped(a) {
			still[a.target] = append(still[a.target], a.took)
		}
	}
	var delays []delay
	for i := range o.targets {
		delays = append(delays, delay{middle: quantile(all[i], 0.5), last: quantile(all[i], 0.99), quiet: quantile(still[i], 0.99)})
	}
	return delays
}

// stopped reports whether the client was paused during a request.
func (o *offerer) stopped(a answered) bool {
	end := a.due + time.Duration(a.took*float64(time.Microsecond))
	i := sort.Search(len(o.stops), func(i int) bool { return o.stops[i].to > a.due })
	return i < len(o.stops) && o.stops[i].from < end
}

// middle, last, and quiet return the values by which rounds can be compared.
func middle(d delay) float64 { return d.middle }
func last(d delay) float64   { return d.last }
func quiet(d delay) float64  { return d.quiet }

func each(all []delay, by func(delay) float64) []float64 {
	var v []float64
	for _, d := range all {
		v = append(v, by(d))
	}
	return v
}

// lower counts the rounds in which the first value wasn't higher than the second.
func lower(first, second []delay, by func(delay) float64) (n int) {
	for i := range first {
		if by(first[i]) <= by(second[i]) {
			n++
		}
	}
	return n
}

func showDelays(all []delay) string {
	typical := func(by func(delay) float64) float64 { return paired.Median(each(all, by)) }
	return fmt.Sprintf("%.0f, %.0f, %.0f", typical(middle), typical(last), typical(quiet))
}

// quantile returns the q-quantile of times, or 0 if there are no times. It sorts times.
func quantile(times []float64, q float64) float64 {
	if len(times) == 0 {
		return 0
	}
	slices.Sort(times)
	return times[min(len(times)-1, int(q*float64(len(times))))]
}

// offer sends requests at the given rate to each server for the length of one round. The returned offerer contains the
// response times and the client's pauses.
func (s *settings) offer(ctx context.Context, servers []*server, e exchange, rate int) (*offerer, error) {
	o := &offerer{interval: time.Second / time.Duration(rate)}
	for _, to := range servers {
		fields, err := fieldsFor(to, e)
		if err != nil {
			return nil, err
		}
		o.targets = append(o.targets, &target{address: strings.TrimPrefix(to.base, "http://"), request: requestText(to.url(e), fields)})
	}
	result := make(chan error, 1)
	go func() {
		// Move this thread to the second core. The goroutine doesn't unlock the thread, so the thread ends with the
		// goroutine.
		runtime.LockOSThread()
		err := goToClientCore()
		if err == nil {
			err = o.run(ctx, connections/len(servers), s.length)
		}
		result <- err
	}()
	return o, <-result
}

// goToClientCore moves the calling thread to the client's core.
func goToClientCore() error {
	var second unix.CPUSet
	second.Set(1)
	if err := unix.SchedSetaffinity(0, &second); err != nil {
		return fmt.Errorf("moving to the second core: %w", err)
	}
	return nil
}

func requestText(target string, fields http.Header) []byte {
	host, path, _ := strings.Cut(strings.TrimPrefix(target, "http://"), "/")
	text := "GET /" + path + " HTTP/1.1\r\nHost: " + host + "\r\n"
	for name, values := range fields {
		text += name + ": " + values[0] + "\r\n"
	}
	return []byte(text + "\r\n")
}

// offerer is a client that alternately checks for responses and for due requests. It never sleeps, because waking up
// takes time.
type offerer struct {
	targets  []*target
	interval time.Duration
	answers  []answered
	stops    []stop
	epoll    int
}

// target is a server under test.
type target struct {
	address string
	request []byte
	length  int // size of a response in bytes
	next    time.Time
	free    []int32
}

// answered is a request with its response. target is the index of the server. due is the time at which the request was
// due, relative to the start of the round. took is the time from due to the response, in microseconds.
type answered struct {
	target int
	due    time.Duration
	took   float64
}

// stop is a period in which the client wasn't running, relative to the start of the round.
type stop struct{ from, to time.Duration }

// longestTurn is longer than any iteration of the client's loop unless the client is paused.
const longestTurn = 100 * time.Microsecond

// asked is a connection's current request.
type asked struct {
	target int
	due    time.Time
	left   int // remaining bytes of the response
}

// run sends requests to all targets alternately and at the same rate for the given length of time. connections is the
// number of connections to each target.
func (o *offerer) run(ctx context.Context, connections int, length time.Duration) (err error) {
	if o.epoll, err = unix.EpollCreate1(0); err != nil {
		return err
	}
	defer unix.Close(o.epoll)
	conns := make(map[int32]*asked)
	for i, t := range o.targets {
		for range connections {
			fd, err := o.connect(t)
			if err != nil {
				return err
			}
			defer unix.Close(fd)
			conns[int32(fd)] = &asked{target: i}
			t.free = append(t.free, int32(fd))
		}
	}
	buf := make([]byte, 64<<10)
	events := make([]unix.EpollEvent, len(conns))
	begun := time.Now()
	for i, t := range o.targets {
		t.next = begun.Add(o.interval * time.Duration(i) / time.Duration(len(o.targets)))
	}
	for before := begun; ctx.Err() == nil; {
		now := time.Now()
		if now.Sub(before) > longestTurn {
			o.stops = append(o.stops, stop{before.Sub(begun), now.Sub(begun)})
		}
		before = now
		if now.Sub(begun) > length {
			break
		}
		for i, t := range o.targets {
			for len(t.free) > 0 && !t.next.After(now) {
				fd := t.free[len(t.free)-1]
				t.free = t.free[:len(t.free)-1]
				*conns[fd] = asked{target: i, due: t.next, left: t.length}
				if _, err := unix.Write(int(fd), t.request); err != nil {
					return err
				}
				t.next = t.next.Add(o.interval)
			}
		}
		n, err := unix.EpollWait(o.epoll, events, 0)
		if err != nil && err != unix.EINTR {
			return err
		}
		for _, e := range events[:max(n, 0)] {
			c := conns[e.Fd]
			m, err := unix.Read(int(e.Fd), buf)
			if err != nil || m == 0 {
				return fmt.Errorf("the server closed a connection: %w", err)
			}
			if c.left -= m; c.left == 0 {
				o.answers = append(o.answers, answered{c.target, c.due.Sub(begun), float64(time.Since(c.due)) / float64(time.Microsecond)})
				o.targets[c.target].free = append(o.targets[c.target].free, e.Fd)
			}
		}
	}
	return ctx.Err()
}

// connect opens a nonblocking connection to a target and adds it to epoll. The first connection measures the length of
// a response.
func (o *offerer) connect(t *target) (int, error) {
	to, err := netip.ParseAddrPort(t.address)
	if err != nil {
		return 0, err
	}
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM, 0)
	if err != nil {
		return 0, err
	}
	if err := unix.Connect(fd, &unix.SockaddrInet4{Port: int(to.Port()), Addr: to.Addr().As4()}); err != nil {
		return 0, err
	}
	if err := unix.SetsockoptInt(fd, unix.IPPROTO_TCP, unix.TCP_NODELAY, 1); err != nil {
		return 0, err
	}
	if t.length == 0 {
		if err := t.measure(fd); err != nil {
			return 0, err
		}
	}
	if err := unix.SetNonblock(fd, true); err != nil {
		return 0, err
	}
	return fd, unix.EpollCtl(o.epoll, unix.EPOLL_CTL_ADD, fd, &unix.EpollEvent{Events: unix.EPOLLIN, Fd: int32(fd)})
}

// measure sends a request and sets length to the number of bytes received until the server has been silent for 200 ms.
func (t *target) measure(fd int) error {
	if _, err := unix.Write(fd, t.request); err != nil {
		return err
	}
	if err := unix.SetsockoptTimeval(fd, unix.SOL_SOCKET, unix.SO_RCVTIMEO, &unix.Timeval{Usec: 200000}); err != nil {
		return err
	}
	buf := make([]byte, 64<<10)
	for {
		n, err := unix.Read(fd, buf)
		if err == unix.EAGAIN && t.length > 0 {
			return nil
		}
		if err != nil || n == 0 {
			return fmt.Errorf("the server did not respond: %w", err)
		}
		t.length += n
	}
}
