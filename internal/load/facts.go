package load

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf8"

	"vitrine/internal/facts"
	"vitrine/internal/load/tree"
	"vitrine/internal/rule"
	"vitrine/internal/site"
)

// factOf converts a parsed document to the tree of facts that pages use, which is independent of the document's syntax.
func factOf(n *tree.Node) *site.Fact {
	f := &site.Fact{Text: n.Text}
	switch n.Kind {
	case tree.Bool:
		f.Kind = site.TruthFact
	case tree.Number:
		f.Kind = site.NumberFact
		if n.Number != "" {
			f.Text = n.Number
		}
	case tree.Text:
		f.Kind = site.TextFact
	case tree.List:
		f.Kind = site.ListFact
		for _, item := range n.Items {
			f.Items = append(f.Items, factOf(item))
		}
	case tree.Map:
		f.Kind = site.MapFact
		for _, m := range n.Members {
			f.Keys = append(f.Keys, m.Key)
			item := factOf(m.Value)
			if m.Missing {
				item.Kind = site.MissingFact
			}
			f.Items = append(f.Items, item)
		}
	}
	return f
}

// factLinks returns the URLs in product.yaml that start with the site's base URL. It returns nil if product is nil or
// base is "".
func factLinks(product *tree.Node, base string) (links []site.FactText) {
	var walk func(n *tree.Node, path string)
	walk = func(n *tree.Node, path string) {
		names := itemNames(n)
		for i, item := range n.Items {
			name := strconv.Itoa(i)
			if names != nil {
				name = names[i]
			}
			walk(item, facts.Join(path, name))
		}
		for _, m := range n.Members {
			walk(m.Value, facts.Join(path, m.Key))
		}
		rest, ours := strings.CutPrefix(n.Text, base)
		if ours && n.Kind == tree.Text && absoluteURI(n.Text) == "" && (rest == "" || strings.ContainsAny(rest[:1], "/?#")) {
			links = append(links, site.FactText{Path: path, Text: n.Text, Pos: n.Pos})
		}
	}
	if product != nil && base != "" {
		walk(product, "")
	}
	return links
}

// factExpander replaces fact expressions in front matter strings with their values and reports invalid expressions.
type factExpander struct {
	values *facts.Values
	r      *report
	source []byte
}

// expandFacts replaces fact expressions with their values in the front matter keys that allow expressions, including
// the links and pictures of sections. It does nothing if values is nil or the front matter contains no "{{".
func expandFacts(values *facts.Values, r *report, source []byte, body int, root *tree.Node) {
	if values == nil || !bytes.Contains(source[:body], []byte("{{")) {
		return
	}
	x := &factExpander{values, r, source[:body]}
	for _, key := range []string{"title", "description", "author", "image", "cover", "series", "tags", "params"} {
		if m := root.Get(key); m != nil {
			x.node(m.Value)
		}
	}
	if m := root.Get("sections"); m != nil {
		x.expandTargets(m.Value)
	}
}

func (x *factExpander) node(n *tree.Node) {
	for _, item := range n.Items {
		x.node(item)
	}
	for _, m := range n.Members {
		x.node(m.Value)
	}
	if n.Kind != tree.Text {
		return
	}
	text, _, faults := x.values.ExpandText(n.Text)
	for _, f := range faults {
		at := x.place(n.Pos, expressionAt(n.Text, f.Offset))
		x.r.errorf(at, "%v", f.Err).Code = rule.FactUnknown
	}
	n.Text = text
}

// expressionAt returns the expression, including its braces, that starts at a byte offset in text.
func expressionAt(text string, offset int) string {
	end := bytes.Index([]byte(text[offset:]), []byte("}}"))
	return text[offset : offset+end+2]
}

// place returns the position of an expression in a value. at is the position of the value. If place can't find the
// expression, for example because the value has folded lines, it returns at.
func (x *factExpander) place(at site.Pos, expression string) site.Pos {
	line := 1
	for text := range bytes.Lines(x.source) {
		from := 0
		if line == at.Line {
			for range at.Col - 1 {
				_, size := utf8.DecodeRune(text[from:])
				from += size
			}
		}
		if line >= at.Line {
			if i := bytes.Index(text[from:], []byte(expression)); i >= 0 {
				return site.Pos{Line: line, Col: utf8.RuneCount(text[:from+i]) + 1}
			}
		}
		line++
	}
	return at
}
