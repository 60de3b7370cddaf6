package markdown

import (
	"bytes"
	"errors"
	"math"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/lexers"
	"github.com/dlclark/regexp2/v2"
	"github.com/yuin/goldmark/ast"

	"vitrine/internal/rule"
	"vitrine/internal/site"
)

// languages returns chroma's names of languages, in lower case. Looking up other names makes chroma
// search its file patterns, which is slow.
func languages() map[string]bool {
	names := lexers.Names(true)
	known := make(map[string]bool, len(names))
	for _, name := range names {
		known[strings.ToLower(name)] = true
	}
	return known
}

// The lexers for highlighting are regular expressions. At every character, many of them examine the
// whole rest of the code, for example to find the end of a comment, so their time may grow with the
// square of a block's length. The limits keep it to seconds for the worst page. Code beyond them is
// not highlighted.
const (
	// maxHighlight is the maximum size in bytes of a highlighted block: longer ones are more often
	// data than code.
	maxHighlight = 16 << 10
	// maxHighlightLine is the maximum length in bytes of a line in such a block.
	maxHighlightLine = 1000
	// maxHighlightWork is the maximum sum of the squares of block lengths on one page: four blocks
	// of the maximum length, or a quarter of a megabyte in blocks of a hundred lines.
	maxHighlightWork = 4 * maxHighlight * maxHighlight
)

// mayHighlight reports whether to highlight a block, and counts it.
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

// highlightCache caches highlighted code within its size limit: the same code appears on many
// pages.
type highlightCache struct {
	marked sync.Map // of codeKey to string; "" for code that no lexer could read
	size   atomic.Int64
	// endless has the codeKeys whose highlighting timed out, so that the build waits only once for each.
	endless sync.Map
}

// codeKey is code in a language.
type codeKey struct {
	language, code string
}

// maxHighlighted is the maximum number of bytes of cached code and its highlighted form.
const maxHighlighted = 4 << 20

// highlight marks the tokens of code as HTML. ok is false if the code must not be highlighted or
// the lexer fails. The error is ErrEndless.
func (p *Parser) highlight(language string, code []byte) (marked string, ok bool, err error) {
	if p.languages == nil || language == "" || len(code) == 0 || !p.languages()[strings.ToLower(language)] {
		return "", false, nil
	}
	key := codeKey{language, string(code)}
	if known, ok := p.highlighted.marked.Load(key); ok {
		marked = known.(string)
		return marked, marked != "", nil
	}
	if _, known := p.highlighted.endless.Load(key); known {
		return "", false, ErrEndless
	}
	tokens, err := p.tokens(language, key.code)
	if err != nil {
		p.highlighted.endless.Store(key, nil)
		return "", false, err
	}
	if tokens != nil {
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
	return marked, marked != "", nil
}

// token writes a token in its class. A lexer's error tokens get no class: code in articles is often
// incomplete.
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

// stopClock stops the clock of the lexers' regular expressions. Chroma gives each of them 250 ms and continues without
// a match after that. The clock is up to 100 ms late, and more on a busy machine, so equal code could get different
// HTML. The clock first moves after one period, so it never moves if the period never ends.
var stopClock = sync.OnceFunc(func() { regexp2.SetTimeoutCheckPeriod(math.MaxInt64 / 2) })

// ErrEndless is the error for code whose highlighting does not end.
var ErrEndless = errors.New("highlighting this code does not end; remove the language after the fence, or shorten the code")

// maxTurns is the maximum time in seconds that a lexer may run. The limits above allow the slowest known code about
// two. Time can only end a build with an error, never change its output.
const maxTurns = 120

// tokens splits code into tokens, or returns nil if the lexer fails. The error is ErrEndless.
func (p *Parser) tokens(language, code string) ([]chroma.Token, error) {
	stopClock()
	lexer := p.lexers.get(language)
	if lexer == nil {
		return nil, nil
	}
	// A ticker drops ticks that aren't received, so a process that was stopped and continued loses only one turn.
	ticker := time.NewTicker(time.Second)
	defer ticker.Stop()
	return inTurns(maxTurns, ticker.C, func(abandoned *atomic.Bool) []chroma.Token { return tokenise(lexer, code, abandoned) })
}

// inTurns returns the result of read, or ErrEndless after a number of turns. A regular expression can't be interrupted,
// so read continues until it notices that it was abandoned.
func inTurns(turns int, turn <-chan time.Time, read func(abandoned *atomic.Bool) []chroma.Token) ([]chroma.Token, error) {
	var abandoned atomic.Bool
	done := make(chan []chroma.Token, 1)
	go func() { done <- read(&abandoned) }()
	for {
		select {
		case tokens := <-done:
			return tokens, nil
		case <-turn:
			if turns--; turns == 0 {
				abandoned.Store(true)
				return nil, ErrEndless
			}
		}
	}
}

// tokenise splits code into tokens, or returns nil if the lexer fails or was abandoned.
func tokenise(lexer chroma.Lexer, code string, abandoned *atomic.Bool) (tokens []chroma.Token) {
	// This guards only against github.com/alecthomas/chroma/v2, whose lexers report a fault in their rules, such as an unknown
	// state, by a panic. The code then stays without highlighting. There are too many lexers to exclude it.
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
	for token := iterator(); token != chroma.EOF; token = iterator() {
		if abandoned.Load() || !strings.HasPrefix(rest, token.Value) {
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

// Failure is an error from writing a page, with its position in the source.
type Failure struct{ site.Problem }

// Error returns the problem as shown to users.
func (f *Failure) Error() string { return f.Problem.String() }

// failureAt returns an error at the position of a code block.
func (d *Document) failureAt(n ast.Node, err error) error {
	at := max(n.Pos(), 0)
	if fenced, ok := n.(*ast.FencedCodeBlock); ok && fenced.Info != nil {
		at = fenced.Info.Segment.Start
	}
	return &Failure{site.Problem{Path: d.path, Pos: d.position(at), Severity: errorSeverity, Code: rule.TooMuch, Text: err.Error()}}
}
