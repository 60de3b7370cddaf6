package markdown

import (
	"github.com/yuin/goldmark/ast"

	"vitrine/internal/rule"
)

const rawHTMLText = `raw HTML is not allowed here; write Markdown, or "\<" for a literal "<"`

// rawHTML reports raw HTML, once for a block.
func (n *normaliser) rawHTML(at ast.Node) {
	if n.rawInBlock {
		return
	}
	n.rawInBlock = true
	n.d.problem(at.Pos(), errorSeverity, rule.RawHTML, rawHTMLText)
}
