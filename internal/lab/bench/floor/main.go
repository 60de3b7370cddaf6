// Command floor does the minimum of work that building posts requires. It reads each file, parses it with goldmark,
// renders HTML, and writes the HTML and the Markdown to an empty folder, with one worker for each processor. It doesn't
// check or publish pages, and processes each page independently.
//
//	floor -root SITE -out FOLDER
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
)

// collectorTarget is the GOGC value with the best balance of speed and memory for this program.
const collectorTarget = 400

func main() {
	root := flag.String("root", ".", "the site's `folder`")
	out := flag.String("out", "", "the `folder` to write into")
	flag.Parse()
	debug.SetGCPercent(collectorTarget)
	if err := build(filepath.Join(*root, "content", "blog"), filepath.Join(*out, "blog")); err != nil {
		fmt.Fprintln(os.Stderr, "floor:", err)
		os.Exit(1)
	}
}

// build renders every file in the folder from as a page in the folder to.
func build(from, to string) error {
	entries, err := os.ReadDir(from)
	if err != nil {
		return fmt.Errorf("reading the posts: %w", err)
	}
	if err := os.MkdirAll(to, 0o777); err != nil {
		return fmt.Errorf("creating the output folder: %w", err)
	}
	names := make(chan string)
	failures := make([]error, runtime.GOMAXPROCS(0))
	var workers sync.WaitGroup
	for i := range failures {
		workers.Go(func() { failures[i] = work(from, to, names) })
	}
	for _, e := range entries {
		names <- e.Name()
	}
	close(names)
	workers.Wait()
	return errors.Join(failures...)
}

// work renders pages until names is closed. After an error, it only receives the remaining names, so that the sender
// doesn't block.
func work(from, to string, names <-chan string) (failure error) {
	markdown := goldmark.New(goldmark.WithExtensions(extension.GFM, extension.Footnote),
		goldmark.WithParserOptions(parser.WithAutoHeadingID()))
	var html bytes.Buffer
	for name := range names {
		if failure == nil {
			failure = page(markdown, &html, from, to, name)
		}
	}
	return failure
}

// page reads, parses, renders, and writes one page.
func page(markdown goldmark.Markdown, html *bytes.Buffer, from, to, name string) error {
	source, err := os.ReadFile(filepath.Join(from, name))
	if err != nil {
		return fmt.Errorf("reading a post: %w", err)
	}
	front, body, _ := bytes.Cut(bytes.TrimPrefix(source, []byte("---\n")), []byte("\n---\n"))
	_, rest, _ := bytes.Cut(front, []byte("title: "))
	title, _, _ := bytes.Cut(rest, []byte("\n"))
	html.Reset()
	fmt.Fprintf(html, "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>%[1]s</title>\n<article>\n<h1>%[1]s</h1>\n", title)
	if err := markdown.Convert(body, html); err != nil {
		return fmt.Errorf("rendering %s: %w", name, err)
	}
	html.WriteString("</article>\n</html>\n")
	path := filepath.Join(to, strings.TrimSuffix(name, ".md"))
	twin := append(fmt.Appendf(nil, "# %s\n", title), body...)
	return errors.Join(os.WriteFile(path+".html", html.Bytes(), 0o666), os.WriteFile(path+".md", twin, 0o666))
}
