package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"vitrine/internal/artifact"
	"vitrine/internal/markdown"
	"vitrine/internal/preview"
	"vitrine/internal/publish"
	"vitrine/internal/rule"
	"vitrine/internal/serve"
	"vitrine/internal/site"
)

func runPreview(ctx context.Context, arguments []string, stdout, stderr io.Writer) (err error) {
	flags := newFlags("preview", " [flags]", stderr)
	root := flags.String("root", ".", "the site's `folder`: the one that holds content/")
	addr := flags.String("addr", "127.0.0.1:8080", "the `address` to listen on")
	open := flags.Bool("open", false, "open the site in the browser")
	poll := flags.Duration("poll", 0, "look at the files this `often`, such as 1s, where the file system does not tell of changes")
	strict := flags.Bool("strict", false, "take what contradicts product.yaml for an error")
	if err := parseFlags(flags, arguments); err != nil {
		return err
	}
	if *poll < 0 {
		return usageError(flags, "--poll %s is no time to wait, such as 1s", *poll)
	}
	// A closed terminal must leave nothing behind either.
	ctx, stop := signal.NotifyContext(ctx, syscall.SIGHUP)
	defer stop()
	builder, err := newPreviewBuilder(source{root: *root, drafts: true, strict: *strict, noSocialImages: true})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, builder.close()) }()
	listener, err := net.Listen("tcp", *addr)
	if err != nil {
		return fmt.Errorf("%w; is another server using this address? choose one with --addr", err)
	}
	teller := previewTeller{root: *root, w: stderr}
	words := markdown.New(markdown.Options{})
	server, err := preview.New(preview.Options{
		Root: *root, Addr: *addr, Build: builder.build, Early: builder.early, Report: teller.tell, Title: ruleTitle, Poll: *poll,
		Notice: func(text string) { fmt.Fprintln(stderr, text) },
		Words:  func(p *site.Page, text []byte) int { return words.Parse(p.Source, text, p.Body).Words() },
	})
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	defer func() { err = errors.Join(err, server.Close()) }()
	if !listener.Addr().(*net.TCPAddr).IP.IsLoopback() {
		fmt.Fprintf(stderr, "%s can be reached from other machines: whoever can reach it can read the drafts\n", listener.Addr())
	}
	return servePreview(ctx, server, listener, *open, stdout, stderr)
}

// servePreview watches and serves until ctx ends.
func servePreview(ctx context.Context, server *preview.Server, listener net.Listener, open bool, stdout, stderr io.Writer) error {
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	watched := make(chan error, 1)
	go func() {
		err := server.Watch(ctx)
		if err != nil {
			end(err)
		}
		watched <- err
	}()
	served := make(chan error, 1)
	web := serve.NewServer(server, slog.New(slog.DiscardHandler))
	web.RegisterOnShutdown(server.End)
	go func() {
		err := serve.Run(ctx, web, listener, drainTime)
		end(err)
		served <- err
	}()
	if server.Ready(ctx) == nil {
		url := "http://" + listener.Addr().String() + "/"
		fmt.Fprintf(stdout, "previewing %s with drafts and scheduled pages (Ctrl-C ends it)\n", url)
		if open {
			if err := preview.OpenBrowser(url); err != nil {
				fmt.Fprintf(stderr, "no browser could be opened (%v); open %s yourself\n", err, url)
			}
		}
	}
	return errors.Join(<-served, <-watched)
}

// ruleTitle is what a rule is called.
func ruleTitle(code site.Code) string {
	found, _ := rule.Find(code)
	return found.Title
}

// previewBuilder builds into a folder that nobody else can read and that goes
// away, so that a draft in it can neither be published nor found later.
type previewBuilder struct {
	source
	folder string
	// remove removes the folder.
	remove func() error
	// compiled is what compiled the site that is about to be published, pages what
	// makes pages ahead of the next build; nil before there was a good one.
	compiled *compiler
	pages    *previewPages
}

func newPreviewBuilder(src source) (*previewBuilder, error) {
	own, err := preview.NewFolder()
	if err != nil {
		return nil, err
	}
	src.cache = filepath.Join(own.Path, "cache")
	b := &previewBuilder{source: src, folder: own.Path, remove: own.Remove}
	b.whole = b.keepCompiler
	return b, nil
}

// build compiles the site and opens the build, unless the site has errors.
func (b *previewBuilder) build(ctx context.Context) (preview.Built, error) {
	stage, err := publish.Begin(ctx, b.folder, publish.Options{})
	if err != nil {
		return preview.Built{}, err
	}
	compiled, problems, err := compile(ctx, b.source, stage)
	if err != nil || site.HasErrors(problems) {
		return preview.Built{Site: compiled, Problems: problems}, errors.Join(err, stage.Abort())
	}
	summary, err := stage.Commit(artifact.DefaultLimit, artifact.DefaultWindow)
	if err != nil || summary.Unchanged {
		return preview.Built{Unchanged: summary.Unchanged, Site: compiled, Problems: problems}, err
	}
	opened, err := artifact.OpenOwn(b.folder)
	if err != nil {
		// The next build must not take this one, which is not served, for the last.
		return preview.Built{}, errors.Join(err, os.RemoveAll(b.cache))
	}
	b.keepPages()
	return preview.Built{Build: opened, Site: compiled, Problems: problems}, nil
}

func (b *previewBuilder) close() error { return b.remove() }
