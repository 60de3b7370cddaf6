package markdown

import (
	"bytes"
	"testing"

	"vitrine/internal/rule"
	"vitrine/internal/site"
)

func render(t testing.TB, d *Document) (html, twin string) {
	t.Helper()
	var h, m bytes.Buffer
	if err := d.WriteHTML(&h); err != nil {
		t.Fatalf("%v\n%q", err, d.body)
	}
	if err := d.WriteMarkdown(&m, ""); err != nil {
		t.Fatal(err)
	}
	return h.String(), m.String()
}

// checkTwin checks the package's guarantee for a page: the twin parses to the page's HTML and to itself. It returns
// false for a page with errors, because the outputs omit parts of such a page.
func checkTwin(t testing.TB, p *Parser, source []byte) bool {
	t.Helper()
	d := p.Parse("x.md", source, 0)
	html, twin := render(t, d)
	for _, problem := range d.Problems() {
		if problem.Severity == site.Error && (problem.Code == rule.RawHTML || problem.Code == rule.Directive || problem.Code == rule.TooMuch) {
			return false
		}
	}
	d2 := p.Parse("x.md", []byte(twin), 0)
	html2, twin2 := render(t, d2)
	if html != html2 {
		t.Fatalf("the twin's HTML differs\nsource %q\ntwin   %q\nHTML %q\nwas  %q", source, twin, html2, html)
	}
	if twin != twin2 {
		t.Fatalf("the twin's twin differs\nsource %q\ntwin  %q\nagain %q", source, twin, twin2)
	}
	return true
}
