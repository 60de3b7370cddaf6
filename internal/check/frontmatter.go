package check

import (
	"bytes"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"vitrine/internal/markdown"
	"vitrine/internal/rule"
	"vitrine/internal/site"
)

// longest is the approximate number of characters of a description that search engines show.
const longest = 160

// longestSquare is like longest, but for descriptions in Chinese, Japanese, and Korean, whose characters are wider.
const longestSquare = 120

// known contains data about all pages and files, computed before the first page is checked.
type known struct {
	// titles maps each folded title shared by several pages to those pages; see foldTitle.
	titles map[string][]*site.Page
	// tags maps each folded tag that has several spellings to the spelling that most pages use; see fold.
	tags map[string]string
	// sizes maps the paths of files to their sizes in bytes.
	sizes map[string]int64
	// onLink is the set of paths of files that are published only if the site links to them.
	onLink map[string]bool
}

func newKnown(s *site.Site) known {
	k := known{titles: make(map[string][]*site.Page), tags: make(map[string]string), sizes: make(map[string]int64, len(s.Files)), onLink: make(map[string]bool)}
	first := make(map[string]*site.Page, len(s.Pages))
	spellings := make(map[string]map[string]int)
	for _, p := range s.Pages {
		if p.Text != nil {
			continue
		}
		title := foldTitle(&s.Config, p)
		switch other, taken := first[title]; {
		case !taken:
			first[title] = p
		case k.titles[title] == nil:
			k.titles[title] = []*site.Page{other, p}
		default:
			k.titles[title] = append(k.titles[title], p)
		}
		for _, tag := range p.Tags {
			folded := fold(p, tag)
			if spellings[folded] == nil {
				spellings[folded] = make(map[string]int)
			}
			spellings[folded][tag]++
		}
	}
	for folded, counts := range spellings {
		if len(counts) > 1 {
			k.tags[folded] = usual(counts)
		}
	}
	for _, f := range s.Files {
		k.sizes[f.Path] = f.Size
		if f.OnLink {
			k.onLink[f.Path] = true
		}
	}
	return k
}

// fold returns a key for text, a title or a tag of p. Strings in a language that differ only in case have the same key.
func fold(p *site.Page, text string) string {
	if p.Language == "" {
		return strings.ToLower(text)
	}
	return p.Language + "\x00" + strings.ToLower(text)
}

// foldTitle returns a key for a page's title. Titles that differ only in case have the same key if their pages have the
// same language and belong to the same version of the documentation.
func foldTitle(c *site.Config, p *site.Page) string {
	title := fold(p, p.Title)
	if v := site.VersionOf(c, p); v != nil {
		return v.Path + "\x00" + title
	}
	return title
}

// usual returns the spelling with the highest count. If there are several, it returns the first in byte order.
func usual(counts map[string]int) string {
	best := ""
	for spelling, n := range counts {
		if best == "" || n > counts[best] || n == counts[best] && spelling < best {
			best = spelling
		}
	}
	return best
}

// frontMatter reports problems with a page's description, title, and tags.
func (c *Checker) frontMatter(f *Findings, p *site.Page, doc *markdown.Document) {
	if p.Text != nil {
		return
	}
	front := doc.FrontMatter()
	c.description(f, p, front)
	// Report every page with the same title except the first.
	if same := c.known.titles[foldTitle(&c.site.Config, p)]; same != nil && same[0] != p && p.Title != "" {
		f.add(p, titlePlace(front, doc), site.Warning, rule.SameTitle,
			fmt.Sprintf("the title %q is also the title of %s; give each page its own title, so that readers can tell them apart", p.Title, same[0].Source))
	}
	for _, tag := range p.Tags {
		if right, ok := c.known.tags[fold(p, tag)]; ok && tag != right {
			f.add(p, keyPlace(front, "tags", tag), site.Warning, rule.TagCase,
				fmt.Sprintf("the tag %q is written %q elsewhere; use the same spelling", tag, right))
		}
	}
}

// description reports a description that is missing or too long. The home page, the 404 page, and unlisted pages don't
// need a description.
func (c *Checker) description(f *Findings, p *site.Page, front []byte) {
	length, most := utf8.RuneCountInString(p.Description), longest
	if length > longestSquare && 2*squares(p.Description) > length {
		most = longestSquare
	}
	switch {
	case p.Title == "":
		// The title is missing because the front matter couldn't be read, which has already been reported.
	case length == 0 && !p.Unlisted && p.Local() != "/" && p.Local() != notFoundPath:
		f.add(p, site.Pos{Line: 1, Col: 1}, site.Warning, rule.NoDescription,
			`the page has no description; write "description: …" in its front matter, one sentence for search results and lists`)
	case length > most:
		f.add(p, keyPlace(front, "description", ""), site.Warning, rule.LongDescription,
			fmt.Sprintf("the description has %d characters, but search results show only about %d; shorten it", length, most))
	}
}

// squares returns the number of Chinese, Japanese, and Korean characters in text.
func squares(text string) (n int) {
	for _, r := range text {
		if r > 0x1100 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul) {
			n++
		}
	}
	return n
}

// titlePlace returns the position of a page's title in front matter, or of the first level-1 heading if there is none.
// If there is neither, it returns the start of the file.
func titlePlace(front []byte, doc *markdown.Document) site.Pos {
	if at := keyPlace(front, "title", ""); at != (site.Pos{Line: 1, Col: 1}) {
		return at
	}
	for _, h := range doc.Headings() {
		if h.Level == 1 {
			return h.Pos
		}
	}
	return site.Pos{Line: 1, Col: 1}
}

// keyPlace returns the position of a key in front matter of any syntax or, if word is set, of the first occurrence of
// word after the key. If the word is missing, it returns the key's position. If the key is missing, it returns the
// start of the file.
func keyPlace(front []byte, key, word string) site.Pos {
	line, found, at := 0, false, site.Pos{Line: 1, Col: 1}
	for text := range bytes.Lines(front) {
		line++
		if !found {
			trimmed := bytes.TrimLeft(text, " \t\"'")
			rest, ok := bytes.CutPrefix(trimmed, []byte(key))
			rest = bytes.TrimLeft(rest, "\"' \t")
			if !ok || len(rest) == 0 || rest[0] != ':' && rest[0] != '=' {
				continue
			}
			found, at = true, site.Pos{Line: line, Col: utf8.RuneCount(text[:len(text)-len(trimmed)]) + 1}
		}
		if i := wordAt(text, word); i >= 0 {
			return site.Pos{Line: line, Col: utf8.RuneCount(text[:i]) + 1}
		}
		if word == "" {
			return at
		}
	}
	return at
}

// wordAt returns the offset of the first occurrence of word that isn't part of a longer word, or -1 if there is none.
func wordAt(text []byte, word string) int {
	if word == "" {
		return -1
	}
	for from := 0; ; {
		i := bytes.Index(text[from:], []byte(word))
		if i < 0 {
			return -1
		}
		i += from
		end := i + len(word)
		if (i == 0 || !letterOrDigit(text[i-1])) && (end == len(text) || !letterOrDigit(text[end])) {
			return i
		}
		from = end
	}
}

func letterOrDigit(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c >= utf8.RuneSelf
}
