package lsp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"vitrine/internal/lab/rig"
)

// client is a client connected by pipes to a server in the same process.
type client struct {
	t      testing.TB
	root   string
	server *Server
	conn   *conn
	ended  chan error
	next   int
	// log is the server's log. It must be read only while the server is idle.
	log  bytes.Buffer
	utf8 bool

	mu        sync.Mutex
	answers   map[string]chan *message
	published map[string]publishParams
	texts     map[string]string
	versions  map[string]int
}

// newClient starts a server and initializes it. capabilities are the client's capabilities as JSON.
func newClient(t testing.TB, root, capabilities string) *client {
	t.Helper()
	c := start(t, root)
	c.utf8 = strings.Contains(capabilities, "utf-8")
	var result struct{ Capabilities map[string]any }
	if err := c.call("initialize", json.RawMessage(fmt.Sprintf(`{"rootUri":%q,"capabilities":%s}`, uriOf(root), capabilities)), &result); err != nil {
		t.Fatal(err)
	}
	c.conn.notify("", "initialized", object{})
	return c
}

// start starts a server without initializing it.
func start(t testing.TB, root string) *client {
	t.Helper()
	toServer, in := io.Pipe()
	out, fromServer := io.Pipe()
	ctx, cancel := context.WithCancel(t.Context())
	c := &client{
		t: t, root: root, ended: make(chan error, 1), conn: &conn{in: bufio.NewReader(out), out: in},
		answers: make(map[string]chan *message), published: make(map[string]publishParams), texts: make(map[string]string), versions: make(map[string]int),
	}
	c.server = New(toServer, fromServer, "test", slog.New(slog.NewTextHandler(&c.log, nil)))
	go func() {
		err := c.server.Run(ctx)
		_ = fromServer.Close()
		c.ended <- err
	}()
	go c.receive()
	t.Cleanup(func() {
		cancel()
		_ = in.Close()
		_ = toServer.Close()
	})
	return c
}

func (c *client) receive() {
	for {
		m, err := c.conn.read()
		if err != nil {
			return
		}
		c.mu.Lock()
		if m.Method == "textDocument/publishDiagnostics" {
			var params publishParams
			if json.Unmarshal(m.Params, &params) == nil {
				c.published[params.URI] = params
			}
		} else if answer := c.answers[string(m.ID)]; answer != nil && m.Method == "" {
			answer <- m
		}
		c.mu.Unlock()
	}
}

// send sends a request and returns a channel that receives the response.
func (c *client) send(method string, params any) (id string, answer chan *message) {
	c.next++
	id = strconv.Itoa(c.next)
	answer = make(chan *message, 1)
	c.mu.Lock()
	c.answers[strconv.Quote(id)] = answer
	c.mu.Unlock()
	c.conn.notify(id, method, params)
	return id, answer
}

// call sends a request and waits for its response.
func (c *client) call(method string, params, result any) error {
	c.t.Helper()
	_, answer := c.send(method, params)
	select {
	case m := <-answer:
		if m.Error != nil {
			return m.Error
		}
		return json.Unmarshal(m.Result, result)
	case <-time.After(time.Minute):
		c.t.Fatalf("%s has no answer", method)
		return nil
	}
}

func (c *client) uri(name string) string {
	return uriOf(filepath.Join(c.root, filepath.FromSlash(name)))
}

// settle waits until the server has handled all messages, and no check is running or scheduled.
func (c *client) settle() {
	c.t.Helper()
	rig.Until(c.t, "the server comes to rest", func() bool {
		busy := make(chan bool)
		// The server handles all earlier messages before it responds to this request.
		_ = c.call("$/nothing", nil, new(any))
		c.server.event(func(context.Context) {
			b := false
			for _, p := range c.server.projects {
				b = b || p.running || p.waiting || p.stale || p.changed || p.live == nil
			}
			go func() { busy <- b }()
		})
		return !<-busy
	})
	_ = c.call("$/nothing", nil, new(any))
}

func (c *client) open(name string) {
	c.t.Helper()
	text, err := os.ReadFile(filepath.Join(c.root, filepath.FromSlash(name)))
	if err != nil {
		c.t.Fatal(err)
	}
	c.texts[name] = string(text)
	c.conn.notify("", "textDocument/didOpen", object{"textDocument": object{"uri": c.uri(name), "languageId": "markdown", "version": 1, "text": string(text)}})
}

// edit replaces text in an open file without saving it.
func (c *client) edit(name, old, replacement string) {
	c.t.Helper()
	text := c.texts[name]
	at := strings.Index(text, old)
	if at < 0 {
		c.t.Fatalf("%s has no %q", name, old)
	}
	t := newText([]byte(text), c.utf8)
	c.versions[name]++
	c.texts[name] = text[:at] + replacement + text[at+len(old):]
	c.conn.notify("", "textDocument/didChange", object{
		"textDocument":   object{"uri": c.uri(name), "version": c.versions[name] + 1},
		"contentChanges": []object{{"range": t.span(at, at+len(old)), "text": replacement}},
	})
}

// at returns the parameters for the position of "|" in a snippet of the named file, or of the snippet's start if it
// contains no "|".
func (c *client) at(name, snippet string) object {
	c.t.Helper()
	before, after, _ := strings.Cut(snippet, "|")
	text := c.text(name)
	at := strings.Index(text, before+after)
	if at < 0 {
		c.t.Fatalf("%s has no %q", name, before+after)
	}
	t := newText([]byte(text), c.utf8)
	return object{"textDocument": object{"uri": c.uri(name)}, "position": t.position(at + len(before)),
		"range": t.span(at+len(before), at+len(before)), "context": object{"includeDeclaration": true}}
}

// text returns the text of the named file that the client sees.
func (c *client) text(name string) string {
	if text, open := c.texts[name]; open {
		return text
	}
	text, _ := os.ReadFile(filepath.Join(c.root, filepath.FromSlash(name)))
	return string(text)
}

func (c *client) name(uri string) string {
	file, _ := pathOf(uri)
	rel, err := filepath.Rel(c.root, file)
	if err != nil {
		return uri
	}
	return filepath.ToSlash(rel)
}

// apply applies an edit like an editor: it changes open files and saves all files.
func (c *client) apply(edit *workspaceEdit) {
	c.t.Helper()
	change := func(uri string, edits []textEdit) {
		name := c.name(uri)
		t := newText([]byte(c.text(name)), c.utf8)
		for i := len(edits) - 1; i >= 0; i-- {
			t = t.replace(edits[i].Range, edits[i].NewText)
		}
		if _, open := c.texts[name]; open {
			c.texts[name] = string(t.source)
			c.versions[name]++
			c.conn.notify("", "textDocument/didChange", object{
				"textDocument": object{"uri": uri, "version": c.versions[name] + 1}, "contentChanges": []object{{"text": string(t.source)}}})
		}
		c.write(name, string(t.source))
	}
	for uri, edits := range edit.Changes {
		change(uri, edits)
	}
	for _, d := range edit.DocumentChanges {
		if d.Kind == "" {
			change(d.TextDocument.URI, d.Edits)
		} else {
			c.move(c.name(d.OldURI), c.name(d.NewURI))
		}
	}
}

func (c *client) write(name, text string) {
	c.t.Helper()
	file := filepath.Join(c.root, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		c.t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		c.t.Fatal(err)
	}
	c.conn.notify("", "workspace/didChangeWatchedFiles", object{"changes": []object{{"uri": c.uri(name), "type": 2}}})
}

// move renames a file like an editor. The file may be open.
func (c *client) move(from, to string) {
	c.t.Helper()
	_, open := c.texts[from]
	file := filepath.Join(c.root, filepath.FromSlash(to))
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		c.t.Fatal(err)
	}
	if err := os.Rename(filepath.Join(c.root, filepath.FromSlash(from)), file); err != nil {
		c.t.Fatal(err)
	}
	if open {
		delete(c.texts, from)
		c.conn.notify("", "textDocument/didClose", object{"textDocument": object{"uri": c.uri(from)}})
		c.open(to)
	}
	c.conn.notify("", "workspace/didRenameFiles", object{"files": []object{{"oldUri": c.uri(from), "newUri": c.uri(to)}}})
}
