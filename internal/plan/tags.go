package plan

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"vitrine/internal/artifact"
	"vitrine/internal/site"
)

// A Tag is a tag with the listed pages that use it, in any spelling.
type Tag struct {
	// Name is the most frequent spelling of the tag, and Path is the path of its page.
	Name, Path string
	// pages are the listed pages with the tag, newest first.
	pages []*site.Page
	// spellings maps each spelling to the number of its uses.
	spellings map[string]int
}

// foldTag returns a form of tag that is the same for all its spellings. Two spellings of a tag differ only in case, in
// white space, or in the Unicode encoding of accented letters.
func foldTag(tag string) string {
	if isFolded(tag) {
		return tag
	}
	return strings.ToLower(norm.NFC.String(oneLine(tag)))
}

// isFolded reports whether tag has only lower-case ASCII letters, digits, and hyphens, so that foldTag keeps it.
func isFolded(tag string) bool {
	for i := range len(tag) {
		if c := tag[i]; (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '-' {
			return false
		}
	}
	return true
}

// Tag returns the tag with the given spelling, or nil if no listed page uses it.
func (l *Lists) Tag(spelling string) *Tag { return l.tags[foldTag(spelling)] }

// Topics returns the most frequently used tags, sorted by path. most is the maximum number of tags.
func (l *Lists) Topics(most int) []*Tag {
	all := sortedTags(l.tags)
	slices.SortStableFunc(all, func(a, b *Tag) int { return cmp.Compare(len(b.pages), len(a.pages)) })
	all = all[:min(most, len(all))]
	slices.SortFunc(all, func(a, b *Tag) int { return strings.Compare(a.Path, b.Path) })
	return all
}

// newTags groups pages, which are sorted newest first, by their tags. It skips unlisted pages and lists. path is the
// parent path of the tag pages. The result is keyed by tag as returned by foldTag.
func newTags(pages []*site.Page, path string) map[string]*Tag {
	tags := make(map[string]*Tag)
	// Fold each spelling only once, because most spellings are used many times.
	known := make(map[string]*Tag)
	counts := make(map[string]int)
	for _, p := range pages {
		if p.Unlisted || p.List != nil {
			continue
		}
		for _, tag := range p.Tags {
			t, seen := known[tag]
			if !seen {
				if folded := foldTag(tag); folded != "" {
					if t = tags[folded]; t == nil {
						t = &Tag{spellings: make(map[string]int)}
						tags[folded] = t
					}
				}
				known[tag] = t
			}
			if t == nil {
				continue
			}
			counts[tag]++
			if n := len(t.pages); n == 0 || t.pages[n-1] != p {
				t.pages = append(t.pages, p)
			}
		}
	}
	for tag, count := range counts {
		known[tag].spellings[oneLine(tag)] += count
	}
	placeTags(tags, path)
	return tags
}

// placeTags sets the names and the paths of tags. If several tags have the same slug, hashes distinguish their paths,
// so that the path of a tag never depends on tags with other slugs.
func placeTags(tags map[string]*Tag, path string) {
	bySlug := make(map[string][]string)
	for _, folded := range slices.Sorted(maps.Keys(tags)) {
		t := tags[folded]
		t.Name = t.commonSpelling()
		slug := slugOf(folded)
		bySlug[slug] = append(bySlug[slug], folded)
	}
	for slug, same := range bySlug {
		for _, folded := range same {
			own := slug
			// A tag that is equal to its slug gets no hash. For example, of the tags "c", "c++", and "c#", only the
			// last two get one.
			if len(same) > 1 && folded != slug || slug == "" {
				own = strings.TrimPrefix(fmt.Sprintf("%s-%04x", slug, artifact.Hash([]byte(folded))&0xffff), "-")
			}
			tags[folded].Path = path + "/" + own
		}
	}
}

// commonSpelling returns the most frequent spelling. If several spellings are equally frequent, it returns the first in
// sorted order.
func (t *Tag) commonSpelling() string {
	return slices.MinFunc(slices.Collect(maps.Keys(t.spellings)), func(a, b string) int {
		return cmp.Or(cmp.Compare(t.spellings[b], t.spellings[a]), strings.Compare(a, b))
	})
}

// slugOf returns a path segment for folded, a result of foldTag. It keeps letters, digits, and combining marks of any
// script, and replaces each run of other characters with a hyphen.
func slugOf(folded string) string {
	words := strings.FieldsFunc(folded, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r)
	})
	return strings.Join(words, "-")
}

// sortedTags returns the values of tags, sorted by path.
func sortedTags(tags map[string]*Tag) []*Tag {
	return slices.SortedFunc(maps.Values(tags), func(a, b *Tag) int { return strings.Compare(a.Path, b.Path) })
}
