package plan

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"vitrine/internal/site"
)

// Merging pages into sorted ones gives what sorting all of them gives, and leaves
// the sorted ones as they are.
func TestMerge(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	byPath := func(a, b *site.Page) int { return strings.Compare(a.Path, b.Path) }
	for range 200 {
		var sorted, more []*site.Page
		for n := range random.IntN(20) {
			p := &site.Page{Path: "/" + strconv.Itoa(random.IntN(50)) + "/" + strconv.Itoa(n)}
			if random.IntN(3) == 0 {
				more = append(more, p)
			} else {
				sorted = append(sorted, p)
			}
		}
		slices.SortFunc(sorted, byPath)
		before := slices.Clone(sorted)
		want := slices.Concat(sorted, more)
		slices.SortFunc(want, byPath)
		if got := merge(sorted, more); !slices.Equal(got, want) {
			t.Fatal("the pages are not in the order of their paths")
		}
		if !slices.Equal(sorted, before) {
			t.Fatal("the site's own pages were moved")
		}
	}
}
