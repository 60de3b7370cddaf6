package canary_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"io/fs"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"

	"vitrine/internal/artifact"
	"vitrine/internal/lab/rig"
)

// No output contains any part of a draft or a scheduled article: no name, body, field, or compressed body.
func TestDraftsAreInNoOutput(t *testing.T) {
	t.Parallel()
	for _, p := range outputs(t, rig.Build(t, rig.Site(t, files()), rig.Options{})) {
		for _, word := range []string{draft, scheduled} {
			if found := p.find(word); found != "" {
				t.Errorf("%s has %s", p.place, found)
			}
		}
	}
}

// An unlisted page appears only in its own representations, in files next to it, and at addresses that resolve to it.
func TestUnlistedPagesAreOnlyAtTheirAddress(t *testing.T) {
	t.Parallel()
	own := 0
	for _, p := range outputs(t, rig.Build(t, rig.Site(t, files()), rig.Options{})) {
		if p.private {
			continue // the manifest and the packs contain the page too
		}
		found := p.find(unlisted)
		if isOwn(p.place) {
			own++
		} else if found != "" {
			t.Errorf("%s has %s", p.place, found)
		}
	}
	if own == 0 {
		t.Error("the unlisted page itself is not published")
	}
}

// isOwn reports whether place belongs to an unlisted page.
func isOwn(place string) bool {
	return slices.ContainsFunc([]string{"/blog/", "/guides/", "/old/"}, func(folder string) bool {
		return strings.Contains(place, folder+unlisted)
	})
}

// A build with drafts contains the draft's canary word in pages, lists, feeds, search files, and text files, plain and
// compressed. This proves that the other tests find such words.
func TestCanaryWordsArePublished(t *testing.T) {
	t.Parallel()
	var places []string
	for _, p := range outputs(t, rig.Build(t, rig.Site(t, files()), rig.Options{Drafts: true})) {
		if p.find(draft) != "" {
			places = append(places, p.place)
		}
	}
	if !slices.ContainsFunc(places, func(place string) bool { return strings.HasPrefix(place, "/assets/search.") }) {
		t.Errorf("%s was not found in the search in %q", draft, places)
	}
	for _, want := range []string{
		"/blog/" + draft + " text/html identity", "/blog/" + draft + " text/markdown gzip", "/blog/" + draft + " text/html br",
		"/blog text/html identity", "/sitemap.xml application/xml identity", "/llms.txt text/plain identity",
		"/llms-full.txt text/plain br", "/feed.xml application/atom+xml gzip", "/feed.json application/feed+json identity",
		"/tags text/html identity", "/tags/" + draft + "tag text/html identity",
	} {
		if !slices.Contains(places, want) {
			t.Errorf("no %s was found in %q", draft, want)
		}
	}
}

// output is a part of a build that is searched for canary words.
type output struct {
	// place is a path with a media type and an encoding, or a file name.
	place string
	// private is true if servers never send the part in this form.
	private bool
	text    []byte
}

// find returns word with the surrounding text, or "" if the output doesn't contain it.
func (o *output) find(word string) string {
	i := bytes.Index(bytes.ToLower(o.text), []byte(word))
	if i < 0 {
		return ""
	}
	return fmt.Sprintf("%q", o.text[max(0, i-40):min(len(o.text), i+40)])
}

// outputs returns all parts of a build: every file with its name, every redirect, and every representation,
// decompressed and with its header fields.
func outputs(t *testing.T, dir string) []output {
	t.Helper()
	all := rawFiles(t, dir)
	build, err := artifact.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer build.Close()
	m := build.Manifest
	for route := range m.Routes() {
		all = append(all, output{place: route.Path() + " redirects", text: []byte(route.Path() + " " + route.Location())})
		for i := range route.Variants() {
			v := route.Variant(i)
			fields := fmt.Sprint(m.Fields(v))
			for c := range artifact.Coding(artifact.Codings) {
				at, ok := m.BodyIn(v, c)
				if !ok {
					continue
				}
				body, err := build.Read(v, at)
				if err != nil {
					t.Fatal(err)
				}
				all = append(all, output{
					place: fmt.Sprintf("%s %s %s", route.Path(), mediaType(m.Fields(v)), c),
					text:  append([]byte(fields+"\n"), unpack(t, undo(t, c, body))...),
				})
			}
		}
	}
	return all
}

// unpack returns the contents of a file that is itself compressed, such as the search files.
func unpack(t *testing.T, body []byte) []byte {
	t.Helper()
	if !bytes.HasPrefix(body, []byte("\x1f\x8b")) {
		return body
	}
	return undo(t, artifact.Gzip, body)
}

// rawFiles returns every file in the build's folder, unchanged.
func rawFiles(t *testing.T, dir string) []output {
	t.Helper()
	var all []output
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := fs.ReadFile(os.DirFS(dir), name)
		if strings.HasPrefix(name, "cache/") {
			data = withoutNames(data)
		}
		all = append(all, output{place: name, private: !strings.HasPrefix(name, "public/"), text: append([]byte(name+"\n"), data...)})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// parts are the suffixes that follow the canary words in a page and its files, except in file names.
const parts = "title|description|author|tag|alias|param|body|alt|link|target|file|heading|code|alert|cell|pixels|value"

var words = regexp.MustCompile("(?i)(?:" + draft + "|" + scheduled + "|" + unlisted + ")(" + parts + ")?")

// withoutNames removes the names of source files from a build's cache, because the cache must contain the names of
// all files, including drafts, but not their contents.
func withoutNames(memory []byte) []byte {
	return words.ReplaceAllFunc(memory, func(found []byte) []byte {
		if words.FindSubmatch(found)[1] == nil {
			return nil
		}
		return found
	})
}

// mediaType returns the media type in Content-Type without parameters, or "none" if there is no such field.
func mediaType(fields []artifact.Field) string {
	for _, f := range fields {
		if f.Name == "Content-Type" {
			essence, _, _ := strings.Cut(f.Value, ";")
			return essence
		}
	}
	return "none"
}

// undo decompresses body, which is encoded with c.
func undo(t *testing.T, c artifact.Coding, body []byte) []byte {
	t.Helper()
	var r io.Reader = bytes.NewReader(body)
	switch c {
	case artifact.Gzip:
		z, err := gzip.NewReader(r)
		if err != nil {
			t.Fatal(err)
		}
		r = z
	case artifact.Brotli:
		r = brotli.NewReader(r)
	}
	plain, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return plain
}
