package http1

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"vitrine/internal/lab/bench/paired"
	"vitrine/internal/serve"
	"vitrine/internal/serve/decide"
)

// exhausted returns a function that requests the operation and gets the given status, 200 or 429. It runs only the
// engine's own code.
func exhausted(t testing.TB, status int) func() (bytes int) {
	limit := 1 << 30
	if status == http.StatusTooManyRequests {
		limit = 1
	}
	handler := serve.NewHandler(tinySite(t), serve.HandlerOptions{Allowance: decide.NewAllowance(limit, time.Hour)})
	s := New(handler, serve.NewServer(handler, testLog()), nil, testLog())
	e := &endless{request: []byte(hotRequests()["operation"])}
	c := newConn(s, e)
	ask := func() int {
		e.asked, e.written = false, 0
		if _, err := c.converse(); err != errParked {
			t.Fatal(err)
		}
		c.release()
		return e.written
	}
	ask()
	first := &recorded{endless: e}
	c.wire.Stream = first
	ask()
	c.wire.Stream = e
	if want := fmt.Sprintf("HTTP/1.1 %d ", status); !strings.HasPrefix(string(first.bytes), want) {
		t.Fatalf("answered %.60q, want %s", first.bytes, want)
	}
	return ask
}

// recorded is an endless connection that stores everything written to it.
type recorded struct {
	*endless
	bytes []byte
}

func (r *recorded) Write(p []byte) (int, error) {
	r.bytes = append(r.bytes, p...)
	return len(p), nil
}

// A 429 is shorter than the 200 that it replaces and doesn't allocate.
func TestRejectionIsShort(t *testing.T) {
	refuse, answer := exhausted(t, http.StatusTooManyRequests), exhausted(t, http.StatusOK)
	if n := testing.AllocsPerRun(200, func() { refuse() }); n > allocations {
		t.Errorf("%v allocations", n)
	}
	if r, a := refuse(), answer(); r >= a {
		t.Errorf("a 429 has %d bytes, a 200 %d", r, a)
	}
}

// BenchmarkExhausted alternates between a 429 and a 200. It measures each from the bytes of the request to the bytes of
// the response.
func BenchmarkExhausted(b *testing.B) {
	refuse, answer := exhausted(b, http.StatusTooManyRequests), exhausted(b, http.StatusOK)
	b.ReportAllocs()
	ratio, refusing, answering := paired.Turns(b.Loop, 1000, func() { refuse() }, func() { answer() })
	b.ReportMetric(ratio, "429/200")
	b.ReportMetric(refusing, "ns/429")
	b.ReportMetric(answering, "ns/200")
	b.ReportMetric(0, "ns/op")
}
