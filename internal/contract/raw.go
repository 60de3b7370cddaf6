package contract

import (
	"bufio"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
)

// sendRaw writes bytes to a new connection and reads one response. It returns an error if the server writes more than
// the response, such as a body for a HEAD request, or doesn't close the connection before ctx's deadline.
func (s *sender) sendRaw(ctx context.Context, bytes string) (*Answer, error) {
	conn, err := s.dial(ctx)
	if err != nil {
		return nil, fmt.Errorf("connecting: %w", err)
	}
	defer conn.Close()
	if deadline, ok := ctx.Deadline(); ok {
		if err := conn.SetDeadline(deadline); err != nil {
			return nil, fmt.Errorf("connecting: %w", err)
		}
	}
	if _, err := io.WriteString(conn, bytes); err != nil {
		return nil, fmt.Errorf("sending the request: %w", err)
	}
	method, _, _ := strings.Cut(bytes, " ")
	r := bufio.NewReader(conn)
	resp, err := http.ReadResponse(r, &http.Request{Method: method})
	if err != nil {
		return nil, fmt.Errorf("reading the response: %w", err)
	}
	a, err := s.read(resp)
	if err != nil {
		return nil, err
	}
	rest, err := io.ReadAll(io.LimitReader(r, maxBody))
	if len(rest) > 0 {
		return nil, fmt.Errorf("%d bytes follow the response: %s", len(rest), clip(string(rest)))
	}
	if timeout := net.Error(nil); errors.As(err, &timeout) && timeout.Timeout() {
		return nil, fmt.Errorf("the connection stays open after the response; send Connection: close")
	}
	return a, nil
}

// dial opens a connection to the instance.
func (s *sender) dial(ctx context.Context) (net.Conn, error) {
	address := s.host
	if u := (&url.URL{Host: s.host}); u.Port() == "" {
		address = net.JoinHostPort(u.Hostname(), map[string]string{"http": "80", "https": "443"}[s.scheme])
	}
	if s.scheme == "https" {
		return (&tls.Dialer{}).DialContext(ctx, "tcp", address)
	}
	return (&net.Dialer{}).DialContext(ctx, "tcp", address)
}
