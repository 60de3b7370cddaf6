package build_test

import (
	"context"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"vitrine/internal/artifact"
	"vitrine/internal/build"
	"vitrine/internal/lab/rig"
	"vitrine/internal/site"
)

// The header fields that a site configures are in all responses except errors, including responses with files.
// robots.txt reflects these settings. After a change to the settings, an incremental build equals a full build. A
// missing license file is a problem.
func TestChosenFields(t *testing.T) {
	const settings = "license: /license.xml\nreprDigest: true\nrobots: {contentUsage: {train-ai: no}}\n"
	files := rig.TinySite("One", settings)
	files["content/static/license.xml"] = "<rsl/>\n"
	root, out := rig.Site(t, rig.TinySite("One", "")), filepath.Join(t.TempDir(), "build")
	fields := func(out string) map[string]string {
		b, all := rig.Open(t, out), map[string]string{}
		for r := range b.Manifest.Routes() {
			for i := range r.Variants() {
				for _, f := range b.Manifest.Fields(r.Variant(i)) {
					all[r.Path()] += f.Name + ": " + f.Value + "\n"
				}
			}
		}
		if said := strings.Contains(all["/"], "Content-Usage"); said != b.Manifest.ReprDigest {
			t.Errorf("digests are chosen: %t", b.Manifest.ReprDigest)
		}
		return all
	}
	if err := rig.BuildSite(t.Context(), root, out, rig.Options{}); err != nil {
		t.Fatal(err)
	}
	for path, f := range fields(out) {
		if strings.Contains(f, "Content-Usage") || strings.Contains(f, "license") {
			t.Errorf("%s of a site that has chosen nothing has %s", path, f)
		}
	}
	if err := rig.WriteFiles(root, files); err != nil {
		t.Fatal(err)
	}
	if err := rig.BuildSite(t.Context(), root, out, rig.Options{}); err != nil {
		t.Fatal(err)
	}
	warm, cold := fields(out), fields(rig.Build(t, rig.Site(t, files), rig.Options{}))
	for path, f := range warm {
		if f != cold[path] {
			t.Errorf("%s has\n%s\nafter a build, and\n%s\nfrom nothing", path, f, cold[path])
		}
		isError := !strings.HasPrefix(path, "/")
		for _, want := range []string{"Content-Usage: train-ai=n\n", `<https://tiny.example/license.xml>; rel="license"; type="application/rsl+xml"`} {
			if strings.Contains(f, want) == isError {
				t.Errorf("%s: %q in the fields\n%s", path, want, f)
			}
		}
	}
	if !strings.Contains(warm["/license.xml"], "Content-Type: application/rsl+xml\n") {
		t.Errorf("the license has %s", warm["/license.xml"])
	}
	robots, err := os.ReadFile(filepath.Join(out, artifact.PublicDir, "robots.txt"))
	if err != nil || !strings.HasPrefix(string(robots), "License: https://tiny.example/license.xml\n\nUser-agent: *\nContent-Usage: train-ai=n\nAllow: /\n") {
		t.Errorf("robots.txt is (%v)\n%s", err, robots)
	}

	delete(files, "content/static/license.xml")
	_, problems, err := build.Build(context.Background(), build.Source{Root: rig.Site(t, files)}, build.Output{Out: filepath.Join(t.TempDir(), "build")}, build.Observer{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, p := range problems {
		if p.Severity == site.Error {
			got = append(got, p.String())
		}
	}
	if len(got) != 1 || !strings.HasPrefix(got[0], "content/site.yaml:3:10: error: license: the site has no file /license.xml; ") || !strings.HasSuffix(got[0], "[V075]") {
		t.Errorf("without the file the errors are %q", got)
	}
}

// On a site that chooses representations by user agent, only pages and the 404 page have User-Agent in Vary. Both
// representations have it, even if an earlier build in the same folder had another setting. The configuration files for
// edge platforms contain the names of the agents.
func TestAgentsInVary(t *testing.T) {
	root, out := rig.Site(t, rig.TinySite("One", "")), filepath.Join(t.TempDir(), "build")
	for _, chosen := range []bool{false, true, false} {
		settings := ""
		if chosen {
			settings = "negotiation: {agents: true}\n"
		}
		if err := rig.WriteFiles(root, rig.TinySite("One", settings)); err != nil {
			t.Fatal(err)
		}
		if err := rig.BuildSite(t.Context(), root, out, rig.Options{}); err != nil {
			t.Fatal(err)
		}
		b, pages := rig.Open(t, out), 0
		if (b.Manifest.Agents != nil) != chosen {
			t.Errorf("the manifest has agents: %t, want %t", !chosen, chosen)
		}
		for r := range b.Manifest.Routes() {
			two := r.Kind() == artifact.KindPage || r.Path() == artifact.NotFoundPage
			for i := range r.Variants() {
				for _, f := range b.Manifest.Fields(r.Variant(i)) {
					if f.Name != "Vary" {
						continue
					}
					if two {
						pages++
					}
					if got, want := strings.HasSuffix(f.Value, ", User-Agent"), two && chosen; got != want {
						t.Errorf("%s, representation %d, has Vary: %s where the choice is %t", r.Path(), i, f.Value, chosen)
					}
				}
			}
		}
		if pages < 4 {
			t.Errorf("%d representations of pages were looked at", pages)
		}
		for _, name := range []string{"netlify", "cloudflare"} {
			table, err := os.ReadFile(filepath.Join(out, name, "vitrine", "manifest.mjs"))
			if err != nil || strings.Contains(string(table), "claudebot") != chosen {
				t.Errorf("the table for %s has the agents' names: %t (%v)", name, !chosen, err)
			}
		}
	}
}

// A site without search has no search page, no search index, and no links to them, in any language. A build over an
// earlier build with search removes them and equals a full build.
func TestWithoutSearch(t *testing.T) {
	const languages = "languages: {de: {title: Eins, description: Ein Ding., name: Deutsch}}\n"
	root, out := rig.Site(t, rig.TinySite("One", languages)), filepath.Join(t.TempDir(), "build")
	searches := func(out string) (found []string) {
		for path, text := range publicTexts(t, out) {
			if strings.Contains(path, "search") && !strings.HasPrefix(path, "assets/") || strings.HasSuffix(path, ".bin") {
				found = append(found, path)
			}
			if !strings.HasPrefix(path, "assets/") && (strings.Contains(text, "/search") || strings.Contains(text, "SearchAction")) {
				found = append(found, path+" leads to it")
			}
		}
		return found
	}
	if err := rig.BuildSite(t.Context(), root, out, rig.Options{}); err != nil {
		t.Fatal(err)
	}
	if found := searches(out); len(found) < 6 {
		t.Fatalf("a site has a search in %q", found)
	}
	files := rig.TinySite("One", languages+"search: false\n")
	if err := rig.WriteFiles(root, files); err != nil {
		t.Fatal(err)
	}
	if err := rig.BuildSite(t.Context(), root, out, rig.Options{}); err != nil {
		t.Fatal(err)
	}
	if found := searches(out); found != nil {
		t.Errorf("a site without a search has %q", found)
	}
	if warm, cold := publicTexts(t, out), publicTexts(t, rig.Build(t, rig.Site(t, files), rig.Options{})); !maps.Equal(warm, cold) {
		t.Error("the build over one with a search is not the one from nothing")
	}
}

// publicTexts returns the contents of a build's public files, keyed by name.
func publicTexts(t *testing.T, out string) map[string]string {
	t.Helper()
	texts := make(map[string]string)
	public := os.DirFS(filepath.Join(out, artifact.PublicDir))
	err := fs.WalkDir(public, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := fs.ReadFile(public, path)
		texts[path] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return texts
}
