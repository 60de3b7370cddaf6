// Package lsp implements a language server for a site's pages and YAML files. It reports the same problems as a check
// of the site with the editor's unsaved text. Its completions come from the loader's own description of the settings. A
// response never waits for a check of the complete site. An invalid message ends the server only if the end of the
// message is unknown.
//
// The protocol is LSP 3.17 over JSON-RPC 2.0.
package lsp

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"path/filepath"
	"runtime/debug"
	"slices"
	"sync"
)

// Server serves one client.
type Server struct {
	conn    *conn
	version string
	logger  *slog.Logger
	// ended is closed when Run returns.
	ended chan struct{}
	// events passes functions from other goroutines to the goroutine of Run, which owns the state and calls the
	// functions.
	events   chan func(context.Context)
	mu       sync.Mutex
	canceled map[string]bool

	initialized, down bool
	utf8              bool
	client            initializeParams
	projects          map[string]*project
	documents         map[string]*document
}

// New returns a server that reads from in, writes to out, and reports version as the program's version.
func New(in io.Reader, out io.Writer, version string, logger *slog.Logger) *Server {
	return &Server{
		conn: &conn{in: bufio.NewReader(in), out: out}, version: version, logger: logger, events: make(chan func(context.Context)), ended: make(chan struct{}),
		canceled: make(map[string]bool), projects: make(map[string]*project), documents: make(map[string]*document),
	}
}

// errExit means that the client sent the exit notification.
var errExit = errors.New("exit")

// Run serves the client until the client disconnects or sends exit, or until ctx ends. It returns an error if the
// client sends exit without shutdown.
func (s *Server) Run(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer close(s.ended)
	messages, ended := make(chan *message, 1024), make(chan error, 1)
	go s.receive(messages, ended)
	for {
		// Handle all received messages before computing problems.
		select {
		case m, ok := <-messages:
			if done, err := s.step(m, ok, ended); done {
				return err
			}
			continue
		default:
			for _, p := range s.projects {
				p.publish()
			}
		}
		select {
		case m, ok := <-messages:
			if done, err := s.step(m, ok, ended); done {
				return err
			}
		case event := <-s.events:
			event(ctx)
		case <-ctx.Done():
			return nil
		}
	}
}

func (s *Server) step(m *message, ok bool, ended <-chan error) (done bool, err error) {
	if !ok {
		return true, <-ended
	}
	if err := s.handle(m); errors.Is(err, errExit) {
		if !s.down {
			return true, errors.New("the client sent exit without shutdown")
		}
		return true, nil
	}
	return false, nil
}

// receive reads messages from the client and sends them to messages. It records cancellations immediately, before
// earlier messages are handled. When the connection ends, it sends the error, or nil, to ended and closes messages.
func (s *Server) receive(messages chan<- *message, ended chan<- error) {
	defer close(messages)
	for {
		m, err := s.conn.read()
		if err != nil {
			if errors.Is(err, io.EOF) {
				err = nil
			}
			ended <- err
			return
		}
		if m.Method == "$/cancelRequest" {
			var canceled struct{ ID json.RawMessage }
			if json.Unmarshal(m.Params, &canceled) == nil {
				s.mu.Lock()
				s.canceled[string(canceled.ID)] = true
				s.mu.Unlock()
			}
			continue
		}
		select {
		case messages <- m:
		case <-s.ended:
			return
		}
	}
}

// isCanceled reports whether the request with the given ID was canceled, and removes the cancellation. If more than
// 1,024 cancellations are stored, it removes all of them.
func (s *Server) isCanceled(id json.RawMessage) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	canceled := s.canceled[string(id)]
	if len(s.canceled) > 1024 {
		clear(s.canceled)
	}
	delete(s.canceled, string(id))
	return canceled
}

// handle responds to a request or processes a notification. It returns errExit for the exit notification.
func (s *Server) handle(m *message) (err error) {
	isRequest := len(m.ID) > 0
	switch {
	case m.broken != nil:
		s.conn.answer(m.ID, nil, m.broken)
		return nil
	case m.Method == "":
		// Ignore responses, because the server doesn't need the results of its requests.
		return nil
	case m.Method == "exit":
		return errExit
	}
	// As in net/http, a panic ends only one request. If it ended the server, the editor would lose all problems. A
	// panic is a bug in Vitrine, so the response and the log report it.
	defer func() {
		if r := recover(); r != nil {
			s.logger.Error("handling a message failed", "method", m.Method, "panic", r, "stack", string(debug.Stack()))
			if isRequest {
				s.conn.answer(m.ID, nil, &rpcError{codeInternal, fmt.Sprint("internal server error: ", r)})
			}
		}
	}()
	if !isRequest {
		if do := s.notification(m.Method); do != nil && s.initialized && !s.down {
			if err := do(m.Params); err != nil {
				s.logger.Error("received an invalid notification", "method", m.Method, "error", err)
			}
		}
		return nil
	}
	var result any
	switch do := s.request(m.Method); {
	case s.isCanceled(m.ID):
		err = &rpcError{codeCanceled, "the request was canceled"}
	case s.down:
		err = &rpcError{codeInvalidRequest, "the server is shut down"}
	case m.Method == "initialize" && s.initialized:
		err = &rpcError{codeInvalidRequest, "the server is already initialized"}
	case do == nil:
		err = &rpcError{codeMethodNotFound, fmt.Sprintf("unknown method %q", m.Method)}
	case m.Method != "initialize" && !s.initialized:
		err = &rpcError{codeNotInitialized, "the first request must be initialize"}
	default:
		result, err = do(m.Params)
	}
	s.conn.answer(m.ID, result, err)
	return nil
}

// request returns the handler for requests with the given method, or nil if the method is unknown.
func (s *Server) request(method string) func(json.RawMessage) (any, error) {
	switch method {
	case "initialize":
		return s.initialize
	case "shutdown":
		return func(json.RawMessage) (any, error) {
			s.down = true
			return nil, nil
		}
	case "textDocument/completion":
		return inDocument(s, (*document).complete)
	case "textDocument/hover":
		return inDocument(s, (*document).hover)
	case "textDocument/definition":
		return inDocument(s, (*document).definition)
	case "textDocument/references":
		return inDocument(s, (*document).references)
	case "textDocument/prepareRename":
		return inDocument(s, (*document).prepareRename)
	case "textDocument/rename":
		return inDocument(s, (*document).rename)
	case "textDocument/documentSymbol":
		return inDocument(s, (*document).symbols)
	case "textDocument/foldingRange":
		return inDocument(s, (*document).folds)
	case "textDocument/codeAction":
		return inDocument(s, (*document).codeActions)
	case "workspace/willRenameFiles":
		return s.willRenameFiles
	}
	return nil
}

// inDocument returns a handler that calls do with the request's document. The handler's result is null if the document
// isn't open or isn't in a site.
func inDocument[T any](s *Server, do func(*document, documentParams) (T, error)) func(json.RawMessage) (any, error) {
	return func(raw json.RawMessage) (any, error) {
		var params documentParams
		if err := json.Unmarshal(raw, &params); err != nil {
			return nil, &rpcError{codeInvalidParams, err.Error()}
		}
		name, _ := pathOf(params.TextDocument.URI)
		d := s.documents[name]
		if d == nil {
			return nil, nil
		}
		return do(d, params)
	}
}

// notification returns the handler for notifications with the given method. It returns nil if the method is unknown,
// which isn't an error.
func (s *Server) notification(method string) func(json.RawMessage) error {
	switch method {
	case "initialized":
		return s.begin
	case "textDocument/didOpen":
		return s.didOpen
	case "textDocument/didChange":
		return s.didChange
	case "textDocument/didClose":
		return s.didClose
	case "textDocument/didSave", "workspace/didChangeWatchedFiles", "workspace/didRenameFiles":
		return s.filesChanged
	}
	return nil
}

type object = map[string]any

func (s *Server) initialize(raw json.RawMessage) (any, error) {
	if err := json.Unmarshal(raw, &s.client); err != nil {
		return nil, &rpcError{codeInvalidParams, err.Error()}
	}
	s.initialized = true
	encoding := "utf-16"
	if s.utf8 = slices.Contains(s.client.Capabilities.General.PositionEncodings, "utf-8"); s.utf8 {
		encoding = "utf-8"
	}
	files := []object{{"scheme": "file", "pattern": object{"glob": "**/content/**"}}}
	return object{
		"serverInfo": object{"name": "vitrine", "version": s.version},
		"capabilities": object{
			"positionEncoding":   encoding,
			"textDocumentSync":   object{"openClose": true, "change": 2, "save": true},
			"completionProvider": object{"triggerCharacters": []string{"(", "/", "#", "{", ":", `"`}},
			"hoverProvider":      true, "definitionProvider": true, "referencesProvider": true,
			"renameProvider":         object{"prepareProvider": true},
			"documentSymbolProvider": true, "foldingRangeProvider": true,
			"codeActionProvider": object{"codeActionKinds": []string{quickFix, fixAll}},
			"workspace":          object{"fileOperations": object{"willRename": object{"filters": files}, "didRename": object{"filters": files}}},
		},
	}, nil
}

// begin opens the sites in the client's folders, and subscribes to file changes if the client supports this.
func (s *Server) begin(json.RawMessage) error {
	folders := []string{s.client.RootURI}
	for _, f := range s.client.WorkspaceFolders {
		folders = append(folders, f.URI)
	}
	for _, uri := range folders {
		if name, ok := pathOf(uri); ok {
			s.projectOf(filepath.Join(name, "content", "index.md"))
		}
	}
	if s.client.Capabilities.Workspace.DidChangeWatchedFiles.DynamicRegistration {
		watchers := []object{{"globPattern": "**/content/**"}, {"globPattern": "**/templates/**"}}
		s.conn.notify("watch", "client/registerCapability", object{"registrations": []object{{
			"id": "watch", "method": "workspace/didChangeWatchedFiles", "registerOptions": object{"watchers": watchers}}}})
	}
	return nil
}

func (s *Server) didOpen(raw json.RawMessage) error {
	var params openParams
	if err := json.Unmarshal(raw, &params); err != nil {
		return err
	}
	file, ok := pathOf(params.TextDocument.URI)
	p := s.projectOf(file)
	if !ok || p == nil {
		return nil
	}
	rel, err := filepath.Rel(p.root, file)
	if err != nil {
		return err
	}
	version := params.TextDocument.Version
	d := &document{project: p, uri: params.TextDocument.URI, version: &version, name: filepath.ToSlash(rel)}
	d.text = newText([]byte(params.TextDocument.Text), s.utf8)
	s.documents[file], p.open[d.name] = d, d
	p.edited(d.name, d.source)
	return nil
}

func (s *Server) didChange(raw json.RawMessage) error {
	var params changeParams
	if err := json.Unmarshal(raw, &params); err != nil {
		return err
	}
	file, _ := pathOf(params.TextDocument.URI)
	d := s.documents[file]
	if d == nil {
		return nil
	}
	d.version = params.TextDocument.Version
	for _, change := range params.ContentChanges {
		if change.Range == nil {
			d.text = newText([]byte(change.Text), s.utf8)
		} else {
			d.text = d.replace(*change.Range, change.Text)
		}
	}
	d.project.edited(d.name, d.source)
	return nil
}

func (s *Server) didClose(raw json.RawMessage) error {
	var params documentParams
	if err := json.Unmarshal(raw, &params); err != nil {
		return err
	}
	file, _ := pathOf(params.TextDocument.URI)
	if d := s.documents[file]; d != nil {
		delete(s.documents, file)
		delete(d.project.open, d.name)
		d.project.closed(d.name)
	}
	return nil
}

// filesChanged schedules a check of each site with changed files.
func (s *Server) filesChanged(raw json.RawMessage) error {
	var params struct {
		documentParams
		watchedParams
		renameFilesParams
	}
	if err := json.Unmarshal(raw, &params); err != nil {
		return err
	}
	uris := []string{params.TextDocument.URI}
	for _, c := range params.Changes {
		uris = append(uris, c.URI)
	}
	for _, f := range params.Files {
		uris = append(uris, f.NewURI)
	}
	for _, uri := range uris {
		if name, ok := pathOf(uri); ok {
			if p := s.projectOf(name); p != nil {
				p.later()
			}
		}
	}
	return nil
}
