package record

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"vitrine/internal/codec"
	"vitrine/internal/site"
)

// randomPage returns a random page. Its ID and its paths may be the same as on earlier pages.
func randomPage(r *rand.Rand) *Page {
	path := func() string { return fmt.Sprintf("/p%d", r.IntN(6)) }
	p := &Page{Row: Row{ID: ID{path(), fmt.Sprintf("content/s%d.md", r.IntN(3))}, Digest: r.Uint64(), Key: r.Uint64(), Set: r.IntN(4) > 0}}
	for i := range r.IntN(4) {
		pos := site.Pos{Line: 1 + i, Col: 1 + r.IntN(9)}
		p.Links = append(p.Links, Link{path(), pos, path(), []string{"", "a", "b"}[r.IntN(3)], LinkKind(r.IntN(4))})
		p.Headings = append(p.Headings, Heading{2, "a", "A", pos})
		p.Facts = append(p.Facts, FactUse{"name", pos})
		p.Problems = append(p.Problems, site.Problem{Path: p.Source, Pos: pos, Text: "no " + path()})
		p.Dead = append(p.Dead, Dead{"the HTML of " + p.Path, path()})
		p.Pictures = append(p.Pictures, path())
		p.Files = append(p.Files, path())
		p.Targets = append(p.Targets, Target{path(), r.IntN(2) > 0})
		p.Anchors = append(p.Anchors, "a")
	}
	p.Twin, p.Feed, p.Search = Twin{r.IntN(99), 1, 2, r.Uint64(), "x"}, 3, r.Uint64()
	p.Texts = Texts{"feed", "search"}
	p.ShowsFacts, p.Resources = r.IntN(2) > 0, r.IntN(9)
	return p
}

// After additions, replacements, and removals in any order, the totals are those of the remaining pages. Merging the
// totals of subsets has the same result, and so does writing and reading totals.
func TestAnyOrderOfPuts(t *testing.T) {
	paths, anchorLinks := 0, 0
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 1))
		there := make(map[ID]*Page)
		got := NewTotals()
		for range 60 {
			is := randomPage(r)
			was := there[is.ID]
			if r.IntN(3) == 0 {
				is, was = nil, there[is.ID]
			}
			got.Put(was, is)
			if was != nil {
				delete(there, was.ID)
			}
			if is != nil {
				there[is.ID] = is
			}
		}
		want, parts := NewTotals(), [2]*Totals{NewTotals(), NewTotals()}
		for _, id := range sorted(there) {
			want.Put(nil, there[id])
			parts[r.IntN(2)].Put(nil, there[id])
		}
		parts[1].Merge(parts[0])
		var w codec.Writer
		got.Record(codec.To(&w))
		read, reader := new(Totals), codec.NewReader(string(w.Data))
		if read.Record(codec.From(reader)); !reader.Done() {
			t.Fatalf("seed %d: reading failed", seed)
		}
		for name, totals := range map[string]*Totals{"put": got, "merged": parts[1], "read": read} {
			if !reflect.DeepEqual(totals, want) {
				t.Fatalf("seed %d: the totals by %s are\n%+v\nwant\n%+v", seed, name, totals, want)
			}
		}
		paths, anchorLinks = paths+len(want.paths), anchorLinks+len(want.anchorLinks)
	}
	if paths < 200 || anchorLinks < 200 {
		t.Errorf("only %d linked paths and %d links to anchors", paths, anchorLinks)
	}
}

// A page that is written and read stays the same. Reading a damaged record returns a page or fails, but never panics.
func TestPageRoundTrip(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	for range 50 {
		page := randomPage(r)
		var w codec.Writer
		page.Record(codec.To(&w))
		reader, got := codec.NewReader(string(w.Data)), new(Page)
		if got.Record(codec.From(reader)); !reader.Done() || !reflect.DeepEqual(got, page) {
			t.Fatalf("%+v reads back as %+v", page, got)
		}
		damaged := slices.Clone(w.Data)
		damaged[r.IntN(len(damaged))] ^= 1 << r.IntN(8)
		new(Page).Record(codec.From(codec.NewReader(string(damaged))))
		short := codec.NewReader(string(w.Data[:r.IntN(len(w.Data))]))
		if new(Page).Record(codec.From(short)); short.Done() {
			t.Fatal("a truncated record was read without an error")
		}
	}
}
