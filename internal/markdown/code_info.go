package markdown

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"

	"vitrine/internal/lazyregexp"
	"vitrine/internal/rule"
)

// codeInfo is the parsed text after the opening fence of a code block.
type codeInfo struct {
	language, title string
	// marked, inserted, and deleted are the ranges of lines to show as marked, as inserted, and as deleted.
	marked, inserted, deleted []lineRange
	// numbers reports whether lines are numbered, and wrap reports whether long lines wrap.
	numbers, wrap bool
	// file is the file that contains the code, or "" if the code is in the block.
	file string
	// lines are the lines to include from the file, or zero for all lines.
	lines lineRange
	// wrong describes an error in the line range after file=, or is "" if there is none.
	wrong string
}

// lineRange is a range of lines, counted from 1.
type lineRange struct{ first, last int }

// String returns the range in the form that a page uses in braces: "3" or "3-5".
func (r lineRange) String() string {
	if r.first == r.last {
		return strconv.Itoa(r.first)
	}
	return fmt.Sprintf("%d-%d", r.first, r.last)
}

// setsLines reports whether the HTML needs an element for each line, because lines are numbered, marked, inserted, or
// deleted.
func (c *codeInfo) setsLines() bool {
	return c.numbers || len(c.marked)+len(c.inserted)+len(c.deleted) > 0
}

// lineElement returns the name of the HTML element for the line with the given number, and the element's classes.
func (c *codeInfo) lineElement(number int) (tag, class string) {
	in := func(ranges []lineRange) bool {
		return slices.ContainsFunc(ranges, func(r lineRange) bool { return r.first <= number && number <= r.last })
	}
	switch {
	case in(c.deleted):
		return "del", "l del"
	case in(c.inserted):
		return "ins", "l add"
	case in(c.marked):
		return "mark", "l hl"
	}
	return "span", "l"
}

// readInfo reads the text after a fence: a language, then words in any order, as in
//
//	go title="main.go" {3-5,8} ins={6} del={7} numbers wrap
//	go file=examples/main.go#L3-L9
//
// The first word in braces may follow the language without a space. Words meant for other tools are ignored.
func readInfo(info string) (c codeInfo) {
	info = strings.TrimSpace(info)
	if end := strings.IndexAny(info, " \t{"); end >= 0 {
		c.language, info = info[:end], info[end:]
	} else {
		c.language, info = info, ""
	}
	if strings.Contains(c.language, "=") {
		c.language, info = "", c.language+info
	}
	take := func(word *lazyregexp.Regexp) (value string, ok bool) {
		found := word.FindStringSubmatch(info)
		if found == nil {
			return "", false
		}
		info = strings.Replace(info, found[0], " ", 1)
		return strings.TrimSpace(strings.Join(found[1:], "")), true
	}
	c.title, _ = take(titleWord)
	if file, ok := take(fileWord); ok {
		c.readFile(file)
	}
	for _, lines := range [...]struct {
		word *lazyregexp.Regexp
		into *[]lineRange
	}{{insWord, &c.inserted}, {delWord, &c.deleted}, {linesWord, &c.marked}} {
		if value, ok := take(lines.word); ok {
			*lines.into = readLines(value)
		}
	}
	for _, word := range strings.Fields(info) {
		switch word {
		case "numbers":
			c.numbers = true
		case "wrap":
			c.wrap = true
		}
	}
	return c
}

// readFile parses the name of a file with an optional range of lines, such as examples/main.go#L3-L9. The default title
// is the base name of the file.
func (c *codeInfo) readFile(value string) {
	name, lines, ranged := strings.Cut(value, "#")
	c.file = name
	c.title = cmp.Or(c.title, path.Base(name))
	if !ranged {
		return
	}
	found := fileLines.FindStringSubmatch(lines)
	if found == nil {
		c.wrong = fmt.Sprintf("want a line range such as #L3 or #L3-L9 after the file name; found %q", "#"+lines)
		return
	}
	// If a number is too large, Atoi returns the largest int, which is greater than the number of lines in any file.
	c.lines.first, _ = strconv.Atoi(found[1])
	if c.lines.last = c.lines.first; found[2] != "" {
		c.lines.last, _ = strconv.Atoi(found[2])
	}
}

// readLines parses line numbers and ranges, separated by commas. It reads an invalid number as 0, which checkCode
// reports.
func readLines(value string) (ranges []lineRange) {
	for part := range strings.SplitSeq(value, ",") {
		first, last, more := strings.Cut(strings.TrimSpace(part), "-")
		var r lineRange
		r.first, _ = strconv.Atoi(strings.TrimSpace(first))
		if r.last = r.first; more {
			r.last, _ = strconv.Atoi(strings.TrimSpace(last))
		}
		ranges = append(ranges, r)
	}
	return ranges
}

// infoOf parses the text after the opening fence of a code block. The result is zero if there is no such text.
func infoOf(b *ast.FencedCodeBlock, body []byte) codeInfo {
	if b.Info == nil {
		return codeInfo{}
	}
	return readInfo(string(decode(nil, b.Info.Segment.Value(body))))
}

// checkCode checks the language of a block, reads the file that the block names, and reports marked lines and ranges
// that don't exist in the code.
func (d *Document) checkCode(b *ast.FencedCodeBlock) {
	info := infoOf(b, d.body)
	d.checkLanguage(b, info.language)
	if info.file != "" {
		d.include(b, info)
	}
	count := b.Lines().Len()
	if text, ok := d.included[b]; ok {
		count = strings.Count(string(text), "\n")
	} else if info.file != "" {
		return
	}
	for _, lines := range [...]struct {
		what   string
		ranges []lineRange
		as     string
	}{{"mark", info.marked, "{1,3-5}"}, {"mark as inserted", info.inserted, "ins={1,3-5}"}, {"mark as removed", info.deleted, "del={1,3-5}"}} {
		for _, r := range lines.ranges {
			if r.first < 1 || r.last < r.first || r.last > count {
				d.problem(b.Info.Segment.Start, warningSeverity, rule.MarkedLines, fmt.Sprintf(
					"the lines to %s (%s) do not all exist in the code, which has %d lines; use existing lines and ranges, as in %s",
					lines.what, r, count, lines.as))
			}
		}
	}
}

// Patterns of the words after a fence, and of the line range in file=.
var (
	titleWord = lazyregexp.New(`(?:^|[ \t])title=(?:"([^"]*)"|'([^']*)')`)
	fileWord  = lazyregexp.New(`(?:^|[ \t])file=(?:"([^"]*)"|'([^']*)'|([^ \t"']+))`)
	insWord   = lazyregexp.New(`(?:^|[ \t])ins=\{([-0-9, ]+)\}`)
	delWord   = lazyregexp.New(`(?:^|[ \t])del=\{([-0-9, ]+)\}`)
	linesWord = lazyregexp.New(`\{([-0-9, ]+)\}`)
	fileLines = lazyregexp.New(`^L([0-9]+)(?:-L?([0-9]+))?$`)
)
