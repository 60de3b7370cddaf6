package plan

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/text/unicode/norm"

	"vitrine/internal/site"
)

// tagPages returns pages with one tag each.
func tagPages(tags ...string) []*site.Page {
	var pages []*site.Page
	for i, tag := range tags {
		pages = append(pages, &site.Page{Path: "/p" + string(rune('a'+i)), Source: "content/p.md", Tags: []string{tag}})
	}
	return pages
}

// Topics returns the tags that most pages use, sorted by path.
func TestTopics(t *testing.T) {
	l := &Lists{tags: newTags(tagPages("rare", "often", "often", "also", "also", "always", "always", "always"), TagsPath)}
	for most, want := range map[int]string{0: "", 1: "always", 3: "also always often", 9: "also always often rare"} {
		var got []string
		for _, tag := range l.Topics(most) {
			got = append(got, tag.Name)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("the topics, at most %d, are %q, want %q", most, got, want)
		}
	}
}

// Spellings that differ only in case, white space, or the encoding of accents are the same tag, which has the most
// frequent spelling. Spellings with any other difference are separate tags with different paths.
func TestTags(t *testing.T) {
	for name, c := range map[string]struct {
		tags []string
		// want contains "name path pages" for each tag. The path may be a pattern.
		want []string
	}{
		"one":           {[]string{"practice"}, []string{"practice /tags/practice 1"}},
		"case":          {[]string{"API", "api", "API"}, []string{"API /tags/api 3"}},
		"a tie":         {[]string{"b", "B"}, []string{"B /tags/b 2"}},
		"white space":   {[]string{"call  review", " call review"}, []string{"call review /tags/call-review 2"}},
		"accents":       {[]string{"caf\u00e9", "cafe\u0301"}, []string{"cafe\u0301 /tags/caf\u00e9 2"}},
		"scripts":       {[]string{"営業", "Продажи"}, []string{"Продажи /tags/продажи 1", "営業 /tags/営業 1"}},
		"one slug":      {[]string{"c", "C++", "C#"}, []string{"c /tags/c 1", "C. /tags/c-[0-9a-f]{4} 1", "C.. /tags/c-[0-9a-f]{4} 1"}},
		"alone":         {[]string{"C++"}, []string{`C\+\+ /tags/c 1`}},
		"no slug":       {[]string{"!!!"}, []string{"!!! /tags/[0-9a-f]{4} 1"}},
		"dots":          {[]string{"node.js", "index.md"}, []string{"index.md /tags/index-md 1", "node.js /tags/node-js 1"}},
		"space or dash": {[]string{"call review", "call-review"}, []string{"call-review /tags/call-review 1", "call review /tags/call-review-[0-9a-f]{4} 1"}},
		"nothing":       {[]string{"", "  "}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			paths := make(map[string]bool)
			var got []string
			for _, tag := range sortedTags(newTags(tagPages(c.tags...), TagsPath)) {
				if paths[tag.Path] {
					t.Errorf("two tags have the path %s", tag.Path)
				}
				paths[tag.Path] = true
				got = append(got, fmt.Sprintf("%s %s %d", tag.Name, tag.Path, len(tag.pages)))
			}
			if len(got) != len(c.want) {
				t.Fatalf("got %q, want %q", got, c.want)
			}
			for _, want := range c.want {
				if !slices.ContainsFunc(got, regexp.MustCompile("^"+want+"$").MatchString) {
					t.Errorf("got %q, want %q", got, c.want)
				}
			}
		})
	}
}

// The path of a tag doesn't depend on tags with other slugs.
func TestTagPathsAreStable(t *testing.T) {
	alone := newTags(tagPages("practice", "C++", "c"), TagsPath)
	among := newTags(tagPages("zebra", "practice", "agents", "C++", "c", "Practice"), TagsPath)
	for _, folded := range []string{"practice", "c++", "c"} {
		if alone[folded].Path != among[folded].Path {
			t.Errorf("%s moved from %s to %s", folded, alone[folded].Path, among[folded].Path)
		}
	}
}

// The pages of tags list neither unlisted pages nor lists.
func TestTagPagesOmitUnlistedPages(t *testing.T) {
	pages := []*site.Page{
		{Path: "/a", Tags: []string{"x"}},
		{Path: "/b", Tags: []string{"x", "only-unlisted"}, Unlisted: true},
		{Path: "/tags/x", Tags: []string{"x"}, List: &site.List{}},
	}
	tags := newTags(pages, TagsPath)
	if len(tags) != 1 || !slices.Equal(tags["x"].pages, pages[:1]) {
		t.Errorf("got %v", tags)
	}
}

// A page that has the same tag in two spellings is listed once.
func TestTagInTwoSpellings(t *testing.T) {
	tags := newTags([]*site.Page{{Path: "/a", Tags: []string{"x", "X"}}}, TagsPath)
	if n := len(tags["x"].pages); n != 1 {
		t.Errorf("the page is listed %d times", n)
	}
}

// Folding doesn't change a tag for which isFolded returns true.
func TestIsFolded(t *testing.T) {
	runes := []rune("ab Z09-_.~/,'?!:;()#*+>&<[]`\\|ä\t")
	random := rand.New(rand.NewPCG(7, 8))
	for range 50_000 {
		var b strings.Builder
		for range random.IntN(8) {
			// Letters are more likely than other characters.
			b.WriteRune(runes[min(random.IntN(len(runes)), random.IntN(len(runes)))])
		}
		if s := b.String(); isFolded(s) && strings.ToLower(norm.NFC.String(oneLine(s))) != s {
			t.Fatalf("%q is said to be folded", s)
		}
	}
}
