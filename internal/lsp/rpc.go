package lsp

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/textproto"
	"strconv"
	"sync"
)

// Error codes of JSON-RPC and of LSP 3.17.
const (
	codeParseError     = -32700
	codeInvalidRequest = -32600
	codeMethodNotFound = -32601
	codeInvalidParams  = -32602
	codeInternal       = -32603
	codeNotInitialized = -32002
	codeFailed         = -32803
	codeCanceled       = -32800
)

// maxMessage is the maximum size of a message in bytes. It is large enough for an 8 MiB page in which JSON escapes
// every byte as six bytes.
const maxMessage = 64 << 20

// message is a request, a notification, or a response.
type message struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id,omitempty"`
	Method  string          `json:"method,omitempty"`
	Params  json.RawMessage `json:"params,omitempty"`
	Result  json.RawMessage `json:"result,omitempty"`
	Error   *rpcError       `json:"error,omitempty"`
	// broken is the error to return to the client if the message is invalid, or nil otherwise.
	broken *rpcError
}

// rpcError is the error object in a response.
type rpcError struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

// Error implements error.
func (e *rpcError) Error() string { return e.Message }

func failed(format string, args ...any) *rpcError {
	return &rpcError{codeFailed, fmt.Sprintf(format, args...)}
}

// conn is the connection to a client.
type conn struct {
	in  *bufio.Reader
	mu  sync.Mutex
	out io.Writer
}

// read reads the next message. If only the message's content is invalid, read sets the field broken of the message and
// returns no error. After an error, no more messages can be read.
func (c *conn) read() (*message, error) {
	header, err := textproto.NewReader(c.in).ReadMIMEHeader()
	if err != nil {
		if errors.Is(err, io.EOF) && len(header) == 0 {
			return nil, io.EOF
		}
		return nil, fmt.Errorf("reading a message header: %w", err)
	}
	length, err := strconv.Atoi(header.Get("Content-Length"))
	if err != nil || length < 0 || length > maxMessage {
		return nil, fmt.Errorf("Content-Length: want a number of bytes up to %d, found %q", maxMessage, header.Get("Content-Length"))
	}
	var body bytes.Buffer
	if _, err := io.CopyN(&body, c.in, int64(length)); err != nil {
		return nil, fmt.Errorf("reading a message: %w", err)
	}
	m := new(message)
	if err := json.Unmarshal(body.Bytes(), m); err != nil {
		code := codeInvalidRequest
		if !json.Valid(body.Bytes()) {
			code = codeParseError
		}
		return &message{broken: &rpcError{code, err.Error()}}, nil
	}
	if m.Version != "2.0" || m.Method == "" && m.Result == nil && m.Error == nil && m.ID == nil {
		m.broken = &rpcError{codeInvalidRequest, "this is not a JSON-RPC 2.0 message"}
	}
	return m, nil
}

// write sends a message. It ignores errors, because the next read fails if the client is gone.
func (c *conn) write(m *message) {
	m.Version = "2.0"
	body, err := json.Marshal(m)
	if err != nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	_, _ = fmt.Fprintf(c.out, "Content-Length: %d\r\n\r\n%s", len(body), body)
}

// answer sends the response to the request with the given ID. The response contains result or, if err isn't nil, the
// error. If id is nil, the response's ID is null.
func (c *conn) answer(id json.RawMessage, result any, err error) {
	m := &message{ID: id}
	if m.ID == nil {
		m.ID = json.RawMessage("null")
	}
	if err != nil {
		if m.Error, _ = errors.AsType[*rpcError](err); m.Error == nil {
			m.Error = &rpcError{codeFailed, err.Error()}
		}
	} else if m.Result, err = json.Marshal(result); err != nil {
		m.Error = &rpcError{codeInternal, err.Error()}
	}
	c.write(m)
}

// notify sends a notification, or a request if id isn't "".
func (c *conn) notify(id, method string, params any) {
	m := &message{Method: method}
	if id != "" {
		m.ID = json.RawMessage(strconv.Quote(id))
	}
	m.Params, _ = json.Marshal(params)
	c.write(m)
}
