package main

import (
	"errors"
	"strings"
	"testing"
	"time"

	"vitrine/internal/preview"
	"vitrine/internal/site"
)

// Each build is reported on one line, preceded by the problems that are new since the previous build.
func TestPreviewReports(t *testing.T) {
	wrong := site.Problem{Path: "content/a.md", Pos: site.Pos{Line: 3, Col: 5}, Severity: site.Error, Text: "wrong"}
	odd := site.Problem{Path: "content/b.md", Severity: site.Warning, Text: "odd"}
	whole := &site.Site{Pages: make([]*site.Page, 2)}
	outcome := func(number int, changed []string, problems ...site.Problem) preview.Outcome {
		return preview.Outcome{
			Built: preview.Built{Site: whole, Problems: problems}, Number: number, Changed: changed, Took: 12300 * time.Microsecond,
		}
	}
	failed := outcome(7, nil)
	failed.Err = errors.New("the disk is full")
	var said strings.Builder
	reporter := previewReporter{w: &said}
	for _, c := range []struct {
		outcome preview.Outcome
		want    string
	}{
		{outcome(1, nil, wrong), "content/a.md:3:5: error: wrong\nnot built (1 error); fix the errors to start the first build\n"},
		{outcome(2, []string{"content/a.md"}), "rebuilt in 12 ms: content/a.md\n"},
		{outcome(3, []string{"content/a.md"}, wrong, odd), "content/a.md:3:5: error: wrong\ncontent/b.md: warning: odd\n" +
			"not rebuilt: content/a.md (1 error, 1 warning); still serving the last good build\n"},
		{outcome(4, []string{"content/b.md", "content/c.md"}, wrong, odd), "not rebuilt: content/b.md, content/c.md (1 error, 1 warning); still serving the last good build\n"},
		{outcome(5, []string{"content/a.md"}, odd), "rebuilt in 12 ms: content/a.md (1 warning)\n"},
		{outcome(6, []string{"a", "b", "c", "d"}), "rebuilt in 12 ms: a and 3 more\n"},
		{failed, "not rebuilt: the disk is full\n"},
		{outcome(1, nil, odd), "content/b.md: warning: odd\nbuilt in 12 ms: 2 pages (1 warning)\n"},
	} {
		said.Reset()
		reporter.report(c.outcome)
		if said.String() != c.want {
			t.Errorf("told\n%swant\n%s", said.String(), c.want)
		}
	}
}
