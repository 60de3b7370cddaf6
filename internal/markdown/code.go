package markdown

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/util"

	"vitrine/internal/rule"
)

// appendLines appends the content of a code block.
func (d *Document) appendLines(dst []byte, n ast.Node) []byte {
	if p, ok := n.(*pre); ok {
		dst = append(dst, p.code...)
	}
	lines := n.Lines()
	for i := range lines.Len() {
		segment := lines.At(i)
		dst = append(dst, segment.Value(d.body)...)
	}
	if len(dst) > 0 && dst[len(dst)-1] != '\n' {
		dst = append(dst, '\n')
	}
	return dst
}

// code writes a code block, highlighted if its language is known, in a figure if it has a title.
func (h *htmlWriter) code(n ast.Node, info codeInfo) {
	h.codeText = h.d.appendLines(h.codeText[:0], n)
	if info.title != "" {
		h.w.WriteString(`<figure class="code"><figcaption>`)
		h.escape([]byte(info.title))
		h.w.WriteString("</figcaption>\n")
	}
	marked, ok := "", false
	if h.mayHighlight(h.codeText) {
		var err error
		if marked, ok, err = h.d.parser.highlight(info.language, h.codeText); err != nil && h.err == nil {
			h.err = h.d.failureAt(n, err)
		}
	}
	if ok {
		h.w.WriteString(`<pre class="chroma" tabindex="0"` + h.d.parser.fromLeft + `><code class="language-`)
		h.escape([]byte(strings.ToLower(info.language)))
		h.w.WriteString(`">`)
	} else {
		h.w.WriteString(`<pre tabindex="0"` + h.d.parser.fromLeft + `><code>`)
		marked = string(util.EscapeHTML(h.codeText))
	}
	h.markLines(marked, info.marked)
	h.w.WriteString("</code></pre>")
	if info.title != "" {
		h.w.WriteString("</figure>")
	}
	h.w.WriteByte('\n')
}

// markLines writes the HTML of code with some of its lines in their own element. An element that spans the end
// of such a line ends there and starts again.
func (h *htmlWriter) markLines(code string, marked []lineRange) {
	if len(marked) == 0 {
		h.w.WriteString(code)
		return
	}
	open := "" // the tag that is open at the end of a line
	number := 0
	for line := range strings.Lines(code) {
		number++
		text := open + line
		if at := strings.LastIndex(line, "<"); at >= 0 {
			if open = ""; !strings.HasPrefix(line[at:], "</") {
				open = line[at : at+strings.IndexByte(line[at:], '>')+1]
			}
		}
		if open != "" {
			text = strings.TrimSuffix(text, "\n") + "</span>\n"
		}
		if slices.ContainsFunc(marked, func(r lineRange) bool { return r.first <= number && number <= r.last }) {
			text = `<mark>` + text + `</mark>`
		}
		h.w.WriteString(text)
	}
}

// codeInfo is the info string after a code fence.
type codeInfo struct {
	language, title string
	marked          []lineRange
}

// lineRange are lines, counted from 1.
type lineRange struct{ first, last int }

// String returns the range as written.
func (r lineRange) String() string {
	if r.first == r.last {
		return strconv.Itoa(r.first)
	}
	return fmt.Sprintf("%d-%d", r.first, r.last)
}

// readInfo parses the words after a fence: a language, then a title and the lines to mark, as in
//
//	go title="main.go" {3-5,8}
//
// The lines may directly follow the language. Unknown words belong to other tools.
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
	if found := titleWord.FindStringSubmatch(info); found != nil {
		c.title = strings.TrimSpace(found[1] + found[2])
		info = strings.Replace(info, found[0], " ", 1)
	}
	if found := linesWord.FindStringSubmatch(info); found != nil {
		for part := range strings.SplitSeq(found[1], ",") {
			first, last, more := strings.Cut(strings.TrimSpace(part), "-")
			var r lineRange
			r.first, _ = strconv.Atoi(strings.TrimSpace(first))
			if r.last = r.first; more {
				r.last, _ = strconv.Atoi(strings.TrimSpace(last))
			}
			c.marked = append(c.marked, r)
		}
	}
	return c
}

// infoOf parses the info string of a block.
func infoOf(b *ast.FencedCodeBlock, body []byte) codeInfo {
	if b.Info == nil {
		return codeInfo{}
	}
	return readInfo(string(decode(nil, b.Info.Segment.Value(body))))
}

// checkMarks reports the lines to mark that a block does not have.
func (d *Document) checkMarks(b *ast.FencedCodeBlock) {
	for _, r := range infoOf(b, d.body).marked {
		if r.first < 1 || r.last < r.first || r.last > b.Lines().Len() {
			d.problem(b.Info.Segment.Start, warningSeverity, rule.MarkedLines, fmt.Sprintf(
				"the lines to mark, %s, are not all in the code, which has %d; write single lines and ranges that it has, as in {1,3-5}",
				r, b.Lines().Len()))
		}
	}
}

var (
	titleWord = regexp.MustCompile(`(?:^|[ \t])title=(?:"([^"]*)"|'([^']*)')`)
	linesWord = regexp.MustCompile(`\{([-0-9, ]+)\}`)
)

// code writes a code block as Markdown, between fences that its content does
// not have.
func (t *twin) code(n ast.Node, info []byte) {
	code := t.d.appendLines(nil, n)
	mark := byte('`')
	if bytes.IndexByte(info, mark) >= 0 {
		mark = '~'
	}
	fence := bytes.Repeat([]byte{mark}, max(3, longestRun(code, mark)+1))
	t.cells = append(t.cells[:0], fence...)
	if len(info) > 0 && info[0] == mark {
		t.cells = append(t.cells, ' ')
	}
	t.line(append(t.cells, info...))
	for len(code) > 0 {
		end := bytes.IndexByte(code, '\n')
		t.line(code[:end])
		code = code[end+1:]
	}
	t.line(fence)
}

// longestRun returns the length of the longest run of c in text.
func longestRun(text []byte, c byte) int {
	longest, run := 0, 0
	for _, b := range text {
		if b != c {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	return longest
}
