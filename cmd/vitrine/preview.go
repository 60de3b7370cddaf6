package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"

	"vitrine/internal/build"
	"vitrine/internal/markdown"
	"vitrine/internal/preview"
	"vitrine/internal/rule"
	"vitrine/internal/serve"
	"vitrine/internal/site"
)

func declarePreview(flags *flag.FlagSet) action {
	root := flags.String("root", ".", "the site's `folder`, which contains content/")
	addr := flags.String("addr", "127.0.0.1:8080", "the `address` to listen on")
	open := flags.Bool("open", false, "open the site in the browser")
	poll := flags.Duration("poll", 0, "check the files at this `interval`, such as 1s, if the file system does not report changes")
	strict := flags.Bool("strict", false, "treat placeholders and text that contradicts product.yaml as errors")
	return func(ctx context.Context, arguments []string, stdout, stderr io.Writer) (err error) {
		if err := parseFlags(flags, arguments); err != nil {
			return err
		}
		if *poll < 0 {
			return usageError(flags, "--poll: want a positive duration such as 1s, found %s", *poll)
		}
		// Stop on SIGHUP too, so that temporary files are removed if the terminal is closed.
		ctx, stop := signal.NotifyContext(ctx, syscall.SIGHUP)
		defer stop()
		builder, err := preview.NewBuilder(build.Source{Root: *root, Drafts: true, Strict: *strict, NoSocialImages: true})
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, builder.Close()) }()
		listener, err := net.Listen("tcp", *addr)
		if err != nil {
			return fmt.Errorf("%w; if another server uses the address, choose another address with --addr", err)
		}
		reporter := previewReporter{root: *root, w: stderr}
		words := markdown.New(markdown.Options{})
		server, err := preview.New(preview.Options{
			Root: *root, Addr: *addr, Last: builder.Last, Build: builder.Build, Early: builder.Early, Report: reporter.report, Title: ruleTitle, Poll: *poll,
			Notice: func(text string) { fmt.Fprintln(stderr, text) },
			Words:  func(p *site.Page, text []byte) int { return words.ParsePage(p, text, p.Body).Words() },
		})
		if err != nil {
			return errors.Join(err, listener.Close())
		}
		defer func() { err = errors.Join(err, server.Close()) }()
		if !listener.Addr().(*net.TCPAddr).IP.IsLoopback() {
			fmt.Fprintf(stderr, "%s accepts connections from other machines: anyone who can reach it can read the drafts\n", listener.Addr())
		}
		return servePreview(ctx, server, listener, *open, stdout, stderr)
	}
}

// servePreview serves the preview and rebuilds the site after changes until ctx ends.
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
		url := "http://" + listener.Addr().String() + server.Mount() + "/"
		fmt.Fprintf(stdout, "previewing %s with drafts and scheduled pages (press Ctrl-C to stop)\n", url)
		if open {
			if err := preview.OpenBrowser(url); err != nil {
				fmt.Fprintf(stderr, "could not open a browser (%v); open %s yourself\n", err, url)
			}
		}
	}
	return errors.Join(<-served, <-watched)
}

// ruleTitle returns the title of the rule with the given code.
func ruleTitle(code site.Code) string {
	found, _ := rule.Find(code)
	return found.Title
}

// previewReporter reports builds in the terminal that started the preview.
type previewReporter struct {
	root string
	w    io.Writer
	// known contains the problems of the previous build.
	known []site.Problem
}

// report writes the problems that the previous build didn't have, then a line about the build, such as "rebuilt in 12
// ms: content/blog/x.md (1 warning)".
func (r *previewReporter) report(o preview.Outcome) {
	if o.Err != nil {
		fmt.Fprintf(r.w, "not %s: %v\n", previewVerb(o), o.Err)
		return
	}
	fresh := slices.DeleteFunc(slices.Clone(o.Problems), func(p site.Problem) bool { return slices.Contains(r.known, p) })
	r.known = o.Problems
	// Ignore the error: if the terminal is gone, the error can't be reported there either.
	_ = reportLines(choose(fresh, 0, nil), r.root, r.w)
	errors, warnings := count(o.Problems)
	counts := previewCounts(errors, warnings)
	switch {
	case errors > 0 && o.Number == 1:
		fmt.Fprintf(r.w, "not built%s; fix the errors to start the first build\n", counts)
	case errors > 0:
		fmt.Fprintf(r.w, "not rebuilt: %s%s; still serving the last good build\n", previewChanged(o.Changed), counts)
	case len(o.Changed) == 0:
		fmt.Fprintf(r.w, "built in %s: %s%s\n", milliseconds(o.Took), counted(len(o.Site.Pages), "page"), counts)
	default:
		fmt.Fprintf(r.w, "rebuilt in %s: %s%s\n", milliseconds(o.Took), previewChanged(o.Changed), counts)
	}
}

func previewVerb(o preview.Outcome) string {
	if o.Number == 1 {
		return "built"
	}
	return "rebuilt"
}

func previewCounts(errors, warnings int) string {
	var parts []string
	if errors > 0 {
		parts = append(parts, counted(errors, "error"))
	}
	if warnings > 0 {
		parts = append(parts, counted(warnings, "warning"))
	}
	if len(parts) == 0 {
		return ""
	}
	return " (" + strings.Join(parts, ", ") + ")"
}

// previewChanged lists, on one line, the changed files that caused a build.
func previewChanged(changed []string) string {
	switch len(changed) {
	case 0:
		return "no changed files"
	case 1, 2, 3:
		return strings.Join(changed, ", ")
	}
	return fmt.Sprintf("%s and %d more", changed[0], len(changed)-1)
}

// milliseconds formats d in whole milliseconds, such as "12 ms".
func milliseconds(d time.Duration) string {
	return fmt.Sprintf("%d ms", d.Round(time.Millisecond).Milliseconds())
}
