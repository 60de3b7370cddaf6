package convert

import (
	"html"
	"strings"

	"vitrine/internal/lazyregexp"
)

// contentAttrs contains the attributes whose values replace an element's content. The value is true for text and false
// for HTML.
var contentAttrs = map[string]bool{"set:html": false, "v-html": false, "dangerouslysetinnerhtml": false, "set:text": true, "v-text": true}

// innerHTML matches the value of dangerouslySetInnerHTML in React, which is an object with the key __html.
var innerHTML = lazyregexp.New(`(?s)^\{?\s*\{?\s*__html\s*:\s*(.*?),?\s*\}?\s*\}?$`)

// setContent converts an element whose content is in an attribute; see contentAttrs. ok is false for other elements.
func (c *Converter) setContent(n *Node) (p Piece, ok bool) {
	for i, a := range n.Tag.Attrs {
		isText, known := contentAttrs[strings.ToLower(a.Name)]
		if !known {
			continue
		}
		value, constant := a.Value, !a.code
		if m := innerHTML.FindStringSubmatch(value); m != nil {
			value, constant = c.Constant(m[1])
		} else if strings.HasPrefix(a.Name, "v-") {
			value, constant = c.Constant(value)
		}
		if !constant {
			return c.lost(n.Tag, "the content of <"+n.Tag.Name+">", "it is set by an expression whose value is not constant", "write its output as Markdown", ""), true
		}
		if isText {
			value = html.EscapeString(value)
		}
		tag := *n.Tag
		tag.Attrs = append(append([]Attr{}, n.Tag.Attrs[:i]...), n.Tag.Attrs[i+1:]...)
		tag.Form = opening
		if rawText(tag.Name) {
			tag.Form, tag.inner = Alone, value
			return c.element(&Node{Tag: &tag}), true
		}
		body := c.Markdown(value)
		return c.element(&Node{Tag: &tag, children: []*Node{{text: body}}}), true
	}
	return Piece{}, false
}
