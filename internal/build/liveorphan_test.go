package build_test

import (
	"slices"
	"testing"

	"vitrine/internal/build"
	"vitrine/internal/lab/rig"
	"vitrine/internal/rule"
	"vitrine/internal/site"
)

// A live site reports an orphan as soon as the only link to the page is removed, until the link is restored.
func TestLiveFindsOrphans(t *testing.T) {
	files := rig.TinySite("One", "")
	const linking = "---\ntitle: Linking\ndescription: A page with a link.\n---\n\n"
	files["content/linking.md"] = linking + "See [the guide](/deep/down/lonely).\n"
	files["content/deep/down/lonely.md"] = "---\ntitle: Lonely\ndescription: A page with one link to it.\n---\n\nText.\n"
	live, err := build.OpenLive(t.Context(), build.Source{Root: rig.Site(t, files)}, nil, build.Observer{})
	if err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct {
		text   string
		orphan bool
	}{
		{files["content/linking.md"], false},
		{linking + "See the guide.\n", true},
		{linking + "See the guide again.\n", true},
		{linking + "See [it](/deep/down/lonely) again.\n", false},
	} {
		live.Text("content/linking.md", []byte(step.text))
		problems, _ := live.Problems()
		orphan := slices.ContainsFunc(problems, func(p site.Problem) bool { return p.Path == "content/deep/down/lonely.md" && p.Code == rule.Orphan })
		if orphan != step.orphan {
			t.Errorf("after %q, lonely.md is reported as an orphan: %v, want %v", step.text, orphan, step.orphan)
		}
	}
}
