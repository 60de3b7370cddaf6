package markdown

import (
	"fmt"
	"slices"
	"strings"

	"vitrine/internal/rule"
)

// meaning specifies how an element is converted: as inline content, as a block, or as part of another element.
type meaning uint8

const (
	none meaning = iota
	// inText is the meaning of inline elements.
	inText
	// onLines is the meaning of block elements.
	onLines
	// within is the meaning of elements that are parts of other elements, such as <li>.
	within
)

// meaningOf returns the meaning of an HTML element, or none if the element isn't semantic.
func meaningOf(tag string) meaning {
	switch tag {
	case "br", "kbd", "sub", "sup", "mark", "ins", "del", "s", "strike", "abbr", "bdi", "a", "img", "picture", "wbr",
		"strong", "b", "em", "i", "cite", "var", "dfn", "code", "tt", "samp":
		return inText
	case "p", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "blockquote", "pre", "hr", "table", "dl", "details", "figure", "video":
		return onLines
	case "li", "summary", "figcaption", "dt", "dd", "caption", "colgroup", "col", "thead", "tbody", "tfoot", "tr", "td", "th", "source", "track":
		return within
	}
	return none
}

func hasMeaning(tag string) bool { return meaningOf(tag) != none }

// blockElement reports whether the start tag of an element ends an open paragraph.
func blockElement(tag string) bool {
	switch tag {
	case "div", "section", "article", "aside", "center", "main", "nav", "header", "footer", "form", "address":
		return true
	}
	return meaningOf(tag) == onLines
}

// attributesOf returns the supported attributes of an element, in addition to id.
func attributesOf(tag string) []string {
	switch tag {
	case "a":
		return []string{"href", "name", "title"}
	case "img":
		return []string{"src", "alt", "title", "width", "height"}
	case "abbr":
		return []string{"title"}
	case "video":
		return []string{"src", "poster", "controls", "width", "height", "title", "aria-label"}
	case "source", "track":
		return []string{"src", "type", "srcset", "media", "kind", "label", "srclang", "default"}
	case "ol":
		return []string{"start"}
	case "td", "th":
		return []string{"colspan", "rowspan", "scope", "align"}
	case "details":
		return []string{"open"}
	case "code", "pre":
		return []string{"class"}
	}
	return nil
}

// saysNothing reports whether an attribute may be dropped without a warning because its effect is the default or is up
// to the theme.
func saysNothing(name string) bool {
	switch name {
	case "target", "rel", "loading", "decoding", "fetchpriority", "crossorigin", "referrerpolicy", "border", "cellpadding", "cellspacing",
		"preload", "playsinline", "lang", "dir", "role", "tabindex", "valign", "translate", "datetime", "alt":
		return true
	}
	return strings.HasPrefix(name, "aria-") || strings.HasPrefix(name, "data-")
}

// attributes reports the unsupported attributes of an element.
func (n *normalizer) attributes(e *element) {
	known := attributesOf(e.tag)
	for _, a := range e.attributes {
		switch {
		case a.name == "id" || slices.Contains(known, a.name) || saysNothing(a.name):
		case strings.HasPrefix(a.name, "on"):
			n.htmlProblem(a.at, fmt.Sprintf("%s runs a script, which is not allowed in pages; remove it from <%s>", a.name, e.written))
		case a.name == "style":
			n.htmlProblem(a.at, fmt.Sprintf("the theme sets the style of every page; remove style from <%s>", e.written))
		default:
			if n.lost == nil {
				n.lost = make(map[string]bool)
			}
			if n.lost[e.tag+" "+a.name] {
				continue
			}
			n.lost[e.tag+" "+a.name] = true
			n.d.problem(a.at, warningSeverity, rule.LostHTML, fmt.Sprintf("the %s attribute of <%s> is not supported; remove it here and on later lines", a.name, e.written))
		}
	}
}

// noMeaning reports an element that isn't allowed in a page. It reports each kind of element once per block.
func (n *normalizer) noMeaning(e *element) {
	what := e.tag
	if isFormPart(what) {
		what = "form"
	}
	if slices.Contains(n.reported, what) {
		return
	}
	n.reported = append(n.reported, what)
	n.htmlProblem(e.at, fmt.Sprintf("<%s> %s", e.written, n.instead(e)))
}

// isFormPart reports whether tag is a form or part of a form. All form elements in a block are reported as one mistake.
func isFormPart(tag string) bool {
	switch tag {
	case "form", "input", "button", "select", "textarea", "label", "option", "fieldset":
		return true
	}
	return false
}

// instead returns a message that explains why an element isn't allowed and what to write instead.
func (n *normalizer) instead(e *element) string {
	switch e.tag {
	case "div", "span", "center", "section", "article", "main", "header", "footer", "nav", "address", "font", "big", "small", "hgroup":
		return "only affects a page's appearance; remove its tags and keep their content, or use a component such as :::note"
	case "u":
		return "is not supported; write <ins> for added text, or *…* for emphasis"
	case "q":
		return "is not supported; write the quotation marks"
	case "script":
		return "is not allowed in pages; remove it, and add site-wide scripts to scripts in site.yaml"
	case "style", "link":
		return "sets styles, which belong in the theme; remove it"
	case "iframe", "embed", "object", "frame":
		return "embeds another site in the page; " + embedded(e)
	case "form", "input", "button", "select", "textarea", "label", "option", "fieldset":
		return "is part of a form; link to a page with the form, or write - [ ] for a task"
	case "svg", "math", "canvas":
		return "is not supported inline; save it as a file next to the page, and show it as ![description](file.svg)"
	case "audio":
		return "is not supported; link to the file, as in [Listen](talk.mp3)"
	case "meta", "head", "html", "body", "title", "base":
		return "belongs only in complete HTML documents; remove it, because the title and the description are in the front matter"
	}
	if name := strings.ToLower(e.written); name != e.written || strings.ContainsAny(name, ".:") {
		if near := n.ourName(name); near != "" {
			return "is a component from another tool; write " + near + " instead"
		}
		if len(name) > 2 {
			return "is a component from another tool; use one of this site's components, such as :::details, or \\< for a literal <"
		}
	}
	return "is not a supported element; write \\< for a literal <, or `code`"
}

// ourName returns the notation of the component that corresponds to a component of another tool with the given name, or
// "" if no component corresponds to it.
func (n *normalizer) ourName(name string) string {
	switch name {
	case "tabitem":
		name = "tab"
	case "cardgrid":
		name = "cards"
	case "linkcard", "linkbutton":
		name = "card"
	case "admonition", "callout", "aside":
		name = "note"
	case "accordion":
		name = "details"
	default:
		name = n.d.parser.nearest(name)
	}
	s, ok := n.d.parser.component(name)
	switch {
	case !ok:
		return ""
	case s.label && s.forms&inline != 0:
		return ":" + name + "[…]"
	case s.forms&around == 0:
		return "::" + name + "[…]{…}"
	case s.label:
		return ":::" + name + "[…] to :::"
	}
	return ":::" + name + " to :::"
}
