package bucket

import (
	"fmt"
	"io"
	"net/http"
	"sync/atomic"
)

// Traffic counts the requests to a bucket, including retries, and the bytes of the request and response bodies.
type Traffic struct {
	Gets, Puts, Others int64
	Sent, Received     int64
}

func (t Traffic) String() string {
	return fmt.Sprintf("%d GET, %d PUT, %d other requests; %d bytes sent, %d received", t.Gets, t.Puts, t.Others, t.Sent, t.Received)
}

// Traffic returns the counts since Open.
func (s *Store) Traffic() Traffic {
	t := s.traffic
	return Traffic{t.gets.Load(), t.puts.Load(), t.others.Load(), t.sent.Load(), t.received.Load()}
}

// traffic is a transport that counts requests and bytes.
type traffic struct {
	next               http.RoundTripper
	gets, puts, others atomic.Int64
	sent, received     atomic.Int64
}

func (t *traffic) RoundTrip(r *http.Request) (*http.Response, error) {
	switch r.Method {
	case http.MethodGet:
		t.gets.Add(1)
	case http.MethodPut:
		t.puts.Add(1)
	default:
		t.others.Add(1)
	}
	t.sent.Add(max(0, r.ContentLength))
	answer, err := t.next.RoundTrip(r)
	if err == nil {
		answer.Body = &countedBody{answer.Body, &t.received}
	}
	return answer, err
}

type countedBody struct {
	io.ReadCloser
	n *atomic.Int64
}

func (b *countedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.n.Add(int64(n))
	return n, err
}
