package render

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

// tagsPath is the page that lists all tags; those of the tags are below it.
const tagsPath = "/tags"

// topic is a tag with the listed pages that have it.
type topic struct {
	// name is the spelling that most of the pages use.
	name, path string
	// pages are the newest first.
	pages []*site.Page
	// spellings counts how often each spelling is used.
	spellings map[string]int
}

// foldTag is what two spellings of one tag have in common: they differ in
// case, in white space or in how an accented letter is coded.
func foldTag(tag string) string {
	if isFolded(tag) {
		return tag
	}
	return strings.ToLower(norm.NFC.String(oneLine(tag)))
}

// isFolded reports whether a tag is one word of lower-case ASCII letters, digits
// and hyphens.
func isFolded(tag string) bool {
	for i := range len(tag) {
		if c := tag[i]; (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '-' {
			return false
		}
	}
	return true
}

// newTopics groups pages by their tags. Unlisted pages and lists have no part
// in it.
func newTopics(pages []*site.Page) map[string]*topic {
	topics := make(map[string]*topic)
	// Each spelling is folded once, for most are used many times.
	known := make(map[string]*topic)
	counts := make(map[string]int)
	for _, p := range pages {
		if p.Unlisted || p.List != nil {
			continue
		}
		for _, tag := range p.Tags {
			t, seen := known[tag]
			if !seen {
				if folded := foldTag(tag); folded != "" {
					if t = topics[folded]; t == nil {
						t = &topic{spellings: make(map[string]int)}
						topics[folded] = t
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
	placeTopics(topics)
	return topics
}

// placeTopics names the topics and gives each a path of its own, which does not
// depend on which other tags there are as long as their slugs differ.
func placeTopics(topics map[string]*topic) {
	bySlug := make(map[string][]string)
	for _, folded := range slices.Sorted(maps.Keys(topics)) {
		t := topics[folded]
		t.name = t.commonSpelling()
		slices.SortFunc(t.pages, newestFirst)
		slug := slugOf(folded)
		bySlug[slug] = append(bySlug[slug], folded)
	}
	for slug, tags := range bySlug {
		for _, folded := range tags {
			own := slug
			// The tag that is its slug keeps it; "c++" and "c#" beside "c" do not.
			if len(tags) > 1 && folded != slug || slug == "" {
				own = strings.TrimPrefix(fmt.Sprintf("%s-%04x", slug, artifact.Hash([]byte(folded))&0xffff), "-")
			}
			topics[folded].path = tagsPath + "/" + own
		}
	}
}

// commonSpelling is the spelling that is used most, the first in order where
// several are.
func (t *topic) commonSpelling() string {
	return slices.MinFunc(slices.Collect(maps.Keys(t.spellings)), func(a, b string) int {
		return cmp.Or(cmp.Compare(t.spellings[b], t.spellings[a]), strings.Compare(a, b))
	})
}

// slugOf makes a path segment of a tag: letters and digits of any script stay,
// everything else becomes a hyphen.
func slugOf(folded string) string {
	words := strings.FieldsFunc(folded, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r)
	})
	return strings.Join(words, "-")
}

// sortedTopics are the topics in the order of their paths.
func sortedTopics(topics map[string]*topic) []*topic {
	return slices.SortedFunc(maps.Values(topics), func(a, b *topic) int { return strings.Compare(a.path, b.path) })
}
