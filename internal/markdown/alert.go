package markdown

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// alertAttribute marks a blockquote as an alert; its value is the kind.
const alertAttribute = "alert"

// alertKind is a kind of alert by its marker, "NOTE" in "[!NOTE]", and its
// title.
type alertKind struct {
	marker, title string
}

// findAlert returns the kind of alert that a line stands for, as
// "[!NOTE]" does. Letters may be of either case, as on GitHub.
func findAlert(line []byte) (alertKind, bool) {
	line = bytes.TrimSpace(line)
	if len(line) < 4 || line[0] != '[' || line[1] != '!' || line[len(line)-1] != ']' {
		return alertKind{}, false
	}
	name := string(line[2 : len(line)-1])
	for _, k := range [...]alertKind{
		{"NOTE", "Note"}, {"TIP", "Tip"}, {"IMPORTANT", "Important"},
		{"WARNING", "Warning"}, {"CAUTION", "Caution"},
	} {
		if strings.EqualFold(k.marker, name) && len(k.marker) == len(name) {
			return k, true
		}
	}
	return alertKind{}, false
}

// alertOf returns the kind of alert that a quote is.
func alertOf(quote *ast.Blockquote) (alertKind, bool) {
	if quote.Attributes() == nil {
		return alertKind{}, false
	}
	v, _ := quote.AttributeString(alertAttribute)
	k, ok := v.(alertKind)
	return k, ok
}

// alertTransformer finds the quotes whose first line is a marker. It works on
// the paragraph's lines, before a marker could be taken for a reference.
type alertTransformer struct{}

// Transform implements parser.ParagraphTransformer.
func (alertTransformer) Transform(node *ast.Paragraph, reader text.Reader, _ parser.Context) {
	quote, ok := node.Parent().(*ast.Blockquote)
	if !ok || quote.FirstChild() != ast.Node(node) || node.Lines().Len() == 0 {
		return
	}
	if _, ok := alertOf(quote); ok {
		return
	}
	first := node.Lines().At(0)
	kind, ok := findAlert(first.Value(reader.Source()))
	if !ok {
		return
	}
	quote.SetAttributeString(alertAttribute, kind)
	node.Lines().SetSliced(1, node.Lines().Len())
	if node.Lines().Len() == 0 {
		quote.RemoveChild(quote, node)
	}
}
