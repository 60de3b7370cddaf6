//go:build linux

package main

import (
	"context"
	"fmt"
	"net/http"
	"net/netip"
	"runtime"
	"slices"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"vitrine/internal/lab/bench/paired"
)

// latency compares the time to an answer at the same offered load: requests are
// due at fixed moments, whatever became of those before, and an answer's time
// counts from the moment at which its request was due.
func (s *settings) latency(ctx context.Context, servers []*server) error {
	byName := make(map[string]*server)
	for _, server := range servers {
		byName[server.name] = server
	}
	fmt.Println("\nTime from the moment at which a request is due to its answer, ours and nginx's, medians of rounds. Other work on the machine stops")
	fmt.Println("a server or the client for milliseconds now and then; \"undisturbed\" is the median of the p99 of every tenth of a second.")
	fmt.Printf("\n| at the same offered load | ours p50, p99, undisturbed | nginx p50, p99, undisturbed | p99 ÷ nginx's | undisturbed |\n|---|---|---|---|---|\n")
	for _, e := range exchanges() {
		if e.name != "JSON 200" && e.name != "HTML 20 KB" || !s.only.MatchString(e.name) {
			continue
		}
		for _, rate := range []int{10000, 30000} {
			delays := make(map[string][]delay)
			for range s.rounds {
				for _, name := range []string{fast, nginxNamed + "off", nginxNamed + "on"} {
					d, err := s.offer(ctx, byName[name], e, rate)
					if err != nil {
						return err
					}
					delays[name] = append(delays[name], d)
				}
			}
			ours, theirs := delays[fast], delays[nginxNamed+"on"]
			// The faster of the two counts.
			if without := delays[nginxNamed+"off"]; typical(without, undisturbed) < typical(theirs, undisturbed) {
				theirs = without
			}
			fmt.Printf("| %s, %d a second | %s | %s | %s | %s |\n", e.name, rate, showDelays(ours), showDelays(theirs),
				paired.Compare(each(ours, last), each(theirs, last)), paired.Compare(each(ours, undisturbed), each(theirs, undisturbed)))
		}
	}
	return nil
}

// delay is what a round showed, in microseconds.
type delay struct {
	// middle is the median, last the p99 of all answers, undisturbed the median
	// of the p99 of every window.
	middle, last, undisturbed float64
}

// window is long enough for a p99 at every rate, and as short as can be beside
// a disturbance.
const window = 100 * time.Millisecond

// delayOf sums a round up; the answers of a window are those that were due in it.
func delayOf(answers []answered) delay {
	var all []float64
	windows := make(map[time.Duration][]float64)
	for _, a := range answers {
		all = append(all, a.took)
		windows[a.due/window] = append(windows[a.due/window], a.took)
	}
	var tails []float64
	for _, w := range windows {
		tails = append(tails, quantile(w, 0.99))
	}
	return delay{middle: quantile(all, 0.5), last: quantile(all, 0.99), undisturbed: paired.Median(tails)}
}

// middle, last and undisturbed are what rounds are compared by.
func middle(d delay) float64      { return d.middle }
func last(d delay) float64        { return d.last }
func undisturbed(d delay) float64 { return d.undisturbed }

func each(all []delay, by func(delay) float64) []float64 {
	var v []float64
	for _, d := range all {
		v = append(v, by(d))
	}
	return v
}

func typical(all []delay, by func(delay) float64) float64 { return paired.Median(each(all, by)) }

func showDelays(all []delay) string {
	return fmt.Sprintf("%.0f, %.0f, %.0f µs", typical(all, middle), typical(all, last), typical(all, undisturbed))
}

// quantile of times, which it sorts.
func quantile(times []float64, q float64) float64 {
	if len(times) == 0 {
		return 0
	}
	slices.Sort(times)
	return times[min(len(times)-1, int(q*float64(len(times))))]
}

// offer asks at a rate for the length of a round.
func (s *settings) offer(ctx context.Context, to *server, e exchange, rate int) (delay, error) {
	fields, err := fieldsFor(to, e)
	if err != nil {
		return delay{}, err
	}
	o := &offerer{request: requestText(to.url(e), fields), interval: time.Second / time.Duration(rate)}
	result := make(chan error, 1)
	go func() {
		// A thread of its own on the second core, which is never given back.
		runtime.LockOSThread()
		err := goToClientCore()
		if err == nil {
			err = o.run(ctx, strings.TrimPrefix(to.base, "http://"), connections, s.length)
		}
		result <- err
	}()
	err = <-result
	return delayOf(o.answers), err
}

// goToClientCore puts the calling thread there.
func goToClientCore() error {
	var second unix.CPUSet
	second.Set(1)
	if err := unix.SchedSetaffinity(0, &second); err != nil {
		return fmt.Errorf("going to the second core: %w", err)
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

// offerer is a client that looks for answers and for requests that are due, in
// turns. It never sleeps, as being woken takes time too.
type offerer struct {
	request  []byte
	interval time.Duration
	answers  []answered
	epoll    int
	length   int // of an answer
}

// answered is a request: when it was due, from the beginning of the round, and
// how many microseconds later its answer had come.
type answered struct {
	due  time.Duration
	took float64
}

// asked is a connection.
type asked struct {
	due  time.Time
	left int // bytes of the answer that are still to come
}

func (o *offerer) run(ctx context.Context, address string, connections int, length time.Duration) (err error) {
	if o.epoll, err = unix.EpollCreate1(0); err != nil {
		return err
	}
	defer unix.Close(o.epoll)
	conns := make(map[int32]*asked)
	var free []int32
	for range connections {
		fd, err := o.connect(address)
		if err != nil {
			return err
		}
		defer unix.Close(fd)
		conns[int32(fd)] = &asked{}
		free = append(free, int32(fd))
	}
	buf := make([]byte, 64<<10)
	events := make([]unix.EpollEvent, connections)
	begun := time.Now()
	next := begun
	for ctx.Err() == nil {
		now := time.Now()
		if now.Sub(begun) > length {
			break
		}
		for len(free) > 0 && !next.After(now) {
			fd := free[len(free)-1]
			free = free[:len(free)-1]
			*conns[fd] = asked{due: next, left: o.length}
			if _, err := unix.Write(int(fd), o.request); err != nil {
				return err
			}
			next = next.Add(o.interval)
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
				o.answers = append(o.answers, answered{c.due.Sub(begun), float64(time.Since(c.due)) / float64(time.Microsecond)})
				free = append(free, e.Fd)
			}
		}
	}
	return ctx.Err()
}

// connect connects and asks once; the first connection learns an answer's length.
func (o *offerer) connect(address string) (int, error) {
	to, err := netip.ParseAddrPort(address)
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
	if o.length == 0 {
		if err := o.measure(fd); err != nil {
			return 0, err
		}
	}
	if err := unix.SetNonblock(fd, true); err != nil {
		return 0, err
	}
	return fd, unix.EpollCtl(o.epoll, unix.EPOLL_CTL_ADD, fd, &unix.EpollEvent{Events: unix.EPOLLIN, Fd: int32(fd)})
}

// measure asks once and reads until the server has been silent for a while.
func (o *offerer) measure(fd int) error {
	if _, err := unix.Write(fd, o.request); err != nil {
		return err
	}
	if err := unix.SetsockoptTimeval(fd, unix.SOL_SOCKET, unix.SO_RCVTIMEO, &unix.Timeval{Usec: 200000}); err != nil {
		return err
	}
	buf := make([]byte, 64<<10)
	for {
		n, err := unix.Read(fd, buf)
		if err == unix.EAGAIN && o.length > 0 {
			return nil
		}
		if err != nil || n == 0 {
			return fmt.Errorf("the server gave no answer: %w", err)
		}
		o.length += n
	}
}
