package markdown

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"github.com/yuin/goldmark/ast"
	"golang.org/x/text/unicode/norm"

	"vitrine/internal/record"
	"vitrine/internal/rule"
)

// Heading is a heading of a page.
type Heading = record.Heading

// heading is a heading with its node. dropped reports whether the heading is omitted from the outputs; see DropTitle.
type heading struct {
	Heading
	node    *ast.Heading
	dropped bool
}

// heading records a heading and assigns its anchor.
func (n *normalizer) heading(node *ast.Heading) {
	text := n.d.plain(node)
	if !node.HasChildren() {
		n.d.noteForeign("empty heading", warningSeverity, rule.LooseHeading, node.Pos(),
			fmt.Sprintf("this heading is empty; write its text after %s, or remove the line", strings.Repeat("#", node.Level)), "", "")
	}
	if n.ids == nil {
		n.ids = make(map[string]int)
	}
	n.d.headings = append(n.d.headings, &heading{
		Heading: Heading{Level: node.Level, ID: unique(n.ids, slug(text)), Text: text},
		node:    node,
	})
}

// slug returns the anchor for a heading's text in the same way as GitHub. It converts text to lower case, replaces each
// space with "-", and keeps letters, marks, and digits of any script, "-", "_", and similar connectors. It drops all
// other characters. If no character remains, it returns "section". Text is first normalized to NFC, like the
// destinations of links.
func slug(text string) string {
	text = norm.NFC.String(text)
	var b strings.Builder
	b.Grow(len(text))
	for _, r := range text {
		switch {
		case 'a' <= r && r <= 'z', '0' <= r && r <= '9', r == '-', r == '_':
			b.WriteByte(byte(r))
		case 'A' <= r && r <= 'Z':
			b.WriteByte(byte(r) + 'a' - 'A')
		case r == ' ':
			b.WriteByte('-')
		case r < 0x80:
		case unicode.In(r, unicode.Letter, unicode.Mark, unicode.Nd, unicode.Nl, unicode.Pc):
			b.WriteRune(unicode.ToLower(r))
		}
	}
	if b.Len() == 0 {
		return "section"
	}
	return b.String()
}

// unique reserves and returns id, with a suffix of "-1", "-2", and so on if id is taken. Suffixed IDs are reserved too,
// so "a", "a", "a-1" become "a", "a-1", "a-1-1".
func unique(taken map[string]int, id string) string {
	result := id
	for {
		if _, ok := taken[result]; !ok {
			taken[result] = 0
			return result
		}
		taken[id]++
		result = id + "-" + strconv.Itoa(taken[id])
	}
}

// hasHardBreak reports whether a heading contains a hard line break, which only underlined headings can contain.
func hasHardBreak(n ast.Node) bool {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if _, hard := lineBreak(c); hard {
			return true
		}
		if _, image := c.(*ast.Image); !image && hasHardBreak(c) {
			return true
		}
	}
	return false
}
