package markdown

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// TestRandomPages puts pieces of Markdown together at random, always the same
// ones, and holds each page against the promise that the twin means what the
// page means. Pieces that belong together meet more often than in fuzzing.
func TestRandomPages(t *testing.T) {
	pieces := map[string]string{
		"emphasis": "*|_|**|__|***|a| |.|(|)|b c|~|~~|[|](u)|`|\\|&amp;|&#32;|\n|ä|&auml;|x",
		"blocks": "\n|\n\n|- |* |+ |1. |2) |> |# |    |  |\t|a|---|===|```|~~~|¦ a ¦ b ¦|¦ - ¦ -: ¦|¦|[^1]|[^1]: |" +
			"[r]: /u \"t\"|[r]|[x] |- [ ] |b|***|\\|[!NOTE]|> [!tip]\n> ",
		"nesting": "> |- |1. |  |   |    |\t|\n|\n\n|\n>|\n> |a|b|```|\n  |\n    |\n   |***|---|#|# |¦a¦\n|¦-¦|" +
			"[^1]:|[^1]|=|\\|[a]: b|~~~ x|[!NOTE]|c|3. |-|*|*\n",
		"inline": "a| |www.a.com|http://a.bc/d|a@b.cd|<http://a.b>|[|]|(|)|![|](/u|](u \"t\")|`|``|¦|\\|&|&copy;|#|<|" +
			">|!|_|*|~|\n|  \n|\\\n|^|[^1]|\n\n[^1]: x|:|&#10;|&#9;|.|-|+|1.|=|\n=|\n-|x",
		"tables": "¦|¦|¦| |a|\n|\n¦|---|¦ - ¦|¦-¦-¦\n|:-|-:|`|\\¦|\\|*|b|[a¦b](u¦v)|<http://a.b/c¦d>|![a¦b](c \"¦\")|" +
			"&#124;|&#9;|\t|[^1]|\n\n[^1]: x|- |> |www.a.co/¦x|~~",
	}
	p := New(Options{})
	for name, list := range pieces {
		t.Run(name, func(t *testing.T) {
			// "|" separates the pieces and "¦" stands for it.
			pieces := strings.Split(list, "|")
			random := rand.New(rand.NewPCG(1, 2))
			for range 2000 {
				var b strings.Builder
				for range 1 + random.IntN(14) {
					b.WriteString(strings.ReplaceAll(pieces[random.IntN(len(pieces))], "¦", "|"))
				}
				checkTwin(t, p, []byte(b.String()))
			}
		})
	}
}

// TestRegressions has inputs that once broke the promise, each for a reason of
// its own.
func TestRegressions(t *testing.T) {
	p := New(Options{})
	for _, c := range []struct{ reason, source string }{
		{"goldmark ends all lists at a blank line after an empty item", "* 2) \n  a\n- 1.\n\n  2. b\n"},
		{"only a blank line keeps two quotes apart, and there can be none", "+ > + \n\n    > a\n"},
		{"a marker closes after \">\" without a space", ">*a\n>*\nb\n"},
		{"several line breaks end an emphasis", ">***# a\n\\\n>***b\n"},
		{"an address goes through markers", "[_~a~.a@b.cd``_"},
		{"an address goes through backticks", "x-1.`\n1.^a@b.cd `"},
		{"a description has spaces around it in a heading", "a![\nb\n](u)\n="},
		{"an info string begins with the fence's mark", "~~~  ~~~`a`\nb\n"},
		{"a definition inside of a definition is a loop in goldmark's tree", "[^a]: [^b]: c\n\n[^a][^b]\n"},
		{"a tab is a task's box", "- [&#9;](u)"},
		{"a note in a note's order", "[^a] [^b]\n\n[^b]: [^c]\n[^a]: x\n[^c]: [^a]\n"},
		{"definitions in a row", "[^a]: b\n[^c]: d\n\n[^c][^a]\n"},
		{"bytes that are no text", "a\xffb\x00c\x01d\u0085e\ufffe\r\nf\rg\v\f h"},
	} {
		t.Run(c.reason, func(t *testing.T) { checkTwin(t, p, []byte(c.source)) })
	}
}
