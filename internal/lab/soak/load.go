package soak

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
)

// load is a group of clients that send requests continuously. The counts are final after stop returns.
type load struct {
	server                                    *server
	requests, failed, unanswered, connections atomic.Int64
	// refused counts connections that the server didn't accept, for example because it has stopped.
	refused atomic.Int64

	mu    sync.Mutex
	first error // the first failure
	group sync.WaitGroup
	end   context.CancelFunc
}

// startLoad starts clients that send requests until stop. keeping is the number of clients that use one connection
// each, and changing is the number that open a new connection for each request.
func (s *server) startLoad(ctx context.Context, keeping, changing int) *load {
	ctx, end := context.WithCancel(ctx)
	l := &load{server: s, end: end}
	for i := range keeping + changing {
		l.group.Go(func() { l.run(ctx, i < keeping, i) })
	}
	return l
}

// stop ends the load and waits for the clients.
func (l *load) stop() {
	l.end()
	l.group.Wait()
}

func (l *load) run(ctx context.Context, keep bool, i int) {
	paths := []string{"/", page, "/pricing", "/index.md", longPage, "/llms.txt", "/sitemap.xml"}
	var c client
	lost := 0
	for n := i; ctx.Err() == nil; n++ {
		if c == nil {
			var err error
			if c, err = l.server.connect(); err != nil {
				l.refused.Add(1)
				l.note(err)
				return
			}
			l.connections.Add(1)
		}
		l.requests.Add(1)
		err := c.get(paths[n%len(paths)])
		switch {
		case err == nil, errors.Is(err, errLast):
			lost = 0
		case !errors.Is(err, errWrong) && lost < l.server.again:
			lost++
			n-- // retry the same path
		case errors.Is(err, errUnanswered):
			l.unanswered.Add(1)
			l.note(err)
		default:
			l.fail(err)
		}
		if err != nil || !keep {
			c.close()
			c = nil
		}
		if err != nil && (errors.Is(err, errLast) || ctx.Err() != nil) {
			return
		}
	}
	if c != nil {
		c.close()
	}
}

func (l *load) fail(err error) {
	l.failed.Add(1)
	l.note(err)
}

func (l *load) note(err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.first == nil {
		l.first = err
	}
}

// add adds the load's counts to r. It returns an error if a request failed.
func (l *load) add(r *Result) error {
	r.Requests += l.requests.Load()
	r.Connections += l.connections.Load()
	failed := l.failed.Load() + l.unanswered.Load() + l.refused.Load()
	r.Failed += failed
	if failed > 0 {
		return fmt.Errorf("%d of %d normal requests failed; the first: %w", failed, l.requests.Load(), l.first)
	}
	return nil
}
