package cut

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const facts = `name: Acorn
url: https://acorn.example
description: Acorn plans weeks.
audience: [Teams]
capabilities: [Plans weeks]
pricing: {currency: EUR, billingPeriod: month, plans: [{name: One, monthlyPrice: 1}], url: "https://acorn.example/pricing"}
gettingStarted: {offer: Try it, steps: [Sign up]}
contact: hello@acorn.example
links: {signup: "https://acorn.example/signup"}
`

// docs creates a site with documentation, and returns the site's folder. versions is added to the settings.
func docs(t *testing.T, versions string) string {
	dir := t.TempDir()
	page := "---\nlayout: docs\ndescription: How it works.\n---\n# Docs\n\nText.\n"
	for name, text := range map[string]string{
		"product.yaml": facts, "pricing.md": "---\ndescription: What it costs.\n---\n# Pricing\n\nText.\n",
		"signup.md":     "---\ndescription: Begin.\n---\n# Sign up\n\nText.\n",
		"site.yaml":     "baseURL: https://acorn.example\ntitle: Acorn\n" + versions,
		"docs/index.md": page, "docs/v1/index.md": page, "docs/.hidden.md": "x",
	} {
		name = filepath.Join(dir, "content", name)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// The settings gain the version in the style of the existing list, and no other byte changes.
func TestSettings(t *testing.T) {
	for name, c := range map[string]struct{ was, want string }{
		"block":           {"versions:\n- {path: docs, label: a}\n- {path: docs/v1, label: b}\n", "versions:\n- {path: docs, label: a}\n- {path: docs/v2, label: \"v2\"}\n- {path: docs/v1, label: b}\n"},
		"brackets":        {"versions: [{path: docs, label: \"a }\"}, {path: docs/v1, label: b}]\n", "versions: [{path: docs, label: \"a }\"}, {path: docs/v2, label: \"v2\"}, {path: docs/v1, label: b}]\n"},
		"last line":       {"versions:\n  - {path: docs/v1, label: b}\n  - path: docs\n    label: a", ""},
		"one without end": {"versions:\n  - path: docs\n    label: a", "versions:\n  - path: docs\n    label: a\n  - {path: docs/v2, label: \"v2\"}"},
		"Windows":         {"versions:\r\n  - {path: docs, label: a}\r\n", "versions:\r\n  - {path: docs, label: a}\r\n  - {path: docs/v2, label: \"v2\"}\r\n"},
		"none":            {"# End", "# End\nversions:\n  - {path: docs, label: \"next\"}\n  - {path: docs/v2, label: \"v2\"}\n"},
	} {
		t.Run(name, func(t *testing.T) {
			v, err := New(t.Context(), Request{Root: docs(t, c.was), Folder: "docs", Name: "v2"})
			if c.want == "" {
				if err == nil {
					t.Error("New copied an old version")
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if _, got, _ := strings.Cut(string(v.Settings.Text), "title: Acorn\n"); got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

// If a file appears after New, Write doesn't overwrite it, and removes the files that Write already wrote.
func TestWriteDoesNotOverwrite(t *testing.T) {
	dir := docs(t, "versions:\n  - {path: docs, label: a}\n  - {path: docs/v1, label: b}\n")
	v, err := New(t.Context(), Request{Root: dir, Folder: "docs", Name: "v2"})
	if err != nil {
		t.Fatal(err)
	}
	if len(v.Files) != 1 {
		t.Fatalf("copies %v", v.Files)
	}
	v.Files = append(v.Files, File{To: "content/docs/index.md", Text: []byte("other")})
	if err := v.Write(dir); err == nil {
		t.Fatal("Write overwrote a file")
	}
	kept, err := os.ReadFile(filepath.Join(dir, "content/docs/index.md"))
	if _, left := os.Stat(filepath.Join(dir, "content/docs/v2/index.md")); err != nil || string(kept) == "other" || left == nil {
		t.Errorf("the site changed: %s, %v", kept, err)
	}
}
