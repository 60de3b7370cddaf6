package load

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"vitrine/internal/lazyregexp"
	"vitrine/internal/load/tree"
	"vitrine/internal/site"
)

// maxFrontMatter is the maximum size of front matter in bytes.
const maxFrontMatter = 64 << 10

// syntax describes a front matter syntax: its delimiters and its parser.
type syntax struct {
	start, end string
	// whole reports whether the delimiters are part of the document, as JSON's braces are.
	whole bool
	parse func(src []byte, first int) (*tree.Node, []tree.Fault)
}

func syntaxes() []syntax {
	return []syntax{
		{"---", "---", false, tree.YAML},
		{"---yaml", "---", false, tree.YAML},
		{"---toml", "---", false, tree.TOML},
		{"---json", "---", false, tree.JSON},
		{"+++", "+++", false, tree.TOML},
		{";;;", ";;;", false, tree.JSON},
		// Code hosts hide this block, because it is an HTML comment. They show other front matter as a table.
		{"<!-- ---", "--- -->", false, tree.YAML},
		{"{", "}", true, tree.JSON},
	}
}

// sourceLine is a line of a source file, without its line end.
type sourceLine struct {
	text string
	// number is the line number, from 1. end is the byte offset of the next line.
	number, end int
}

func (l sourceLine) pos() site.Pos { return site.Pos{Line: l.number, Col: 1} }

// indented reports whether white space precedes the text.
func (l sourceLine) indented() bool { return strings.TrimLeft(l.text, " \t") != l.text }

// splitFrontMatter returns the front matter of a page, or an empty map if there is none, and the byte offset of the
// body. root is nil if there are faults. splitFrontMatter also reports mistakes that findBlock doesn't, such as an
// indented delimiter or an unclosed block. The caller must first call tree.CheckText to reject a byte order mark,
// because findBlock doesn't recognize a block after a byte order mark.
func splitFrontMatter(source []byte) (root *tree.Node, body int, faults []tree.Fault) {
	empty := &tree.Node{Kind: tree.Map, Pos: site.Pos{Line: 1, Col: 1}}
	opening := firstLine(source)
	data, format, rest, ok := findBlock(source)
	if !ok {
		if fault, ok := brokenBlock(source, opening); ok {
			return nil, len(source), []tree.Fault{fault}
		}
		return empty, 0, nil
	}
	body = len(source) - len(rest)
	if fault, ok := wrongDelimiter(source, body, opening, format); ok {
		return nil, body, []tree.Fault{fault}
	}
	if len(data) > maxFrontMatter {
		return nil, body, []tree.Fault{{Pos: opening.pos(), Text: fmt.Sprintf("the front matter is larger than %d KiB; move text into the page body", maxFrontMatter>>10)}}
	}
	first := opening.number + 1
	if format.whole {
		first--
	}
	root, faults = format.parse(data, first)
	switch {
	case faults != nil:
		return nil, body, faults
	case root.Kind == tree.Null:
		return empty, body, nil
	case root.Kind != tree.Map:
		return nil, body, []tree.Fault{{Pos: root.Pos, Text: fmt.Sprintf(`front matter: want keys and values, such as "title: …"; found %s`, root.Describe())}}
	}
	if fault, ok := secondBlock(source, body); ok {
		return nil, len(source), []tree.Fault{fault}
	}
	return root, body, nil
}

var (
	// keyLine matches a line that starts with a top-level key of YAML front matter.
	keyLine = lazyregexp.New(`^[A-Za-z]\w*:(?: |$)`)
	// pageKey matches a line that starts with a key that is common in front matter.
	pageKey = lazyregexp.New(`^(?:title|description|date|layout|slug|draft|tags):(?: |$)`)
)

// secondBlock returns a fault for a second block of YAML front matter directly after the first. Such a block occurs,
// for example, if an author pastes another page into the page. secondBlock returns false unless all lines of the block
// have keys and at least one key is common in front matter.
func secondBlock(source []byte, body int) (tree.Fault, bool) {
	if !bytes.HasPrefix(bytes.TrimLeft(source[body:], " \r\n"), []byte("---")) {
		return tree.Fault{}, false
	}
	var first sourceLine
	for first.end < body {
		first = nextLine(source, first)
	}
	for first = nextLine(source, first); strings.TrimSpace(first.text) == ""; {
		first = nextLine(source, first)
	}
	common := false
	for l := first; l.end < len(source); {
		if l = nextLine(source, l); l.text == "---" {
			return tree.Fault{Pos: first.pos(), Text: "a second block of front matter begins here; move its keys into the first block, and remove this one"}, first.text == "---" && common
		}
		if !keyLine.MatchString(l.text) {
			break
		}
		common = common || pageKey.MatchString(l.text)
	}
	return tree.Fault{}, false
}

// findBlock finds the front matter at the start of source in the same way as github.com/adrg/frontmatter. Delimiters
// may be indented, and blank lines may precede the block. A closing brace ends JSON only if a blank line or the end of
// source follows. data is the block's content, and rest is the source after the block.
func findBlock(source []byte) (data []byte, format syntax, rest []byte, ok bool) {
	opening := rawLine{}
	for opening = opening.next(source); opening.text == "" && !opening.last; {
		opening = opening.next(source)
	}
	all := syntaxes()
	i := slices.IndexFunc(all, func(s syntax) bool { return s.start == opening.text })
	if i < 0 || opening.last {
		return nil, format, nil, false
	}
	format = all[i]
	from := opening.end
	if format.whole {
		from = opening.start
	}
	for l := opening; !l.last; {
		l = l.next(source)
		for format.whole && l.text == format.end {
			if l = l.next(source); l.text == "" {
				return source[from:l.end], format, source[l.end:], true
			}
		}
		if !format.whole && l.text == format.end {
			return source[from:l.start], format, source[l.end:], true
		}
	}
	return nil, format, nil, false
}

// rawLine is a source line with its byte offsets. text is the line without leading and trailing white space.
type rawLine struct {
	text       string
	start, end int
	// last reports whether the line has no line end, because it is the last line of the source.
	last bool
}

func (l rawLine) next(source []byte) rawLine {
	end := bytes.IndexByte(source[l.end:], '\n')
	if end < 0 {
		return rawLine{string(bytes.TrimSpace(source[l.end:])), l.end, len(source), true}
	}
	end += l.end + 1
	return rawLine{string(bytes.TrimSpace(source[l.end:end])), l.end, end, false}
}

// firstLine returns the first line of source that isn't blank, or the last line if all lines are blank.
func firstLine(source []byte) sourceLine {
	var l sourceLine
	for l.end < len(source) {
		l = nextLine(source, l)
		if strings.TrimSpace(l.text) != "" {
			break
		}
	}
	return l
}

// nextLine returns the line after l, or the first line if l is zero.
func nextLine(source []byte, l sourceLine) sourceLine {
	line, _, found := bytes.Cut(source[l.end:], []byte("\n"))
	end := l.end + len(line)
	if found {
		end++
	}
	return sourceLine{strings.TrimSuffix(string(line), "\r"), l.number + 1, end}
}

// wrongDelimiter returns a fault for an indented delimiter that findBlock has accepted, for example in a multiline
// string. The closing delimiter is the last matching line before the body.
func wrongDelimiter(source []byte, body int, opening sourceLine, format syntax) (tree.Fault, bool) {
	if opening.indented() {
		return tree.Fault{Pos: opening.pos(), Text: fmt.Sprintf("the opening %s is indented; move it to the start of the line", format.start)}, true
	}
	closing := opening
	for l := opening; l.end < body; {
		l = nextLine(source, l)
		if strings.TrimSpace(l.text) == format.end {
			closing = l
		}
	}
	if closing.indented() {
		return tree.Fault{Pos: closing.pos(), Text: fmt.Sprintf("this %s ends the front matter although it is indented; move it to the start of the line, or remove it if the front matter continues", format.end)}, true
	}
	return tree.Fault{}, false
}

// brokenBlock returns a fault if source starts with invalid front matter, which findBlock doesn't recognize. ok is
// false if source doesn't seem to start with front matter.
func brokenBlock(source []byte, opening sourceLine) (fault tree.Fault, ok bool) {
	text := strings.TrimSpace(opening.text)
	for _, s := range syntaxes() {
		if text == s.start {
			return unclosed(source, opening, s), true
		}
	}
	if resembles(text, "---") && keyLine.MatchString(nextLine(source, opening).text) {
		return tree.Fault{Pos: opening.pos(), Text: "front matter must begin with a line of three hyphens; write ---"}, true
	}
	if rest, brace := strings.CutPrefix(text, "{"); brace && strings.HasPrefix(strings.TrimSpace(rest), `"`) {
		return tree.Fault{Pos: opening.pos(), Text: "JSON front matter must begin with a line that contains only {, and end with } and a blank line"}, true
	}
	return tree.Fault{}, false
}

// unclosed returns the fault for an unclosed block. The fault is at the line that was probably meant to close the block
// or, if there is no such line, at the opening line.
func unclosed(source []byte, opening sourceLine, s syntax) tree.Fault {
	end := fmt.Sprintf("%s on a line by itself", s.end)
	if s.whole {
		end = "a line that contains only }, and a blank line after it"
	}
	for l := opening; l.end < len(source); {
		l = nextLine(source, l)
		if resembles(strings.TrimSpace(l.text), s.end) {
			return tree.Fault{Pos: l.pos(), Text: fmt.Sprintf("the front matter that begins on line %d is not closed; if this line is meant to close it, write %s", opening.number, end)}
		}
	}
	return tree.Fault{Pos: opening.pos(), Text: fmt.Sprintf("the front matter that begins here is not closed; write %s at its end", end)}
}

// resembles reports whether line looks like the closing delimiter end, possibly mistyped: line starts with end, is
// "...", or consists of at least two dashes, plus signs, or semicolons. If end is "}", resembles returns true only for
// a line that starts with "}".
func resembles(line, end string) bool {
	if line == "" {
		return false
	}
	if end == "}" {
		return line[0] == '}'
	}
	if strings.HasPrefix(line, end) || line == "..." {
		return true
	}
	return utf8.RuneCountInString(line) > 1 && strings.Trim(line, "-–—+;") == ""
}
