package tree

import (
	"bytes"
	"unicode/utf8"

	"vitrine/internal/site"
)

// Position returns the position of a byte offset in src, or the position of the end if offset is past the end.
func Position(src []byte, offset int) site.Pos {
	c := cursor{src: src, pos: site.Pos{Line: 1, Col: 1}}
	return c.to(offset)
}

// cursor converts increasing byte offsets in src to positions in one pass.
type cursor struct {
	src    []byte
	offset int
	pos    site.Pos
}

// to advances the cursor to offset and returns the position there. offset must not be less than in the previous call.
func (c *cursor) to(offset int) site.Pos {
	offset = min(offset, len(c.src))
	for c.offset < offset {
		if c.src[c.offset] == '\n' {
			c.pos.Line++
			c.pos.Col = 1
			c.offset++
			continue
		}
		_, size := utf8.DecodeRune(c.src[c.offset:])
		if c.offset+size > offset {
			break
		}
		c.offset += size
		c.pos.Col++
	}
	return c.pos
}

// CheckText returns the first encoding fault of a source, or nil if there is none. It checks for a byte order mark,
// UTF-16, invalid UTF-8, and NUL bytes, in this order.
func CheckText(src []byte) []Fault {
	start := site.Pos{Line: 1, Col: 1}
	switch {
	case bytes.HasPrefix(src, []byte("\xef\xbb\xbf")):
		return []Fault{{start, `the file begins with a byte order mark, which hides the first line; save it as "UTF-8" instead of "UTF-8 with BOM"`}}
	case bytes.HasPrefix(src, []byte("\xff\xfe")), bytes.HasPrefix(src, []byte("\xfe\xff")):
		return []Fault{{start, "the file is in UTF-16; save it as UTF-8"}}
	}
	if i := firstInvalid(src); i >= 0 {
		return []Fault{{Position(src, i), "this byte is not UTF-8; save the file as UTF-8"}}
	}
	if i := bytes.IndexByte(src, 0); i >= 0 {
		return []Fault{{Position(src, i), "this is a NUL byte, which is not allowed; remove it, or save the file as UTF-8"}}
	}
	return nil
}

// firstInvalid returns the offset of the first byte that is not UTF-8, or -1.
func firstInvalid(src []byte) int {
	if utf8.Valid(src) {
		return -1
	}
	for i := 0; i < len(src); {
		r, size := utf8.DecodeRune(src[i:])
		if r == utf8.RuneError && size == 1 {
			return i
		}
		i += size
	}
	return -1
}

// unixLines returns src with every CRLF replaced with LF, which preserves lines and columns. It also returns a fault
// for the first control character, if any.
func unixLines(src []byte) ([]byte, []Fault) {
	if bytes.IndexByte(src, '\r') >= 0 {
		src = bytes.ReplaceAll(src, []byte("\r\n"), []byte("\n"))
	}
	i := bytes.IndexFunc(src, forbidden)
	if i < 0 {
		return src, nil
	}
	r, _ := utf8.DecodeRune(src[i:])
	text := controlText(r)
	if r == '\r' {
		text = "this is a carriage return without a line feed; save the file with LF or CRLF line endings"
	}
	return src, []Fault{{Position(src, i), text}}
}

// shift adds the given number of lines to the positions of faults and of all nodes in a tree, for a document that
// doesn't start on the first line of its file.
func shift(n *Node, faults []Fault, lines int) (*Node, []Fault) {
	if lines == 0 {
		return n, faults
	}
	for i := range faults {
		faults[i].Line += lines
	}
	if n != nil {
		n.shift(lines)
	}
	return n, faults
}

func (n *Node) shift(lines int) {
	n.Pos.Line += lines
	for _, item := range n.Items {
		item.shift(lines)
	}
	for i := range n.Members {
		n.Members[i].Pos.Line += lines
		n.Members[i].Value.shift(lines)
	}
}
