package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"vitrine/internal/artifact"
	"vitrine/internal/report"
)

// logFlags contains the values of report's flags.
type logFlags struct {
	out, build, since, until string
	tools                    []string
	ranges                   report.Ranges
}

func (l *logFlags) register(flags *flag.FlagSet) {
	flags.StringVar(&l.out, "out", "", "the `file` to write the report to; its extension selects the format: .html, .md, or .json (default Markdown to standard output)")
	flags.StringVar(&l.build, "build", "", "the `folder` of the site's build, from which the report suggests a page for each missing path")
	flags.StringVar(&l.since, "since", "", "the first `day` to include, such as 2026-10-01")
	flags.StringVar(&l.until, "until", "", "the last `day` to include")
	flags.Func("tool", "the `name` of the site's command-line tool; you can repeat this flag (default the name in --build)", func(name string) error {
		l.tools = append(l.tools, name)
		return nil
	})
	flags.Func("ranges", "`NAME=FILE`: the name of a program, and a file with the IP addresses that its operator publishes, as JSON or one prefix per line; you can repeat this flag", l.addRanges)
}

// addRanges adds the addresses in FILE to the ranges of the program NAME. value has the form NAME=FILE.
func (l *logFlags) addRanges(value string) error {
	name, file, found := strings.Cut(value, "=")
	if !found || name == "" {
		return fmt.Errorf("specify a program name and a file, such as GPTBot=gptbot.json")
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	if l.ranges == nil {
		l.ranges = make(report.Ranges)
	}
	return l.ranges.Add(name, text)
}

// check returns a message about the first invalid flag or argument, or "" if all are valid. logs contains the names of
// the access logs.
func (l *logFlags) check(logs []string) string {
	for _, d := range []struct{ name, value string }{{"since", l.since}, {"until", l.until}} {
		if _, err := time.Parse(time.DateOnly, d.value); d.value != "" && err != nil {
			return fmt.Sprintf("--%s: want a date such as 2026-10-01, found %q", d.name, d.value)
		}
	}
	switch {
	case len(logs) == 0:
		return "vitrine report needs access logs, plain or gzipped; use - for standard input"
	case l.out != "" && !slices.Contains([]string{".html", ".md", ".json"}, filepath.Ext(l.out)):
		return fmt.Sprintf("--out %s: the extension selects the format; use .html, .md, or .json", l.out)
	}
	return ""
}

// declareReport declares report, which reports who read a site, according to the site's access logs.
func declareReport(flags *flag.FlagSet) action {
	var l logFlags
	l.register(flags)
	return func(ctx context.Context, arguments []string, stdout, stderr io.Writer) error {
		names, err := parseArguments(flags, arguments)
		if err != nil {
			return err
		}
		if wrong := l.check(names); wrong != "" {
			return usageError(flags, "%s", wrong)
		}
		options := report.Options{Tools: l.tools, Ranges: l.ranges, Since: l.since, Until: l.until}
		if l.build != "" {
			if err := l.ofBuild(&options); err != nil {
				return err
			}
		}
		logs := make([]report.Log, len(names))
		for i, name := range names {
			if name == "-" {
				logs[i] = report.Log{Name: "standard input", Reader: os.Stdin}
				continue
			}
			f, err := os.Open(name)
			if err != nil {
				return err
			}
			defer f.Close()
			logs[i] = report.Log{Name: name, Reader: f}
		}
		r, err := report.Read(ctx, logs, options)
		if err != nil {
			return err
		}
		if r.Lines == 0 {
			return fmt.Errorf("found no requests in %s; use the Combined Log Format, or JSON logs from vitrined, Caddy, or nginx", counted(len(names), "log"))
		}
		return l.write(r, stdout)
	}
}

// ofBuild adds the build's base path and page paths to options. If --tool isn't set, it also adds the name of the
// site's command-line tool.
func (l *logFlags) ofBuild(options *report.Options) error {
	built, err := artifact.Open(l.build)
	if err != nil {
		return err
	}
	defer built.Close()
	options.Mount = strings.Clone(built.Manifest.Mount)
	for route := range built.Manifest.Routes() {
		path := strings.Clone(route.Path())
		if route.Kind() == artifact.KindPage {
			options.Pages = append(options.Pages, options.Mount+path)
		}
		if name, found := strings.CutPrefix(path, "/cli/"); found && len(l.tools) == 0 && strings.HasSuffix(name, ".mjs") {
			options.Tools = append(options.Tools, strings.TrimSuffix(name, ".mjs"))
		}
	}
	return nil
}

// write writes the report to the file in --out, in the format that the file's extension selects. Without --out, it
// writes Markdown to stdout.
func (l *logFlags) write(r *report.Report, stdout io.Writer) (err error) {
	if l.out == "" {
		return r.WriteMarkdown(stdout)
	}
	f, err := os.Create(l.out)
	if err != nil {
		return err
	}
	defer func() {
		if closed := f.Close(); err == nil {
			err = closed
		}
	}()
	switch filepath.Ext(l.out) {
	case ".html":
		return r.WriteHTML(f)
	case ".json":
		return r.WriteJSON(f)
	}
	return r.WriteMarkdown(f)
}
