// Package visit sends requests to a live site politely. It limits the number of requests, both in total and at the same
// time, and sends none to other hosts, even if the site redirects there. After a 429, it waits until Retry-After has
// passed. It returns responses as sent: it doesn't follow redirects or decompress bodies.
package visit

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"vitrine/internal/artifact"
	"vitrine/internal/contract"
)

// AtOnce is the maximum number of concurrent requests.
const AtOnce = 4

// maxBody is the maximum size of a body in bytes.
const maxBody = 64 << 20

// maxWait is the maximum Retry-After that the visitor obeys. It is twice the default window of the allowance.
const maxWait = 2 * time.Minute

// maxWaits is the maximum number of retries after a 429 in one visit. It keeps a visit from flooding a site that always
// rejects requests.
const maxWaits = AtOnce

// ErrEnough is wrapped by the error that is returned for a request beyond Options.Most.
var ErrEnough = errors.New("the request limit has been reached")

// Options are the optional settings of a visit.
type Options struct {
	// Timeout is the maximum time for one response; 0 means 10 seconds.
	Timeout time.Duration
	// Most is the maximum number of requests in total; 0 means no limit.
	Most int
	// Transport sends the requests; nil means the visitor's default transport.
	Transport http.RoundTripper
	// Sleep waits for a duration; nil means waiting in real time.
	Sleep func(context.Context, time.Duration) error
	// Tell is called with a message before a long operation. It may be nil.
	Tell func(string)
}

// A Visitor sends requests to one site. It is safe for concurrent use. It implements http.RoundTripper, so that other
// packages can send requests through it.
type Visitor struct {
	site    *url.URL
	mount   contract.Mount
	options Options
	places  chan struct{}

	mu       sync.Mutex
	sent     int
	counted  int
	refused  int
	waits    int
	outlived bool
	forward  bool
	hosts    []Host
	seen     Seen
	times    []time.Duration
}

// Open returns a visitor to the site at a URL, which consists of http or https, a host, and the site's base path, if
// any. Paths in requests and responses are relative to the base path.
func Open(site string, options Options) (*Visitor, error) {
	u, err := Parse(site)
	if err != nil {
		return nil, err
	}
	if options.Timeout == 0 {
		options.Timeout = 10 * time.Second
	}
	if options.Transport == nil {
		options.Transport = &http.Transport{
			DisableCompression: true, Proxy: http.ProxyFromEnvironment, ForceAttemptHTTP2: true, MaxIdleConnsPerHost: AtOnce,
		}
	}
	if options.Sleep == nil {
		options.Sleep = Sleep
	}
	if options.Tell == nil {
		options.Tell = func(string) {}
	}
	return &Visitor{
		site: &url.URL{Scheme: u.Scheme, Host: u.Host}, mount: contract.MountOf(u), options: options, places: make(chan struct{}, AtOnce),
	}, nil
}

// Parse parses the URL of a site: a scheme, a host, and optionally a path.
func Parse(site string) (*url.URL, error) {
	u, err := url.Parse(site)
	switch {
	case err != nil:
		return nil, fmt.Errorf("parsing the site's URL: %w", err)
	case u.Scheme != "http" && u.Scheme != "https", u.Host == "":
		return nil, fmt.Errorf("%q is not a site URL; use a URL such as https://acorn.example", site)
	case u.User != nil, u.RawQuery != "", u.Fragment != "":
		return nil, fmt.Errorf("%q contains more than a scheme, a host, and a path; write it as %s://%s", site, u.Scheme, u.Host+strings.TrimRight(u.EscapedPath(), "/"))
	}
	return u, nil
}

// Sleep waits for d. If ctx ends first, it returns the error of ctx.
func Sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Close closes idle connections.
func (v *Visitor) Close() {
	if t, ok := v.options.Transport.(interface{ CloseIdleConnections() }); ok {
		t.CloseIdleConnections()
	}
}

// URL returns the site's scheme, host, and base path.
func (v *Visitor) URL() string { return v.site.String() + v.mount.Path }

// Mount returns the site's base path.
func (v *Visitor) Mount() contract.Mount { return v.mount }

// Counts returns the number of requests sent, the number that count toward the allowance, and the number rejected with
// 429.
func (v *Visitor) Counts() (sent, counted, refused int) {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.sent, v.counted, v.refused
}

// Outlived reports whether a request that was retried after Retry-After got another 429.
func (v *Visitor) Outlived() bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.outlived
}

// Hosts returns the hosts and programs recognized in the responses.
func (v *Visitor) Hosts() []Host {
	v.mu.Lock()
	defer v.mu.Unlock()
	return append([]Host(nil), v.hosts...)
}

// Forward makes the visitor return a 429 to the caller instead of waiting and retrying the request.
func (v *Visitor) Forward() {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.forward = true
}

// Wait reports that the visitor waits for the request allowance, and then calls the visitor's Sleep.
func (v *Visitor) Wait(ctx context.Context, d time.Duration) error {
	v.options.Tell(fmt.Sprintf("waiting %s for the request allowance window to end", d))
	return v.options.Sleep(ctx, d)
}

// Answer is the response to a request.
type Answer struct {
	Status int
	Header http.Header
	// Body is the body as received.
	Body []byte
}

// Ask sends a request for a percent-encoded path of the site. fields are header fields, as alternating names and
// values. It reads at most maxBody bytes of the response's body.
func (v *Visitor) Ask(ctx context.Context, method, target string, fields ...string) (*Answer, error) {
	u, err := v.site.Parse(v.mount.Target(target))
	if err != nil || u.Host != v.site.Host || u.Scheme != v.site.Scheme {
		return nil, fmt.Errorf("%s is not a path on %s", target, v.site)
	}
	r, err := http.NewRequestWithContext(ctx, method, u.String(), http.NoBody)
	if err != nil {
		return nil, fmt.Errorf("creating the request: %w", err)
	}
	r.Header.Set("User-Agent", "vitrine/1")
	for i := 0; i+1 < len(fields); i += 2 {
		r.Header.Set(fields[i], fields[i+1])
	}
	response, err := v.RoundTrip(r)
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", method, target, err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(io.LimitReader(response.Body, maxBody))
	if err != nil {
		return nil, fmt.Errorf("reading the response to %s %s: %w", method, target, err)
	}
	v.mount.Answered(response.Header)
	return &Answer{Status: response.StatusCode, Header: response.Header, Body: body}, nil
}

// RoundTrip sends a request to the site. If the response is a 429 with a Retry-After, RoundTrip waits and retries the
// request once. The error wraps ErrEnough if the visitor may not send another request.
func (v *Visitor) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.URL.Host != v.site.Host || r.URL.Scheme != v.site.Scheme {
		return nil, fmt.Errorf("%s is not the host of the site being verified", r.URL.Host)
	}
	for again := false; ; again = true {
		response, err := v.send(r)
		if err != nil || response.StatusCode != http.StatusTooManyRequests {
			return response, err
		}
		wait, ok := v.retryAfter(response, again)
		if !ok {
			return response, nil
		}
		if err := response.Body.Close(); err != nil {
			return nil, err
		}
		if err := v.Wait(r.Context(), wait); err != nil {
			return nil, err
		}
	}
}

// retryAfter returns the time to wait before retrying a request that was rejected with 429, and reports whether to
// retry it. again reports whether the request was already a retry.
func (v *Visitor) retryAfter(response *http.Response, again bool) (time.Duration, bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.refused++
	if v.forward {
		return 0, false
	}
	if again {
		v.outlived = true
		return 0, false
	}
	seconds, err := strconv.Atoi(response.Header.Get(artifact.FieldRetryAfter))
	wait := time.Duration(seconds) * time.Second
	if err != nil || wait <= 0 || wait > maxWait || v.outlived || v.waits == maxWaits {
		return 0, false
	}
	v.waits++
	return wait, true
}

// send waits for a free slot and sends a request.
func (v *Visitor) send(r *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithTimeout(r.Context(), v.options.Timeout)
	select {
	case v.places <- struct{}{}:
	case <-ctx.Done():
		cancel()
		return nil, ctx.Err()
	}
	done := func() { <-v.places; cancel() }
	if err := v.count(r); err != nil {
		done()
		return nil, err
	}
	began := time.Now()
	response, err := v.options.Transport.RoundTrip(r.WithContext(ctx))
	if err != nil {
		done()
		return nil, err
	}
	v.recognize(response.Header)
	v.note(r, response.Header, time.Since(began))
	response.Body = &body{ReadCloser: response.Body, done: done}
	return response, nil
}
