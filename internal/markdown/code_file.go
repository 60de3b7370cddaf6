package markdown

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/yuin/goldmark/ast"

	"vitrine/internal/rule"
)

// ReadFile is the type of the function that reads a file from which a page includes code. page is the name of the
// page's file, and name is the file's name as written in the page. If the file doesn't exist, the error wraps
// fs.ErrNotExist.
type ReadFile func(page, name string) ([]byte, error)

// Including returns a copy of the parser that calls read to get the code of each block with file=. Other parsers ignore
// file=.
func (p *Parser) Including(read ReadFile) *Parser {
	with := *p
	with.readFile = read
	return &with
}

// maxIncluded is the maximum size of an included file in bytes.
const maxIncluded = 1 << 20

// include reads the code of a block from the file that the block names. It reports a file or a range of lines that
// can't be included, and a block that also contains code.
func (d *Document) include(b *ast.FencedCodeBlock, info codeInfo) {
	fault := func(format string, args ...any) {
		d.problem(b.Info.Segment.Start, errorSeverity, rule.CodeFile, fmt.Sprintf(format, args...))
	}
	switch {
	case info.wrong != "":
		fault("file=%s: %s", info.file, info.wrong)
		return
	case b.Lines().Len() > 0:
		fault("this block sets file=%s but also contains code; remove the code, or file=", info.file)
		return
	case d.parser.readFile == nil:
		return
	}
	text, err := d.parser.readFile(d.path, info.file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		fault("file %s does not exist; write its path relative to the site's folder, as in file=examples/main.go, or to the page's folder", info.file)
		return
	case err != nil:
		fault("file=%s cannot be read: %s", info.file, oneSpace(err.Error()))
		return
	case len(text) > maxIncluded:
		fault("%s is larger than %d KiB; use a smaller file, or put the code in the block", info.file, maxIncluded>>10)
		return
	case bytes.IndexByte(text, 0) >= 0:
		fault("%s is not a text file; include a text file, or put the code in the block", info.file)
		return
	}
	text, found := info.lines.cut(clean(text))
	if !found {
		fault("%s has %d lines, so #%s is out of range; select existing lines", info.file, bytes.Count(text, []byte("\n")), info.lines.anchor())
		return
	}
	if d.included == nil {
		d.included = make(map[ast.Node][]byte)
	}
	d.included[b] = text
}

// cut returns the lines of text that r selects, each with a line feed. The zero range selects all lines. If text
// doesn't contain all selected lines, cut returns the complete text, and found is false.
func (r lineRange) cut(text []byte) (lines []byte, found bool) {
	if len(text) > 0 && text[len(text)-1] != '\n' {
		text = append(text, '\n')
	}
	if r == (lineRange{}) {
		return text, true
	}
	number := 0
	for line := range bytes.Lines(text) {
		if number++; r.first <= number && number <= r.last {
			lines = append(lines, line...)
		}
	}
	if r.first < 1 || r.last < r.first || r.last > number {
		return text, false
	}
	return lines, true
}

// anchor returns the range in the form that follows a file name and "#": "L3" or "L3-L9".
func (r lineRange) anchor() string {
	if r.first == r.last {
		return fmt.Sprintf("L%d", r.first)
	}
	return fmt.Sprintf("L%d-L%d", r.first, r.last)
}

// twinInfo returns the text to write after the opening fence of b in the twin. If the code comes from a file, a title
// replaces file=, because the twin contains the code itself.
func (d *Document) twinInfo(b *ast.FencedCodeBlock) []byte {
	if b.Info == nil {
		return nil
	}
	written := b.Info.Segment.Value(d.body)
	if _, ok := d.included[b]; !ok {
		return written
	}
	info := readInfo(string(decode(nil, written)))
	plain := strings.TrimSpace(fileWord.ReplaceAllString(string(written), ""))
	if !titleWord.MatchString(plain) && !strings.ContainsAny(info.title, `"\&`) {
		plain = strings.TrimSpace(info.language + ` title="` + info.title + `"` + strings.TrimPrefix(plain, info.language))
	}
	return []byte(plain)
}
