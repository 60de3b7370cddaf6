package search_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"vitrine/internal/artifact"
	"vitrine/internal/search"
)

// publication contains the files of an index, keyed by hash, and the order of their publication.
type publication struct {
	root  search.Root
	files map[uint64][]byte
	order []uint64
}

func (x *publication) publish(body []byte) (uint64, error) {
	hash := artifact.Hash(body)
	x.files[hash] = slices.Clone(body)
	x.order = append(x.order, hash)
	return hash, nil
}

func built(t *testing.T, records []search.Record) *publication {
	t.Helper()
	x := &publication{files: make(map[uint64][]byte)}
	var err error
	if x.root, err = builder(records).Build(x.publish); err != nil {
		t.Fatal(err)
	}
	return x
}

// After edits of every kind, a derived index is identical to a built index, file by file and in the same order. The
// edits add and remove words on one page and on all pages, use spellings that share a form, and change lengths.
func TestUpdateEqualsBuild(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		// words is the number of words of a page.
		pages, words int
		// large is the number of edits, of 24, after which the index consists of several files. updates is the minimum
		// number of derived indexes.
		large, updates int
	}{
		{"several files", 600, 60, 24, 20},
		{"between one file and several", 80, 60, 16, 20},
		{"one file", 60, 60, 0, 20},
		{"incomplete lists of pages", search.MostPostings * 4 / 3, 8, 24, 20},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			updates, large, kept := compareUpdates(t, c.pages, c.words)
			if updates < c.updates || large != c.large {
				t.Errorf("of 24 edits, %d updated the index, want at least %d; %d resulted in several files, want %d", updates, c.updates, large, c.large)
			}
			if c.large == 24 && kept < 0.5 {
				t.Errorf("the updates kept only %.0f%% of the files", 100*kept)
			}
		})
	}
}

// compareUpdates makes 24 edits on a site with the given number of pages and words per page, and compares the updated
// index with a built index after each edit. It returns the number of updates that succeeded, the number of indexes of
// several files, and the average part of an index's files that an update kept.
func compareUpdates(t *testing.T, pages, words int) (updates, large int, kept float64) {
	random := rand.New(rand.NewPCG(19, 3))
	analyzer := search.NewAnalyzer("fr")
	texts := make([][]string, pages)
	word := func() string {
		switch n := random.IntN(100); {
		case n < 4:
			return fmt.Sprintf("unique%dx", random.IntN(1_000_000))
		case n < 8:
			// These words share forms but not stems.
			return []string{"résumé", "resume", "resumé", "pêche", "péché", "peche", "mûre", "mure"}[random.IntN(8)]
		case n < 50:
			return fmt.Sprintf("mot%csente%d", 'a'+rune(random.IntN(26)), random.IntN(6))
		}
		stem := fmt.Sprintf("terme%c%c%c", 'a'+rune(random.IntN(26)), 'a'+rune(random.IntN(26)), 'a'+rune(random.IntN(4)))
		return stem + []string{"", "s", "ment", "ation", "er"}[random.IntN(5)]
	}
	for i := range texts {
		for range words {
			texts[i] = append(texts[i], word())
		}
		// These words are on most pages, with different relevance.
		for _, frequent := range []string{"partout", "souvent", "ailleurs"} {
			texts[i] = append(texts[i], slices.Repeat([]string{frequent}, min(random.IntN(40), 4))...)
			if random.IntN(3) == 0 {
				texts[i] = append(texts[i], strings.Fields(strings.Repeat("plus long ", random.IntN(90)))...)
			}
		}
	}
	record := func(i int) search.Record {
		p := page(fmt.Sprintf("/p/%d", i), fmt.Sprintf("Page %d", i), strings.Join(texts[i], " "))
		done := analyzer.Page(&p)
		r := search.Record{Terms: string(done.Terms)}
		for _, piece := range done.Pieces {
			r.Pieces = append(r.Pieces, string(piece))
		}
		return r
	}
	records := make([]search.Record, pages)
	for i := range records {
		records[i] = record(i)
	}
	before, all := built(t, records), 0
	for edit := range 24 {
		changed := make(map[int]search.Record)
		for range 1 + random.IntN(3) {
			i := random.IntN(pages)
			if _, again := changed[i]; !again {
				changed[i] = records[i]
			}
			switch random.IntN(5) {
			case 0:
				texts[i] = append(texts[i], word(), word())
			case 1:
				at := random.IntN(len(texts[i]))
				texts[i] = slices.Delete(texts[i], at, min(at+2, len(texts[i])))
			case 2:
				texts[i][random.IntN(len(texts[i]))] = word()
			case 3:
				texts[i] = append(texts[i], strings.Fields(strings.Repeat("plus long ", random.IntN(900)))...)
			default:
				texts[i] = texts[i][:max(1, min(len(texts[i]), 60)-random.IntN(9))]
			}
			texts[i] = append(texts[i], "fin")
			records[i] = record(i)
		}
		want := built(t, records)
		if want.root.Depth > 0 {
			large++
		}
		got := &publication{files: make(map[uint64][]byte)}
		var err error
		got.root, err = search.Update(search.Before{Root: before.root, Changed: changed, Read: func(hash uint64) ([]byte, error) {
			if body, ok := before.files[hash]; ok {
				return body, nil
			}
			return nil, errors.New("no such file")
		}}, search.Records{Count: pages, At: func(i int) (search.Record, error) { return records[i], nil }}, got.publish, func(hash uint64) {
			kept++
			got.files[hash] = before.files[hash]
			got.order = append(got.order, hash)
		})
		switch {
		case errors.Is(err, search.ErrRebuild):
		case err != nil:
			t.Fatal(err)
		default:
			updates++
			all += len(want.order)
			if got.root != want.root || !slices.Equal(got.order, want.order) {
				t.Fatalf("edit %d of %d pages: the index differs from the one that is built: %v, %d files; %v, %d files",
					edit, len(changed), got.root, len(got.order), want.root, len(want.order))
			}
		}
		before = want
	}
	return updates, large, kept / float64(all)
}
