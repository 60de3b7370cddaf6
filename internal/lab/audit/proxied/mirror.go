package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
)

// mirror is a transport that sends each request to the server in its URL. It sends GET and OPTIONS requests for the
// JSON operation a second time, through the proxy. RoundTrip is safe for concurrent use.
type mirror struct {
	// proxy is the scheme and host of the validation proxy.
	proxy           string
	direct, through http.RoundTripper

	mu sync.Mutex
	// answered is the number of the proxy's responses without a violation, keyed by status.
	answered map[int]int
	// left is the number of requests for the operation that aren't sent through the proxy, keyed by method.
	left       map[string]int
	violations []error
}

// RoundTrip implements http.RoundTripper.
func (m *mirror) RoundTrip(req *http.Request) (*http.Response, error) {
	target := req.URL.RequestURI()
	path, _, _ := strings.Cut(target, "?")
	if path != "/api" && path != "/api/marketing" && path != "/api/v1/marketing" {
		return m.direct.RoundTrip(req)
	}
	resp, err := m.direct.RoundTrip(req)
	if err != nil {
		return nil, err
	}
	if req.Method == http.MethodGet || req.Method == http.MethodOptions {
		m.send(req, target, resp.StatusCode)
	} else {
		m.mu.Lock()
		count(&m.left, req.Method)
		m.mu.Unlock()
	}
	return resp, nil
}

// send sends a request through the proxy and records whether the proxy reports a violation.
func (m *mirror) send(req *http.Request, target string, status int) {
	copied := req.Clone(req.Context())
	u, err := url.Parse(m.proxy)
	if err != nil {
		m.file(0, fmt.Errorf("parsing the URL of the proxy: %w", err))
		return
	}
	copied.URL = &url.URL{Scheme: u.Scheme, Host: u.Host, Opaque: target}
	copied.Host = ""
	copied.Body = http.NoBody
	if copied.Header.Get("Accept-Encoding") == "" {
		// Otherwise, the proxy requests a compressed representation, which has a different ETag.
		copied.Header.Set("Accept-Encoding", "identity")
	}
	resp, err := m.through.RoundTrip(copied)
	if err != nil {
		m.file(0, fmt.Errorf("%s %s: sending the request through the proxy: %w", req.Method, target, err))
		return
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		m.file(0, fmt.Errorf("%s %s: reading the proxy's response: %w", req.Method, target, err))
		return
	}
	m.file(resp.StatusCode, judge(req.Method+" "+target, status, resp, body))
}

// judge returns an error if the proxy reports a violation, if the response doesn't come from the upstream server, or if
// its status isn't status, the status of the response without the proxy.
func judge(what string, status int, resp *http.Response, body []byte) error {
	if v := resp.Header.Get("sl-violations"); v != "" {
		return fmt.Errorf("%s: %s", what, v)
	}
	var problem struct{ Type, Title string }
	if strings.HasPrefix(resp.Header.Get("Content-Type"), "application/problem+json") {
		if err := json.Unmarshal(bytes.TrimSpace(body), &problem); err != nil {
			return fmt.Errorf("%s: the proxy's response is not JSON: %w", what, err)
		}
	}
	if strings.Contains(problem.Type, "stoplight.io/prism") || resp.Header.Get("RateLimit-Policy") == "" {
		return fmt.Errorf("%s: the response came from the proxy, not from vitrined: %d %s", what, resp.StatusCode, body)
	}
	if resp.StatusCode != status {
		return fmt.Errorf("%s: the status through the proxy is %d; want %d, the status without the proxy", what, resp.StatusCode, status)
	}
	return nil
}

// file records err as a violation. If err is nil, file counts a response with the given status instead.
func (m *mirror) file(status int, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err != nil {
		m.violations = append(m.violations, err)
		return
	}
	if m.answered == nil {
		m.answered = make(map[int]int)
	}
	m.answered[status]++
}

func count(in *map[string]int, key string) {
	if *in == nil {
		*in = make(map[string]int)
	}
	(*in)[key]++
}

// count returns the number of requests through the proxy without a violation.
func (m *mirror) count() int {
	n := 0
	for _, times := range m.answered {
		n += times
	}
	return n
}

// statuses formats the number of responses for each status, such as "200×9, 400×3".
func (m *mirror) statuses() string {
	var parts []string
	for _, status := range slices.Sorted(maps.Keys(m.answered)) {
		parts = append(parts, fmt.Sprintf("%d×%d", status, m.answered[status]))
	}
	return strings.Join(parts, ", ")
}

// skipped formats the number of requests omitted for each method, such as "HEAD×9, POST×2".
func (m *mirror) skipped() string {
	var parts []string
	for _, method := range slices.Sorted(maps.Keys(m.left)) {
		parts = append(parts, fmt.Sprintf("%s×%d", method, m.left[method]))
	}
	return strings.Join(parts, ", ")
}

// err returns all violations as one error, or nil if there are none.
func (m *mirror) err() error {
	return errors.Join(m.violations...)
}
