// Package markup reads the attributes and addresses (URLs) in finished HTML, the addresses in CSS, and the lines of
// Markdown twins. It reads tags as browsers do (HTML, "Tokenization") without building a tree. Its tests compare it
// with golang.org/x/net/html, which takes about eight times as long.
package markup

import "bytes"

// Attr is an attribute of a start tag. It is valid only until the function that receives it returns.
type Attr struct {
	// Tag and Name are in lower case.
	Tag, Name []byte
	// Start is the offset of the tag. It distinguishes adjacent tags with the same name.
	Start int
	// Of is the value of a meta element's name, property, itemprop, or http-equiv attribute if it precedes this
	// attribute. Otherwise, it is nil.
	Of []byte
	// Value is the value without its quotes. Its character references aren't resolved.
	Value []byte
	// At is the offset of Value.
	At int
	// Quote is the quotation mark around the value, or 0 for an unquoted value.
	Quote byte
}

// Each calls do for the attributes of all start tags, in order. Unlike a browser, Each also calls do for repeated
// attributes and for the attributes of an unfinished tag at the end. It skips comments and the content of elements that
// can't contain tags, such as scripts, styles, titles, and text areas.
func Each(html []byte, do func(*Attr)) { scan(html, do, nil) }

// EachAndStyles is like Each, but also calls style with the offsets of the content of style elements.
func EachAndStyles(html []byte, do func(*Attr), style func(begin, end int)) { scan(html, do, style) }

// Classes of bytes in a tag.
const (
	space = 1 << iota
	endsName
	endsAttribute
	endsValue
	upper
)

var class = func() (of [256]byte) {
	for _, c := range []byte(" \t\n\r\f") {
		of[c] = space | endsName | endsAttribute | endsValue
	}
	of['/'], of['>'], of['='] = endsName|endsAttribute, endsName|endsAttribute|endsValue, endsAttribute
	for c := 'A'; c <= 'Z'; c++ {
		of[c] = upper
	}
	return of
}()

func isSpace(c byte) bool  { return class[c]&space != 0 }
func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// scanner reads the tags of an HTML document.
type scanner struct {
	text []byte
	attr Attr
	do   func(*Attr)
	// tag and name are buffers for converting names with capitals to lower case.
	tag, name []byte
}

// scan calls do for each attribute of a start tag. If style isn't nil, scan calls it with the offsets of the content of
// each style element.
func scan(text []byte, do func(*Attr), style func(begin, end int)) {
	s := scanner{text: text, do: do}
	for at := 0; ; {
		next := bytes.IndexByte(text[at:], '<')
		if at += next + 1; next < 0 || at == len(text) {
			return
		}
		switch c := text[at]; {
		case isLetter(c):
			at = s.tagEnd(at, true)
			if end := s.rawEnd(at); end > at {
				if style != nil && string(s.attr.Tag) == "style" {
					style(at, end)
				}
				at = end
			}
		case c == '!':
			at = declarationEnd(text, at)
		case c == '/' && at+1 < len(text) && isLetter(text[at+1]):
			at = s.tagEnd(at+1, false)
		case c == '/', c == '?':
			at = after(text, at, ">")
		}
	}
}

// tagEnd reads the tag whose name starts at offset at, and returns its end offset. starts reports whether it is a start
// tag.
func (s *scanner) tagEnd(at int, starts bool) int {
	text := s.text
	begin, caps := at, byte(0)
	for ; at < len(text) && class[text[at]]&endsName == 0; at++ {
		caps |= class[text[at]]
	}
	s.attr.Tag, s.attr.Start, s.attr.Of = lower(text[begin:at], &s.tag, caps), begin-1, nil
	for {
		for at < len(text) && (isSpace(text[at]) || text[at] == '/') {
			at++
		}
		if at == len(text) {
			return at
		}
		if text[at] == '>' {
			return at + 1
		}
		if at = s.attribute(at); starts {
			s.do(&s.attr)
			s.describe()
		}
	}
}

// attribute reads the attribute that starts at offset at into s.attr, and returns its end offset.
func (s *scanner) attribute(at int) int {
	text, a := s.text, &s.attr
	begin, caps := at, class[text[at]]
	// An equals sign at the beginning is part of the name.
	for at++; at < len(text) && class[text[at]]&endsAttribute == 0; at++ {
		caps |= class[text[at]]
	}
	a.Name = lower(text[begin:at], &s.name, caps)
	a.Value, a.At, a.Quote = nil, at, 0
	at = skipSpace(text, at)
	if at == len(text) || text[at] != '=' {
		return at
	}
	at = skipSpace(text, at+1)
	if a.At = at; at == len(text) {
		return at
	}
	if c := text[at]; c == '"' || c == '\'' {
		a.Quote, a.At = c, at+1
		length := bytes.IndexByte(text[at+1:], c)
		if length < 0 {
			a.Value = text[at+1:]
			return len(text)
		}
		a.Value = text[at+1 : at+1+length]
		return at + 2 + length
	}
	begin = at
	for at < len(text) && class[text[at]]&endsValue == 0 {
		at++
	}
	a.Value = text[begin:at]
	return at
}

// describe sets Of to the current value if the current attribute of a meta element, such as name, determines the
// meaning of the content attribute that follows.
func (s *scanner) describe() {
	if a := &s.attr; string(a.Tag) == "meta" {
		switch string(a.Name) {
		case "name", "property", "itemprop", "http-equiv":
			a.Of = a.Value
		}
	}
}

// lower returns name in lower case. caps is the union of the classes of name's bytes. If name contains capitals, the
// result uses the buffer room. Otherwise, the result is name itself.
func lower(name []byte, room *[]byte, caps byte) []byte {
	if caps&upper == 0 {
		return name
	}
	*room = (*room)[:0]
	for _, c := range name {
		if class[c]&upper != 0 {
			c |= 0x20
		}
		*room = append(*room, c)
	}
	return *room
}

func skipSpace(text []byte, at int) int {
	for at < len(text) && isSpace(text[at]) {
		at++
	}
	return at
}

// after returns the offset after the next mark in text[at:], or len(text) if there is none.
func after(text []byte, at int, mark string) int {
	if i := bytes.Index(text[at:], []byte(mark)); i >= 0 {
		return at + i + len(mark)
	}
	return len(text)
}
