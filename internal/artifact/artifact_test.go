package artifact_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cespare/xxhash/v2"

	"vitrine/internal/artifact"
)

// sample returns a page with its twin, an operation, a redirect, and a fallback.
func sample() []artifact.Entry {
	html := []artifact.Field{{Name: "Content-Type", Value: "text/html; charset=utf-8"}, {Name: "Vary", Value: "Accept"}}
	twin := []artifact.Field{{Name: "Content-Type", Value: "text/markdown; charset=utf-8"}, {Name: "Vary", Value: "Accept"}}
	bodies := func(seed uint64) []artifact.Body {
		return []artifact.Body{
			{Coding: artifact.Identity, Hash: seed, Size: 100},
			{Coding: artifact.Brotli, Hash: seed + 1, Size: 40, Pack: "a.pack", Offset: 7},
		}
	}
	return []artifact.Entry{
		{Path: "/pricing", Kind: artifact.KindPage, Variants: []artifact.EntryVariant{
			{File: "pricing.html", Fields: html, Bodies: bodies(1)},
			{File: "pricing.md", Fields: twin, Bodies: bodies(3)},
		}},
		{Path: "/pricing.md", Kind: artifact.KindFile, Variants: []artifact.EntryVariant{{File: "pricing.md", Fields: twin}}},
		{Path: "/api", Kind: artifact.KindOperation, Variants: []artifact.EntryVariant{{Fields: twin, Bodies: bodies(5)}}},
		{Path: "/old", Kind: artifact.KindRedirect, Location: "/pricing"},
		{Path: "404", Kind: artifact.KindFallback, Variants: []artifact.EntryVariant{{Fields: html, Bodies: bodies(7)}}},
	}
}

func write(t *testing.T, entries ...artifact.Entry) string {
	t.Helper()
	w := artifact.NewManifestWriter()
	w.Add(entries...)
	data, err := w.Bytes(120, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// Writing and reading a manifest preserves its entries.
func TestManifestRoundTrip(t *testing.T) {
	entries := sample()
	m, err := artifact.ReadManifest(write(t, entries...))
	if err != nil {
		t.Fatal(err)
	}
	if m.Limit != 120 || m.Window != time.Minute {
		t.Errorf("allowance %d/%s, want 120/1m", m.Limit, m.Window)
	}
	if got := m.Packs(); !slices.Equal(got, []string{"a.pack"}) {
		t.Errorf("packs %v", got)
	}
	for _, e := range entries {
		r, ok := m.Lookup(e.Path)
		if !ok {
			t.Fatalf("%s: not found", e.Path)
		}
		if r.Path() != e.Path || r.Kind() != e.Kind || r.Location() != e.Location || r.Variants() != len(e.Variants) {
			t.Errorf("%s reads back as %s %d %s %d", e.Path, r.Path(), r.Kind(), r.Location(), r.Variants())
		}
		for i, v := range e.Variants {
			index := r.Variant(i)
			if m.File(index) != v.File || !slices.Equal(m.Fields(index), v.Fields) {
				t.Errorf("%s: variant %d reads back as %s %v", e.Path, i, m.File(index), m.Fields(index))
			}
			for _, want := range v.Bodies {
				b, ok := m.BodyIn(index, want.Coding)
				if got := m.Body(b); !ok || got != want {
					t.Errorf("%s: body %v reads back as %+v, want %+v", e.Path, want.Coding, got, want)
				}
			}
		}
	}
	if _, ok := m.Lookup("/nothing"); ok {
		t.Error("found a path that was not added")
	}
}

// Variants with the same public file share bodies, so each body is hashed, compressed, and loaded once.
func TestVariantsOfOneFileShareBodies(t *testing.T) {
	m, err := artifact.ReadManifest(write(t, sample()...))
	if err != nil {
		t.Fatal(err)
	}
	page, _ := m.Lookup("/pricing")
	alone, _ := m.Lookup("/pricing.md")
	a, _ := m.BodyIn(page.Variant(1), artifact.Identity)
	b, ok := m.BodyIn(alone.Variant(0), artifact.Identity)
	// The second variant stores no bodies, so it must share the bodies of the first.
	if !ok || a != b {
		t.Errorf("bodies %d and %d (%v), want one", a, b, ok)
	}
}

// Lookup doesn't allocate: the server calls it for every request.
func TestLookupDoesNotAllocate(t *testing.T) {
	m, err := artifact.ReadManifest(write(t, sample()...))
	if err != nil {
		t.Fatal(err)
	}
	if n := testing.AllocsPerRun(100, func() { m.Lookup("/pricing") }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// RoutesAsAdded yields all resources in the order in which they were added, not in the order of their hashes.
func TestRoutesAsAdded(t *testing.T) {
	var entries []artifact.Entry
	var want, got []string
	for i := range 500 {
		want = append(want, fmt.Sprintf("/blog/%d", i*7919%500))
		entries = append(entries, artifact.Entry{Path: want[i], Kind: artifact.KindRedirect, Location: "/"})
	}
	m, err := artifact.ReadManifest(write(t, entries...))
	if err != nil {
		t.Fatal(err)
	}
	for route := range m.RoutesAsAdded() {
		got = append(got, route.Path())
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Lookup finds every path of a large table, and no other path.
func TestLookupInLargeTable(t *testing.T) {
	var entries []artifact.Entry
	for i := range 5000 {
		entries = append(entries, artifact.Entry{Path: fmt.Sprintf("/blog/%d", i), Kind: artifact.KindRedirect, Location: "/"})
	}
	m, err := artifact.ReadManifest(write(t, entries...))
	if err != nil {
		t.Fatal(err)
	}
	for i := range 5000 {
		if _, ok := m.Lookup(fmt.Sprintf("/blog/%d", i)); !ok {
			t.Fatalf("/blog/%d: not found", i)
		}
		if _, ok := m.Lookup(fmt.Sprintf("/blog/%d/", i)); ok {
			t.Fatalf("/blog/%d/: found", i)
		}
	}
}

// ReadManifest rejects a manifest with a changed byte or length.
func TestOpenRejectsDamagedManifest(t *testing.T) {
	good := write(t, sample()...)
	for i := range len(good) {
		bad := good[:i] + string(good[i]^0x20) + good[i+1:]
		if _, err := artifact.ReadManifest(bad); !errors.Is(err, artifact.ErrManifest) {
			t.Fatalf("after changing byte %d: error %v", i, err)
		}
	}
	for i := range len(good) {
		if _, err := artifact.ReadManifest(good[:i]); !errors.Is(err, artifact.ErrManifest) {
			t.Fatalf("after truncating to %d bytes: error %v", i, err)
		}
	}
	if _, err := artifact.ReadManifest(good + "\x00"); !errors.Is(err, artifact.ErrManifest) {
		t.Fatalf("after adding a byte: error %v", err)
	}
}

// The error for a manifest of another version differs from the error for a damaged manifest, and names the fix.
func TestOpenNamesOtherVersion(t *testing.T) {
	for version, want := range map[byte]string{
		1: "its format is version 1, but this program reads version 3; run vitrine build again",
		9: "its format is version 9, but this program reads version 3; update this program",
	} {
		other := []byte(write(t, sample()...))
		other[7] = version
		_, err := artifact.ReadManifest(string(other))
		if !errors.Is(err, artifact.ErrManifest) || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
}

// NextDue is rounded up to a whole second, at which a build includes the page. It is zero if no page is scheduled.
func TestNextDue(t *testing.T) {
	whole := time.Date(2026, 12, 24, 17, 0, 0, 0, time.UTC)
	for _, c := range []struct{ set, want time.Time }{
		{time.Time{}, time.Time{}},
		{whole, whole},
		{whole.In(time.FixedZone("CET", 3600)), whole},
		{whole.Add(time.Nanosecond), whole.Add(time.Second)},
		{time.Date(2400, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(2400, 1, 1, 0, 0, 0, 0, time.UTC)},
	} {
		w := artifact.NewManifestWriter()
		w.SetNextDue(c.set)
		data, err := w.Bytes(120, time.Minute)
		if err != nil {
			t.Fatal(err)
		}
		m, err := artifact.ReadManifest(string(data))
		if err != nil {
			t.Fatal(err)
		}
		if !m.NextDue.Equal(c.want) || m.NextDue.IsZero() != c.want.IsZero() {
			t.Errorf("%s reads back as %s, want %s", c.set, m.NextDue, c.want)
		}
		if m.Limit != 120 || m.Window != time.Minute {
			t.Errorf("with NextDue, the allowance is %d/%s", m.Limit, m.Window)
		}
	}
}

// Bytes fails if two resources have the same path.
func TestDuplicatePathFails(t *testing.T) {
	w := artifact.NewManifestWriter()
	w.Add(artifact.Entry{Path: "/a"})
	w.Add(artifact.Entry{Path: "/a"})
	if _, err := w.Bytes(0, 0); err == nil || !strings.Contains(err.Error(), `"/a"`) {
		t.Errorf("error %v does not name the path", err)
	}
}

// ETags are strong: 16 hex digits and the content coding, in quotes.
func TestETag(t *testing.T) {
	for coding, want := range map[artifact.Coding]string{
		artifact.Identity: `"00000000000000ff"`,
		artifact.Gzip:     `"00000000000000ff-gzip"`,
		artifact.Brotli:   `"00000000000000ff-br"`,
	} {
		if got := artifact.ETag(0xff, coding); got != want {
			t.Errorf("%s: %s, want %s", coding, got, want)
		}
	}
}

// Reading and walking arbitrary bytes as a manifest never panics.
func FuzzManifest(f *testing.F) {
	w := artifact.NewManifestWriter()
	w.Add(sample()...)
	data, err := w.Bytes(120, time.Minute)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(string(data[16:]))
	f.Fuzz(func(t *testing.T, rest string) {
		// Add the correct checksum. Otherwise, ReadManifest would reject the manifest without reading the rest.
		m, err := artifact.ReadManifest(sealed(rest))
		if err != nil {
			return
		}
		for r := range m.Routes() {
			_, _, _ = r.Path(), r.Location(), r.Kind()
			for i := range min(r.Variants(), 8) {
				v := r.Variant(i)
				_, _ = m.File(v), m.Fields(v)
				for c := range artifact.Coding(artifact.Codings) {
					if b, ok := m.BodyIn(v, c); ok {
						_ = m.Body(b)
					}
				}
			}
		}
		m.Lookup("/pricing")
	})
}

// sealed returns rest, preceded by a manifest's magic and the correct checksum.
func sealed(rest string) string {
	out := append([]byte("vitrine\x03"), make([]byte, 8)...)
	out = append(out, rest...)
	binary.LittleEndian.PutUint64(out[8:], xxhash.Sum64String(rest))
	return string(out)
}
