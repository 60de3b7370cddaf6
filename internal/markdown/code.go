package markdown

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/lexers"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/util"

	"vitrine/internal/rule"
)

// languages returns the names by which chroma knows languages, in lower case.
// Asking chroma for other names makes it search its file patterns, which is
// slow.
func languages() map[string]bool {
	names := lexers.Names(true)
	known := make(map[string]bool, len(names))
	for _, name := range names {
		known[strings.ToLower(name)] = true
	}
	return known
}

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

// code writes a code block, highlighted where its language is known, in a figure where it has a title.
func (h *htmlWriter) code(n ast.Node, info codeInfo) {
	h.codeText = h.d.appendLines(h.codeText[:0], n)
	if info.title != "" {
		h.w.WriteString(`<figure class="code"><figcaption>`)
		h.escape([]byte(info.title))
		h.w.WriteString("</figcaption>\n")
	}
	marked, ok := "", false
	if h.mayHighlight(h.codeText) {
		marked, ok = h.d.parser.highlight(info.language, h.codeText)
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

// markLines writes the HTML of code with some of its lines in an element of their own. An element that goes on
// over the end of such a line ends there, and begins again.
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

// codeInfo is what stands behind the opening fence of code.
type codeInfo struct {
	language, title string
	marked          []lineRange
}

// lineRange are lines, counted from 1.
type lineRange struct{ first, last int }

// String is the range as it is written.
func (r lineRange) String() string {
	if r.first == r.last {
		return strconv.Itoa(r.first)
	}
	return fmt.Sprintf("%d-%d", r.first, r.last)
}

// readInfo reads the words behind a fence: a language, then a title and the lines to mark, as in
//
//	go title="main.go" {3-5,8}
//
// The lines may stand close behind the language. Words that nobody here knows are other tools' own.
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

// infoOf reads what stands behind the fence of a block.
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

// highlightCache keeps what was made of code, as far as it has room: the same
// code stands on many pages.
type highlightCache struct {
	marked sync.Map // of codeKey to string; "" for code that no lexer could read
	size   atomic.Int64
}

// codeKey is code in a language.
type codeKey struct {
	language, code string
}

// maxHighlighted is how many bytes of code and of what was made of it are kept.
const maxHighlighted = 4 << 20

// highlight marks the tokens of code as HTML. ok is false where the code is not
// to be highlighted or the lexer fails.
func (p *Parser) highlight(language string, code []byte) (marked string, ok bool) {
	if p.languages == nil || language == "" || len(code) == 0 || !p.languages()[strings.ToLower(language)] {
		return "", false
	}
	key := codeKey{language, string(code)}
	if known, ok := p.highlighted.marked.Load(key); ok {
		marked = known.(string)
		return marked, marked != ""
	}
	if tokens := p.tokens(language, key.code); tokens != nil {
		var b bytes.Buffer
		h := htmlWriter{w: &b}
		for _, token := range tokens {
			h.token(token)
		}
		marked = b.String()
	}
	if p.highlighted.size.Add(int64(len(code)+len(marked))) <= maxHighlighted {
		p.highlighted.marked.Store(key, marked)
	}
	return marked, marked != ""
}

// token writes a token in its class. What a lexer takes for a mistake has
// none: code in articles is often a part of something.
func (h *htmlWriter) token(token chroma.Token) {
	class := ""
	if token.Type != chroma.Error {
		class = tokenClass(token.Type)
	}
	if class == "" {
		h.escape([]byte(token.Value))
		return
	}
	h.w.WriteString(`<span class="`)
	h.w.WriteString(class)
	h.w.WriteString(`">`)
	h.escape([]byte(token.Value))
	h.w.WriteString("</span>")
}

// tokenClass returns chroma's short class for a type of token, or for the
// nearest type above it that has one.
func tokenClass(t chroma.TokenType) string {
	for t != 0 {
		if class, ok := chroma.StandardTypes[t]; ok {
			if class == "w" {
				return ""
			}
			return class
		}
		t = t.Parent()
	}
	return ""
}

// tokens splits code into tokens, nil where the lexer fails.
func (p *Parser) tokens(language, code string) []chroma.Token {
	lexer := p.lexers.get(language)
	return inTime(func(w *stopwatch) []chroma.Token { return tokenise(lexer, code, w) }, time.Now)
}

// tokenise is one reading of code.
func tokenise(lexer chroma.Lexer, code string, w *stopwatch) (tokens []chroma.Token) {
	if lexer == nil {
		return nil
	}
	// Lexers report a fault in their rules by a panic.
	defer func() {
		if recover() != nil {
			tokens = nil
		}
	}()
	iterator, err := chroma.Coalesce(lexer).Tokenise(nil, code)
	if err != nil {
		return nil
	}
	rest := code
	for w.step(); ; w.step() {
		token := iterator()
		if token == chroma.EOF {
			break
		}
		if !strings.HasPrefix(rest, token.Value) {
			return nil
		}
		rest = rest[len(token.Value):]
		tokens = append(tokens, token)
	}
	if len(rest) > 0 {
		return nil
	}
	return tokens
}

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

// The lexers of highlighting are regular expressions, many of which look at all
// the rest of the code from every character of it, for the end of a comment for
// instance: their time may grow with the square of a block's length. The limits
// keep it to seconds for the worst page; what is beyond them is not highlighted.
const (
	// maxHighlight is how many bytes of code are highlighted in one block: longer
	// ones are data more often than code.
	maxHighlight = 16 << 10
	// maxHighlightLine is how long a line of such a block may be, in bytes.
	maxHighlightLine = 1000
	// maxHighlightWork bounds the sum of the squares of the blocks' lengths on
	// one page: four blocks of the greatest length, or a quarter of a megabyte
	// in blocks of a hundred lines.
	maxHighlightWork = 4 * maxHighlight * maxHighlight
)

// mayHighlight reports whether a block is to be highlighted, and counts it.
func (h *htmlWriter) mayHighlight(code []byte) bool {
	if len(code) > maxHighlight {
		return false
	}
	h.highlightWork += len(code) * len(code)
	if h.highlightWork > maxHighlightWork {
		return false
	}
	for line := range bytes.Lines(code) {
		if len(line) > maxHighlightLine {
			return false
		}
	}
	return true
}

// Chroma gives each of its regular expressions 250 ms by the wall clock, whose
// beginning it knows to 100 ms, and goes on without a match where that time is
// up: on a busy machine the same code could come out otherwise. No expression
// can have run out of time where no step of a reading, from one token to the
// next, took trustedTime, so only such a reading counts.
const (
	trustedTime = 140 * time.Millisecond
	// readings is how often code is read in the hope of a quick one. What is
	// never read in time is pathological, and is left plain.
	readings = 5
)

// stopwatch looks at the clock at each step of a reading.
type stopwatch struct {
	clock func() time.Time
	last  time.Time
	slow  bool
}

func (w *stopwatch) step() {
	now := w.clock()
	w.slow = w.slow || now.Sub(w.last) >= trustedTime
	w.last = now
}

// inTime returns what a reading brings none of whose steps was slow by a clock;
// nil where there was none.
func inTime(read func(*stopwatch) []chroma.Token, clock func() time.Time) []chroma.Token {
	for range readings {
		w := &stopwatch{clock: clock, last: clock()}
		tokens := read(w)
		if w.step(); !w.slow {
			return tokens
		}
	}
	return nil
}
