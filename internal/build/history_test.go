package build_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"vitrine/internal/build"
	"vitrine/internal/lab/rig"
	"vitrine/internal/site"
)

// The history of the facts contains former addresses of pages, but doesn't link to them (wire contract §5). Pages may
// be removed or renamed, and the site may move to another path.
func TestHistoryNeverBreaksABuild(t *testing.T) {
	t.Setenv("GIT_CONFIG_GLOBAL", "/dev/null")
	files := rig.TinySite("Tiny", "")
	const base = "https://tiny.example/acorn"
	files["content/site.yaml"] = strings.Replace(files["content/site.yaml"], "https://tiny.example", base, 1)
	if !strings.Contains(files["content/site.yaml"], base) {
		t.Fatal("the site's address is another")
	}
	about := "---\ntitle: About\ndescription: About us.\n---\n\nText.\n"
	files["content/about.md"] = about
	files["content/product.yaml"] = strings.Replace(files["content/product.yaml"], "links: {}",
		"links: {about: "+base+"/about, twin: "+base+"/about.md}\nstory: See "+base+"/about, then call.", 1)
	root := rig.Site(t, files)
	commit := func() {
		t.Helper()
		for _, arguments := range [][]string{{"init", "--quiet"}, {"add", "--all"}, {"commit", "--quiet", "--message", "Edit"}} {
			cmd := exec.CommandContext(t.Context(), "git", append([]string{"-C", root, "-c", "user.name=test", "-c", "user.email=test@vitrine.example"}, arguments...)...)
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("git %v: %v\n%s", arguments, err, out)
			}
		}
	}
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	remove := func(name string) {
		t.Helper()
		if err := os.Remove(filepath.Join(root, name)); err != nil {
			t.Fatal(err)
		}
	}
	out := filepath.Join(t.TempDir(), "out")
	made := func(what string) (page, feed string) {
		t.Helper()
		commit()
		_, problems, err := build.Build(t.Context(), build.Source{Root: root, NoSocialImages: true}, build.Output{Out: out}, build.Observer{})
		if err != nil || site.HasErrors(problems) {
			t.Fatalf("%s: %v\n%v", what, err, problems)
		}
		texts := [2]string{}
		for i, name := range []string{"changes.md", "changes.json"} {
			text, err := os.ReadFile(filepath.Join(out, "public", name))
			if err != nil {
				t.Fatal(err)
			}
			texts[i] = string(text)
		}
		return texts[0], texts[1]
	}
	made("the first")

	remove("content/about.md")
	without := strings.Replace(files["content/product.yaml"], "about: "+base+"/about, ", "", 1)
	without = without[:strings.Index(without, "links:")] + "links: {}\n"
	write("content/product.yaml", without)
	page, feed := made("a page is removed")
	if !strings.Contains(page, "| links.about | `"+base+"/about` | – |") || !strings.Contains(feed, `"old": "`+base+`/about"`) {
		t.Errorf("the history does not report what the link was:\n%s\n%s", page, feed)
	}

	write("content/team.md", strings.Replace(about, "About", "Team", 1))
	write("content/product.yaml", strings.Replace(without, "links: {}", "links: {team: "+base+"/team}", 1))
	made("a page is added")
	remove("content/team.md")
	write("content/people.md", strings.Replace(about, "About", "Team", 1))
	write("content/product.yaml", strings.Replace(without, "links: {}", "links: {team: "+base+"/people}", 1))
	made("a page is renamed")

	for _, name := range []string{"content/site.yaml", "content/product.yaml"} {
		text, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		write(name, strings.ReplaceAll(string(text), base, "https://tiny.example"))
	}
	made("the site moves to the host's root")
}

// On a site with a base path, a fact may contain the URL of the home page, with or without a final slash, or the URL of
// another page. In the links to these URLs on the site's pages, the base path appears only once (wire contract §3).
func TestFactsNameTheirSiteUnderAPath(t *testing.T) {
	for _, home := range []string{"https://user.example/acorn", "https://user.example/acorn/"} {
		files := rig.TinySite("Tiny", "")
		for name, text := range files {
			files[name] = strings.ReplaceAll(text, "https://tiny.example", "https://user.example/acorn")
		}
		files["content/product.yaml"] = strings.Replace(files["content/product.yaml"], "url: https://user.example/acorn\n", "url: "+home+"\n", 1)
		files["content/product.yaml"] = strings.Replace(files["content/product.yaml"], "links: {}", "links: {home: "+home+", more: https://user.example/acorn/more#x}", 1)
		files["content/more.md"] = "---\ntitle: More\ndescription: More.\n---\n\n## X\n\nText.\n"
		out := filepath.Join(t.TempDir(), "out")
		_, problems, err := build.Build(t.Context(), build.Source{Root: rig.Site(t, files), NoSocialImages: true}, build.Output{Out: out}, build.Observer{})
		if err != nil || site.HasErrors(problems) {
			t.Fatalf("%s: %v\n%v", home, err, problems)
		}
		page, err := os.ReadFile(filepath.Join(out, "public/index.html"))
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{`<a class="more" href="/acorn/">Home`, `<a class="more" href="/acorn/more#x">More`} {
			if !strings.Contains(string(page), want) {
				t.Errorf("%s: the home page lacks %s", home, want)
			}
		}
		if strings.Contains(string(page), "/acorn/acorn") {
			t.Errorf("%s: the home page has the path twice", home)
		}
	}
}
