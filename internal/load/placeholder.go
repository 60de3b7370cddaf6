package load

import (
	_ "embed"
	"slices"
	"strings"

	"vitrine/internal/load/tree"
	"vitrine/internal/rule"
)

// placeholders warns about each placeholder string; see Placeholder.
func placeholders(r *report, n *tree.Node) {
	if n == nil {
		return
	}
	if n.Kind == tree.Text && Placeholder(n.Text) {
		r.warnf(n.Pos, "%q is a placeholder, which would be published; replace it with your own text", n.Text).Code = rule.Placeholder
	}
	for _, item := range n.Items {
		placeholders(r, item)
	}
	for _, m := range n.Members {
		placeholders(r, m.Value)
	}
}

// PlaceholderAddress is the base URL that "vitrine new" writes.
const PlaceholderAddress = "https://www.example.com"

// placeholderLines contains the sentences that PlaceholderSentences returns, one per line. A line that begins with a
// space is the end of a description that starts with the product's name.
//
//go:embed placeholders.txt
var placeholderLines string

// PlaceholderSentences returns the sentences, and the ends of sentences, that "vitrine new" and "vitrine import" write
// as placeholders.
func PlaceholderSentences() []string {
	return strings.Split(strings.TrimSuffix(placeholderLines, "\n"), "\n")
}

// Placeholder reports whether text is a placeholder that "vitrine new" or "vitrine import" writes for the editor to
// replace.
func Placeholder(text string) bool {
	switch text {
	case "hello@example.com", "mailto:hello@example.com", "A site":
		return true
	}
	if rest, ok := strings.CutPrefix(text, PlaceholderAddress); ok {
		return rest == "" || strings.ContainsAny(rest[:1], "/?#")
	}
	return slices.ContainsFunc(PlaceholderSentences(), func(sentence string) bool {
		return text == sentence || sentence[0] == ' ' && strings.HasSuffix(text, sentence)
	})
}
