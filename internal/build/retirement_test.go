package build_test

import (
	"context"
	"path/filepath"
	"testing"

	"vitrine/internal/build"
	"vitrine/internal/lab/rig"
	"vitrine/internal/site"
)

// A retirement links to a notice. A notice that is missing or a 404 is an error. A date in the past is a warning.
func TestRetirementHasANotice(t *testing.T) {
	for settings, want := range map[string][]string{
		`{deprecation: 2027-01-01}`: {
			`content/site.yaml:4:3: error: api.retirement.notice is missing; write the URL of the public announcement, such as https://acorn.example/blog/version-1-retires [V005]`},
		`{deprecation: 2027-01-01, notice: "https://tiny.example/nowhere"}`: {
			`content/site.yaml:4:49: error: api.retirement.notice: there is nothing at "https://tiny.example/nowhere" [V024]`},
		`{deprecation: 2027-01-01, notice: "https://tiny.example/blog/first"}`: nil,
		`{deprecation: 2027-01-01, notice: "https://elsewhere.example/end"}`:   nil,
		`{deprecation: 2020-01-01, sunset: 2021-01-01, notice: "https://elsewhere.example/end"}`: {
			`content/site.yaml:4:69: warning: api.retirement.sunset: 2021-01-01 has passed, but the version is still served; write a later date [V006]`},
	} {
		root := rig.Site(t, rig.TinySite("One", "api:\n  retirement: "+settings+"\n"))
		_, problems, err := build.Build(context.Background(), build.Source{Root: root}, build.Output{Out: filepath.Join(root, "build")}, build.Observer{})
		if err != nil {
			t.Errorf("%s: %v", settings, err)
		}
		var got []string
		for _, p := range problems {
			if p.Path == "content/site.yaml" && (p.Severity == site.Error || p.Code == "V006") {
				got = append(got, p.String())
			}
		}
		if len(got) != len(want) || len(got) > 0 && got[0] != want[0] {
			t.Errorf("%s:\n got %q\nwant %q", settings, got, want)
		}
	}
}
