package lsp

import (
	"bytes"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"vitrine/internal/site"
)

// text is a document's content. As in LSP, lines end with LF, CRLF, or CR. starts contains the lines' byte offsets.
type text struct {
	source []byte
	starts []int
	// utf8 reports whether columns are in bytes instead of UTF-16 code units.
	utf8 bool
}

func newText(source []byte, inBytes bool) *text {
	t := &text{source: source, starts: []int{0}, utf8: inBytes}
	for i, c := range source {
		if c == '\n' || c == '\r' && (i+1 == len(source) || source[i+1] != '\n') {
			t.starts = append(t.starts, i+1)
		}
	}
	return t
}

// line returns line n without its line end, or nil if there is no such line.
func (t *text) line(n int) []byte {
	if n < 0 || n >= len(t.starts) {
		return nil
	}
	end := len(t.source)
	if n+1 < len(t.starts) {
		end = t.starts[n+1]
	}
	return bytes.TrimRight(t.source[t.starts[n]:end], "\r\n")
}

// offset returns the byte offset of a position. A column past the end of the line means the end of the line, and a line
// past the last line means the end of the document.
func (t *text) offset(p position) int {
	if p.Line < 0 {
		return 0
	}
	if p.Line >= len(t.starts) {
		return len(t.source)
	}
	line := t.line(p.Line)
	at, left := 0, p.Character
	for at < len(line) && left > 0 {
		r, size := utf8.DecodeRune(line[at:])
		if left -= t.width(r, size); left < 0 {
			break
		}
		at += size
	}
	return t.starts[p.Line] + at
}

func (t *text) width(r rune, size int) int {
	if t.utf8 {
		return size
	}
	return max(1, utf16.RuneLen(r))
}

// position returns the position of a byte offset.
func (t *text) position(offset int) position {
	offset = min(max(offset, 0), len(t.source))
	n, found := slices.BinarySearch(t.starts, offset)
	if !found {
		n--
	}
	p := position{Line: n}
	for at := t.starts[n]; at < offset; {
		r, size := utf8.DecodeRune(t.source[at:])
		p.Character += t.width(r, size)
		at += size
	}
	return p
}

func (t *text) span(start, end int) textRange { return textRange{t.position(start), t.position(end)} }

// at returns the byte offset of pos, or 0 if pos isn't in the document.
func (t *text) at(pos site.Pos) int {
	offset, ok := site.Offset(t.source, pos)
	if !ok {
		return 0
	}
	return offset
}

// from returns the range of the element that starts at pos: a link, an expression, a heading, a directive, a quoted
// string, or a word.
func (t *text) from(pos site.Pos) textRange {
	start := t.at(pos)
	if pos.Line == 0 {
		return textRange{}
	}
	line := t.line(t.position(start).Line)
	rest := line[min(start-t.starts[t.position(start).Line], len(line)):]
	length := bytes.IndexAny(rest, " \t")
	if length < 0 {
		length = len(rest)
	}
	for _, form := range [...][2]string{{"[", ")"}, {"![", ")"}, {"{{", "}}"}, {"<", ">"}, {"#", ""}, {":", ""}, {`"`, `"`}, {"'", "'"}} {
		if after, ok := bytes.CutPrefix(rest, []byte(form[0])); ok {
			if length = len(rest); form[1] != "" {
				if end := bytes.Index(after, []byte(form[1])); end >= 0 {
					length = len(form[0]) + end + len(form[1])
				}
			}
			break
		}
	}
	return t.span(start, start+length)
}

// replace returns a copy of t in which the string with replaces the text in r.
func (t *text) replace(r textRange, with string) *text {
	start, end := t.offset(r.Start), t.offset(r.End)
	end = max(start, end)
	return newText(slices.Concat(t.source[:start], []byte(with), t.source[end:]), t.utf8)
}

// pathOf returns the path of a file URI. ok is false if the URI has another scheme or no path.
func pathOf(uri string) (name string, ok bool) {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "file" || u.Path == "" {
		return "", false
	}
	name = u.Path
	// file:///c%3A/site is C:\site.
	if len(name) > 2 && name[0] == '/' && name[2] == ':' {
		name = name[1:]
	}
	return filepath.Clean(filepath.FromSlash(name)), true
}

// uriOf returns the URI of the file with the given absolute path.
func uriOf(name string) string {
	name = filepath.ToSlash(name)
	if !strings.HasPrefix(name, "/") {
		name = "/" + name
	}
	return (&url.URL{Scheme: "file", Path: name}).String()
}
