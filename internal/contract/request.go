package contract

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// answerTimeout is the maximum time for one response. A target can set a different maximum for raw requests.
const answerTimeout = 30 * time.Second

// sender sends requests to one instance of the target.
type sender struct {
	// url is the instance's URL without a path. host is the instance's host, with the port if the URL has one.
	url, scheme, host string
	mount             Mount
	transport         http.RoundTripper
	// timeout is the maximum time for the response to a raw request.
	timeout time.Duration
	// sent is the number of requests sent. counted is the number of requests that count toward the allowance.
	sent, counted int
}

// newSender returns a sender for an instance.
func newSender(instance string, transport http.RoundTripper) (*sender, error) {
	u, err := url.Parse(instance)
	if err != nil {
		return nil, fmt.Errorf("reading the target's URL: %w", err)
	}
	if u.Scheme == "" || u.Host == "" {
		return nil, fmt.Errorf("the target's URL %q lacks a scheme or a host", instance)
	}
	if transport == nil {
		transport = &http.Transport{DisableCompression: true, Proxy: http.ProxyFromEnvironment, ForceAttemptHTTP2: true}
	}
	return &sender{url: u.Scheme + "://" + u.Host, scheme: u.Scheme, host: u.Host, mount: MountOf(u), transport: transport, timeout: answerTimeout}, nil
}

// close closes the idle connections to the instance.
func (s *sender) close() {
	if t, ok := s.transport.(interface{ CloseIdleConnections() }); ok {
		t.CloseIdleConnections()
	}
}

// outgoing is a request with its placeholders filled in.
type outgoing struct {
	method, target string
	fields         http.Header
	body           string
	raw            string
}

// String formats the request for a failure report.
func (o *outgoing) String() string {
	if o.raw != "" {
		return strings.TrimRight(strings.ReplaceAll(o.raw, "\r\n", "\n"), "\n") + "\n"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s\n", o.method, o.target)
	if err := o.fields.Write(crlf{&b}); err != nil {
		return err.Error()
	}
	if o.body != "" {
		fmt.Fprintf(&b, "\n%s\n", o.body)
	}
	return b.String()
}

// crlf is a writer that replaces CR LF with LF.
type crlf struct{ w *strings.Builder }

func (c crlf) Write(p []byte) (int, error) {
	c.w.WriteString(strings.ReplaceAll(string(p), "\r\n", "\n"))
	return len(p), nil
}

// fill returns the request with its placeholders filled in.
func (r Request) fill(v *values) (*outgoing, error) {
	o := &outgoing{method: r.method, fields: http.Header{}}
	for _, part := range []struct {
		into *string
		from text
	}{{&o.target, r.target}, {&o.body, r.body}, {&o.raw, r.raw}} {
		filled, err := v.plain(part.from)
		if err != nil {
			return nil, err
		}
		*part.into = filled
	}
	for _, f := range r.fields {
		value, err := v.plain(f.value)
		if err != nil {
			return nil, err
		}
		o.fields.Add(f.name, value)
	}
	if o.raw != "" {
		return o, nil
	}
	return o, o.relative(v.base)
}

// relative turns an absolute URL of the site into the target of a request. It returns an error for a URL outside the
// site.
func (o *outgoing) relative(base string) error {
	if strings.HasPrefix(o.target, "/") {
		return nil
	}
	rest, ok := strings.CutPrefix(o.target, base)
	if !ok || rest != "" && !strings.ContainsAny(rest[:1], "/?#") {
		return fmt.Errorf("the target %s is not on the site %s", o.target, base)
	}
	rest, _, _ = strings.Cut(rest, "#")
	o.target = "/" + strings.TrimPrefix(rest, "/")
	return nil
}

// send sends a request, counts it in s.sent and s.counted, and reads the response.
func (s *sender) send(ctx context.Context, o *outgoing) (*Answer, error) {
	timeout := answerTimeout
	if o.raw != "" {
		timeout = s.timeout
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	s.sent++
	if o.raw != "" {
		if isOperation(Request{raw: text(o.raw)}.path()) {
			s.counted++
		}
		return s.sendRaw(ctx, s.mount.raw(o.raw))
	}
	if isOperation(o.target) {
		s.counted++
	}
	req, err := http.NewRequestWithContext(ctx, o.method, s.url, strings.NewReader(o.body))
	if err != nil {
		return nil, fmt.Errorf("creating the request: %w", err)
	}
	if o.body == "" {
		req.Body = http.NoBody
	}
	// Opaque preserves the target as written, including a bare ? and %zz.
	req.URL = &url.URL{Scheme: s.scheme, Host: s.host, Opaque: s.mount.Target(o.target)}
	req.Header = o.fields.Clone()
	if host := req.Header.Get("Host"); host != "" {
		req.Host = host
		req.Header.Del("Host")
	}
	if req.Header.Get("User-Agent") == "" {
		req.Header.Set("User-Agent", "vitrine-contract/1")
	}
	resp, err := s.transport.RoundTrip(req)
	if err != nil {
		return nil, fmt.Errorf("sending the request: %w", err)
	}
	return s.read(resp)
}

// read reads a response, with at most maxBody bytes of its body, and converts the URLs in its header fields
// (Mount.Answered).
func (s *sender) read(resp *http.Response) (*Answer, error) {
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxBody))
	if err != nil {
		return nil, fmt.Errorf("reading the response body: %w", err)
	}
	s.mount.Answered(resp.Header)
	return &Answer{Status: resp.StatusCode, Header: resp.Header, Body: body}, nil
}
