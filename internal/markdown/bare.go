package markdown

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// Goldmark looks for a bare address, such as www.parley.example, at the
// beginning of every word, which is a good part of what a page costs. Most
// pages have none, and a look at the bytes tells: for them there is a second
// parser, which looks only behind the characters that are markup elsewhere.

// afterMarkup is the parser of bare addresses without those that begin a word.
type afterMarkup struct {
	parser.InlineParser
}

// Trigger implements parser.InlineParser.
func (afterMarkup) Trigger() []byte { return []byte{'*', '_', '~', '('} }

// Parse implements parser.InlineParser.
func (p afterMarkup) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
	if line, _ := block.PeekLine(); len(line) < 2 || !beginsAddress(line[1:]) {
		return nil
	}
	return p.InlineParser.Parse(parent, block, pc)
}

// beginsAddress reports whether a text begins as the addresses do that are
// left to afterMarkup.
func beginsAddress(text []byte) bool {
	switch text[0] {
	case 'h', 'f', 'w':
		return true
	}
	return false
}

// mayHaveBareLinks reports whether goldmark could find a bare address at the
// beginning of a word, or after a construct. It also says so of bodies whose
// lines end in white space that goldmark keeps where it looks for addresses, or
// in a backslash that it takes to escape what the next line begins with.
func mayHaveBareLinks(body []byte) bool {
	if bytes.IndexByte(body, '@') >= 0 || oddLineEnds(body) || bytes.Contains(body, []byte("\\\\\\\n")) {
		return true
	}
	for from := 0; ; {
		i := bytes.Index(body[from:], []byte("://"))
		if i < 0 {
			break
		}
		i += from
		for _, scheme := range [...]string{"http", "https", "ftp"} {
			if bytes.HasSuffix(body[:i], []byte(scheme)) && !isDestination(body[:i-len(scheme)]) {
				return true
			}
		}
		from = i + 3
	}
	for from := 0; ; {
		i := bytes.Index(body[from:], []byte("www."))
		if i < 0 {
			return false
		}
		i += from
		if !isDestination(body[:i]) {
			return true
		}
		from = i + 4
	}
}

// isDestination reports whether what follows is a link's destination; where it
// is none after all, afterMarkup looks at it.
func isDestination(before []byte) bool {
	return bytes.HasSuffix(before, []byte("]("))
}

// oddLineEnds reports whether a line ends in more white space than a hard line
// break has, or in a tab.
func oddLineEnds(body []byte) bool {
	for from := 0; ; {
		i := bytes.IndexByte(body[from:], '\n')
		if i < 0 {
			i = len(body) - from
		}
		line := body[from : from+i]
		if n := len(line); n > 0 && (line[n-1] == '\t' || line[n-1] == ' ') {
			trimmed := bytes.TrimRight(line, " \t")
			if n-len(trimmed) > 2 || bytes.IndexByte(line[len(trimmed):], '\t') >= 0 {
				return true
			}
		}
		if from += i + 1; from >= len(body) {
			return false
		}
	}
}
