// Package highlight marks the tokens of code as HTML with chroma's lexers and classes. It is the only user of chroma.
// It limits the running time of the lexers, which may be quadratic in the length of the code, and lexes common
// languages faster than chroma does.
package highlight

import (
	"bytes"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/lexers"
	"github.com/yuin/goldmark/util"
)

// languages returns the set of chroma's language names, in lower case. Checking it first avoids slow lookups, because
// chroma searches its file patterns for an unknown name.
var languages = sync.OnceValue(func() map[string]bool {
	names := lexers.Names(true)
	known := make(map[string]bool, len(names))
	for _, name := range names {
		known[strings.ToLower(name)] = true
	}
	return known
})

// Knows reports whether code in the given language can be highlighted. It ignores case.
func Knows(language string) bool { return languages()[strings.ToLower(language)] }

// Title returns the display name of a language, with a capital letter, or "" for plain text and unknown languages.
func Title(language string) string {
	lexer := lexers.Get(language)
	if lexer == nil || lexer.Config().Name == "plaintext" {
		return ""
	}
	name := lexer.Config().Name
	return strings.ToUpper(name[:1]) + name[1:]
}

// The lexers consist of regular expressions. At every character, many of them examine all the remaining code, for
// example to find the end of a comment, so their running time may be quadratic in the length of a block. The limits
// bound the time for the worst page to seconds. Code beyond the limits is not highlighted.
const (
	// maxHighlight is the maximum size in bytes of a highlighted block. Longer blocks are more often data than code.
	maxHighlight = 16 << 10
	// maxHighlightLine is the maximum length in bytes of a line in a highlighted block.
	maxHighlightLine = 1000
	// maxHighlightWork is the maximum sum of the squares of block lengths on one page. It allows four blocks of the
	// maximum length, or a quarter of a megabyte in blocks of a hundred lines.
	maxHighlightWork = 4 * maxHighlight * maxHighlight
)

// Budget limits the work of the lexers on one page. It counts every block in a known language that isn't longer than
// maxHighlight, even if the block isn't highlighted. The zero value is ready for a new page.
type Budget struct {
	spent int // the sum of the squares of the lengths of the counted blocks, in bytes
}

// allows reports whether the budget allows highlighting code, and charges the work to the budget.
func (b *Budget) allows(code []byte) bool {
	if len(code) > maxHighlight {
		return false
	}
	b.spent += len(code) * len(code)
	if b.spent > maxHighlightWork {
		return false
	}
	for line := range bytes.Lines(code) {
		if len(line) > maxHighlightLine {
			return false
		}
	}
	return true
}

// Highlighter highlights code. It caches up to maxHighlighted bytes of code and results, because the same code often
// appears on many pages. The zero value is ready to use. A Highlighter is safe for concurrent use.
type Highlighter struct {
	lexers quickLexers
	marked sync.Map // from block to string; "" for code that no lexer could read
	size   atomic.Int64
	// endless contains the blocks whose highlighting timed out, so that the build waits only once for each block.
	endless sync.Map
}

// block is a code block: its language and its code.
type block struct {
	language, code string
}

// maxHighlighted is the maximum total size in bytes of the cached code and its HTML.
const maxHighlighted = 4 << 20

// HTML returns code as HTML in which each token is an element with its class. budget is the budget of the page that
// contains the code. ok is false if the language is unknown, the code is empty or exceeds a limit, the page's budget is
// spent, or the lexer fails. The error is ErrEndless or nil.
func (h *Highlighter) HTML(language string, code []byte, budget *Budget) (marked string, ok bool, err error) {
	if language == "" || len(code) == 0 || !Knows(language) || !budget.allows(code) {
		return "", false, nil
	}
	key := block{language, string(code)}
	if known, ok := h.marked.Load(key); ok {
		marked = known.(string)
		return marked, marked != "", nil
	}
	if _, known := h.endless.Load(key); known {
		return "", false, ErrEndless
	}
	tokens, err := h.tokens(language, key.code)
	if err != nil {
		h.endless.Store(key, nil)
		return "", false, err
	}
	if tokens != nil {
		var b strings.Builder
		for _, token := range tokens {
			writeToken(&b, token)
		}
		marked = b.String()
	}
	if size := int64(len(code) + len(marked)); h.size.Add(size) <= maxHighlighted {
		h.marked.Store(key, marked)
	} else {
		h.size.Add(-size)
	}
	return marked, marked != "", nil
}

// writeToken writes a token in a <span> with its class. A token without a class is plain text, as is an error token,
// because code in articles is often incomplete.
func writeToken(b *strings.Builder, token chroma.Token) {
	class := ""
	if token.Type != chroma.Error {
		class = tokenClass(token.Type)
	}
	if class == "" {
		escape(b, token.Value)
		return
	}
	b.WriteString(`<span class="`)
	b.WriteString(class)
	b.WriteString(`">`)
	escape(b, token.Value)
	b.WriteString("</span>")
}

// escape writes text and escapes HTML's special characters.
func escape(b *strings.Builder, text string) {
	from := 0
	for i := range len(text) {
		if replacement := util.EscapeHTMLByte(text[i]); replacement != nil {
			b.WriteString(text[from:i])
			b.Write(replacement)
			from = i + 1
		}
	}
	b.WriteString(text[from:])
}

// tokenClass returns chroma's short class for a token type, or for its nearest ancestor that has a class. It returns ""
// for white space and for types without a class.
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
