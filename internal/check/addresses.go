package check

import (
	"bytes"
	"encoding/json"
	"html"
	"strings"
)

// each calls one for every URL in text that is under the site's base URL. ref is the URL without JSON and XML escapes,
// and at is the byte offset of the URL in text. If begins isn't nil, each calls begins with the text before a URL, and
// skips the URL if the result is false.
func (o *outputs) each(text []byte, begins func(before []byte) bool, one func(ref []byte, at int)) {
	for at := 0; len(o.mark) > 0; {
		n := bytes.Index(text[at:], o.mark)
		if n < 0 {
			return
		}
		at += n + len(o.mark)
		i := at - len(o.base)
		if i < 0 || string(text[i:at]) != o.base {
			continue
		}
		if begins != nil && !begins(text[:i]) {
			continue
		}
		if ref, ok := o.plain(text[i : at+addressLength(text[at:])]); ok {
			one(ref, i)
		}
	}
}

// addressLength returns the length in bytes of the URL at the start of text. The URL ends before a quotation mark, an
// angle bracket, white space, or a closing parenthesis.
func addressLength(text []byte) int {
	for i, c := range text {
		switch c {
		case '"', '<', '>', ' ', '\t', '\n', ')':
			return i
		}
	}
	return len(text)
}

// plain returns the URL ref without JSON and XML escapes. ok is false if ref starts with the base URL but isn't under
// it, for example because the host of ref is longer.
func (o *outputs) plain(ref []byte) (plain []byte, ok bool) {
	if quote := bytes.Index(ref, []byte("&#34;")); quote >= 0 {
		ref = ref[:quote]
	}
	if bytes.IndexByte(ref, '\\') >= 0 {
		var text string
		ref = bytes.TrimSuffix(ref, []byte(`\`))
		if json.Unmarshal([]byte(`"`+string(ref)+`"`), &text) == nil {
			ref = []byte(text)
		}
	}
	for bytes.IndexByte(ref, '&') >= 0 {
		unescaped := html.UnescapeString(string(ref))
		if unescaped == string(ref) {
			break
		}
		ref = []byte(unescaped)
	}
	rest := ref[min(len(o.base), len(ref)):]
	return ref, len(rest) == 0 || strings.IndexByte("/?#", rest[0]) >= 0
}

// beginsValue reports whether a JSON or XML value, or an HTML attribute in such a value, starts immediately after the
// text in before.
func beginsValue(before []byte) bool {
	for _, mark := range [...]string{`=\"`, `=&#34;`, `="`} {
		if bytes.HasSuffix(before, []byte(mark)) {
			return true
		}
	}
	return bytes.HasSuffix(before, []byte(`"`)) && !bytes.HasSuffix(before, []byte(`\"`)) || bytes.HasSuffix(before, []byte(">")) && !inCode(before)
}

// inCode reports whether before ends with the start tag of a code or pre element. A URL after such a tag isn't a link.
func inCode(before []byte) bool {
	at := bytes.LastIndexByte(before, '<')
	return at >= 0 && (bytes.HasPrefix(before[at:], []byte("<code")) || bytes.HasPrefix(before[at:], []byte("<pre")))
}

// markdown calls one for each apparent link in Markdown or in plain text such as llms.txt, even for a link in code. ref
// is the link's destination, and at is the byte offset of ref in text.
func (c *Checker) markdown(text []byte, one func(ref []byte, at int)) {
	c.outputs.each(text, beginsLink, one)
	// Also find links without the base URL, which a template may write.
	mark := []byte("](/")
	for at := 0; ; {
		i := bytes.Index(text[at:], mark)
		if i < 0 {
			return
		}
		at += i + len(mark) - 1
		if at > 2 && text[at-3] == '\\' {
			continue // the bracket is escaped
		}
		end := at + addressLength(text[at:])
		if rest := text[end:]; len(rest) > 1 && rest[0] == ' ' && bytes.IndexByte([]byte("\"'("), rest[1]) < 0 {
			continue // no title follows, so it is not a link
		}
		one(text[at:end], at)
	}
}

// beginsLink reports whether the destination of a Markdown link starts immediately after the text in before: in
// parentheses or angle brackets, after a colon, or as a list item.
func beginsLink(before []byte) bool {
	n := len(before)
	if n < 2 {
		return false
	}
	switch last := before[n-1]; last {
	case '<':
		return true
	case '(':
		return before[n-2] == ']'
	case ' ':
		return before[n-2] == ':' || before[n-2] == '-'
	}
	return false
}
