package soak

import (
	"bufio"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"

	"vitrine/internal/artifact"
)

// patience is the time that a client waits for one response.
const patience = 30 * time.Second

// client requests one path after another.
type client interface {
	// get requests path. It returns nil if the response was complete and correct.
	get(path string) error
	close()
}

// errUnanswered is wrapped by the error for a connection that ended before the first byte of a response.
var errUnanswered = errors.New("no response")

// connection is a client on one HTTP/1.1 connection.
type connection struct {
	net.Conn
	r *bufio.Reader
}

func dial(addr string) (*connection, error) {
	c, err := net.DialTimeout("tcp", addr, patience)
	if err != nil {
		return nil, err
	}
	return &connection{Conn: c, r: bufio.NewReader(c)}, nil
}

// close resets the connection, because an orderly close would keep thousands of ports in use for a minute.
func (c *connection) close() {
	if tcp, ok := c.Conn.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0) // fails if the connection has ended
	}
	_ = c.Close()
}

func (c *connection) get(path string) error {
	if err := c.send(path); err != nil {
		return fmt.Errorf("%w: %w", errUnanswered, err)
	}
	return c.read()
}

// send sends a request.
func (c *connection) send(path string) error {
	if err := c.SetDeadline(time.Now().Add(patience)); err != nil {
		return err
	}
	_, err := fmt.Fprintf(c, "GET %s HTTP/1.1\r\nHost: tiny.example\r\n\r\n", path)
	return err
}

// read reads and checks a response.
func (c *connection) read() error {
	if _, err := c.r.Peek(1); err != nil {
		return fmt.Errorf("%w: %w", errUnanswered, err)
	}
	response, err := http.ReadResponse(c.r, nil)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	return judge(response)
}

// errLast is returned for a correct response after which the server closes the connection.
var errLast = errors.New("the last response of this connection")

// errWrong is wrapped by the error for a complete response with the wrong status or the wrong body.
var errWrong = errors.New("an incorrect response")

// judge reads a response and compares its body with the hash in its ETag. It returns errLast for a correct response
// that is the last on its connection, and an error that wraps errWrong for an incorrect response.
func judge(response *http.Response) error {
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return err
	}
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("%w: status %d", errWrong, response.StatusCode)
	}
	if got := artifact.ETag(artifact.Hash(body), artifact.Identity); got != response.Header.Get("ETag") {
		return fmt.Errorf("%w: the hash of the body is %s, but the ETag is %s", errWrong, got, response.Header.Get("ETag"))
	}
	if response.Close {
		return errLast
	}
	return nil
}

// multiplexed is an HTTP/2 client over TLS.
type multiplexed struct {
	http *http.Client
	addr string
}

func newMultiplexed(addr string) *multiplexed {
	transport := &http.Transport{DisableCompression: true, TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, Protocols: new(http.Protocols)}
	transport.Protocols.SetHTTP2(true)
	return &multiplexed{&http.Client{Timeout: patience, Transport: transport}, addr}
}

func (m *multiplexed) get(path string) error {
	response, err := m.http.Get("https://" + m.addr + path)
	if err != nil {
		return fmt.Errorf("%w: %w", errUnanswered, err)
	}
	defer response.Body.Close()
	return judge(response)
}

func (m *multiplexed) close() { m.http.CloseIdleConnections() }

// connect returns a client for the server's protocol.
func (s *server) connect() (client, error) {
	if s.secure {
		return newMultiplexed(s.addr), nil
	}
	return dial(s.addr)
}
