package build

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"vitrine/internal/site"
)

// If no records can be used, a sparse build renders all pages and returns the reason. If some records are damaged, it
// renders only their pages and reports that. In both cases, the build equals a full build.
func TestSparseReportsUnusableRecords(t *testing.T) {
	t.Setenv("SOURCE_DATE_EPOCH", "1780000000")
	e := newEditor(t, 3)
	since := filepath.Join(t.TempDir(), "since")
	pages := e.build(since).Pages
	e.write("content/pricing.md", e.read("content/pricing.md")+"\nMore.\n")
	want := e.build(filepath.Join(t.TempDir(), "full")).Build
	flip := func(data []byte) []byte {
		data[len(data)-1] ^= 1
		return data
	}
	older := func(data []byte) []byte {
		return bytes.Replace(data, []byte("vitrine build "), []byte("vitrine build 9"), 1)
	}
	half := func(data []byte) []byte { return data[:len(data)/2] }
	remove := func([]byte) []byte { return nil }
	for _, c := range []struct {
		what, file string
		change     func([]byte) []byte
		unused     string
		all        bool
	}{
		{"intact records", "last", func(data []byte) []byte { return data }, "", false},
		{"no header", "last", remove, "there are none", true},
		{"a truncated header", "last", half, "they are incomplete or damaged: last: the content does not match its checksum", true},
		{"an older header", "last", older, "another version of Vitrine wrote them, or the flags differ", true},
		{"no index", "last-index", remove, "they are incomplete or damaged: last-index: ", true},
		{"a damaged index", "last-index", flip, "they are incomplete or damaged: last-index: the content does not match its checksum", true},
		{"no heap", "last-pages", remove, "", true},
	} {
		name := filepath.Join(since, "cache", c.file)
		intact, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if data := c.change(bytes.Clone(intact)); data != nil {
			err = os.WriteFile(name, data, 0o600)
		} else {
			err = os.Remove(name)
		}
		if err != nil {
			t.Fatal(err)
		}
		output := e.output(filepath.Join(t.TempDir(), "sparse"))
		output.Since = since
		var made counting
		result, problems, err := Build(t.Context(), Source{Root: e.root}, output, Observer{Progress: &made})
		if err != nil || site.HasErrors(problems) || result.Build != want {
			t.Errorf("with %s the build is %x with %v, %v, want %x", c.what, result.Build, problems, err, want)
		}
		unused := ""
		if result.Unused != nil {
			unused = result.Unused.Error()
		}
		if c.unused == "" && unused != "" || !bytes.HasPrefix([]byte(unused), []byte(c.unused)) {
			t.Errorf("with %s it gives the reason %q, want %q", c.what, unused, c.unused)
		}
		if repaired := c.file == "last-pages"; result.Repaired != repaired {
			t.Errorf("with %s, Repaired is %t", c.what, result.Repaired)
		}
		if all := made.pages > pages/2; all != c.all {
			t.Errorf("with %s it rendered %d of %d pages", c.what, made.pages, pages)
		}
		if err := os.WriteFile(name, intact, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}
