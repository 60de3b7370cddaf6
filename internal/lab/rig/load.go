package rig

import (
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptrace"
	"sync"
	"testing"
	"time"

	"vitrine/internal/artifact"
)

// Responses counts the responses that the clients of a Load receive.
type Responses struct {
	// All is the number of responses. Checked is the number of these responses that were received while After waited.
	All, Checked int
	// Failed is the number of responses with a status other than 200 or an incomplete body. Retried is the number of
	// requests that the client retried on a new connection because the server closed an idle connection while the
	// request was in transit (RFC 9112 §9.6).
	Failed, Retried int
	// Stale is the number of responses, received while After waited, from a build other than the required one. Mixed is
	// the number of responses that don't match any build.
	Stale, Mixed int
}

func (r Responses) String() string {
	return fmt.Sprintf("%d responses, %d of them after the deploy; %d failed, %d stale, %d mixed; %d requests retried", r.All, r.Checked, r.Failed, r.Stale, r.Mixed, r.Retried)
}

// Load is a group of clients that continuously request random pages of a site in both representations.
type Load struct {
	// known maps a page's path and the hash of its bytes to a bit set of the builds that contain them.
	known map[string]map[uint64]uint
	paths []string
	urls  []string
	end   chan struct{}
	done  sync.WaitGroup

	// want is the bit of the build that every response must come from, or 0 for any build.
	want uint
	turn sync.RWMutex

	mu    sync.Mutex
	sum   Responses
	error error
}

// StartLoad starts clients that request pages from servers at urls until Stop is called or the test ends. builds are
// the folders of the builds that may be served. Every page must be in all builds.
func StartLoad(t testing.TB, clients int, builds []string, urls ...string) *Load {
	t.Helper()
	l := &Load{known: make(map[string]map[uint64]uint), urls: urls, end: make(chan struct{})}
	for n, build := range builds {
		m := Open(t, build).Manifest
		for route := range m.Routes() {
			if route.Kind() == artifact.KindPage {
				l.learn(m, route, 1<<n)
			}
		}
	}
	for range clients {
		l.done.Go(l.requests)
	}
	t.Cleanup(l.halt)
	return l
}

// learn records the hashes of a page's bytes in a build.
func (l *Load) learn(m *artifact.Manifest, page artifact.Route, build uint) {
	if l.known[page.Path()] == nil {
		l.known[page.Path()] = make(map[uint64]uint)
		l.paths = append(l.paths, page.Path())
	}
	for i := range page.Variants() {
		if body, ok := m.BodyIn(page.Variant(i), artifact.Identity); ok {
			hash, _ := m.Digest(body)
			l.known[page.Path()][hash] |= build
		}
	}
}

// requests sends requests until the load ends.
func (l *Load) requests() {
	transport := &http.Transport{DisableCompression: true}
	defer transport.CloseIdleConnections()
	client := &http.Client{Transport: transport, Timeout: 30 * time.Second}
	for {
		select {
		case <-l.end:
			return
		default:
			l.request(client)
		}
	}
}

func (l *Load) request(client *http.Client) {
	l.turn.RLock()
	defer l.turn.RUnlock()
	path := l.paths[rand.IntN(len(l.paths))]
	builds, attempts, err := l.response(client, l.urls[rand.IntN(len(l.urls))], path)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.sum.All++
	if attempts > 1 {
		l.sum.Retried++
	}
	if l.want != 0 {
		l.sum.Checked++
	}
	switch {
	case err != nil:
		l.sum.Failed++
		l.error = fmt.Errorf("%s: %w", path, err)
	case builds == 0:
		l.sum.Mixed++
		l.error = fmt.Errorf("%s: the response does not match any build", path)
	case l.want != 0 && builds&l.want == 0:
		l.sum.Stale++
		l.error = fmt.Errorf("%s: the response is from another build", path)
	}
}

// response requests a page. It returns a bit set of the builds that contain the received bytes, and the number of
// attempts.
func (l *Load) response(client *http.Client, url, path string) (builds uint, attempts int, err error) {
	request, err := http.NewRequest(http.MethodGet, url+path, nil)
	if err != nil {
		return 0, 0, err
	}
	trace := &httptrace.ClientTrace{GotConn: func(httptrace.GotConnInfo) { attempts++ }}
	request = request.WithContext(httptrace.WithClientTrace(request.Context(), trace))
	request.Header.Set("Accept", []string{"text/html", "text/markdown"}[rand.IntN(2)])
	answer, err := client.Do(request)
	if err != nil {
		return 0, attempts, err
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err == nil && answer.StatusCode != http.StatusOK {
		err = fmt.Errorf("the status is %d, want 200", answer.StatusCode)
	}
	return l.known[path][artifact.Hash(body)], attempts, err
}

// After waits for n more responses. All of these responses must come from builds[build] of StartLoad.
func (l *Load) After(t testing.TB, build, n int) {
	t.Helper()
	set := func(want uint) int {
		l.turn.Lock()
		defer l.turn.Unlock()
		l.want = want
		return l.Counts().Checked
	}
	before := set(1 << build)
	Until(t, "there are enough responses", func() bool { return l.Counts().Checked >= before+n })
	set(0)
}

// Counts returns the counts of the responses received since the start of the load.
func (l *Load) Counts() Responses {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.sum
}

// halt ends the load and waits for the clients. It can be called more than once.
func (l *Load) halt() {
	select {
	case <-l.end:
	default:
		close(l.end)
	}
	l.done.Wait()
}

// Stop ends the load and returns its counts. It fails the test if any response failed, came from the wrong build, or
// matches no build.
func (l *Load) Stop(t testing.TB) Responses {
	t.Helper()
	l.halt()
	sum := l.Counts()
	if sum.Failed+sum.Stale+sum.Mixed > 0 {
		t.Errorf("the load received %v; the most recent failure is %v", sum, l.error)
	}
	return sum
}
