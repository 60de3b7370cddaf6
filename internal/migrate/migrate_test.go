package migrate

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"vitrine/internal/migrate/convert"
	"vitrine/internal/migrate/kinds"
	"vitrine/internal/migrate/oldsite"
	"vitrine/internal/migrate/source"

	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "write the expected sites again; read the diff before you commit it")

// TestKinds imports a small site of each kind. Each archive contains the old site in in/ and the expected new site in
// out/, with the notes in out/notes.
func TestKinds(t *testing.T) {
	names, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(names) < 9 {
		t.Fatalf("%d archives, %v", len(names), err)
	}
	for _, name := range names {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			dir := t.TempDir()
			opt := Options{From: filepath.Join(dir, "in"), To: filepath.Join(dir, "out"), NoCheck: true, Versions: strings.Contains(name, ".versions.")}
			for _, f := range archive.Files {
				if strings.HasPrefix(f.Name, "in/") {
					write(t, filepath.Join(dir, f.Name), f.Data)
				}
				if f.Name == "in/public/sitemap.xml" {
					opt.Built = filepath.Join(dir, "in/public")
				}
			}
			before := listing(t, opt.From)
			result, err := Import(t.Context(), opt)
			if err != nil {
				t.Fatal(err)
			}
			if after := listing(t, opt.From); !slices.Equal(before, after) {
				t.Error("the source was changed")
			}
			if want, _, _ := strings.Cut(filepath.Base(name), "."); result.Kind != want {
				t.Errorf("read as %s, want %s", result.Kind, want)
			}
			for source, words := range result.LostWords {
				t.Errorf("%s lost the words %q", source, words)
			}
			got := &txtar.Archive{Comment: archive.Comment}
			for _, f := range archive.Files {
				if strings.HasPrefix(f.Name, "in/") {
					got.Files = append(got.Files, f)
				}
			}
			got.Files = append(got.Files, output(t, opt.To, result)...)
			if *update {
				if err := os.WriteFile(name, txtar.Format(got), 0o666); err != nil {
					t.Fatal(err)
				}
				return
			}
			if a, b := txtar.Format(got), txtar.Format(archive); !bytes.Equal(a, b) {
				t.Errorf("the new site is not the expected one:\n%s", difference(string(b), string(a)))
			}
		})
	}
}

// output returns the files under content/ of the new site, except product.yaml, and a file with the notes, the omitted
// files, and the addresses.
func output(t *testing.T, to string, result *Result) (files []txtar.File) {
	t.Helper()
	for _, line := range listing(t, filepath.Join(to, "content")) {
		name, body, _ := strings.Cut(line, "\x00")
		if filepath.Base(name) != "product.yaml" {
			files = append(files, txtar.File{Name: "out/" + name, Data: []byte(body)})
		}
	}
	var b strings.Builder
	for _, n := range result.Notes {
		fmt.Fprintf(&b, "%s:%d: %s: %s\n", n.File, n.Line, n.What, n.Why)
	}
	for _, why := range source.SortedKeys(result.Omitted) {
		fmt.Fprintf(&b, "%d omitted: %s\n", result.Omitted[why], why)
	}
	if a := result.Addresses; a.Known > 0 {
		fmt.Fprintf(&b, "%d addresses: %d answer, %d redirect, gone: %s\n", a.Known, a.Answered, a.Redirected, strings.Join(a.Gone, " "))
	}
	if b.Len() > 0 {
		files = append(files, txtar.File{Name: "out/notes", Data: []byte(b.String())})
	}
	return files
}

// listing returns the name and the content of every file in a folder, separated by a null byte.
func listing(t *testing.T, dir string) (list []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		data, err := os.ReadFile(name)
		rel, _ := filepath.Rel(dir, name)
		list = append(list, filepath.ToSlash(rel)+"\x00"+string(data))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func write(t *testing.T, name string, data []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, data, 0o666); err != nil {
		t.Fatal(err)
	}
}

// difference returns up to twelve lines of each string, starting with the first line that differs.
func difference(want, got string) string {
	w, g := strings.Split(want, "\n"), strings.Split(got, "\n")
	i := 0
	for i < len(w) && i < len(g) && w[i] == g[i] {
		i++
	}
	return fmt.Sprintf("line %d\nwant:\n%s\ngot:\n%s", i+1, strings.Join(w[i:min(i+12, len(w))], "\n"), strings.Join(g[i:min(i+12, len(g))], "\n"))
}

// folderOfFiles writes a folder of files for a test.
func folderOfFiles(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "old")
	for name, text := range files {
		write(t, filepath.Join(dir, name), []byte(text))
	}
	return dir
}

// A second import picks up changes in the source and keeps the user's changes and deletions. With Replace, it removes
// the pages whose source files are gone.
func TestImportAgain(t *testing.T) {
	from := folderOfFiles(t, map[string]string{"index.md": "# Home\n\nText.\n", "a.md": "# A\n\nOne.\n", "b.md": "# B\n\nOne.\n", "c.md": "# C\n\nOne.\n", "d.md": "# D\n"})
	opt := Options{From: from, To: from + "-new", NoCheck: true}
	run := func() *Result {
		t.Helper()
		result, err := Import(t.Context(), opt)
		if err != nil {
			t.Fatal(err)
		}
		return result
	}
	read := func(name string) string {
		data, err := os.ReadFile(filepath.Join(opt.To, "content", name))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Fatal(err)
		}
		return string(data)
	}
	run()
	first := listing(t, opt.To)
	if result := run(); len(result.Kept) > 0 {
		t.Errorf("kept %q although nothing was changed", result.Kept)
	}
	if second := listing(t, opt.To); !slices.Equal(first, second) {
		t.Error("a second import of the same is another")
	}
	write(t, filepath.Join(from, "a.md"), []byte("# A\n\nTwo.\n"))
	write(t, filepath.Join(from, "b.md"), []byte("# B\n\nTwo.\n"))
	write(t, filepath.Join(opt.To, "content/b.md"), []byte("mine\n"))
	if err := errors.Join(os.Remove(filepath.Join(opt.To, "content/c.md")), os.Remove(filepath.Join(from, "d.md"))); err != nil {
		t.Fatal(err)
	}
	result := run()
	if want := []string{"content/d.md"}; !slices.Equal(result.Left, want) || read("d.md") == "" {
		t.Errorf("without Replace %q are left, want %q", result.Left, want)
	}
	opt.Replace = true
	result = run()
	if want := []string{"content/b.md", "content/c.md"}; !slices.Equal(result.Kept, want) {
		t.Errorf("kept %q, want %q", result.Kept, want)
	}
	if got := read("a.md"); !strings.Contains(got, "Two.") {
		t.Errorf("what is new was not written: %q", got)
	}
	if got := read("b.md"); got != "mine\n" {
		t.Errorf("a person's text was overwritten: %q", got)
	}
	if read("c.md") != "" || read("d.md") != "" {
		t.Error("a file stands there that a person, or the source, has no longer")
	}
	if result := run(); !slices.Contains(result.Kept, "content/b.md") {
		t.Error("a third import forgot that a person wrote content/b.md")
	}
}

// The import rejects a target folder that no import wrote, that is in the source, or that contains the source.
func TestImportRejectsTargets(t *testing.T) {
	from := folderOfFiles(t, map[string]string{"a.md": "# A\n", "sub/b.md": "# B\n"})
	foreign := t.TempDir()
	write(t, filepath.Join(foreign, "mine.txt"), []byte("mine"))
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(from, link); err != nil {
		t.Fatal(err)
	}
	before := listing(t, from)
	for _, to := range []string{from, filepath.Join(from, "new"), filepath.Join(link, "sub/new"), filepath.Dir(from), foreign} {
		if _, err := Import(t.Context(), Options{From: from, To: to, NoCheck: true}); err == nil {
			t.Errorf("wrote into %s", to)
		}
	}
	if _, err := Import(t.Context(), Options{From: from, Kind: "nonsense", NoCheck: true}); !errors.Is(err, ErrUnknownKind) {
		t.Errorf("an unknown kind gives %v", err)
	}
	if after := listing(t, from); !slices.Equal(before, after) {
		t.Error("the source was changed")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Import(ctx, Options{From: from, NoCheck: true}); !errors.Is(err, context.Canceled) {
		t.Errorf("a canceled import gives %v", err)
	}
}

// The import reads no files outside the source, whether through symbolic links, includes, or links to files. It doesn't
// loop on cyclic links.
func TestImportReadsNoFilesOutside(t *testing.T) {
	from := folderOfFiles(t, map[string]string{
		"mkdocs.yml":    "site_name: A\nmarkdown_extensions:\n  - pymdownx.snippets:\n      base_path: [.., /]\n",
		"docs/index.md": "# A\n\n--8<-- \"../../secret.txt\"\n\n--8<-- \"/etc/hostname\"\n\n[x](../../secret.txt) ![y](../../../secret.png)\n",
	})
	write(t, filepath.Join(from, "../secret.txt"), []byte("SECRET"))
	write(t, filepath.Join(from, "../secret.png"), []byte("SECRET"))
	for name, to := range map[string]string{"docs/out.md": "../../secret.txt", "docs/dir": "../..", "docs/circle": ".", "docs/abs.png": "/etc/passwd", "docs/nowhere": "nowhere"} {
		if err := os.Symlink(to, filepath.Join(from, name)); err != nil {
			t.Fatal(err)
		}
	}
	result, err := Import(t.Context(), Options{From: from, To: from + "-new", NoCheck: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range listing(t, from+"-new") {
		if strings.Contains(file, "SECRET") || strings.Contains(file, "root:") {
			t.Errorf("what stands outside was carried over: %q", file)
		}
	}
	for _, name := range []string{"docs/out.md", "docs/dir", "docs/abs.png", "docs/nowhere"} {
		if !slices.ContainsFunc(result.Notes, func(n convert.Note) bool { return n.File == name }) {
			t.Errorf("%s is not in the report", name)
		}
	}
}

// The report lists every note with its file and line, as HTML and as JSON.
func TestReport(t *testing.T) {
	from := folderOfFiles(t, map[string]string{"b.md": "# B\n\nText.\n", "index.md": "# A\n\nText.\n\n<script>alert(1)</script>\n\n[gone](nowhere.md) <b title=\"</script><script>alert(2)</script>\">x</b>\n"})
	result, err := Import(t.Context(), Options{From: from, To: from + "-new"})
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile(filepath.Join(result.To, ReportHTML))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"index.md:5", "index.md:7", "a link to nowhere.md", "&lt;script&gt;alert(1)&lt;/script&gt;", "Problems that vitrine check reports"} {
		if !strings.Contains(string(page), want) {
			t.Errorf("the report lacks %q", want)
		}
	}
	if strings.Contains(string(page), "<script") || strings.Contains(string(page), "src=") || strings.Contains(string(page), "href=") {
		t.Error("the report runs what was imported, or asks for something")
	}
	data, err := os.ReadFile(filepath.Join(result.To, ReportJSON))
	if err != nil {
		t.Fatal(err)
	}
	var report struct {
		Notes    []convert.Note
		Problems []Count
	}
	if err := json.Unmarshal(data, &report); err != nil || len(report.Notes) != len(result.Notes) || report.Notes[0].Do == "" {
		t.Errorf("the report for machines has %d notes, %v", len(report.Notes), err)
	}
	if len(report.Problems) == 0 {
		t.Error("the report does not say what the check found")
	}
	text, err := os.ReadFile(filepath.Join(result.To, "content/index.md"))
	if err != nil || !strings.Contains(string(text), "<!-- Not carried over: <script>\n<script>alert(1)</script>\n-->") || !strings.Contains(string(text), "gone (`nowhere.md`)") {
		t.Errorf("the page does not hide what was not carried over: %v\n%s", err, text)
	}
}

// Converting a page doesn't panic for any text or kind of site.
func FuzzText(f *testing.F) {
	for _, s := range []string{"<div>\n\n- <b>x\n</div>", "{{< a >}}{{% b %}}{{< /a >}}", "{% if x %}{% for y in site.data %}{{ y | date: '%Y' }}", ":::a\n::::b\n:::", "!!! a\n    b\n=== \"c\"\n    d",
		"<A b={`x${y}`}>{z}</A>\nexport const q = {", "> <p>\n> x", "| <ul><li>a | b", "`<!--`\n```\n", "[a](b\n<c](d) ![", "--8<-- \"x\"\n/// a\n///", "{{#include a}}", "term\n: def\n\n    ```"} {
		for kind := range len(kinds.All()) {
			f.Add(s, uint8(kind))
		}
	}
	all := kinds.All()
	f.Fuzz(func(t *testing.T, text string, which uint8) {
		k := all[int(which)%len(all)]
		im := &importer{Site: oldsite.New(&source.Folder{Sizes: map[string]int64{}})}
		im.Kind = k
		im.Data = map[string]any{"hugo": &kinds.HugoSite{}, "jekyll": &kinds.JekyllSite{Values: map[string]any{}}, "mkdocs": &kinds.MkdocsSite{Extensions: map[string]bool{}}}[k.Name]
		p := im.Add(&oldsite.Page{Document: convert.Document{Source: "a.md", Text: source.CleanText(text), Address: "/a"}})
		p.Front, p.Body, _ = source.SplitFront(p.Text)
		im.fields(p)
		im.orders()
		im.place()
		im.known()
		im.text(p)
	})
}
