package convert

import (
	"strings"
	"unicode"

	"vitrine/internal/lazyregexp"
)

// form distinguishes start tags, end tags, and other kinds of tags.
type form uint8

const (
	opening form = iota
	// Closing is an end tag.
	Closing
	// Alone is a tag without content, such as a void or self-closing tag.
	Alone
	// dropped is a comment, a doctype, or an XML declaration. The output omits such tags.
	dropped
	// expression is an MDX expression: "{…}".
	expression
)

// Attr is an attribute of a tag, or an argument of a shortcode. A positional argument has the name "".
type Attr struct {
	Name, Value string
	// code is true if the value is an expression that isn't constant.
	code bool
}

// Tag is an HTML tag, an MDX or Vue component, or a shortcode.
type Tag struct {
	Form form
	// Name is in lower case for HTML. The name of a shortcode starts with "{".
	Name  string
	Attrs []Attr
	// Raw is the original text.
	Raw string
	// at and size are the tag's position and length in bytes.
	at, size int
	// inner is the code of an expression, the replacement for an escaped shortcode, or the content of an element that
	// doesn't contain Markdown; see rawText.
	inner string
	// own is true if the tag is a component of the site instead of an HTML element.
	own bool
}

// Get returns the value of the first of the named attributes that the tag has, or "" if there is none. It ignores
// case, and skips values that are expressions.
func (t *Tag) Get(names ...string) string {
	for _, name := range names {
		for _, a := range t.Attrs {
			if strings.EqualFold(a.Name, name) && !a.code {
				return strings.TrimSpace(a.Value)
			}
		}
	}
	return ""
}

func (t *Tag) has(name string) bool { return t.Has(name) }

// Has reports whether the tag has the named attribute, ignoring case.
func (t *Tag) Has(name string) bool {
	for _, a := range t.Attrs {
		if strings.EqualFold(a.Name, name) {
			return true
		}
	}
	return false
}

// Argument returns the value of the first of the named attributes that the tag has. If the tag has none of them,
// Argument returns the positional argument n, counted from 0, or "" if there is none.
func (t *Tag) Argument(n int, names ...string) string {
	if v := t.Get(names...); v != "" {
		return v
	}
	for _, a := range t.Attrs {
		if a.Name == "" {
			if n == 0 {
				return a.Value
			}
			n--
		}
	}
	return ""
}

// token is a span of text, a span of code, or a tag.
type token struct {
	text string
	code bool
	tag  *Tag
}

// scanner splits text into tokens.
type scanner struct {
	c    *Converter
	text string
	out  []token
	from int
	f    *fences
	// open is the number of open HTML blocks. work is the number of opening braces found without an end.
	open, work int
}

// looksLikeTag matches text that Markdown reads as HTML, except for addresses in angle brackets.
var looksLikeTag = lazyregexp.New(`^<(?:[A-Za-z][A-Za-z0-9-]*(?:[\s/>]|$)|/[A-Za-z]|![A-Z\[]|\?)`)

// openBlocks updates the number of open HTML blocks after the tag t. In an HTML block, only some tools treat indented
// lines as code, and an indented line that starts with a tag is rarely intended as code.
func (s *scanner) openBlocks(t *Tag) {
	switch t.Form {
	case opening:
		s.open++
	case Closing:
		s.open = max(0, s.open-1)
	}
	s.f.plain = s.c.syntax.Mdx || s.open > 0 && s.c.syntax.HtmlBlocks
	s.f.html = s.open > 0
}

// scan splits text into plain text, code, and tags.
func (c *Converter) scan(text string) []token {
	s := &scanner{c: c, text: text}
	c.noEnd = map[string]bool{}
	f := NewFences(c.syntax.Mdx)
	s.f = f
	for i := 0; i < len(text); {
		if i == 0 || text[i-1] == '\n' {
			end := len(text)
			if n := strings.IndexByte(text[i:], '\n'); n >= 0 {
				end = i + n + 1
			}
			if f.Line(strings.TrimSuffix(text[i:end], "\n")) {
				s.take(i, end, true)
				i = end
				continue
			}
		}
		i = s.step(i)
	}
	s.take(len(text), len(text), false)
	return s.out
}

// take emits the pending text before from, and then s.text[from:end] as text or, if code is set, as code.
func (s *scanner) take(from, end int, code bool) {
	if s.from < from {
		s.out = append(s.out, token{text: s.text[s.from:from]})
	}
	if from < end {
		s.out = append(s.out, token{text: s.text[from:end], code: code})
	}
	s.from = end
}

func (s *scanner) tag(t *Tag, from, end int) int {
	s.take(from, from, false)
	t.at, t.size = from, end-from
	if t.Raw == "" {
		t.Raw = s.text[from:end]
	}
	s.out = append(s.out, token{tag: t})
	s.from = end
	return end
}

// step reads the token that starts at i and returns the next position.
func (s *scanner) step(i int) int {
	switch s.text[i] {
	case '\\':
		if i+1 < len(s.text) && s.text[i+1] != '\n' {
			return i + 2
		}
		return i + 1
	case '`':
		n := runOf(s.text[i:], '`')
		end := spanEnd(s.text[i+n:], n)
		if end < 0 {
			return i + n
		}
		s.take(i, i+n+end, true)
		return i + n + end
	case '<':
		if t, end := s.c.readTag(s.text, i); t != nil {
			if elements[t.Name] == block || strings.HasPrefix(t.Name, "{") {
				s.openBlocks(t)
			}
			return s.tag(t, i, end)
		}
		if looksLikeTag.MatchString(s.text[i:min(len(s.text), i+80)]) {
			// There is no element with this name, so the characters are text.
			s.take(i, i, false)
			s.out = append(s.out, token{text: `\<`})
			s.from = i + 1
		}
	case '{':
		if !s.c.syntax.Mdx || s.work > 1<<10 {
			break
		}
		end := balanced(s.text, i)
		if end < 0 {
			// Count the failed attempts to limit them, because each may scan the rest of the text.
			s.work++
		}
		if end > 0 && !strings.HasPrefix(s.text[i:], "{#") {
			return s.tag(&Tag{Form: expression, Name: "{}", inner: s.text[i+1 : end-1]}, i, end)
		}
	}
	return i + 1
}

// maxFailedTags is the maximum number of possible tags on a page that turn out to be text. The number is limited,
// because each attempt to read a tag may scan the rest of the page. After that number, all remaining tags are text.
const maxFailedTags = 1000

// readTag reads the tag that starts at i. It returns the tag and the position after the tag, or nil if there is no tag.
func (c *Converter) readTag(text string, i int) (*Tag, int) {
	rest := text[i:]
	switch {
	case strings.HasPrefix(rest, Mark):
		return c.readMark(text, i)
	case strings.HasPrefix(rest, "<!--"):
		if c.noEnd["<!--"] {
			return nil, 0
		}
		if end := strings.Index(rest[4:], "-->"); end >= 0 {
			return &Tag{Form: dropped}, i + 4 + end + 3
		}
		c.noEnd["<!--"] = true
		return nil, 0
	case strings.HasPrefix(rest, "<!DOCTYPE"), strings.HasPrefix(rest, "<!doctype"), strings.HasPrefix(rest, "<?xml"):
		if end := strings.IndexByte(rest, '>'); end >= 0 {
			return &Tag{Form: dropped}, i + end + 1
		}
		return nil, 0
	case c.syntax.Mdx && strings.HasPrefix(rest, "<>"):
		return &Tag{Name: "fragment", own: false}, i + 2
	case c.syntax.Mdx && strings.HasPrefix(rest, "</>"):
		return &Tag{Form: Closing, Name: "fragment"}, i + 3
	}
	t, j := &Tag{}, i+1
	if j < len(text) && text[j] == '/' {
		t.Form = Closing
		j++
	}
	from := j
	for j < len(text) && (isNameByte(text[j]) || j > from && strings.IndexByte("-.:_", text[j]) >= 0) {
		j++
	}
	name := text[from:j]
	if name == "" || strings.HasSuffix(name, ":") || !unicode.IsLetter(rune(name[0])) || strings.Contains(name, ":") && !c.syntax.Mdx && !c.syntax.Vue {
		return nil, 0
	}
	lower := strings.ToLower(name)
	switch known := elements[lower] != 0; {
	case c.syntax.Mdx && (unicode.IsUpper(rune(name[0])) || strings.Contains(name, ".")),
		c.syntax.Vue && !known, c.syntax.Vue && strings.Contains(name, "-"):
		t.Name, t.own = name, true
	case known || c.component(lower):
		t.Name = lower
	case c.syntax.Mdx, strings.Contains(name, "-"):
		t.Name, t.own = name, true
	default:
		return nil, 0
	}
	if j < len(text) && strings.IndexByte(" \t\n/>", text[j]) < 0 {
		return nil, 0
	}
	if c.failedTags > maxFailedTags {
		return nil, 0
	}
	end := c.readAttrs(t, text, j)
	if end < 0 {
		c.failedTags++
		return nil, 0
	}
	if t.Form == opening && (elements[t.Name] == void || strings.HasSuffix(text[:end], "/>")) {
		t.Form = Alone
	}
	if t.Form == opening && rawText(t.Name) && !t.own && !(c.syntax.Vue && t.Name == "template") {
		return c.readInner(t, text, end)
	}
	return t, end
}
