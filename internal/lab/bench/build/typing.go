//go:build linux

package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/textproto"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"time"

	"vitrine/internal/lab/bench/corpus"
)

// typing is a running language server and an editor that types into one post.
type typing struct {
	cmd     *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Reader
	uri     string
	post    corpus.Post
	version int
	said    bytes.Buffer
}

// startTyping starts a language server, opens a post, and waits for its problems.
func (s *suite) startTyping(ctx context.Context, root string, post corpus.Post) (_ *typing, err error) {
	y := &typing{cmd: exec.CommandContext(ctx, s.vitrineProgram, "lsp"), uri: "file://" + filepath.ToSlash(corpus.PostFile(root, post.Name)), post: post}
	y.cmd.Stderr = &y.said
	if y.in, err = y.cmd.StdinPipe(); err != nil {
		return nil, fmt.Errorf("starting the language server: %w", err)
	}
	out, err := y.cmd.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("starting the language server: %w", err)
	}
	y.out = bufio.NewReader(out)
	if err := y.cmd.Start(); err != nil {
		return nil, fmt.Errorf("starting the language server: %w", err)
	}
	defer func() {
		if err != nil {
			y.stop()
			err = fmt.Errorf("%w\n%s", err, bytes.TrimSpace(y.said.Bytes()))
		}
	}()
	type object = map[string]any
	for _, m := range []object{
		{"id": 1, "method": "initialize", "params": object{"processId": os.Getpid(), "rootUri": "file://" + filepath.ToSlash(root), "capabilities": object{}}},
		{"method": "initialized", "params": object{}},
		{"method": "textDocument/didOpen", "params": object{"textDocument": object{"uri": y.uri, "languageId": "markdown", "version": 0, "text": post.Source()}}},
	} {
		if err := y.send(m); err != nil {
			return nil, err
		}
	}
	// After the first keystroke, the server checks the entire site before it reports problems.
	_, err = y.key(ctx, -1)
	return y, err
}

// key sends the post's text with a broken link at its end, as after a keystroke, and returns the time until the server
// reports the link. n is part of the link, so that key can distinguish the report of this link from earlier reports.
func (y *typing) key(ctx context.Context, n int) (time.Duration, error) {
	y.version++
	link := fmt.Sprintf("/blog/none-%d-", n)
	type object = map[string]any
	begun := time.Now()
	err := y.send(object{"method": "textDocument/didChange", "params": object{
		"textDocument": object{"uri": y.uri, "version": y.version}, "contentChanges": []object{{"text": y.post.Source() + "\n[x](" + link + ")\n"}}}})
	for err == nil {
		if err = ctx.Err(); err != nil {
			break
		}
		var body []byte
		if body, err = y.receive(); err == nil && bytes.Contains(body, []byte("publishDiagnostics")) && bytes.Contains(body, []byte(link)) {
			return time.Since(begun), nil
		}
	}
	return 0, err
}

func (y *typing) send(message map[string]any) error {
	message["jsonrpc"] = "2.0"
	body, err := json.Marshal(message)
	if err == nil {
		_, err = fmt.Fprintf(y.in, "Content-Length: %d\r\n\r\n%s", len(body), body)
	}
	if err != nil {
		return fmt.Errorf("writing to the language server: %w", err)
	}
	return nil
}

func (y *typing) receive() ([]byte, error) {
	header, err := textproto.NewReader(y.out).ReadMIMEHeader()
	if err != nil {
		return nil, fmt.Errorf("reading from the language server: %w", err)
	}
	length, err := strconv.Atoi(header.Get("Content-Length"))
	if err != nil {
		return nil, fmt.Errorf("reading from the language server: %w", err)
	}
	body := make([]byte, length)
	if _, err := io.ReadFull(y.out, body); err != nil {
		return nil, fmt.Errorf("reading from the language server: %w", err)
	}
	return body, nil
}

// stop closes the input of the language server, which makes it exit.
func (y *typing) stop() {
	_ = y.in.Close()
	_ = y.cmd.Wait()
}
