//go:build proof

package markdown

import (
	"strings"
	"testing"

	"vitrine/internal/rule"
)

// TestFactLimits checks that a page whose expressions exceed a limit is reported once, and that its outputs stay
// within bounds.
func TestFactLimits(t *testing.T) {
	t.Parallel()
	p := New(Options{}).WithFacts(testFacts())
	for name, source := range map[string]string{
		"text": strings.Repeat("{{ odd }} ", 50_000), "tables": strings.Repeat("{{ plans }}\n\n", 20_000),
		"destinations": strings.Repeat("[a]({{ links.signup }})\n\n", 30_000), "open": strings.Repeat("{{", 50_000),
		"errors": strings.Repeat("{{ x }}", 10_000), "meant": strings.Repeat("{{ meant }} ", 10_000),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := p.Parse("x.md", []byte(source), 0)
			html, twin := render(t, d)
			if len(html) > 40<<20 || len(twin) > 20<<20 {
				t.Errorf("%d bytes became %d of HTML and %d of Markdown", len(source), len(html), len(twin))
			}
			limits := 0
			for _, problem := range d.Problems() {
				if problem.Code == rule.TooMuch {
					limits++
				}
			}
			if limits > 1 {
				t.Errorf("%d problems of one limit", limits)
			}
		})
	}
}
