package markdown

import (
	"bytes"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// Bare addresses become links as GitHub's specification requires (§6.9). Details that the specification leaves open
// follow cmark-gfm: any character except a space and "<" continues an address, and trailing punctuation belongs to the
// sentence. Goldmark's extension for bare addresses isn't used, because it supports only ASCII and ends addresses at
// other characters.

// addresses is the inline parser for web addresses. Its triggers are the ":" of "http://" and the "." of "www.", which
// are rarer than the starts of words. The parser removes the scheme or "www" before the trigger from the preceding text
// node.
type addresses struct{}

// Trigger implements parser.InlineParser.
func (addresses) Trigger() []byte { return []byte{':', '.'} }

// Parse implements parser.InlineParser.
func (addresses) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
	line, segment := block.PeekLine()
	before, ok := parent.LastChild().(*ast.Text)
	if !ok || segment.Padding != 0 || len(line) < 2 || before.Segment.Stop != segment.Start || before.SoftLineBreak() || before.HardLineBreak() || pc.IsInLinkLabel() {
		return nil
	}
	source := block.Source()
	word := before.Segment.Value(source)
	width := 0
	switch {
	case line[0] == ':':
		width = schemeAtEnd(word)
	case bytes.HasSuffix(word, []byte("www")):
		if width = len("www"); len(word) == width && before.PreviousSibling() != nil {
			// The character before "www" determines whether a link may start, unless a line break precedes "www".
			if soft, hard := lineBreak(before.PreviousSibling()); !soft && !hard && !mayPrecede(source[segment.Start-width-1]) {
				return nil
			}
		} else if len(word) > width && !mayPrecede(word[len(word)-width-1]) {
			return nil
		}
	}
	start := segment.Start - width
	length := webAddress(source[start:segment.Stop])
	if width == 0 || length <= width {
		return nil
	}
	if before.Segment = before.Segment.WithStop(start); before.Segment.IsEmpty() {
		parent.RemoveChild(parent, before)
	}
	block.Advance(length - width)
	return newAddress(ast.AutoLinkURL, source, start, length)
}

// afterMarkup is the inline parser for bare addresses on pages where a bare address can only follow "(". There, the
// address looks like the destination of a link, but goldmark reads it as text.
type afterMarkup struct{}

// Trigger implements parser.InlineParser.
func (afterMarkup) Trigger() []byte { return []byte{'('} }

// Parse implements parser.InlineParser.
func (afterMarkup) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
	line, segment := block.PeekLine()
	if segment.Padding != 0 || pc.IsInLinkLabel() {
		return nil
	}
	length := webAddress(line[1:])
	if length == 0 {
		return nil
	}
	ast.MergeOrAppendTextSegment(parent, segment.WithStop(segment.Start+1))
	block.Advance(1 + length)
	return newAddress(ast.AutoLinkURL, block.Source(), segment.Start+1, length)
}

func newAddress(kind ast.AutoLinkType, source []byte, start, length int) *ast.AutoLink {
	link := ast.NewAutoLink(kind, ast.NewTextSegment(text.NewSegment(start, start+length)))
	link.SetPos(start)
	if source[start] == 'w' && kind == ast.AutoLinkURL {
		link.Protocol = []byte("http")
	}
	return link
}

// mayPrecede reports whether c may precede an address that starts with "www.".
func mayPrecede(c byte) bool {
	return util.IsSpace(c) || c == '*' || c == '_' || c == '~' || c == '('
}

// schemeAtEnd returns the length of "http", "https", or "ftp" at the end of text. It returns 0 if text doesn't end with
// a scheme, or if a letter precedes the scheme.
func schemeAtEnd(text []byte) int {
	for _, scheme := range [...]string{"https", "http", "ftp"} {
		if n := len(text) - len(scheme); n >= 0 && bytes.EqualFold(text[n:], []byte(scheme)) && (n == 0 || !isLetter(text[n-1])) {
			return len(scheme)
		}
	}
	return 0
}

// webAddress returns the length of the bare web address at the start of text, or 0 if text doesn't start with one.
func webAddress(text []byte) int {
	domain, short := 0, false
	if bytes.HasPrefix(text, []byte("www.")) {
		if len(text) == len("www.") || hostCharacter(text[len("www."):]) == 0 {
			return 0
		}
	} else {
		colon := bytes.IndexByte(text[:min(len(text), len("https:"))], ':')
		if colon < 0 || !bytes.HasPrefix(text[colon:], []byte("://")) || schemeAtEnd(text[:colon]) != colon {
			return 0
		}
		domain, short = colon+len("://"), true
		if hostCharacter(text[domain:]) == 0 {
			return 0
		}
	}
	length := domainLength(text[domain:], short)
	if length == 0 {
		return 0
	}
	end := domain + length
	for end < len(text) && text[end] != '<' && !util.IsSpace(text[end]) {
		end++
	}
	return trimAddress(text[:end])
}

// hostCharacter returns the length in bytes of the first character of text, or 0 if a host name can't contain it.
func hostCharacter(text []byte) int {
	r, size := utf8.DecodeRune(text)
	if size == 0 || util.IsSpaceRune(r) || util.IsPunctRune(r) && r < utf8.RuneSelf {
		return 0
	}
	return size
}

// domainLength returns the length of the domain at the start of text. It returns 0 for a domain with a "_" in one of
// the last two labels. Unless short is set, it also returns 0 for a domain without a period.
func domainLength(text []byte, short bool) int {
	periods, marks, lastMarks, i := 0, 0, 0, 0
loop:
	for i < len(text) {
		switch c := text[i]; {
		case c == '_':
			marks++
			i++
		case c == '.':
			lastMarks, marks = marks, 0
			periods++
			i++
		case c == '-':
			i++
		default:
			size := hostCharacter(text[i:])
			if size == 0 {
				break loop
			}
			i += size
		}
	}
	// Like cmark-gfm, accept a "_" in domains with more than ten periods.
	if marks+lastMarks > 0 && periods <= 10 || periods == 0 && !short {
		return 0
	}
	return i
}

// trimAddress returns the length of the address in text without the trailing characters that belong to the sentence:
// punctuation, a ")" without a "(" in the address, and a character reference such as "&copy;".
func trimAddress(text []byte) int {
	open, closed := bytes.Count(text, []byte{'('}), bytes.Count(text, []byte{')'})
	end := len(text)
	for end > 0 {
		switch c := text[end-1]; c {
		case '?', '!', '.', ',', ':', '*', '_', '~', '\'', '"':
		case ')':
			if closed <= open {
				return end
			}
			closed--
		case ';':
			name := end - 1
			for name > 0 && isLetter(text[name-1]) {
				name--
			}
			if name > 0 && name < end-1 && text[name-1] == '&' {
				end = name
			}
		default:
			return end
		}
		end--
	}
	return 0
}

// mailAddresses turns the e-mail addresses in first and in the text nodes that directly follow it into links. It runs
// after goldmark has parsed the inline syntax, because an address may contain "_". It returns the first node after
// these text nodes, or nil if there is none.
func (n *normalizer) mailAddresses(parent ast.Node, first *ast.Text) ast.Node {
	last := first
	for !last.SoftLineBreak() && !last.HardLineBreak() {
		next, ok := last.NextSibling().(*ast.Text)
		if !ok || next.Segment.Start != last.Segment.Stop || next.IsRaw() {
			break
		}
		last = next
	}
	next := last.NextSibling()
	start, stop := first.Segment.Start, last.Segment.Stop
	if bytes.IndexByte(n.d.body[start:stop], '@') < 0 {
		return next
	}
	for from := start; from < stop; {
		at := bytes.IndexByte(n.d.body[from:stop], '@')
		if at < 0 {
			break
		}
		at += from
		from = at + 1
		begin, end := mailAddress(n.d.body[start:stop], at-start)
		if end == 0 {
			continue
		}
		if start < start+begin {
			parent.InsertBefore(parent, first, ast.NewTextSegment(text.NewSegment(start, start+begin)))
		}
		kind := ast.AutoLinkType(ast.AutoLinkEmail)
		if begin < at-start && bytes.HasPrefix(n.d.body[start+begin:], []byte("mailto:")) {
			kind = ast.AutoLinkURL
		}
		link := newAddress(kind, n.d.body, start+begin, end-begin)
		parent.InsertBefore(parent, first, link)
		n.autoLink(link)
		start += end
		from = start
	}
	if start == first.Segment.Start {
		return next
	}
	// For the text after the last link, keep only the last node, which may have a line break.
	for first != last {
		was := first
		first = first.NextSibling().(*ast.Text)
		parent.RemoveChild(parent, was)
	}
	if last.Segment = text.NewSegment(start, stop); last.Segment.IsEmpty() && !last.SoftLineBreak() && !last.HardLineBreak() {
		parent.RemoveChild(parent, last)
	}
	return next
}

// mailAddress returns the start and the end of the e-mail address whose "@" is at text[at]. If the "@" isn't part of an
// address, end is 0.
func mailAddress(text []byte, at int) (begin, end int) {
	begin = at
	for begin > 0 && mailCharacter(text[begin-1]) {
		begin--
	}
	if begin == at || begin > 0 && text[begin-1] == '\\' && util.IsPunct(text[begin]) {
		// An escaped character isn't part of an address.
		return 0, 0
	}
	if before := text[:begin]; bytes.HasSuffix(before, []byte("mailto:")) && (len(before) == len("mailto:") || !isLetter(before[len(before)-len("mailto:")-1])) {
		begin -= len("mailto:")
	} else if bytes.HasSuffix(before, []byte("xmpp:")) {
		return 0, 0
	}
	periods := 0
	for end = at + 1; end < len(text); end++ {
		c := text[end]
		if c == '@' {
			return 0, 0
		}
		if c == '.' && end+1 < len(text) && util.IsAlphaNumeric(text[end+1]) {
			periods++
		} else if !util.IsAlphaNumeric(c) && c != '-' && c != '_' {
			break
		}
	}
	if periods == 0 || !isLetter(text[end-1]) {
		return 0, 0
	}
	return begin, end
}

// mailCharacter reports whether c is allowed before the "@" of an address.
func mailCharacter(c byte) bool {
	return util.IsAlphaNumeric(c) || c == '.' || c == '+' || c == '-' || c == '_'
}
