package markdown

import (
	"bytes"
	"html"
	"strings"

	"github.com/yuin/goldmark/util"

	"vitrine/internal/rule"
)

// This file parses HTML tags the way browsers do. rawhtml.go turns the tags into elements.

// scanner reads HTML tag by tag.
type scanner struct {
	text []byte
	i    int
	// place converts an index in text to an offset in the body.
	place func(int) int
	// noQuote[0] reports whether the rest of the text is known to contain no double quote, and noQuote[1] reports the
	// same for single quotes. Without them, each open quote would cause a search of the rest.
	noQuote [2]bool
}

// skipText skips to the next tag and reports whether there was text before it.
func (s *scanner) skipText() bool {
	start := s.i
	for s.i < len(s.text) {
		next := bytes.IndexByte(s.text[s.i:], '<')
		if next < 0 {
			s.i = len(s.text)
			break
		}
		s.i += next
		if s.i+1 < len(s.text) && (isLetter(s.text[s.i+1]) || strings.IndexByte("/!?", s.text[s.i+1]) >= 0) {
			break
		}
		s.i++
	}
	return s.i > start
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// token reads the construct that starts at the "<" at s.i. It adds a tag to the tree, skips a comment, and reports
// other markup.
func (n *normalizer) token(s *scanner, tree *treeBuilder) {
	start, rest := s.i, s.text[s.i:]
	skip := func(end string) {
		if i := bytes.Index(rest, []byte(end)); i >= 0 {
			s.i += i + len(end)
		} else {
			s.i = len(s.text)
		}
	}
	switch {
	case bytes.HasPrefix(rest, []byte("<!-->")), bytes.HasPrefix(rest, []byte("<!--->")):
		skip(">")
	case bytes.HasPrefix(rest, []byte("<!--")):
		skip("-->")
	case bytes.HasPrefix(rest, []byte("<?")), bytes.HasPrefix(rest, []byte("<!")):
		end := ">"
		if bytes.HasPrefix(rest, []byte("<![CDATA[")) {
			end = "]]>"
		} else if rest[1] == '?' {
			end = "?>"
		}
		skip(end)
		// Browsers treat the construct as a comment.
		n.d.problem(s.place(start), warningSeverity, rule.LostHTML, "this markup is dropped, like a comment; remove it, or write \\< for a literal <")
	default:
		n.readTag(s, tree)
	}
}

// readTag reads a tag. If the tag is incomplete or invalid, it reports the tag and treats the "<" as text.
func (n *normalizer) readTag(s *scanner, tree *treeBuilder) {
	start := s.i
	e, closes, selfClosing := s.tag()
	if e == nil {
		s.i = start + 1
		n.htmlProblem(s.place(start), "this tag is incomplete; write \\< or &lt; for a literal <")
		tree.add(htmlText{"<", s.place(start)})
		return
	}
	if closes {
		tree.end(e.tag, e.written, e.at)
		return
	}
	if tree.start(e, selfClosing); isRawText(e.tag) && !selfClosing {
		// Skip the element's content, which isn't HTML.
		for s.i < len(s.text) && !s.endsTag(e.tag) {
			s.i++
		}
	}
}

// isRawText reports whether the content of an element is plain text, in which browsers ignore tags.
func isRawText(tag string) bool { return tag == "script" || tag == "style" || tag == "textarea" }

// endsTag reports whether an end tag called tag starts at the current position.
func (s *scanner) endsTag(tag string) bool {
	rest := s.text[s.i:]
	return len(rest) >= len(tag)+2 && rest[0] == '<' && rest[1] == '/' && strings.EqualFold(string(rest[2:2+len(tag)]), tag)
}

// tag reads a tag. e is nil if the tag is incomplete or invalid. closes reports whether the tag is an end tag, and
// selfClosing reports whether the tag contains a "/", as in <br/>.
func (s *scanner) tag() (e *element, closes, selfClosing bool) {
	start := s.i
	s.i++
	if s.i < len(s.text) && s.text[s.i] == '/' {
		closes = true
		s.i++
	}
	name := s.i
	for s.i < len(s.text) && (isLetter(s.text[s.i]) || s.i > name && (util.IsNumeric(s.text[s.i]) || strings.IndexByte("-.:", s.text[s.i]) >= 0)) {
		s.i++
	}
	if s.i == name {
		return nil, false, false
	}
	written := string(s.text[name:s.i])
	e = &element{tag: strings.ToLower(written), written: written, at: s.place(start)}
	for {
		s.space()
		switch {
		case s.i >= len(s.text):
			return nil, false, false
		case s.text[s.i] == '>':
			s.i++
			return e, closes, selfClosing
		case s.text[s.i] == '/':
			selfClosing = true
			s.i++
			continue
		}
		if !s.attribute(e) {
			return nil, false, false
		}
	}
}

func (s *scanner) space() {
	for s.i < len(s.text) && util.IsSpace(s.text[s.i]) {
		s.i++
	}
}

// attribute reads one attribute of a tag. It returns false if the attribute is invalid or the tag exceeds maxAttributes.
func (s *scanner) attribute(e *element) bool {
	start := s.i
	for s.i < len(s.text) && !util.IsSpace(s.text[s.i]) && strings.IndexByte("\"'<>/={}`", s.text[s.i]) < 0 {
		s.i++
	}
	if s.i == start || len(e.attributes) > maxAttributes {
		return false
	}
	a := attribute{name: strings.ToLower(string(s.text[start:s.i])), at: s.place(start)}
	s.space()
	if s.i < len(s.text) && s.text[s.i] == '=' {
		s.i++
		s.space()
		value, ok := s.value()
		if !ok {
			return false
		}
		a.value = string(clean([]byte(html.UnescapeString(string(value)))))
	}
	if _, twice := attributeOf(e.attributes, a.name); !twice {
		e.attributes = append(e.attributes, a)
	}
	return true
}

// value reads an attribute's value, with or without quotes. ok is false if the value is empty without quotes, or if its
// closing quote is missing.
func (s *scanner) value() (value []byte, ok bool) {
	if s.i >= len(s.text) {
		return nil, false
	}
	quote := s.text[s.i]
	if quote != '"' && quote != '\'' {
		start := s.i
		for s.i < len(s.text) && !util.IsSpace(s.text[s.i]) && strings.IndexByte("\"'<>=`{", s.text[s.i]) < 0 {
			s.i++
		}
		return s.text[start:s.i], s.i > start
	}
	kind := 0
	if quote == '\'' {
		kind = 1
	}
	if s.noQuote[kind] {
		return nil, false
	}
	end := bytes.IndexByte(s.text[s.i+1:], quote)
	if end < 0 {
		s.noQuote[kind] = true
		return nil, false
	}
	value = s.text[s.i+1 : s.i+1+end]
	s.i += end + 2
	return value, true
}
