//go:build proof

package migrate

import (
	"strings"
	"testing"
	"time"

	"vitrine/internal/migrate/kinds"
	"vitrine/internal/migrate/oldsite"
)

// Converting hostile text takes time in proportion to its length.
func TestHostileTextTakesLinearTime(t *testing.T) {
	for _, pattern := range []string{"<div>", "<pre>", "<!--", "{", "{{<a>}}", "{{% a %}}", "{% if x %}", "{{ x }}", "`", "](", "[", "> ", ":::a\n", "!!! a\n    ", "<b>x", "<a href=", "a\n: b\n", "=== \"a\"\n", "<ul><li>", "| <br> ", "{% for a in site.data %}", "--8<-- \"a\"\n", "/// a\n", "- ", "``` ", "<table><tr><td>"} {
		for _, k := range []*oldsite.Kind{kinds.Docusaurus(), kinds.Hugo(), kinds.Jekyll(), kinds.Mkdocs(), kinds.Confluence()} {
			took := func(size int) time.Duration {
				began := time.Now()
				turned(k, strings.Repeat(pattern, size/len(pattern)))
				return time.Since(began)
			}
			// Four times as much text takes about four times as long, or up to twelve times as long under load. With
			// quadratic code, it takes sixteen times as long.
			worst := false
			for range 3 {
				few, many := took(10_000), took(40_000)
				if worst = many > 2*time.Second && many > 12*few; !worst {
					break
				}
			}
			if worst {
				t.Errorf("%s: %q takes more than in proportion to its length", k.Name, pattern)
			}
		}
	}
}
