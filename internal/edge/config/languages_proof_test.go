//go:build proof

package config_test

import (
	"slices"
	"strings"
	"testing"

	"vitrine/internal/contract"
	"vitrine/internal/contract/contracttest"
	"vitrine/internal/lab/rig"
)

// languagesBelow builds the site in several languages for a base URL, and returns the folder of the build.
func languagesBelow(t *testing.T, base string) string {
	t.Helper()
	files := rig.LanguagesSite()
	files["content/site.yaml"] = strings.Replace(files["content/site.yaml"], "https://acorn.example", base, 1)
	root := openDir(t)
	if err := rig.WriteFiles(root, files); err != nil {
		t.Fatal(err)
	}
	return buildSite(t, root)
}

// exchanges returns the files of exchanges with the given names.
func exchanges(t *testing.T, names ...string) []*contract.File {
	t.Helper()
	files, err := contract.Load(contract.Files())
	if err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(files, func(f *contract.File) bool { return !slices.Contains(names, f.Name) })
}

// languagesTarget returns the target for a host that serves the site in several languages.
func languagesTarget(h host, base string) contract.Target {
	return contract.Target{
		Base: base, Can: h.Can,
		Values: map[string]string{"LANGUAGE": "de", "TRANSLATED": "/de/preise", "ORIGINAL": "/pricing", "PAGE": "/pricing", "ARTICLE": "/blog/two"},
	}
}

// Every server supports a site in several languages: it sends the fields for languages, and a 404 page in each
// language.
func TestLanguagesOnEveryHost(t *testing.T) {
	dir := languagesBelow(t, "https://acorn.example")
	for _, h := range hosts(t) {
		t.Run(h.Name, func(t *testing.T) {
			b := &backend{address: freePort(t), dir: dir}
			if !h.files() {
				b.fresh(t)
			}
			target := languagesTarget(h, "https://acorn.example")
			target.URL = h.start(t, b).url
			contracttest.TestFiles(t, target, exchanges(t, "languages.txt"))
		})
	}
}

// A site under a path works on every server, and none of its pages is served outside the path. Exchanges that depend on
// the address are repeated, and the rest of the contract runs on the site at the root.
func TestSiteUnderPathOnEveryHost(t *testing.T) {
	const base = "https://user.example/a/b"
	dir := languagesBelow(t, base)
	for _, h := range hosts(t) {
		t.Run(h.Name, func(t *testing.T) {
			b := &backend{address: freePort(t), dir: dir}
			if !h.files() {
				b.fresh(t)
			}
			host := h.start(t, b).url
			report := playBelow(t, h, b, languagesTarget(h, base), host)
			for path, want := range map[string]int{"/a/b": 308, "/a/b/": 200, "/": 404, "/pricing": 404, "/a/pricing": 404, "/a/bc": 404, "/api/v1/marketing": 404} {
				if answer, _ := ask(t, "GET", host+path); answer.StatusCode != want {
					t.Errorf("%s returned %d, want %d", path, answer.StatusCode, want)
				}
			}
			exact, failed, left := report.Counts()
			t.Logf("%s below a path: %d exact, %d as declared, %d not applicable", h.Name, exact, failed, left)
		})
	}
}

// nginx in front of vitrined serves a site under a path correctly, even if its facts contain its own URLs, prices in
// dinars, and text in four languages.
func TestFactsUnderPath(t *testing.T) {
	root := openDir(t)
	if err := rig.WriteFiles(root, rig.PathSite()); err != nil {
		t.Fatal(err)
	}
	dir := buildSite(t, root)
	all := hosts(t)
	h := all[slices.IndexFunc(all, func(h host) bool { return h.Name == "nginx" })]
	b := &backend{address: freePort(t), dir: dir}
	b.fresh(t)
	target := contract.Target{
		Base: rig.PathBase, Can: h.Can,
		Values: map[string]string{"LANGUAGE": "en", "TRANSLATED": "/en/tarifs", "ORIGINAL": "/tarifs", "PAGE": "/tarifs", "ARTICLE": "/blog/un"},
	}
	exact, failed, left := playBelow(t, h, b, target, h.start(t, b).url).Counts()
	t.Logf("%s: %d exact, %d as declared, %d not applicable", h.Name, exact, failed, left)
}

// playBelow plays the exchanges that depend on the address, under the path of the target's base.
func playBelow(t *testing.T, h host, b *backend, target contract.Target, url string) *contract.Report {
	t.Helper()
	base := strings.TrimPrefix(target.Base, "https://")
	target.URL = url + base[strings.IndexByte(base, '/'):]
	if !h.files() {
		target.Fresh = func() (string, error) { b.fresh(t); return target.URL, nil }
	}
	report, err := contract.PlayFiles(t.Context(), target, exchanges(t, "build.txt", "discovery.txt", "languages.txt", "missing.txt", "operation.txt", "pages.txt", "redirect.txt"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range report.Files {
		for _, c := range f.Cases {
			for _, failure := range c.Failures {
				if h.Explains(failure) == nil && failure.Answered != "" {
					t.Error(failure)
				}
			}
		}
	}
	if exact, _, _ := report.Counts(); exact < 50 {
		t.Errorf("%d exchanges alone are exact", exact)
	}
	return report
}
