package render

import (
	"fmt"
	"regexp"
	"slices"
	"testing"

	"vitrine/internal/site"
)

// tagPages are pages with one tag each.
func tagPages(tags ...string) []*site.Page {
	var pages []*site.Page
	for i, tag := range tags {
		pages = append(pages, &site.Page{Path: "/p" + string(rune('a'+i)), Source: "content/p.md", Tags: []string{tag}})
	}
	return pages
}

// Tags that differ only in case, white space or the coding of accents are one,
// under the spelling that most pages use; every other difference is another
// tag with a path of its own.
func TestTopics(t *testing.T) {
	for name, c := range map[string]struct {
		tags []string
		// want is "name path pages" for each tag, where the path may be a pattern.
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
			for _, topic := range sortedTopics(newTopics(tagPages(c.tags...))) {
				if paths[topic.path] {
					t.Errorf("two tags are at %s", topic.path)
				}
				paths[topic.path] = true
				got = append(got, fmt.Sprintf("%s %s %d", topic.name, topic.path, len(topic.pages)))
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

// A tag's path does not depend on tags with other slugs.
func TestTopicPathsAreStable(t *testing.T) {
	alone := newTopics(tagPages("practice", "C++", "c"))
	among := newTopics(tagPages("zebra", "practice", "agents", "C++", "c", "Practice"))
	for _, folded := range []string{"practice", "c++", "c"} {
		if alone[folded].path != among[folded].path {
			t.Errorf("%s moved from %s to %s", folded, alone[folded].path, among[folded].path)
		}
	}
}

// Unlisted pages and the lists themselves are on no tag's page.
func TestTopicsLeaveOut(t *testing.T) {
	pages := []*site.Page{
		{Path: "/a", Tags: []string{"x"}},
		{Path: "/b", Tags: []string{"x", "only-unlisted"}, Unlisted: true},
		{Path: "/tags/x", Tags: []string{"x"}, List: &site.List{}},
	}
	topics := newTopics(pages)
	if len(topics) != 1 || !slices.Equal(topics["x"].pages, pages[:1]) {
		t.Errorf("got %v", topics)
	}
}

// A page with a tag in two spellings is listed once.
func TestTopicOnce(t *testing.T) {
	topics := newTopics([]*site.Page{{Path: "/a", Tags: []string{"x", "X"}}})
	if n := len(topics["x"].pages); n != 1 {
		t.Errorf("the page is listed %d times", n)
	}
}
