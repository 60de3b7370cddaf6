package soak

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync/atomic"
	"time"
)

// allowanceWindow is long enough to send all of a window's requests, even on a slow machine.
const allowanceWindow = 4 * time.Second

// allowance sends 400 concurrent requests in each of several windows. In each window, exactly 120 requests must
// succeed, and all others must get a 429 response with Retry-After.
func allowance(ctx context.Context, b *Bench, s *server, r *Result) error {
	const limit, requests, clients = 120, 400, 40
	for window := range max(2, b.times(5)) {
		var passed, refused atomic.Int64
		begun := time.Now()
		err := each(clients, clients, func(int) error {
			get := s.getter()
			defer get.close()
			for range requests / clients {
				response, err := get.client.Get(get.url + "/api/v1/marketing")
				if err != nil {
					return err
				}
				_, err = io.Copy(io.Discard, response.Body)
				response.Body.Close()
				switch {
				case err != nil:
					return err
				case response.StatusCode == http.StatusOK:
					passed.Add(1)
				case response.StatusCode == http.StatusTooManyRequests && response.Header.Get("Retry-After") >= "1":
					refused.Add(1)
				default:
					return fmt.Errorf("a response has status %d and Retry-After %q, want 200, or 429 with at least 1", response.StatusCode, response.Header.Get("Retry-After"))
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
		if took := time.Since(begun); took > allowanceWindow {
			return fmt.Errorf("sending %d requests took %s, longer than the window of %s; the machine is too slow for this proof", requests, took, allowanceWindow)
		}
		r.Requests += requests
		r.Connections += clients
		r.Away += refused.Load()
		if passed.Load() != limit || refused.Load() != requests-limit {
			r.Failed++
			return fmt.Errorf("window %d: %d requests passed and %d were rejected, want %d and %d", window+1, passed.Load(), refused.Load(), limit, requests-limit)
		}
		left, err := s.metric("vitrine_allowance_remaining")
		if err != nil || time.Since(begun) < allowanceWindow && left != 0 {
			return errors.Join(err, fmt.Errorf("the metrics report %d remaining requests, want 0", left))
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(time.Until(begun.Add(allowanceWindow + 500*time.Millisecond))):
		}
	}
	return nil
}

// httpGetter is a net/http client with its own connection.
type httpGetter struct {
	client *http.Client
	url    string
}

func (s *server) getter() httpGetter {
	if s.secure {
		m := newMultiplexed(s.addr)
		return httpGetter{m.http, "https://" + s.addr}
	}
	return httpGetter{&http.Client{Timeout: patience, Transport: &http.Transport{}}, "http://" + s.addr}
}

func (g httpGetter) close() { g.client.CloseIdleConnections() }
