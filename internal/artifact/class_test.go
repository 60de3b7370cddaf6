package artifact_test

import (
	"fmt"
	"math/rand/v2"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"vitrine/internal/artifact"
)

// readBack writes a manifest with these entries and reads it back.
func readBack(t *testing.T, entries ...artifact.Entry) *artifact.Manifest {
	t.Helper()
	m, err := artifact.ReadManifest(write(t, entries...))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// page returns the entries of a page at path, as render creates them. The path also occurs in file names and header
// fields.
func page(path string, tokens int) []artifact.Entry {
	escaped := (&url.URL{Path: path}).EscapedPath()
	html := []artifact.Field{
		{Name: "Content-Type", Value: "text/html; charset=utf-8"},
		{Name: "Link", Value: fmt.Sprintf(`<%s.md>; rel="alternate", <https://x.example%s>; rel="canonical"`, escaped, escaped)},
	}
	twin := []artifact.Field{
		{Name: "Content-Type", Value: "text/markdown; charset=utf-8"},
		{Name: artifact.FieldMarkdownTokens, Value: fmt.Sprint(tokens)},
	}
	own := append(slices.Clone(twin), artifact.Field{Name: "Link", Value: "<https://x.example" + escaped + `>; rel="canonical"`})
	bodies := []artifact.Body{{Hash: 1, Size: 10}, {Hash: 2, Size: 5, Coding: artifact.Gzip, Pack: "a.pack"}}
	return []artifact.Entry{
		{Path: path, Kind: artifact.KindPage, Variants: []artifact.EntryVariant{
			{File: path[1:] + ".html", Fields: html, Bodies: bodies}, {File: path[1:] + ".md", Fields: twin, Bodies: bodies},
		}},
		{Path: path + ".md", Variants: []artifact.EntryVariant{{File: path[1:] + ".md", Fields: own}}},
	}
}

// Pages that differ only in their path and their number of tokens share classes, regardless of the characters in the
// path. Each further page therefore adds little more than its records to the table.
func TestPagesShareClasses(t *testing.T) {
	all := func(n int) []byte {
		w := artifact.NewManifestWriter()
		for i := range n {
			w.Add(page(fmt.Sprintf("/blog/2026/über %d", i), 700+i)...)
		}
		data, err := w.Bytes(120, time.Minute)
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	few, many := all(10), all(1010)
	m, err := artifact.ReadManifest(string(many))
	if err != nil {
		t.Fatal(err)
	}
	if m.ClassCount() != 3 {
		t.Errorf("%d classes, want 3: a page's HTML, its Markdown, and its twin", m.ClassCount())
	}
	if each := (len(many) - len(few)) / 1000; each > 250 {
		t.Errorf("a page takes %d bytes", each)
	}
}

// The translations of a page link to each other, with paths that differ only in the first segment. All pages of one
// language therefore share a class.
func TestTranslationsShareClasses(t *testing.T) {
	var entries []artifact.Entry
	languages := []string{"", "/de", "/fr"}
	for i := range 100 {
		path := fmt.Sprintf("/blog/2026/über %d", i)
		escaped := (&url.URL{Path: path}).EscapedPath()
		for _, language := range languages {
			var links []string
			for _, other := range languages {
				links = append(links, fmt.Sprintf(`<https://x.example%s%s>; rel="alternate"`, other, escaped))
			}
			entries = append(entries, artifact.Entry{Path: language + path, Kind: artifact.KindPage, Variants: []artifact.EntryVariant{
				{File: (language + path)[1:] + ".html", Fields: []artifact.Field{{Name: "Link", Value: strings.Join(links, ", ")}}},
			}})
		}
	}
	m := readBack(t, entries...)
	if m.ClassCount() != len(languages) {
		t.Errorf("%d classes, want one for each of %d languages", m.ClassCount(), len(languages))
	}
	r, _ := m.Lookup("/de/blog/2026/über 7")
	want := `<https://x.example/blog/2026/%C3%BCber%207>; rel="alternate", <https://x.example/de/blog/2026/%C3%BCber%207>; rel="alternate", ` +
		`<https://x.example/fr/blog/2026/%C3%BCber%207>; rel="alternate"`
	if got := m.Field(r.Variant(0), "Link"); got != want {
		t.Errorf("Link is %s, want %s", got, want)
	}
}

// Filling the holes restores the written values exactly for any path, name, and value.
func TestHolesAreFilledExactly(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	word := func() string {
		parts := []string{"/", "a", "md", ".md", "%2F", "ü", " ", "json", "1", "07", "0", "42", "4294967296", "text", "", ";", "*"}
		var s strings.Builder
		for range random.IntN(5) {
			s.WriteString(parts[random.IntN(len(parts))])
		}
		return s.String()
	}
	seen := make(map[string]bool)
	var entries []artifact.Entry
	for range 3000 {
		path := "/" + word()
		if seen[path] {
			continue
		}
		seen[path] = true
		e := artifact.Entry{Path: path}
		for range 1 + random.IntN(2) {
			v := artifact.EntryVariant{File: word() + strings.TrimPrefix(path, "/") + word(), Bodies: []artifact.Body{{Size: 1}}}
			for range random.IntN(4) {
				name := []string{"Link", artifact.FieldMarkdownTokens, "Vary"}[random.IntN(3)]
				escaped := (&url.URL{Path: strings.TrimSuffix(path, ".md")}).EscapedPath()
				v.Fields = append(v.Fields, artifact.Field{Name: name, Value: []string{word(), word() + escaped + word(), escaped + escaped, word() + escaped[strings.LastIndexByte(escaped, '/'):] + escaped}[random.IntN(4)]})
			}
			e.Variants = append(e.Variants, v)
		}
		entries = append(entries, e)
	}
	m := readBack(t, entries...)
	for _, e := range entries {
		r, ok := m.Lookup(e.Path)
		if !ok || r.Path() != e.Path || r.Variants() != len(e.Variants) {
			t.Fatalf("Lookup(%q) found %q with %d variants", e.Path, r.Path(), r.Variants())
		}
		for i, want := range e.Variants {
			v := r.Variant(i)
			if got := m.File(v); got != want.File {
				t.Errorf("%q: file %q, want %q", e.Path, got, want.File)
			}
			if got := m.Fields(v); !slices.Equal(got, want.Fields) {
				t.Errorf("%q: fields %q, want %q", e.Path, got, want.Fields)
			}
		}
	}
}

// AppendEscaped must match net/url, which render uses: classify makes a hole only if both agree.
func TestAppendEscaped(t *testing.T) {
	for c := range 256 {
		path := "/a" + string([]byte{byte(c)}) + "b"
		if got, want := string(artifact.AppendEscaped(nil, path)), (&url.URL{Path: path}).EscapedPath(); got != want {
			t.Errorf("AppendEscaped(%q) = %s, want %s", path, got, want)
		}
	}
}

// The writer rejects values that a reader would decode differently.
func TestManifestRejectsDamage(t *testing.T) {
	body := artifact.Body{Size: 1}
	for name, v := range map[string]artifact.EntryVariant{
		"hole in a value":           {Fields: []artifact.Field{{Name: "Link", Value: "a\x00b"}}, Bodies: []artifact.Body{body}},
		"line break in a value":     {Fields: []artifact.Field{{Name: "Link", Value: "a\r\nSet-Cookie: b"}}, Bodies: []artifact.Body{body}},
		"line break in a name":      {Fields: []artifact.Field{{Name: "Li\nnk", Value: "a"}}, Bodies: []artifact.Body{body}},
		"hole in a file name":       {File: "a\x01.html", Bodies: []artifact.Body{body}},
		"too many bodies":           {Bodies: []artifact.Body{body, body, body, body}},
		"body with a negative size": {Bodies: []artifact.Body{{Size: -1}}},
		"body of a tebibyte":        {Bodies: []artifact.Body{{Size: 1 << 40}}},
	} {
		w := artifact.NewManifestWriter()
		w.Add(artifact.Entry{Path: "/a", Variants: []artifact.EntryVariant{v}})
		if _, err := w.Bytes(120, time.Minute); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
