package compare_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"vitrine/internal/artifact"
	"vitrine/internal/compare"
	"vitrine/internal/lab/rig"
	"vitrine/internal/serve"
	"vitrine/internal/serve/decide"
)

// The purge list is exact. The test requests all addresses of both builds, in every spelling that resolves, from two
// servers. The list must contain exactly the addresses whose old response a shared cache may store and whose new
// response differs.
func TestPurgeIsExact(t *testing.T) {
	files := rig.TinySite("Home", "")
	for name, text := range map[string]string{
		"same":    "---\ntitle: Same\naliases: [/was-same]\n---\n\nText.\n",
		"edited":  "---\ntitle: Edited\n---\n\nText.\n",
		"removed": "---\ntitle: Removed\naliases: [/was-removed, /old/removed]\n---\n\nText.\n",
		"moved":   "---\ntitle: Moved\naliases: [/was-moved]\n---\n\nText.\n",
		"naïve":   "---\ntitle: Accents\naliases: [/kept-alias]\n---\n\nText.\n",
		"section": "---\ntitle: Section\n---\n\nText.\n",
	} {
		files["content/"+name+".md"] = text
	}
	built := func() *artifact.Build {
		root, dir := t.TempDir(), filepath.Join(t.TempDir(), "build")
		if err := rig.WriteFiles(root, files); err != nil {
			t.Fatal(err)
		}
		if err := rig.BuildSite(t.Context(), root, dir, rig.Options{Epoch: 1790000000}); err != nil {
			t.Fatal(err)
		}
		b, err := artifact.Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { b.Close() })
		return b
	}
	older := built()
	files["content/edited.md"] = "---\ntitle: Edited\n---\n\nOther text.\n"
	files["content/naïve.md"] = "---\ntitle: Accents\n---\n\nText.\n"
	files["content/there.md"] = "---\ntitle: Moved\naliases: [/moved, /was-moved]\n---\n\nText.\n"
	files["content/added.md"] = "---\ntitle: Added\naliases: [/kept-alias]\n---\n\nText.\n"
	delete(files, "content/removed.md")
	delete(files, "content/moved.md")
	newer := built()

	var want []string
	for _, path := range everyAddress(t, older, newer) {
		was, kept := answersOf(t, older, path)
		is, _ := answersOf(t, newer, path)
		if kept && was != is {
			want = append(want, path)
		}
	}
	d := compare.Between(snapshot(t, older), snapshot(t, newer))
	if !slices.Equal(d.Purge, want) {
		t.Errorf("unwanted in the list: %v\nmissing: %v", without(d.Purge, want), without(want, d.Purge))
	}
	for _, path := range []string{"/edited", "/edited.md", "/moved/", "/moved.html", "/was-removed/", "/kept-alias", "/kept-alias.html"} {
		if !slices.Contains(want, path) {
			t.Errorf("%s is the same in both builds, so the test doesn't cover it", path)
		}
	}
	t.Logf("%d addresses are to be purged", len(want))
}

func without(list, other []string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(s string) bool { return slices.Contains(other, s) })
}

// everyAddress returns the percent-encoded addresses of builds, in every spelling.
func everyAddress(t *testing.T, builds ...*artifact.Build) []string {
	t.Helper()
	all := []string{"/.md", "/index", "/index.html", "/index/"}
	for _, b := range builds {
		for route := range b.Manifest.Routes() {
			if route.Kind() == artifact.KindFallback {
				continue
			}
			path := string(artifact.AppendEscaped(nil, route.Path()))
			all = append(all, path)
			if path != "/" {
				all = append(all, path+"/", path+".html", path+".md", path+"/index.html")
			}
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// answersOf returns the bytes of a build's responses at an address, for clients that prefer HTML and for clients that
// prefer Markdown. It removes the name of the build from the responses. kept reports whether a shared cache may store
// them.
func answersOf(t *testing.T, b *artifact.Build, path string) (bytes string, kept bool) {
	t.Helper()
	site, err := decide.NewSite(b)
	if err != nil {
		t.Fatal(err)
	}
	handler := serve.NewHandler(site, serve.HandlerOptions{})
	for _, accept := range []string{"text/html", "text/markdown"} {
		r := httptest.NewRequest(http.MethodGet, path, nil)
		r.Header.Set("Accept", accept)
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, r)
		sent := "CDN-Cache-Control" // this spelling isn't net/http's canonical form
		kept = kept || len(w.Header()[sent]) > 0 &&
			!strings.Contains(w.Header().Get("Cache-Control"), "immutable")
		w.Header().Del(artifact.FieldBuild)
		bytes += fmt.Sprintln(w.Code, w.Header(), w.Body)
	}
	return bytes, kept
}
