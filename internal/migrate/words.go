package migrate

import (
	"html"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"vitrine/internal/lazyregexp"
	"vitrine/internal/migrate/convert"
	"vitrine/internal/migrate/oldsite"
)

// The words of a page are the text visible to readers. The words in the source are counted independently of the
// conversion, and don't include tags, shortcodes, and addresses.

var (
	unseenSource = lazyregexp.New(`(?s)<!--.*?-->|\{/\*.*?\*/\}|(?i:<script\b.*?</script>|<style\b.*?</style>|<svg\b.*?</svg>)|\{%.*?%\}|\{\{.*?\}\}|\{#[^}\n]*\}|\{:[^}\n]*\}`)
	tagSource    = lazyregexp.New(`</?[A-Za-z](?:[^<>"']|"[^"]*"|'[^']*')*>`)
	fenceSource  = lazyregexp.New("(?m)^[ \t>*-]*(?:```+|~~~+)[^\n`]*$")
	blockSource  = lazyregexp.New(`(?m)^[ \t>]*:{3,}[ \t]*[\w-]*|^[ \t]*<<<.*$|^[ \t]*\[\[?_?(?i:toc)_?\]\]?[ \t]*$`)
	attrSource   = lazyregexp.New(`\{:?[ \t]*(?:[.#]|[\w-]+=)[^{}\n]*\}`)
	braceSource  = lazyregexp.New(`(?m)(^[ \t>]*:{3,}.*)\{[^{}\n]*\}[ \t]*$`)
	linkSource   = lazyregexp.New(`\]\([^()\s]*(?:\([^()]*\)[^()\s]*)*(?:\s+["'(][^)]*)?\)|(?m:^[ \t>]*\[[^\]^][^\]]*\]:[ \t]*(?:\n[ \t]+)?.*$)`)
	valueSource  = lazyregexp.New(`\{[^{}\n]*\}`)
	moduleBlock  = lazyregexp.New(`(?ms)^import\s[^'"\n]*\{[^}]*\}\s*from[^\n]*$|^export\s[^\n]*[{(\[]\n.*?^[})\]]+;?$`)
	moduleSource = lazyregexp.New(`(?m)^import\s.*['"];?$|^export\s.*$`)
)

// wordsOf adds by to the count of each word of text in the map into. In scripts without spaces between words, each
// character counts as a word, because a link in a sentence would split words differently in the source and on the page.
func wordsOf(text string, into map[string]int, by int) {
	for word := range strings.FieldsFuncSeq(strings.ToLower(html.UnescapeString(text)), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		from := 0
		for i, r := range word {
			if r != 'ー' && !unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar) {
				continue
			}
			if from < i {
				into[word[from:i]] += by
			}
			into[string(r)] += by
			from = i + utf8.RuneLen(r)
		}
		if from < len(word) {
			into[word[from:]] += by
		}
	}
}

// visible returns text, the source of a page with the syntax k, without the parts that readers don't see.
func visible(k *convert.Syntax, text string) string {
	if k.Unseen != nil {
		text = k.Unseen(text)
	}
	text = braceSource.ReplaceAllString(text, "$1")
	text = blockSource.ReplaceAllString(fenceSource.ReplaceAllString(text, " "), " ")
	text = unseenSource.ReplaceAllString(text, " ")
	if k.Mdx {
		text = valueSource.ReplaceAllString(moduleSource.ReplaceAllString(moduleBlock.ReplaceAllString(text, " "), " "), " ")
	}
	text = linkSource.ReplaceAllString(text, "] ")
	text = tagSource.ReplaceAllString(text, " ")
	if k.Attrs {
		text = attrSource.ReplaceAllString(text, " ")
	}
	return text
}

// countLost compares the words of a page with the words of its source, and records words that occur less often on the
// page.
func (im *importer) countLost(p *oldsite.Page) {
	words := map[string]int{}
	wordsOf(visible(im.syntaxOf(p), p.Body), words, 1)
	wordsOf(p.Out, words, -1)
	wordsOf(p.Title, words, -1)
	var lost []string
	for word, n := range words {
		if n > 0 {
			lost = append(lost, word)
		}
	}
	if len(lost) > 0 {
		slices.Sort(lost)
		im.result.LostWords[p.Source] = lost
	}
}
