//go:build unix && !solaris && !illumos && !aix

package preview

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"

	"vitrine/internal/artifact"
	"vitrine/internal/build"
	"vitrine/internal/site"
)

// The next preview of a site renders only the pages changed since the last preview. It opens its first build even if
// no file has changed, and can then show a page early.
func TestNextPreviewContinues(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	root := t.TempDir()
	writeFile(t, root, "content/product.yaml", `name: Acorn
url: https://acorn.example
description: A kit for repairing bicycles at home.
audience: [Commuters]
capabilities: [Truing wheels]
pricing: {currency: CHF, billingPeriod: month, plans: [{name: Solo, monthlyPrice: 9.50}], url: "https://acorn.example/about"}
contact: hello@acorn.example
links: {}
`)
	writeFile(t, root, "content/site.yaml", "baseURL: https://acorn.example\ntitle: Acorn\n")
	writeFile(t, root, "content/index.md", "---\ntitle: Acorn\n---\n\nText.\n")
	writeFile(t, root, "content/about.md", "---\ntitle: About\n---\n\nA sentence.\n")

	folder := previewOnce(t, root, "A sentence.", nil)
	kept := stamps(t, folder)
	if again := previewOnce(t, root, "A sentence.", nil); again != folder {
		t.Fatalf("the next preview builds into %s, not into %s", again, folder)
	}
	if now := stamps(t, folder); now["about.html"] != kept["about.html"] || now["index.html"] != kept["index.html"] {
		t.Error("the next preview rendered pages that had not changed")
	}
	writeFile(t, root, "content/about.md", "---\ntitle: About\n---\n\nAnother sentence.\n")
	previewOnce(t, root, "Another sentence.", func(b *Builder) {
		writeFile(t, root, "content/about.md", "---\ntitle: About\n---\n\nAn early sentence.\n")
		early := b.Early([]string{"content/about.md"})
		if early == nil || !bytes.Contains(early.bodies["text/html"], []byte("An early sentence.")) {
			t.Errorf("the page after the first build is %v", early)
		}
	})
	if now := stamps(t, folder); now["about.html"] == kept["about.html"] || now["index.html"] != kept["index.html"] {
		t.Error("the next preview did not render only the changed page")
	}
}

// previewOnce builds a site as a preview does, checks that the page /about contains text, calls before with the Builder
// if it isn't nil, and returns the preview's folder.
func previewOnce(t *testing.T, root, text string, before func(*Builder)) string {
	t.Helper()
	b, err := NewBuilder(build.Source{Root: root, Drafts: true, NoSocialImages: true})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	}()
	built, err := b.Build(context.Background())
	if err != nil || site.HasErrors(built.Problems) || built.Build == nil {
		t.Fatalf("the preview's first build: %v, %v, %v", built.Build, err, built.Problems)
	}
	if len(built.Site.Pages) < 2 {
		t.Errorf("the preview knows %d pages", len(built.Site.Pages))
	}
	page, err := os.ReadFile(filepath.Join(b.out, artifact.PublicDir, "about.html"))
	if err != nil || !bytes.Contains(page, []byte(text)) {
		t.Errorf("the page is %.200q, %v; want %q in it", page, err, text)
	}
	if before != nil {
		before(b)
	}
	if err := built.Build.Close(); err != nil {
		t.Error(err)
	}
	return b.folder.Path
}

// stamps returns the modification times of the pages in a preview's folder in nanoseconds since 1970, keyed by file
// name.
func stamps(t *testing.T, folder string) map[string]int64 {
	t.Helper()
	all := map[string]int64{}
	for _, name := range []string{"index.html", "about.html"} {
		info, err := os.Stat(filepath.Join(folder, "build", artifact.PublicDir, name))
		if err != nil {
			t.Fatal(err)
		}
		all[name] = info.ModTime().UnixNano()
	}
	return all
}

func writeFile(t *testing.T, root, name, text string) {
	t.Helper()
	path := filepath.Join(root, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}
