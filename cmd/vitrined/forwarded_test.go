package main_test

import (
	"encoding/json"
	"io"
	"net/http"
	"testing"
	"time"
)

// Every engine logs the client reported by a trusted proxy, the request's ID and trace, and the duration.
func TestForwardedRequest(t *testing.T) {
	t.Parallel()
	vitrined, dir := compiled(t), smallSite(t)
	c := newCertificate(t, t.TempDir(), 1)
	const trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
	for name, engine := range map[string]struct {
		client    *http.Client
		arguments []string
	}{
		"fast":     {http.DefaultClient, nil},
		"net/http": {http.DefaultClient, []string{"--engine", "net/http"}},
		"HTTP/2":   {c.client(t, "h2"), []string{"--tls-cert", c.cert, "--tls-key", c.key}},
	} {
		s := vitrined.start(t, append([]string{"--dir", dir, "--access-log=json", "--trusted-proxies", "127.0.0.0/8"}, engine.arguments...)...)
		for _, target := range []string{"/", "/no-such-page"} {
			r, err := http.NewRequestWithContext(t.Context(), "GET", s.url+target, http.NoBody)
			if err != nil {
				t.Fatal(err)
			}
			r.Header.Set("X-Forwarded-For", "1.1.1.1, 192.0.2.7")
			r.Header.Set("X-Request-ID", "id-4711")
			r.Header.Set("traceparent", trace)
			answer, err := engine.client.Do(r)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if _, err := io.Copy(io.Discard, answer.Body); err != nil {
				t.Error(err)
			}
			answer.Body.Close()
			var line struct {
				Remote, RequestID, TraceParent, Target string
				Bytes                                  int
				Seconds                                *float64
			}
			select {
			case text := <-s.requests:
				if err := json.Unmarshal([]byte(text), &line); err != nil {
					t.Fatalf("%s: %v in %s", name, err, text)
				}
			case <-time.After(20 * time.Second):
				t.Fatalf("%s: nothing is logged", name)
			}
			if line.Target != target || line.Remote != "192.0.2.7" || line.RequestID != "id-4711" || line.TraceParent != trace || line.Bytes == 0 || line.Seconds == nil || *line.Seconds < 0 {
				t.Errorf("%s: logged %+v", name, line)
			}
		}
	}
}
