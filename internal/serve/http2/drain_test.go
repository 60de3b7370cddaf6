package http2_test

import (
	"bytes"
	"crypto/tls"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptrace"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	xhttp2 "golang.org/x/net/http2"

	"vitrine/internal/lab/rig"
	"vitrine/internal/serve"
	"vitrine/internal/serve/decide"
)

// lockedBuffer is a log that tests can read while the server writes to it.
type lockedBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}

func (b *lockedBuffer) logger() *slog.Logger { return slog.New(slog.NewTextHandler(b, nil)) }

// plain opens a connection without sending anything.
func (s *started) plain(t testing.TB) net.Conn {
	t.Helper()
	c, err := net.Dial("tcp", s.addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return c
}

// A draining server sends two GOAWAY frames: the first announces that it will accept no more streams, and the second,
// which follows once the client has received the first, names the last stream (RFC 9113 §6.8). The server responds to
// requests that arrive between the two frames and sends waiting data before it closes the connection.
func TestDrain(t *testing.T) {
	s := start(t, runOurs, serve.NewHandler(rig.SmallSite(t), serve.HandlerOptions{}), 0, quiet())
	idle, c := s.dial(t), s.dial(t, xhttp2.Setting{ID: xhttp2.SettingInitialWindowSize, Val: 0})
	served(t, idle)
	waiting, err := c.ask(request("GET", rig.SmallLong))
	if err != nil {
		t.Fatal(err)
	}
	c.taken(t)
	s.stop()
	var told, crossing uint32
	answered := map[uint32]int{}
	var last []uint32
	for {
		frame, err := c.ReadFrame()
		if err != nil {
			if err != io.EOF {
				t.Errorf("it ended with %v", err)
			}
			break
		}
		switch f := frame.(type) {
		case *xhttp2.GoAwayFrame:
			if last = append(last, f.LastStreamID); f.ErrCode != xhttp2.ErrCodeNo {
				t.Errorf("GOAWAY %s", f.ErrCode)
			}
			if told++; told == 1 {
				if crossing, err = c.ask(request("HEAD", rig.SmallPage)); err != nil {
					t.Fatal(err)
				}
			} else {
				_ = c.WriteWindowUpdate(waiting, 1<<20)
			}
		case *xhttp2.PingFrame:
			if !f.IsAck() {
				_ = c.WritePing(true, f.Data)
			}
		case *xhttp2.HeadersFrame:
			answered[f.StreamID] += 0
		case *xhttp2.DataFrame:
			answered[f.StreamID] += len(f.Data())
		}
	}
	if len(last) != 2 || last[0] != 1<<31-1 || last[1] != crossing {
		t.Errorf("GOAWAY with %d, want two, the second with %d", last, crossing)
	}
	if _, ok := answered[crossing]; !ok || answered[waiting] < 10_000 {
		t.Errorf("answers have %v bytes", answered)
	}
	if err := <-s.ended; err != nil {
		t.Error(err)
	}
}

// taken reads until the server has sent the header section of a response, which proves that it accepted the request.
func (c *client) taken(t *testing.T) {
	t.Helper()
	for {
		frame, err := c.ReadFrame()
		if err != nil {
			t.Fatal(err)
		}
		if _, ok := frame.(*xhttp2.HeadersFrame); ok {
			return
		}
	}
}

// Under load, draining loses no request: each gets a complete response, or its client knows from a GOAWAY or a failed
// connection attempt that the server didn't process it.
func TestDrainUnderLoad(t *testing.T) {
	for range 5 {
		var decided atomic.Int64
		var stopping atomic.Bool
		h := serve.NewHandler(rig.SmallSite(t), serve.HandlerOptions{Observe: func(*decide.Request, decide.Answer) { decided.Add(1) }})
		s := start(t, runOurs, h, 0, quiet())
		var whole atomic.Int64
		var group sync.WaitGroup
		for range 4 {
			transport := &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, ForceAttemptHTTP2: true}
			get := func() (sent bool, err error) {
				trace := httptrace.WithClientTrace(t.Context(), &httptrace.ClientTrace{
					GetConn: func(string) { sent = false }, // the client retries unprocessed requests
					GotConn: func(httptrace.GotConnInfo) { sent = true },
				})
				request, err := http.NewRequestWithContext(trace, http.MethodGet, "https://"+s.addr+rig.SmallLong, nil)
				if err != nil {
					return sent, err
				}
				response, err := (&http.Client{Transport: transport}).Do(request)
				if err != nil {
					return sent, err
				}
				if _, err = io.Copy(io.Discard, response.Body); err != nil {
					t.Errorf("an answer was torn: %v", err)
				}
				_ = response.Body.Close()
				whole.Add(1)
				return sent, nil
			}
			// On a slow machine a handshake may exceed its time limit.
			for range 5 {
				if _, err := get(); err == nil {
					break
				}
			}
			for range 4 {
				group.Go(func() {
					for {
						if sent, err := get(); err != nil {
							taken := sent && !strings.Contains(err.Error(), "GOAWAY") && !strings.Contains(err.Error(), "could not be established")
							if taken || !stopping.Load() {
								t.Errorf("a request failed with %v", err)
							}
							return
						}
					}
				})
			}
			t.Cleanup(transport.CloseIdleConnections)
		}
		rig.Until(t, "200 answers came", func() bool { return whole.Load() >= 200 || t.Failed() })
		stopping.Store(true)
		s.stop()
		if err := <-s.ended; err != nil {
			t.Error(err)
		}
		group.Wait()
		if whole.Load() != decided.Load() || whole.Load() == 0 {
			t.Errorf("%d requests were decided, %d answers came whole", decided.Load(), whole.Load())
		}
	}
}

// A connection still open after the drain time is closed, and the server reports it.
func TestDrainTimeIsOver(t *testing.T) {
	s := start(t, runOurs, serve.NewHandler(rig.SmallSite(t), serve.HandlerOptions{}), 0, quiet())
	c := s.dial(t, xhttp2.Setting{ID: xhttp2.SettingInitialWindowSize, Val: 0})
	if _, err := c.ask(request("GET", "/")); err != nil {
		t.Fatal(err)
	}
	c.taken(t)
	begun := time.Now()
	s.stop()
	if err := <-s.ended; err == nil || !strings.Contains(err.Error(), "to drain") {
		t.Errorf("the server ended with %v", err)
	}
	if took := time.Since(begun); took < drainTime {
		t.Errorf("it ended after %s", took)
	}
}

// No request fails while builds are swapped under load.
func TestSwap(t *testing.T) {
	first, second := rig.SmallSite(t), rig.SmallSite(t)
	h := serve.NewHandler(first, serve.HandlerOptions{})
	s := start(t, runOurs, h, 0, quiet())
	var group sync.WaitGroup
	for range 4 {
		c := s.dial(t)
		group.Go(func() {
			for range 100 {
				served(t, c)
			}
		})
	}
	for range 50 {
		h.Swap(second)
		h.Swap(first)
	}
	group.Wait()
}

// A client that doesn't offer HTTP/2 gets HTTP/1.1 on the same address.
func TestHTTP1(t *testing.T) {
	s := start(t, runOurs, serve.NewHandler(rig.SmallSite(t), serve.HandlerOptions{}), 0, quiet())
	transport := &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}
	defer transport.CloseIdleConnections()
	for range 2 {
		response, err := (&http.Client{Transport: transport}).Get("https://" + s.addr + rig.SmallPage)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.Copy(io.Discard, response.Body)
		_ = response.Body.Close()
		if response.ProtoMajor != 1 || response.StatusCode != http.StatusOK {
			t.Errorf("%s %s", response.Proto, response.Status)
		}
	}
}
