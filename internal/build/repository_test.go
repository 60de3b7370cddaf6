package build_test

import (
	"os/exec"
	"path/filepath"
	"testing"

	"vitrine/internal/build"
	"vitrine/internal/lab/rig"
)

// Whatever the state of the repository is, a build without changes writes no files and doesn't ask Git for dates that
// can't have changed.
func TestUnchangedInRepositories(t *testing.T) {
	t.Setenv("GIT_CONFIG_GLOBAL", "/dev/null")
	t.Setenv("GIT_CEILING_DIRECTORIES", "") // lets the build find HEAD without running git
	for what, commands := range map[string][][]string{
		"no repository":                     nil,
		"before the first commit":           {{"init", "--quiet"}},
		"an untracked site":                 {{"init", "--quiet"}, {"add", "beside"}, {"commit", "--quiet", "--message", "Begin"}},
		"a committed site":                  {{"init", "--quiet"}, {"add", "."}, {"commit", "--quiet", "--message", "Begin"}},
		"packed refs":                       {{"init", "--quiet"}, {"add", "."}, {"commit", "--quiet", "--message", "Begin"}, {"gc", "--quiet"}},
		"no branch":                         {{"init", "--quiet"}, {"add", "."}, {"commit", "--quiet", "--message", "Begin"}, {"checkout", "--quiet", "--detach"}},
		"a new branch, and refs of another": {{"init", "--quiet"}, {"add", "."}, {"commit", "--quiet", "--message", "Begin"}, {"gc", "--quiet"}, {"checkout", "--quiet", "--orphan", "new"}},
	} {
		t.Run(what, func(t *testing.T) {
			files := map[string]string{"beside": "beside"}
			for name, text := range rig.TinySite("One", "") {
				files["site/"+name] = text
			}
			top := rig.Site(t, files)
			for _, arguments := range commands {
				cmd := exec.CommandContext(t.Context(), "git", append([]string{"-C", top, "-c", "user.name=test", "-c", "user.email=test@vitrine.example"}, arguments...)...)
				if out, err := cmd.CombinedOutput(); err != nil {
					t.Fatalf("git %v: %v\n%s", arguments, err, out)
				}
			}
			source := build.Source{Root: filepath.Join(top, "site"), NoSocialImages: true}
			output := build.Output{Out: filepath.Join(t.TempDir(), "build")}
			for i, want := range []bool{false, true} {
				summary, problems, err := build.Build(t.Context(), source, output, build.Observer{})
				if err != nil {
					t.Fatal(err, problems)
				}
				if summary.Unchanged != want {
					t.Errorf("build %d: nothing has changed is %t, want %t", i+1, summary.Unchanged, want)
				}
			}
		})
	}
}
