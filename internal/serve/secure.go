package serve

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"sync"
	"time"

	"vitrine/internal/artifact"
	"vitrine/internal/serve/decide"
	"vitrine/internal/serve/socket"
)

// Secured returns a listener for HTTP/1 over TLS, whose connections are *tls.Conn over *socket.Wire. If config offers
// HTTP/2, the listener passes connections that negotiate HTTP/2 to take instead of returning them. Otherwise, take may
// be nil. An unencrypted request gets a problem response. Closing the listener closes l.
func Secured(l net.Listener, config *tls.Config, handler *Handler, log *slog.Logger, take func(*tls.Conn)) net.Listener {
	s := &secured{
		Listener: l, config: config, handler: handler, log: log, take: take,
		accepted: make(chan accepted), closed: make(chan struct{}),
	}
	go s.acceptAll()
	return s
}

type secured struct {
	net.Listener
	config   *tls.Config
	handler  *Handler
	log      *slog.Logger
	take     func(*tls.Conn)
	accepted chan accepted
	closed   chan struct{}
	once     sync.Once
}

// accepted contains the result of one call to Accept.
type accepted struct {
	conn net.Conn
	err  error
}

// acceptAll accepts connections and runs their handshakes concurrently, because the protocol of a connection is known
// only after the handshake.
func (s *secured) acceptAll() {
	for {
		c, err := s.Listener.Accept()
		if err != nil {
			// Wait until Accept returns the error, so that net/http can pause.
			if !s.give(accepted{err: err}) || errors.Is(err, net.ErrClosed) {
				return
			}
			continue
		}
		go s.shake(c)
	}
}

// give passes a result to Accept, waiting until Accept takes it. It returns false if the listener is closed.
func (s *secured) give(a accepted) bool {
	select {
	case s.accepted <- a:
		return true
	case <-s.closed:
		return false
	}
}

func (s *secured) shake(c net.Conn) {
	connection := ConnectionOf(c)
	if !connection.awaitTurn(s.closed) {
		_ = c.Close()
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), readHeaderTimeout)
	defer cancel()
	connection.Speaks(shaking)
	stream := c
	if connection != nil {
		stream = connection.Conn
	}
	secure := tls.Server(socket.NewWire(c, stream, connection), s.config)
	if err := secure.HandshakeContext(ctx); err != nil {
		s.log.LogAttrs(ctx, slog.LevelDebug, "a TLS handshake failed", slog.String("remote", c.RemoteAddr().String()), slog.Any("error", err))
		var record tls.RecordHeaderError
		if errors.As(err, &record) && record.Conn != nil && isUpper(record.RecordHeader[0]) {
			s.refusePlain(record.Conn, record.RecordHeader[:])
		}
		_ = c.Close()
		return
	}
	switch secure.ConnectionState().NegotiatedProtocol {
	case "h2":
		if s.take != nil {
			s.take(secure)
			return
		}
	case "", "http/1.1":
		connection.Speaks(Secure1)
		if s.give(accepted{conn: secure}) {
			return
		}
	}
	_ = secure.Close()
}

func isUpper(c byte) bool { return 'A' <= c && c <= 'Z' }

// refusePlain responds to a client that uses HTTP without TLS. began contains the first bytes of its request.
func (s *secured) refusePlain(c net.Conn, began []byte) {
	remote, _ := netip.ParseAddrPort(c.RemoteAddr().String()) // the zero AddrPort if the address has another form
	request := decide.Request{Protocol: "HTTP/1.1", Remote: remote, Malformed: string(began)}
	answer := s.handler.Refuse(&request, artifact.ProblemMalformedRequest, time.Now())
	defer s.handler.Observe(&request, answer)
	head := []byte("HTTP/1.1 400 Bad Request\r\nDate: " + time.Now().UTC().Format(http.TimeFormat) + "\r\n")
	head = append(answer.Header.AppendLines(head), "Connection: close\r\n\r\n"...)
	if c.SetDeadline(time.Now().Add(lingerTime)) != nil {
		return
	}
	if _, err := c.Write(append(head, answer.Body...)); err != nil {
		return
	}
	if w, ok := c.(interface{ CloseWrite() error }); ok && w.CloseWrite() == nil {
		_, _ = io.CopyN(io.Discard, c, lingerBytes)
	}
}

func (s *secured) Accept() (net.Conn, error) {
	select {
	case a := <-s.accepted:
		return a.conn, a.err
	case <-s.closed:
		return nil, net.ErrClosed
	}
}

func (s *secured) Close() error {
	s.once.Do(func() { close(s.closed) })
	return s.Listener.Close()
}
