package migrate

import (
	"regexp"
	"strings"
	"unicode"
)

// form is what a tag is in its text.
type form uint8

const (
	opening form = iota
	closing
	// alone is a tag that nothing stands in.
	alone
	// dropped is a comment.
	dropped
	// expression is "{…}" of MDX.
	expression
)

// attr is an attribute of a tag, or an argument of a shortcode; an argument without a
// name has the name "".
type attr struct {
	name, value string
	// code says that the value is an expression that is not a constant.
	code bool
}

// tag is a tag of HTML, a component of MDX or Vue, or a shortcode: what stands for more
// than its characters.
type tag struct {
	form form
	// name is in lower case for HTML; a shortcode's begins with "{".
	name  string
	attrs []attr
	// raw is as it was written, at and size its place in the text.
	raw      string
	at, size int
	// inner is what stands between a tag and its end where that is no Markdown:
	// in <pre>, <code>, <script> and <style>.
	inner string
	// own says that the tag is a component of the site's, no element of HTML.
	own bool
}

// get returns an attribute's value; names differ in case.
func (t *tag) get(names ...string) string {
	for _, name := range names {
		for _, a := range t.attrs {
			if strings.EqualFold(a.name, name) && !a.code {
				return strings.TrimSpace(a.value)
			}
		}
	}
	return ""
}

// has reports whether an attribute is there.
func (t *tag) has(name string) bool {
	for _, a := range t.attrs {
		if strings.EqualFold(a.name, name) {
			return true
		}
	}
	return false
}

// argument is the attribute of a name, else the nth that has none.
func (t *tag) argument(n int, names ...string) string {
	if v := t.get(names...); v != "" {
		return v
	}
	for _, a := range t.attrs {
		if a.name == "" {
			if n == 0 {
				return a.value
			}
			n--
		}
	}
	return ""
}

// token is a stretch of text, or a tag.
type token struct {
	text string
	code bool
	tag  *tag
}

// scanner cuts a text into tokens.
type scanner struct {
	c    *conv
	text string
	out  []token
	from int
	f    *fences
	// open is how many blocks of HTML are open, work how many braces had no end.
	open, work int
}

// looksLikeTag is what Markdown takes for HTML, and no address in angle brackets.
var looksLikeTag = regexp.MustCompile(`^<(?:[A-Za-z][A-Za-z0-9-]*(?:[\s/>]|$)|/[A-Za-z]|![A-Z\[]|\?)`)

// openBlocks follows the blocks in which some tools know no code by indentation, and in
// which a line that begins with a tag is hardly ever meant as code.
func (s *scanner) openBlocks(t *tag) {
	switch t.form {
	case opening:
		s.open++
	case closing:
		s.open = max(0, s.open-1)
	}
	s.f.plain = s.c.syntax.mdx || s.open > 0 && s.c.syntax.htmlBlocks
	s.f.html = s.open > 0
}

// scan cuts a text into text, code and tags.
func (c *conv) scan(text string) []token {
	s := &scanner{c: c, text: text}
	c.noEnd = map[string]bool{}
	f := newFences(c.syntax.mdx)
	s.f = f
	for i := 0; i < len(text); {
		if i == 0 || text[i-1] == '\n' {
			end := len(text)
			if n := strings.IndexByte(text[i:], '\n'); n >= 0 {
				end = i + n + 1
			}
			if f.line(strings.TrimSuffix(text[i:end], "\n")) {
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

// take emits what stands before from as text, and from to end as code.
func (s *scanner) take(from, end int, code bool) {
	if s.from < from {
		s.out = append(s.out, token{text: s.text[s.from:from]})
	}
	if from < end {
		s.out = append(s.out, token{text: s.text[from:end], code: code})
	}
	s.from = end
}

func (s *scanner) tag(t *tag, from, end int) int {
	s.take(from, from, false)
	t.at, t.size = from, end-from
	if t.raw == "" {
		t.raw = s.text[from:end]
	}
	s.out = append(s.out, token{tag: t})
	s.from = end
	return end
}

// step reads what begins at i and returns what is next.
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
			if elements[t.name] == block || strings.HasPrefix(t.name, "{") {
				s.openBlocks(t)
			}
			return s.tag(t, i, end)
		}
		if looksLikeTag.MatchString(s.text[i:min(len(s.text), i+80)]) {
			// No element has that name: the author meant the characters.
			s.take(i, i, false)
			s.out = append(s.out, token{text: `\<`})
			s.from = i + 1
		}
	case '{':
		if !s.c.syntax.mdx || s.work > 1<<10 {
			break
		}
		end := balanced(s.text, i)
		if end < 0 {
			// Each try may read far.
			s.work++
		}
		if end > 0 && !strings.HasPrefix(s.text[i:], "{#") {
			return s.tag(&tag{form: expression, name: "{}", inner: s.text[i+1 : end-1]}, i, end)
		}
	}
	return i + 1
}

// maxFailedTags is how many beginnings of tags of a page may turn out to be none: each
// may be read far.
const maxFailedTags = 1000

// readTag reads a tag that begins at i; nil where there is none.
func (c *conv) readTag(text string, i int) (*tag, int) {
	rest := text[i:]
	switch {
	case strings.HasPrefix(rest, mark):
		return c.readMark(text, i)
	case strings.HasPrefix(rest, "<!--"):
		if c.noEnd["<!--"] {
			return nil, 0
		}
		if end := strings.Index(rest[4:], "-->"); end >= 0 {
			return &tag{form: dropped}, i + 4 + end + 3
		}
		c.noEnd["<!--"] = true
		return nil, 0
	case strings.HasPrefix(rest, "<!DOCTYPE"), strings.HasPrefix(rest, "<!doctype"), strings.HasPrefix(rest, "<?xml"):
		if end := strings.IndexByte(rest, '>'); end >= 0 {
			return &tag{form: dropped}, i + end + 1
		}
		return nil, 0
	case c.syntax.mdx && strings.HasPrefix(rest, "<>"):
		return &tag{name: "fragment", own: false}, i + 2
	case c.syntax.mdx && strings.HasPrefix(rest, "</>"):
		return &tag{form: closing, name: "fragment"}, i + 3
	}
	t, j := &tag{}, i+1
	if j < len(text) && text[j] == '/' {
		t.form = closing
		j++
	}
	from := j
	for j < len(text) && (isNameByte(text[j]) || j > from && strings.IndexByte("-.:_", text[j]) >= 0) {
		j++
	}
	name := text[from:j]
	if name == "" || strings.HasSuffix(name, ":") || !unicode.IsLetter(rune(name[0])) || strings.Contains(name, ":") && !c.syntax.mdx && !c.syntax.vue {
		return nil, 0
	}
	lower := strings.ToLower(name)
	switch known := elements[lower] != 0; {
	case c.syntax.mdx && (unicode.IsUpper(rune(name[0])) || strings.Contains(name, ".")),
		c.syntax.vue && !known, c.syntax.vue && strings.Contains(name, "-"):
		t.name, t.own = name, true
	case known || c.component(lower):
		t.name = lower
	case c.syntax.mdx, strings.Contains(name, "-"):
		t.name, t.own = name, true
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
	if t.form == opening && (elements[t.name] == void || strings.HasSuffix(text[:end], "/>")) {
		t.form = alone
	}
	if t.form == opening && rawText(t.name) && !t.own {
		return c.readInner(t, text, end)
	}
	return t, end
}
