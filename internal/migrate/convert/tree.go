package convert

import (
	"strings"

	"vitrine/internal/migrate/source"
)

// Node is a tag with its content, or text.
type Node struct {
	Tag      *Tag
	text     string
	code     bool
	children []*Node
	// end is the position in the text after the node, or 0 if its tag has no end.
	end int
}

// maxNesting is the maximum nesting depth of tags.
const maxNesting = 200

// element classifies an HTML element as void, inline, or block.
type element uint8

const (
	_ element = iota
	// void elements have no content.
	void
	inline
	block
)

// elements maps the names of HTML elements to their kinds. Other names in angle brackets are text or components.
var elements = func() map[string]element {
	all := make(map[string]element)
	for kind, names := range map[element]string{
		void: "area base br col embed hr img input link meta param source track wbr",
		inline: "a abbr acronym audio b bdi bdo big button canvas cite code data datalist del dfn em font i iframe ins kbd label map mark math meter" +
			" noscript object output picture progress q rp rt ruby s samp script select slot small span strike strong style sub sup svg template textarea time tt u var video" +
			" option optgroup",
		block: "address article aside blockquote body caption center colgroup dd details dialog dir div dl dt fieldset figcaption figure footer form" +
			" h1 h2 h3 h4 h5 h6 head header hgroup html legend li main menu nav ol p pre search section summary table tbody td tfoot th thead title tr ul fragment",
	} {
		for name := range strings.FieldsSeq(names) {
			all[name] = kind
		}
	}
	return all
}()

// closes maps an element to the elements that its start tag closes if their end tags are omitted.
var closes = map[string]string{
	"p": "p", "li": "li", "dt": "dt dd", "dd": "dt dd", "tr": "tr td th", "td": "td th", "th": "td th",
	"tbody": "thead tr td th", "tfoot": "tbody tr td th", "thead": "caption colgroup", "option": "option",
}

// bounds maps an element to the elements that bound the search for an open element; see find.
var bounds = map[string]string{
	"p": "div li td th section article details blockquote figure", "li": "ul ol menu", "dt": "dl", "dd": "dl", "tr": "table", "td": "table tr", "th": "table tr", "tbody": "table", "tfoot": "table", "thead": "table",
}

// treeOf builds a tree from tokens. A start tag whose required end tag is missing has no content. Like browsers, treeOf
// drops an end tag without a start tag.
func treeOf(tokens []token) []*Node {
	root := &Node{}
	stack := []*Node{root}
	top := func() *Node { return stack[len(stack)-1] }
	// pop closes the innermost element. If an element lacks a required end tag, pop moves its children to the parent.
	pop := func(ended bool, end int) {
		n := top()
		stack = stack[:len(stack)-1]
		if ended || endImplied(n.Tag.Name) {
			n.end = end
			return
		}
		parent := top()
		parent.children = append(parent.children, n.children...)
		n.children = nil
	}
	for _, t := range tokens {
		if t.tag == nil {
			top().children = append(top().children, &Node{text: t.text, code: t.code})
			continue
		}
		name := t.tag.Name
		switch t.tag.Form {
		case opening:
			if list := closes[name]; list != "" {
				if at := find(stack, list, bounds[name]); at > 0 {
					for len(stack) > at {
						pop(true, t.tag.at)
					}
				}
			}
			n := &Node{Tag: t.tag}
			top().children = append(top().children, n)
			if len(stack) < maxNesting {
				stack = append(stack, n)
			}
		case Closing:
			at := find(stack, name, bounds[name])
			if at == 0 {
				continue
			}
			for len(stack) > at+1 {
				pop(false, t.tag.at)
			}
			pop(true, t.tag.at+t.tag.size)
		case dropped:
			top().children = append(top().children, &Node{Tag: t.tag})
		default:
			top().children = append(top().children, &Node{Tag: t.tag, end: t.tag.at + t.tag.size})
		}
	}
	for len(stack) > 1 {
		pop(false, 0)
	}
	return root.children
}

// endImplied reports whether the end tag of an element is optional.
func endImplied(name string) bool {
	switch name {
	case "li", "p", "dt", "dd", "tr", "td", "th", "tbody", "thead", "tfoot", "option", "colgroup", "caption":
		return true
	}
	return false
}

// find returns the position on the stack of the innermost element with one of the names, or 0 if there is none. The
// search stops at elements in until.
func find(stack []*Node, names, until string) int {
	for i := len(stack) - 1; i > 0; i-- {
		if source.HasWord(names, stack[i].Tag.Name) {
			return i
		}
		if source.HasWord(until, stack[i].Tag.Name) {
			return 0
		}
	}
	return 0
}
