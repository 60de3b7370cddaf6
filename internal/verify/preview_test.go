package verify_test

import (
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"vitrine/internal/artifact"
	"vitrine/internal/build"
	"vitrine/internal/lab/rig"
	"vitrine/internal/serve"
	"vitrine/internal/serve/decide"
	"vitrine/internal/verify"
)

// A build for a different address excludes all its representations from search engines. Serving it at the site's
// address is a finding; serving it at its own address isn't. A host that adds X-Robots-Tag is a finding too.
func TestPreview(t *testing.T) {
	root, dir := t.TempDir(), filepath.Join(t.TempDir(), "build")
	if err := rig.WriteFiles(root, rig.TinySite("Home", "api:\n  allowance: 600/30s\n")); err != nil {
		t.Fatal(err)
	}
	var handler http.Handler
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { handler.ServeHTTP(w, r) }))
	defer server.Close()
	for _, c := range []struct {
		base    string
		header  string
		symptom verify.Symptom
	}{
		{"https://preview-7.example", "", verify.Preview}, {server.URL, "", ""}, {"", "", ""}, {"", "noindex", verify.NotIndexed},
	} {
		if _, problems, err := build.Build(t.Context(), build.Source{Root: root, BaseURL: c.base}, build.Output{Out: dir, Edges: true}, build.Observer{}); err != nil {
			t.Fatal(err, problems)
		}
		built, err := artifact.Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		if built.Manifest.Limit != 600 || built.Manifest.Window.Seconds() != 30 {
			t.Errorf("the allowance is %d in %s, and site.yaml says 600/30s", built.Manifest.Limit, built.Manifest.Window)
		}
		for route := range built.Manifest.Routes() {
			for i := range route.Variants() {
				has := slices.Contains(built.Manifest.Fields(route.Variant(i)), artifact.Field{Name: "X-Robots-Tag", Value: "noindex"})
				if c.base != "" && !has || c.base == "" && has && route.Path() == "/" {
					t.Errorf("built for %q, %s has noindex: %v", c.base, route.Path(), has)
				}
			}
		}
		site, err := decide.NewSite(built)
		if err != nil {
			t.Fatal(err)
		}
		served := serve.NewHandler(site, serve.HandlerOptions{Allowance: decide.NewAllowance(built.Manifest.Limit, built.Manifest.Window)})
		handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if c.header != "" {
				w.Header().Set("X-Robots-Tag", c.header)
			}
			served.ServeHTTP(w, r)
		})
		report, err := verify.Run(t.Context(), verify.Options{URL: server.URL, Build: built})
		if err != nil {
			t.Fatal(err)
		}
		var found []string
		for _, check := range report.Checks {
			for _, f := range check.Findings {
				found = append(found, string(f.Symptom))
			}
		}
		if want := string(c.symptom); strings.Join(found, " ") != want {
			t.Errorf("built for %q, with the header %q of the host, verify finds %v, want %q", c.base, c.header, found, want)
		}
		built.Close()
	}
}
