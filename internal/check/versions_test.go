package check

import (
	"testing"

	"vitrine/internal/markdown"
	"vitrine/internal/rule"
	"vitrine/internal/site"
)

// A link from an old version of the documentation to another version is reported if the old version also contains the
// target. The message contains the address in the old version.
func TestLinkToOtherVersion(t *testing.T) {
	page := func(path string) *site.Page {
		return &site.Page{Path: path, Title: path, Source: "content" + path + ".md", Description: "About it."}
	}
	old := page("/docs/v1/start")
	s := &site.Site{
		Config: site.Config{BaseURL: "https://a.example", Versions: []site.Version{{Path: "/docs", Label: "2.x"}, {Path: "/docs/v1", Label: "1.x"}}},
		Pages:  []*site.Page{page("/docs"), page("/docs/install"), page("/docs/news"), page("/docs/v1"), page("/docs/v1/install"), old, page("/pricing")},
	}
	index, _ := site.NewIndex(s, nil)
	for link, want := range map[string]string{
		"/docs/install#a": "/docs/v1/install#a",
		"../install.md":   "/docs/v1/install",
		"/docs/news":      "",
		"install.md":      "",
		"/pricing":        "",
	} {
		checker := New(s, index, Options{})
		source := "# Start\n\n[Link](" + link + ")\n"
		doc := markdown.New(markdown.Options{}).Parse(old.Source, []byte(source), 0)
		var got []site.Problem
		for _, p := range checker.Page(old, doc).Problems {
			if p.Code == rule.OtherVersion {
				got = append(got, p)
			}
		}
		if want == "" && len(got) > 0 || want != "" && (len(got) != 1 || got[0].Text != `"`+link+`" links from 1.x to 2.x; write "`+want+`" to stay in the version` || got[0].Pos.Line != 3) {
			t.Errorf("%s: %v, want %q", link, got, want)
		}
		if want != "" && link[0] == '/' && got[0].Fix.New != want {
			t.Errorf("%s: the fix is %v", link, got[0].Fix)
		}
	}
}
