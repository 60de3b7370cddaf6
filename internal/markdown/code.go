package markdown

import (
	"bytes"
	"strings"

	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/lexers"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/util"
)

// maxHighlight is how many bytes of code are highlighted in one block: longer
// ones are data more often than code, and cost time by the second.
const maxHighlight = 64 << 10

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

// appendLines appends the content of a code block. Lines of nothing but spaces
// are empty, because goldmark does not read them the same way everywhere.
func (d *Document) appendLines(dst []byte, n ast.Node) []byte {
	lines := n.Lines()
	for i := range lines.Len() {
		segment := lines.At(i)
		value := segment.Value(d.body)
		if util.IsBlank(value) {
			dst = append(dst, '\n')
			continue
		}
		dst = append(dst, value...)
	}
	if len(dst) > 0 && dst[len(dst)-1] != '\n' {
		dst = append(dst, '\n')
	}
	return dst
}

// code writes a code block, highlighted where its language is known.
func (h *htmlWriter) code(n ast.Node, language string) {
	code := h.d.appendLines(nil, n)
	if tokens := h.d.parser.tokens(language, code); tokens != nil {
		h.w.WriteString(`<pre class="chroma" tabindex="0"><code class="language-`)
		h.escape([]byte(strings.ToLower(language)))
		h.w.WriteString(`">`)
		for _, token := range tokens {
			h.token(token)
		}
	} else {
		h.w.WriteString(`<pre tabindex="0"><code>`)
		h.escape(code)
	}
	h.w.WriteString("</code></pre>\n")
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

// tokens splits code into tokens, nil where it is not to be highlighted or the
// lexer fails.
func (p *Parser) tokens(language string, code []byte) (tokens []chroma.Token) {
	if len(p.languages) == 0 || language == "" || len(code) > maxHighlight || !p.languages[strings.ToLower(language)] {
		return nil
	}
	lexer := lexers.Get(language)
	if lexer == nil {
		return nil
	}
	// Lexers report a fault in their rules by a panic.
	defer func() {
		if recover() != nil {
			tokens = nil
		}
	}()
	iterator, err := chroma.Coalesce(lexer).Tokenise(nil, string(code))
	if err != nil {
		return nil
	}
	tokens = iterator.Tokens()
	rest := code
	for _, token := range tokens {
		if !bytes.HasPrefix(rest, []byte(token.Value)) {
			return nil
		}
		rest = rest[len(token.Value):]
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
