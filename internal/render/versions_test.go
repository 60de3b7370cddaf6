package render

import (
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// besideSite returns a site with two versions in adjacent folders, inside documentation that isn't a version itself.
func besideSite() map[string]string {
	files := sampleFacts()
	files["content/site.yaml"] += "versions:\n  - {path: docs/v2, label: \"2.x\"}\n  - {path: docs/v1, label: \"1.x\"}\n"
	files["content/docs/index.md"] = "---\nlayout: docs\n---\n# All versions\n\nText.\n"
	files["content/docs/support.md"] = "# Support\n\nText.\n"
	for _, v := range []string{"v1", "v2"} {
		files["content/docs/"+v+"/index.md"] = "---\nlayout: docs\n---\n# Manual of " + v + "\n\nText.\n"
		files["content/docs/"+v+"/install.md"] = "# Install " + v + "\n\nText.\n"
	}
	return files
}

// The sidebar, neighbors, lists, and breadcrumbs of a page stay in its version, even if versions are in adjacent
// folders.
func TestVersionsInAdjacentFolders(t *testing.T) {
	b := build(t, besideSite(), withoutImages)
	for path, want := range map[string]string{
		"/docs":    "All versions (here)\nSupport",
		"/docs/v2": "Manual of v2 (here)\nInstall v2",
		"/docs/v1": "Manual of v1 (here)\nInstall v1",
	} {
		if got := strings.TrimSpace(tree(b.body(t, path))); got != want {
			t.Errorf("the sidebar of %s is\n%s\nwant\n%s", path, got, want)
		}
	}
	if body := b.body(t, "/docs/v1/install"); strings.Contains(body, `<a href="/docs/v2/install" rel="next"`) || !strings.Contains(body, `<link rel="canonical" href="https://parley.example/docs/v2/install">`) {
		t.Error("/docs/v1/install has the wrong neighbors or canonical address")
	}
	if !strings.Contains(b.body(t, "/docs"), `href="/docs/v1"`) {
		t.Error("the folder of the versions does not list them")
	}
}

// The breadcrumbs of a page in a version don't include pages from other versions.
func TestVersionBreadcrumbs(t *testing.T) {
	files := besideSite()
	files["content/site.yaml"] = strings.Replace(files["content/site.yaml"], "path: docs/v2", "path: docs", 1)
	body := build(t, files, withoutImages).body(t, "/docs/v1/install")
	_, crumbs, _ := strings.Cut(body, `<ol class="crumbs">`)
	if crumbs, _, _ = strings.Cut(crumbs, "</ol>"); strings.Contains(crumbs, `href="/docs"`) || !strings.Contains(crumbs, `href="/docs/v1"`) {
		t.Errorf("the breadcrumbs of an old version are %s", crumbs)
	}
}

// The search index contains the page numbers of each version, with the current version first.
func TestSearchVersions(t *testing.T) {
	archive, err := txtar.ParseFile("../lab/rig/versions.txtar")
	if err != nil {
		t.Fatal(err)
	}
	files := make(map[string]string)
	for _, f := range archive.Files {
		files[f.Name] = string(f.Data)
	}
	b := build(t, files, withoutImages)
	for path, want := range map[string]string{
		"/search.json":    `"versions":[{"label":"3.x","pages":[[3,7]]},{"label":"2.x","pages":[[9,14]]},{"label":"1.x","pages":[[7,9]]}]`,
		"/de/search.json": `"versions":[{"label":"3.x","pages":[[3,5]]},{"label":"2.x","pages":[[5,8]]}]`,
	} {
		if got := b.body(t, path); !strings.Contains(got, want) {
			t.Errorf("%s lacks %s: %s", path, want, got)
		}
	}
	if body := b.body(t, "/docs/v2/install"); !strings.Contains(body, `href="/search?version=2.x"`) {
		t.Error("the link to the search does not keep to the old version")
	}
	if body := b.body(t, "/search"); !strings.Contains(body, `<option value="1.x">1.x (unmaintained)</option>`) || !strings.Contains(body, `<option value="*">All versions</option>`) {
		t.Error("the search does not offer the versions")
	}
	if one := build(t, sampleFacts(), withoutImages); strings.Contains(one.body(t, "/search.json"), "versions") || strings.Contains(one.body(t, "/search"), "<select") {
		t.Error("a site without versions offers some")
	}
}
