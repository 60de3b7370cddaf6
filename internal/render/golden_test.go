package render

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"vitrine/internal/artifact"
)

var update = flag.Bool("update", false, "write the rendered output to the cases")

// Each case is a complete site with parts of the expected output under "want/". A part is a public file under its own
// name, or one of these:
//
//	head of PATH      the <head> of a page
//	main of PATH      the main part of a page, without the row above the title
//	tree of PATH      the sidebar of a page
//	switch of PATH    the languages of a page
//	versions of PATH  the versions of the documentation on a page
//	notice of PATH    the notice of an old version on a page
//	fields of PATH    the header fields of a resource's variants
//	warnings          the warnings about the site
//
// The parts omit the hashes of the theme's assets.
func TestGolden(t *testing.T) {
	cases, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(cases) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, name := range cases {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) { golden(t, name) })
	}
}

func golden(t *testing.T, name string) {
	archive, err := txtar.ParseFile(name)
	if err != nil {
		t.Fatal(err)
	}
	files := make(map[string]string)
	for _, f := range archive.Files {
		switch {
		case f.Name == "from":
			// Tests of other packages use this site too.
			site, err := txtar.ParseFile(strings.TrimSpace(string(f.Data)))
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range site.Files {
				files[f.Name] = string(f.Data)
			}
		case !strings.HasPrefix(f.Name, "want/"):
			files[f.Name] = string(f.Data)
		}
	}
	b := build(t, files)
	public := b.public()
	changed := false
	for i := range archive.Files {
		f := &archive.Files[i]
		wanted, ok := strings.CutPrefix(f.Name, "want/")
		if !ok {
			continue
		}
		got, ok := public[wanted]
		if !ok {
			t.Errorf("%s is not made", wanted)
			continue
		}
		if got != string(f.Data) {
			if changed = true; !*update {
				t.Errorf("%s differs (go test -run Golden -update writes it); got\n%s\nwant\n%s", wanted, got, f.Data)
			}
			f.Data = []byte(got)
		}
	}
	if changed && *update {
		if err := os.WriteFile(name, txtar.Format(archive), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

var assetHash = regexp.MustCompile(`\.[0-9a-f]{16}\.`)

// public returns all parts of the output under their names in the cases; see TestGolden.
func (b *built) public() map[string]string {
	files := make(map[string]string)
	for path, r := range b.resources {
		var fields strings.Builder
		for i := range r.Variants {
			v := &r.Variants[i]
			text := withNewline(assetHash.ReplaceAllString(string(v.Body), ".HASH."))
			if v.File != "" {
				files[v.File] = text
			}
			if head, _, ok := strings.Cut(text, "<body>"); ok {
				files["head of "+path] = head
			}
			if _, rest, ok := strings.Cut(text, "<main"); ok && strings.HasPrefix(v.File, strings.TrimPrefix(path, "/")) {
				shown, _, _ := strings.Cut(rest, "</main>")
				if above, title, ok := strings.Cut(shown, `<div class="page-top">`); ok {
					_, title, _ = strings.Cut(title, "<h1>")
					shown = above + "<h1>" + title
				}
				files["main of "+path] = withNewline("<main" + shown)
			}
			if shown := tree(text); shown != "" {
				files["tree of "+path] = withNewline(shown)
			}
			if _, rest, ok := strings.Cut(text, `<div class="pop" id="Languages" popover>`); ok {
				shown, _, _ := strings.Cut(rest, "</div>")
				files["switch of "+path] = withNewline(strings.TrimLeft(shown, "\n"))
			}
			if _, rest, ok := strings.Cut(text, `<div class="pop" id="Versions" popover>`); ok {
				shown, _, _ := strings.Cut(rest, "</div>")
				files["versions of "+path] = withNewline(strings.TrimLeft(shown, "\n"))
			}
			if i := strings.Index(text, `<aside class="alert`); i >= 0 || strings.Contains(text, "<body>") {
				shown := ""
				if i >= 0 {
					shown, _, _ = strings.Cut(text[i:], "</aside>")
				}
				files["notice of "+path] = withNewline(shown)
			}
			writeFields(&fields, v.Fields)
		}
		if r.Kind == artifact.KindRedirect {
			fmt.Fprintf(&fields, "Location: %s\n", r.Location)
		}
		files["fields of "+path] = fields.String()
	}
	var warnings strings.Builder
	for _, p := range b.problems {
		fmt.Fprintln(&warnings, p)
	}
	files["warnings"] = warnings.String()
	return files
}

func writeFields(w *strings.Builder, fields []artifact.Field) {
	if w.Len() > 0 {
		w.WriteByte('\n')
	}
	for _, f := range fields {
		fmt.Fprintf(w, "%s: %s\n", f.Name, f.Value)
	}
}

// withNewline adds the final newline that every file in a txtar archive has.
func withNewline(s string) string {
	if s == "" || strings.HasSuffix(s, "\n") {
		return s
	}
	return s + "\n"
}
