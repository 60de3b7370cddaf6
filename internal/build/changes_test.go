package build_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"vitrine/internal/build"
	"vitrine/internal/lab/rig"
	"vitrine/internal/rule"
)

// The page of changed facts lists the changes in Git, and a full build and an incremental build list the same changes.
// If there is no history or only part of it, the page lists no changes and says why.
func TestChangesOfFacts(t *testing.T) {
	t.Setenv("GIT_CONFIG_GLOBAL", "/dev/null")
	t.Setenv("SOURCE_DATE_EPOCH", "1780000000")
	root := rig.Site(t, rig.TinySite("One", "timeZone: Asia/Tokyo\nlanguages:\n  de: {}\n"))
	product := filepath.Join(root, "content/product.yaml")
	git := func(day string, arguments ...string) {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), "git", append([]string{"-C", root, "-c", "user.name=test", "-c", "user.email=test@vitrine.example"}, arguments...)...)
		cmd.Env = append(os.Environ(), "GIT_AUTHOR_DATE=2026-01-"+day+"T12:00:00Z", "GIT_COMMITTER_DATE=2026-01-"+day+"T12:00:00Z")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", arguments, err, out)
		}
	}
	edit := func(from, to string) {
		t.Helper()
		text, err := os.ReadFile(product)
		if err != nil || !strings.Contains(string(text), from) {
			t.Fatalf("%v: no %q", err, from)
		}
		if err := os.WriteFile(product, []byte(strings.Replace(string(text), from, to, 1)), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	warm := filepath.Join(t.TempDir(), "warm")
	// made builds a site and returns the changes page in English and German, its feed, and the codes of its problems.
	made := func(root, out string) (page, german, feed, codes string) {
		t.Helper()
		_, problems, err := build.Build(t.Context(), build.Source{Root: root, NoSocialImages: true}, build.Output{Out: out}, build.Observer{})
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range problems {
			if p.Code == rule.NoHistory || p.Code == rule.OldUpdated {
				codes += string(p.Code)
			}
		}
		read := func(name string) string {
			text, err := os.ReadFile(filepath.Join(out, "public", name))
			if err != nil {
				t.Fatal(err, problems)
			}
			return string(text)
		}
		return read("changes.md"), read("de/changes.html"), read("changes.json"), codes
	}
	step := func(what, wantPage, wantGerman, wantFeed, wantCodes string) {
		t.Helper()
		page, german, feed, codes := made(root, warm)
		coldPage, coldGerman, coldFeed, coldCodes := made(root, filepath.Join(t.TempDir(), "cold"))
		if page != coldPage || german != coldGerman || feed != coldFeed || codes != coldCodes {
			t.Errorf("%s: a build that takes over what it can differs from one from nothing", what)
		}
		if !strings.Contains(page, wantPage) || !strings.Contains(german, wantGerman) || !strings.Contains(feed, wantFeed) || codes != wantCodes {
			t.Errorf("%s: want %q, %q, %q and %q, got\n%s\n%s\n%s\n%s", what, wantPage, wantGerman, wantFeed, wantCodes, page, german, feed, codes)
		}
	}
	t.Setenv("GIT_CEILING_DIRECTORIES", "") // lets the build find HEAD without running git
	step("in no repository", "the history of the facts was not available", "beim Bau dieser Website nicht vorlag", `"complete": false`, "")
	git("01", "init", "--quiet", "--initial-branch=main")
	git("01", "add", "content")
	git("01", "commit", "--quiet", "--message", "Begin")
	step("the first commit", "No fact has changed since 1 January 2026", "Seit dem 1. Januar 2026", "\"complete\": true,\n    \"since\": \"2026-01-01T21:00:00+09:00\"", "")
	edit("monthlyPrice: 9,", "monthlyPrice: 9.50,")
	step("not committed", "No fact has changed since 1 January 2026", "Seit dem 1. Januar 2026", `"items": []`, "")
	git("05", "commit", "--quiet", "--all", "--message", "Price")
	step("a price", "## 5 January 2026\n\n| Fact | Before | After |\n| --- | --- | --- |\n| pricing.plans.Only.monthlyPrice | 9 | 9.50 |\n",
		`<code>pricing.plans.Only.monthlyPrice</code></th><td lang="en">9</td><td lang="en">9,50</td>`, `"old": 9,`+"\n        "+`"new": 9.50`, "")
	edit("links: {}", "links: {}\nupdated: 2026-01-06")
	git("06", "commit", "--quiet", "--all", "--message", "Date")
	edit("[Everyone]", "[Everyone, Nobody]")
	git("08", "commit", "--quiet", "--all", "--message", "Audience")
	step("updated is forgotten", "The facts last changed on 6 January 2026", "<code>audience</code>", `"date_published": "2026-01-08T21:00:00+09:00"`, string(rule.OldUpdated))

	shallow := filepath.Join(t.TempDir(), "shallow")
	git("09", "clone", "--quiet", "--depth=1", "file://"+root, shallow)
	page, _, feed, codes := made(shallow, filepath.Join(shallow, "build"))
	if !strings.Contains(page, "was not available") || !strings.Contains(feed, "https://tiny.example/changes#2026-01-06") || codes != "" {
		t.Errorf("a shallow clone with updated: got\n%s\n%s\n%s", page, feed, codes)
	}
	product = filepath.Join(shallow, "content/product.yaml")
	edit("\nupdated: 2026-01-06", "")
	if _, _, _, codes := made(shallow, filepath.Join(shallow, "build")); codes != string(rule.NoHistory) {
		t.Errorf("a shallow clone without updated: got %q", codes)
	}
}

// A hand-written page at /changes replaces the theme's page. It lists the changes if it selects the layout for them.
func TestOwnChangesPage(t *testing.T) {
	for front, want := range map[string]string{"": "Our own words.\n", "layout: changes\n": "Our own words.\n\nIndividual changes are not listed"} {
		files := rig.TinySite("One", "")
		files["content/changes.md"] = "---\ntitle: News\n" + front + "---\n\nOur own words.\n"
		root := rig.Site(t, files)
		if _, problems, err := build.Build(t.Context(), build.Source{Root: root}, build.Output{Out: filepath.Join(root, "build")}, build.Observer{}); err != nil {
			t.Fatal(err, problems)
		}
		got, err := os.ReadFile(filepath.Join(root, "build/public/changes.md"))
		if err != nil || !strings.Contains(string(got), want) || front == "" && !strings.HasSuffix(string(got), want) {
			t.Errorf("%q: %v, got\n%s", front, err, got)
		}
	}
}
