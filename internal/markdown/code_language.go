package markdown

import (
	"fmt"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"

	"vitrine/internal/load/suggest"
	"vitrine/internal/markdown/highlight"
	"vitrine/internal/rule"
)

// usualLanguages returns the languages that checkLanguage suggests for a misspelled name after a fence. A name that
// isn't similar to any of them is assumed to be intended.
func usualLanguages() []string {
	return []string{"javascript", "typescript", "python", "golang", "kotlin", "swift", "scala", "haskell", "elixir", "csharp",
		"shell", "console", "powershell", "dockerfile", "makefile", "terraform", "graphql", "markdown", "protobuf", "plaintext",
		"mermaid"}
}

// checkLanguage reports a misspelled language after a fence, because the code would not be highlighted.
func (d *Document) checkLanguage(b *ast.FencedCodeBlock, language string) {
	name := strings.ToLower(language)
	usual := usualLanguages()
	if slices.Contains(usual, name) {
		return
	}
	meant := nearLanguage(name, usual)
	if meant == "" || highlight.Knows(name) {
		return
	}
	at := b.Info.Segment.Start
	old := ""
	if strings.HasPrefix(string(d.body[at:]), language) {
		old = language
	}
	d.problems = append(d.problems, located{offset: at, severity: warningSeverity, code: rule.CodeLanguage, old: old, new: meant,
		text: fmt.Sprintf("unknown language %q; did you mean %q?", language, meant)})
}

// nearLanguage returns the language in usual that a misspelled name probably means, or "" if there is none. The name
// must have the same first letter as the language. It may contain one typo, or two if both names are long.
func nearLanguage(name string, usual []string) string {
	const long = 9
	for _, known := range usual {
		if name == "" || name[0] != known[0] {
			continue
		}
		if suggest.Slip(name, known) || len(name) >= long && len(known) >= long && suggest.Slips(name, known) <= 2 {
			return known
		}
	}
	return ""
}
