package markdown

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// alertAttribute is the attribute that marks a block quote as an alert. Its value is the kind of alert, such as "NOTE".
const alertAttribute = "alert"

// alertKinds returns the kinds of alerts, spelled as in their markers: for example, "NOTE" for "[!NOTE]".
func alertKinds() [5]string { return [...]string{"NOTE", "TIP", "IMPORTANT", "WARNING", "CAUTION"} }

// findAlert returns the kind of alert whose marker, such as "[!NOTE]", starts line. title is the offset of the text
// after the marker. ok is false if no marker starts line. findAlert ignores case, as GitHub does.
func findAlert(line []byte) (kind string, title int, ok bool) {
	start := len(line) - len(bytes.TrimLeft(line, " \t"))
	marker := line[start:]
	end := bytes.IndexByte(marker, ']')
	if end < 0 || marker[0] != '[' || marker[1] != '!' || !endsWord(marker[end+1:]) {
		return "", 0, false
	}
	name := string(marker[2:end])
	for _, k := range alertKinds() {
		if strings.EqualFold(k, name) && len(k) == len(name) {
			after := marker[end+1:]
			return k, start + end + 1 + len(after) - len(bytes.TrimLeft(after, " \t\n")), true
		}
	}
	return "", 0, false
}

// alertOf returns the kind of alert that quote represents. It returns false if quote is an ordinary block quote.
func alertOf(quote *ast.Blockquote) (string, bool) {
	if quote.Attributes() == nil {
		return "", false
	}
	v, _ := quote.AttributeString(alertAttribute)
	k, ok := v.(string)
	return k, ok
}

// alertTransformer is the paragraph transformer that marks a block quote as an alert if its first line starts with an
// alert marker. It removes that line from the paragraph before goldmark can parse the marker as a link reference.
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
	line := first.Value(reader.Source())
	kind, title, ok := findAlert(line)
	if !ok {
		return
	}
	quote.SetAttributeString(alertAttribute, kind)
	node.Lines().SetSliced(1, node.Lines().Len())
	if node.Lines().Len() == 0 {
		quote.RemoveChild(quote, node)
	}
	if title < len(line) && first.Padding == 0 {
		l := newLabel(text.NewSegment(first.Start+title, first.Start+len(bytes.TrimRight(line, " \t\n"))))
		quote.InsertBefore(quote, quote.FirstChild(), l)
	}
}
