package main

import (
	"bytes"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"testing"
	"time"

	"vitrine/internal/lab/rig"
	"vitrine/internal/readers"
	"vitrine/internal/report"
	"vitrine/internal/serve/decide"
)

// tiny returns a server for a site with a home page and an article.
func tiny(t *testing.T) *daemon {
	t.Helper()
	root, dir := t.TempDir(), t.TempDir()
	if err := rig.WriteFiles(root, rig.TinySite("One", "")); err != nil {
		t.Fatal(err)
	}
	if err := rig.BuildSite(t.Context(), root, dir, rig.Options{}); err != nil {
		t.Fatal(err)
	}
	d, err := newDaemon(options{dir: dir}, slog.New(slog.DiscardHandler), nil)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// vitrine report reads vitrined's log. It recognizes the site's tool by name, and AI readers that got HTML or Markdown.
func TestLogIsReported(t *testing.T) {
	t.Parallel()
	d := tiny(t)
	const gptBot = "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.3; +https://openai.com/gptbot)"
	for _, format := range []logFormat{logCombined, logJSON} {
		var log bytes.Buffer
		requests := startAccessLog(format, nil, &log)
		for _, c := range []struct{ path, accept, agent string }{
			{"/", "", gptBot}, {"/", "text/markdown", gptBot}, {"/index.md", "", gptBot},
			{"/api/v1/marketing", "", toolOf(t, d) + "/1.0.0"}, {"/nowhere", "", "nobody/1"},
		} {
			r := &decide.Request{Method: "GET", Path: c.path, Accept: c.accept, UserAgent: c.agent, Protocol: "HTTP/1.1"}
			a := d.handler.Answer(r, time.Now())
			requests.add(r, &a, d.audience.of(c.agent, d.handler), time.Now())
		}
		requests.stop(10 * time.Second)
		got, err := report.Read(t.Context(), []report.Log{{Name: "log", Reader: &log}}, report.Options{Tools: []string{toolOf(t, d)}})
		if err != nil {
			t.Fatal(err)
		}
		if got.Lines != 5 || got.Unread != 0 || len(got.MarkdownReady) != 1 || got.MarkdownReady[0].Count != 1 || got.Undecided != 0 {
			t.Errorf("%s: %d lines, %d unread, HTML to models %v, undecided %d", format, got.Lines, got.Unread, got.MarkdownReady, got.Undecided)
		}
		var families []string
		for _, f := range got.Families {
			families = append(families, fmt.Sprint(f.Family, " ", f.Requests))
		}
		if s := strings.Join(families, ", "); s != "ai-training 3, tool 1, other 1" {
			t.Errorf("%s: %s", format, s)
		}
	}
}

// toolOf returns the name of the command-line tool published by the build of d.
func toolOf(t *testing.T, d *daemon) string {
	t.Helper()
	files, err := os.ReadDir(d.dir + "/public/cli")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if name, found := strings.CutSuffix(f.Name(), ".mjs"); found {
			return name
		}
	}
	t.Fatal("the build has no tool")
	return ""
}

// The cache stores a limited number of User-Agents of limited length. Looking up a cached User-Agent doesn't allocate.
func TestAudience(t *testing.T) {
	d := tiny(t)
	for i := range 10 * mostFound {
		d.audience.of(fmt.Sprint("x/", i, strings.Repeat(" y", i)), d.handler)
	}
	found := *d.audience.found.Load()
	if len(found) > mostFound {
		t.Errorf("%d names are kept, want at most %d", len(found), mostFound)
	}
	for name := range found {
		if len(name) > longestFound {
			t.Errorf("a name of %d bytes is kept", len(name))
		}
	}
	for range 2 {
		if got := d.audience.of(toolOf(t, d)+"/9", d.handler); got != readers.Tool {
			t.Errorf("the site's own tool is %s", got)
		}
	}
	d.audience.forget()
	if n := testing.AllocsPerRun(100, func() { d.audience.of("Mozilla/5.0 (X11) Firefox/150.0", d.handler) }); n != 0 {
		t.Errorf("a name that is known costs %v allocations", n)
	}
}
