package kinds

import (
	"iter"
	"strings"

	"vitrine/internal/migrate/source"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// elementsOf returns the elements with the given name inside n.
func elementsOf(n *html.Node, name string) iter.Seq[*html.Node] {
	return func(yield func(*html.Node) bool) {
		for d := range n.Descendants() {
			if d.Type == html.ElementNode && d.Data == name && !yield(d) {
				return
			}
		}
	}
}

// first returns the first element with the given name inside n, or nil if there is none.
func first(n *html.Node, name string) *html.Node {
	for d := range elementsOf(n, name) {
		return d
	}
	return nil
}

// firstClass returns the first element with the given class inside n, or nil if there is none.
func firstClass(n *html.Node, class string) *html.Node {
	for d := range n.Descendants() {
		if hasClass(d, class) {
			return d
		}
	}
	return nil
}

// byID returns the element with the given identifier inside n, or nil if there is none.
func byID(n *html.Node, id string) *html.Node {
	for d := range n.Descendants() {
		if d.Type == html.ElementNode && attr(d, "id") == id {
			return d
		}
	}
	return nil
}

// attr returns the value of an attribute, or "" if the element doesn't have it.
func attr(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}

// setAttr sets the attribute key of n to value, adding it if necessary.
func setAttr(n *html.Node, key, value string) {
	for i := range n.Attr {
		if n.Attr[i].Key == key {
			n.Attr[i].Val = value
			return
		}
	}
	n.Attr = append(n.Attr, html.Attribute{Key: key, Val: value})
}

// hasClass reports whether an element has any of classes.
func hasClass(n *html.Node, classes ...string) bool {
	if n.Type != html.ElementNode {
		return false
	}
	list := attr(n, "class")
	for _, class := range classes {
		if source.HasWord(list, class) {
			return true
		}
	}
	return false
}

// allText returns the text inside n, or the text of n if it is a text node.
func allText(n *html.Node) string {
	var b strings.Builder
	if n.Type == html.TextNode {
		return n.Data
	}
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			b.WriteString(d.Data)
		}
	}
	return b.String()
}

// wordsIn returns the text inside an element on one line.
func wordsIn(n *html.Node) string {
	return strings.Join(strings.Fields(allText(n)), " ")
}

// textElement returns a text node that contains s.
func textElement(s string) *html.Node { return &html.Node{Type: html.TextNode, Data: s} }

// newElement returns an element with attributes, given as pairs of names and values.
func newElement(name string, pairs ...string) *html.Node {
	n := &html.Node{Type: html.ElementNode, Data: name, DataAtom: atom.Lookup([]byte(name))}
	for i := 0; i+1 < len(pairs); i += 2 {
		n.Attr = append(n.Attr, html.Attribute{Key: pairs[i], Val: pairs[i+1]})
	}
	return n
}

// remove removes an element from its document.
func remove(n *html.Node) {
	if n.Parent != nil {
		n.Parent.RemoveChild(n)
	}
}

// replaceWith replaces n with other in its document.
func replaceWith(n, other *html.Node) {
	if n.Parent != nil {
		n.Parent.InsertBefore(other, n)
		remove(n)
	}
}

// unwrap replaces an element with its children.
func unwrap(n *html.Node) {
	if n.Parent == nil {
		return
	}
	for n.FirstChild != nil {
		child := n.FirstChild
		n.RemoveChild(child)
		n.Parent.InsertBefore(child, n)
	}
	remove(n)
}

// moveChildren moves the children of one element to the end of another.
func moveChildren(from, to *html.Node) {
	for from.FirstChild != nil {
		child := from.FirstChild
		from.RemoveChild(child)
		to.AppendChild(child)
	}
}

// all returns the elements inside n that satisfy is. The result is a list, not an iterator, so that the caller can
// change the document.
func all(n *html.Node, is func(*html.Node) bool) (list []*html.Node) {
	for d := range n.Descendants() {
		if d.Type == html.ElementNode && is(d) {
			list = append(list, d)
		}
	}
	return list
}
