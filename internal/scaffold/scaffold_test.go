package scaffold_test

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"vitrine/internal/load/tree"
	"vitrine/internal/scaffold"
)

func TestSlug(t *testing.T) {
	for title, want := range map[string]string{
		"First steps":             "first-steps",
		"  A/B testing: what's ":  "a-b-testing-whats",
		"Über uns – wer wir sind": "über-uns-wer-wir-sind",
		"Cafe\u0301":              "café",
		"東京 2026":                 "東京-2026",
		"हिन्दी":                  "हिन्दी",
		"../../etc":               "etc",
		"!?":                      "",
	} {
		if got := scaffold.Slug(title); got != want {
			t.Errorf("Slug(%q) = %q, want %q", title, got, want)
		}
	}
}

func TestTitle(t *testing.T) {
	for slug, want := range map[string]string{"first-steps": "First steps", "über_uns": "Über uns", "ﬁ": "ﬁ", "": "", "-": ""} {
		if got := scaffold.Title(slug); got != want {
			t.Errorf("Title(%q) = %q, want %q", slug, got, want)
		}
	}
}

// A YAML parser reads titles and authors unchanged, except that "{{" is escaped, so that it doesn't start a fact
// expression.
func TestTitleRoundTrip(t *testing.T) {
	for title, want := range map[string]string{
		`Yes: "#1" \o/`:      `Yes: "#1" \o/`,
		"- [x] <a> & 'b'":    "- [x] <a> & 'b'",
		"{{ name }} costs":   `\{{ name }} costs`,
		"Line\u2028two\ttab": "Line\u2028two\ttab",
	} {
		file := scaffold.Article("x", title, title, time.Unix(0, 0).UTC())
		front := strings.Split(string(file.Body), "---\n")[1]
		root, faults := tree.YAML([]byte(front), 1)
		if faults != nil {
			t.Errorf("%q: %v", title, faults)
			continue
		}
		for _, key := range []string{"title", "author"} {
			if got := root.Get(key).Value.Text; got != want {
				t.Errorf("%s of %q is read as %q, want %q", key, title, got, want)
			}
		}
	}
}

// If a file exists, Write leaves it unchanged and writes no other files.
func TestWriteAllOrNothing(t *testing.T) {
	dir := t.TempDir()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	mine := filepath.Join(dir, "b")
	if err := os.WriteFile(mine, []byte("mine"), 0o666); err != nil {
		t.Fatal(err)
	}
	files := []scaffold.File{{Name: "a/x", Body: []byte("1")}, {Name: "b", Body: []byte("2")}}
	if err := scaffold.Write(root, files); !errors.Is(err, scaffold.ErrExists) || !strings.Contains(err.Error(), "b") {
		t.Errorf("error %v", err)
	}
	if _, err := os.Stat(filepath.Join(dir, "a")); err == nil {
		t.Error("a part was written")
	}
	// Write notices that a file is in place of a folder only when it writes.
	files = []scaffold.File{{Name: "c", Body: []byte("1")}, {Name: "b/x", Body: []byte("2")}}
	if err := scaffold.Write(root, files); err == nil {
		t.Error("no error")
	}
	if _, err := os.Stat(filepath.Join(dir, "c")); err == nil {
		t.Error("what was written was not taken back")
	}
	if got, err := os.ReadFile(mine); err != nil || string(got) != "mine" {
		t.Errorf("b is %q, %v", got, err)
	}
}

// A new site's text isn't specific to an industry, because editors in other industries would have to replace it.
func TestSiteIsAboutNoIndustry(t *testing.T) {
	files, err := scaffold.Site("", "Acorn", time.Unix(0, 0).UTC(), scaffold.Release{Repository: "a/b", Version: "1.2.3"})
	if err != nil || len(files) < 10 {
		t.Fatal(files, err)
	}
	foreign := regexp.MustCompile(`(?i)\b(reps?|representatives?|sales|role-?plays?|coach(es|ing)?|parley|calls?|transcripts?)\b`)
	for _, f := range files {
		if found := foreign.Find(f.Body); found != nil {
			t.Errorf("%s says %q", f.Name, found)
		}
	}
}

// The deploy files of a site all pin the same release by version and, if its checksum list is available, also by
// checksum.
func TestDeployFilesPinTheRelease(t *testing.T) {
	archive, image := strings.Repeat("1", 64), strings.Repeat("2", 64)
	release := scaffold.Release{Repository: "Acorn/vitrine", Version: "1.2.3"}
	list := archive + "  vitrine_1.2.3_linux_amd64.tar.gz\n" + strings.Repeat("3", 64) + "  vitrine_1.2.3_linux_arm64.tar.gz\n" + image + " *vitrine_1.2.3_image.json\r\n"
	if err := release.Sum([]byte(list)); err != nil {
		t.Fatal(err)
	}
	files, err := scaffold.Site("", "Acorn", time.Unix(0, 0).UTC(), release)
	if err != nil {
		t.Fatal(err)
	}
	bodies := make(map[string]string)
	for _, f := range files {
		bodies[f.Name] = string(f.Body)
	}
	for name, want := range map[string]string{
		".github/workflows/site.yml": "      - uses: Acorn/vitrine/.github/action@v1.2.3\n        with:\n          sha256: " + archive + "\n\n",
		"package.json":               `"@acorn/vitrine": "1.2.3"` + "\n",
		"netlify.toml":               "\n[[edge_functions]]\n",
	} {
		if !strings.Contains(bodies[name], want) {
			t.Errorf("%s lacks %s:\n%s", name, want, bodies[name])
		}
	}
	if got, want := release.ImageName(), "ghcr.io/acorn/vitrine:1.2.3@sha256:"+image; got != want {
		t.Errorf("the image is %s, want %s", got, want)
	}
	other := scaffold.Release{Repository: "Acorn/vitrine", Version: "1.2.4"}
	if err := other.Sum([]byte(list)); err == nil || !strings.Contains(err.Error(), "vitrine_1.2.4_") {
		t.Errorf("the list of another release is taken: %v", err)
	}
}
