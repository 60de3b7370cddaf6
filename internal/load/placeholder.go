package load

import (
	"slices"
	"strings"

	"vitrine/internal/load/tree"
	"vitrine/internal/rule"
)

// placeholders warns about each string that new or import wrote for the editor to replace.
func placeholders(r *report, n *tree.Node) {
	if n == nil {
		return
	}
	if n.Kind == tree.Text && Placeholder(n.Text) {
		r.warnf(n.Pos, "%q is a placeholder, which would be published; replace it with your own", n.Text).Code = rule.Placeholder
	}
	for _, item := range n.Items {
		placeholders(r, item)
	}
	for _, m := range n.Members {
		placeholders(r, m.Value)
	}
}

// PlaceholderAddress is the address that new writes for a site.
const PlaceholderAddress = "https://www.example.com"

// PlaceholderSentences returns sentences, and ends of sentences, that only new and import write.
func PlaceholderSentences() []string {
	return []string{"People who have a question that the product answers", "One thing that it does", "Write to us, and we open an account for you.", productLine}
}

// productLine is the end of the description that new and import write.
const productLine = " is a product that this line describes."

// Placeholder reports whether a string of product.yaml or site.yaml was written by new or import for the editor to
// replace.
func Placeholder(text string) bool {
	if text == "hello@example.com" || text == "A site" || slices.Contains(PlaceholderSentences(), text) {
		return true
	}
	if rest, ok := strings.CutPrefix(text, PlaceholderAddress); ok {
		return rest == "" || strings.ContainsAny(rest[:1], "/?#")
	}
	return strings.HasSuffix(text, productLine)
}
