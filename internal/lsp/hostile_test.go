package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// testSite writes the site on which the scripts run, and returns the site's folder.
func testSite(t testing.TB) string {
	t.Helper()
	root := t.TempDir()
	base, err := txtar.ParseFile("testdata/base/site.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range base.Files {
		name := filepath.Join(root, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, f.Data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// The server responds in each stage of a connection as LSP 3.17 specifies.
func TestLifecycle(t *testing.T) {
	c := start(t, testSite(t))
	wants := func(code int, method string, params any) {
		t.Helper()
		err, _ := c.call(method, params, new(any)).(*rpcError)
		if err == nil || err.Code != code {
			t.Errorf("%s: %v, want code %d", method, err, code)
		}
	}
	wants(codeNotInitialized, "textDocument/hover", object{})
	wants(codeInvalidParams, "initialize", []int{1})
	if err := c.call("initialize", object{"capabilities": object{}}, new(any)); err != nil {
		t.Fatal(err)
	}
	wants(codeInvalidRequest, "initialize", object{})
	wants(codeMethodNotFound, "textDocument/inlayHint", object{})
	wants(codeInvalidParams, "textDocument/hover", "text")
	// These documents aren't open or aren't files.
	for _, uri := range []string{c.uri("content/index.md"), "untitled:1", "file://%zz", ""} {
		if err := c.call("textDocument/definition", object{"textDocument": object{"uri": uri}}, new(any)); err != nil {
			t.Errorf("%q: %v", uri, err)
		}
	}
	if err := c.call("shutdown", nil, new(any)); err != nil {
		t.Fatal(err)
	}
	wants(codeInvalidRequest, "textDocument/hover", object{})
	c.conn.notify("", "exit", nil)
	if err := <-c.ended; err != nil {
		t.Error(err)
	}
}

// If a request is canceled before its turn, the response reports the cancellation, and the server handles later
// requests.
func TestCancel(t *testing.T) {
	c := newClient(t, testSite(t), "{}")
	c.open("content/index.md")
	c.settle()
	hold, held := make(chan bool), make(chan bool)
	go c.server.event(func(context.Context) { held <- true; <-hold })
	<-held
	id, canceled := c.send("textDocument/hover", c.at("content/index.md", "See"))
	_, kept := c.send("textDocument/hover", c.at("content/index.md", "See"))
	c.conn.notify("", "$/cancelRequest", object{"id": id})
	// The server reads this message only after the cancellation.
	c.conn.notify("", "$/other", nil)
	close(hold)
	if m := <-canceled; m.Error == nil || m.Error.Code != codeCanceled {
		t.Errorf("the canceled request has the answer %v", m)
	}
	if m := <-kept; m.Error != nil {
		t.Error(m.Error)
	}
}

// The response to an invalid message reports the error, and the server reads the next message.
func TestBrokenMessages(t *testing.T) {
	c := newClient(t, testSite(t), "{}")
	answers := make(chan *message, 1)
	c.mu.Lock()
	c.answers["null"] = answers
	c.mu.Unlock()
	for body, code := range map[string]int{
		"{": codeParseError, "\xff\xfe": codeParseError, "[]": codeInvalidRequest, `"x"`: codeInvalidRequest, "{}": codeInvalidRequest,
		`{"jsonrpc":"1.0","method":"x"}`: codeInvalidRequest, `{"jsonrpc":"2.0","method":5}`: codeInvalidRequest,
	} {
		fmt.Fprintf(c.conn.out, "Content-Length: %d\r\n\r\n%s", len(body), body)
		if m := <-answers; m.Error == nil || m.Error.Code != code {
			t.Errorf("%s has the answer %+v, want code %d", body, m.Error, code)
		}
	}
	if err := c.call("textDocument/hover", object{}, new(any)); err != nil {
		t.Error(err)
	}
}

// The server responds to any document and any position sent by a client.
func FuzzDocument(f *testing.F) {
	f.Add("---\ntitle: a\n---\n[x](/", 3, 4, "content/index.md")
	f.Add("---\ntags: [a, {b: [\n---\n", 1, 12, "content/blog/first.md")
	f.Add("navigation:\n  - - {path: \"/", 1, 14, "content/site.yaml")
	f.Add("pricing:\n- plans:\n  - name: \xff🍺\r\r\n", -1, 1<<30, "content/product.yaml")
	f.Add("{{ \n{{ price }} \\{{ :::x{ ![](", 1, 12, "content/new/page.md")
	f.Add("+++\naliases = \"x\"\n+++\n# a #\n", 3, 2, "content/pricing.md")
	root := testSite(f)
	c := newClient(f, root, `{"workspace":{"workspaceEdit":{"documentChanges":true,"resourceOperations":["rename"]}}}`)
	c.settle()
	f.Fuzz(func(t *testing.T, text string, line, character int, name string) {
		c.t = t
		if strings.ContainsAny(name, "\x00") || !strings.HasPrefix(filepath.Clean(name), "content/") {
			return
		}
		uri := c.uri(name)
		c.conn.notify("", "textDocument/didOpen", object{"textDocument": object{"uri": uri, "version": 1, "text": text}})
		at := position{line, character}
		c.conn.notify("", "textDocument/didChange", object{"textDocument": object{"uri": uri, "version": 2},
			"contentChanges": []object{{"range": textRange{at, position{line + 1, character - 7}}, "text": "[y](index.md#x) {{ name }}"}}})
		params := object{"textDocument": object{"uri": uri}, "position": at, "range": textRange{at, at}, "newName": text}
		for _, method := range []string{"completion", "hover", "definition", "references", "prepareRename", "rename", "codeAction"} {
			if err, ok := c.call("textDocument/"+method, params, new(json.RawMessage)).(*rpcError); ok && err.Code != codeFailed {
				t.Errorf("%s: %v", method, err)
			}
		}
		moved := object{"files": []object{{"oldUri": uri, "newUri": uri + ".md"}, {"oldUri": c.uri("content/docs"), "newUri": c.uri("content/x y")}}}
		if err := c.call("workspace/willRenameFiles", moved, new(json.RawMessage)); err != nil {
			t.Error(err)
		}
		c.conn.notify("", "textDocument/didClose", object{"textDocument": object{"uri": uri}})
		if err := c.call("textDocument/hover", object{}, new(any)); err != nil || strings.Contains(c.log.String(), "panic=") {
			t.Errorf("%v\n%s", err, c.log.String())
		}
	})
}
