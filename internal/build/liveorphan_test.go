package build_test

import (
	"slices"
	"strings"
	"testing"

	"vitrine/internal/build"
	"vitrine/internal/lab/rig"
	"vitrine/internal/rule"
	"vitrine/internal/site"
)

// When the only link to a page is removed, a live site reports the page as an orphan. It stops doing so when the link
// is restored or the page is unlisted.
func TestLiveFindsOrphans(t *testing.T) {
	files := rig.TinySite("One", "")
	const linking = "---\ntitle: Linking\ndescription: A page with a link.\n---\n\n"
	files["content/linking.md"] = linking + "See [the guide](/deep/down/lonely).\n"
	files["content/deep/down/lonely.md"] = "---\ntitle: Lonely\ndescription: A page with one link to it.\n---\n\nText.\n"
	live, err := build.OpenLive(t.Context(), build.Source{Root: rig.Site(t, files)}, nil, build.Observer{})
	if err != nil {
		t.Fatal(err)
	}
	const linkingFile, lonelyFile = "content/linking.md", "content/deep/down/lonely.md"
	for _, step := range []struct {
		file, text string
		orphan     bool
	}{
		{linkingFile, files[linkingFile], false},
		{linkingFile, linking + "See the guide.\n", true},
		{linkingFile, linking + "See the guide again.\n", true},
		{lonelyFile, strings.Replace(files[lonelyFile], "---\n", "---\nunlisted: true\n", 1), false},
		{lonelyFile, files[lonelyFile], true},
		{linkingFile, linking + "See [it](/deep/down/lonely) again.\n", false},
	} {
		live.Text(step.file, []byte(step.text))
		problems, _ := live.Problems()
		orphan := slices.ContainsFunc(problems, func(p site.Problem) bool { return p.Path == lonelyFile && p.Code == rule.Orphan })
		if orphan != step.orphan {
			t.Errorf("after the text %q in %s, lonely.md is reported as an orphan: %v, want %v", step.text, step.file, orphan, step.orphan)
		}
	}
}
