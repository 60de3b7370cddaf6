package main

import (
	"bytes"
	"strings"
	"testing"

	"vitrine/internal/site"
)

// No report format contains characters that control a terminal or reverse its text.
func TestReportsArePrintable(t *testing.T) {
	problems := []site.Problem{{Path: "content/a\u202eb.md", Text: "x\u009b31m\u202ey\u2066z\x1b[0m"}}
	for name, report := range map[string]func(*bytes.Buffer) error{
		"text":   func(b *bytes.Buffer) error { return reportLines(problems, ".", b) },
		"json":   func(b *bytes.Buffer) error { return reportJSON(problems, b) },
		"github": func(b *bytes.Buffer) error { return reportGitHub(problems, b) },
	} {
		var out bytes.Buffer
		if err := report(&out); err != nil {
			t.Fatal(err)
		}
		if strings.ContainsAny(out.String(), "\u202e\u009b\u2066\x1b") || !strings.Contains(out.String(), "a\ufffdb.md") {
			t.Errorf("%s: %q", name, out.String())
		}
	}
}
