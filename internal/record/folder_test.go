package record

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"vitrine/internal/codec"
	"vitrine/internal/folder"
)

// keeper simulates runs that store the pages of a site in a folder.
type keeper struct {
	t     *testing.T
	store func() Store
	dir   string
	pages []*Page
	// runs is the number of runs until now.
	runs int
	// rest and patch are the expected results of Rest.
	rest, patch string
}

func newKeeper(t *testing.T, count int) (*keeper, *rand.Rand) {
	dir, r := t.TempDir(), rand.New(rand.NewPCG(3, 3))
	k := &keeper{t: t, dir: dir, store: func() Store { return Folder(dir, false) }}
	for i := range count {
		k.pages = append(k.pages, numbered(r, i))
	}
	return k, r
}

// numbered returns a random page with the path of page i.
func numbered(r *rand.Rand, i int) *Page {
	p := randomPage(r)
	p.ID = ID{fmt.Sprintf("/p%04d", i), fmt.Sprintf("content/p%04d.md", i)}
	return p
}

func (k *keeper) totals() *Totals {
	totals := NewTotals()
	for _, p := range k.pages {
		totals.Put(nil, p)
	}
	return totals
}

// run simulates a run that stores the changed pages and reuses all other pages that the store has. It returns the
// number of reused pages.
func (k *keeper) run(changed map[int]*Page) (taken int) {
	k.t.Helper()
	store := k.store()
	was, _ := store.Open(7)
	if was != nil && was.Load() != nil {
		was = nil
	}
	next := store.Begin(was, len(k.pages), was != nil)
	read := make(map[string]string)
	for i := range k.pages {
		is, again := changed[i]
		if again {
			k.pages[i] = is
		}
		if was == nil || again {
			next.Keep(i, k.pages[i])
			read[k.pages[i].Source] = fmt.Sprint("source ", k.pages[i].Digest)
			continue
		}
		next.Take(i, i)
		taken++
	}
	var names []string
	for _, p := range k.pages {
		names = append(names, p.Source)
	}
	next.SetSources(names, read, was)
	next.Header = Header{Key: 7, Facts: 1, Theme: 2, From: 3, Until: 4, Run: "run", Tree: new(folder.Tree)}
	k.runs++
	data := fmt.Sprint("run ", k.runs)
	if next.Patches() {
		k.patch = data
	} else {
		k.rest, k.patch = data, ""
	}
	if err := next.Commit(k.totals(), data); err != nil {
		k.t.Fatal(err)
	}
	return taken
}

// check compares the stored records with the pages.
func (k *keeper) check(after string) {
	k.t.Helper()
	l, _ := k.store().Open(7)
	if l == nil || l.Load() != nil {
		k.t.Fatalf("after %s, nothing is stored", after)
	}
	defer l.Close()
	if rest, patch := l.Rest(); l.Run != "run" || rest != k.rest || patch != k.patch || l.Pages() != len(k.pages) {
		k.t.Fatalf("after %s, the store has %q, %q, %q, and %d pages; want %q, %q", after, l.Run, rest, patch, l.Pages(), k.rest, k.patch)
	}
	for i, want := range k.pages {
		number, ok := l.Find(want.ID)
		if got := l.Page(i); !ok || number != i || !reflect.DeepEqual(got, want) {
			k.t.Fatalf("after %s, page %d is %+v, want %+v", after, i, got, want)
		}
		if got, ok := l.Texts(i); !ok || got != want.Texts {
			k.t.Fatalf("after %s, the texts of page %d are %+v, want %+v", after, i, got, want.Texts)
		}
		if source, _ := l.Source(want.Source); source != fmt.Sprint("source ", want.Digest) {
			k.t.Fatalf("after %s, source %d is %q", after, i, source)
		}
	}
	got, want := l.Totals(), k.totals()
	if !reflect.DeepEqual(got, want) {
		k.t.Fatalf("after %s, the totals are\n%+v, want\n%+v", after, got, want)
	}
}

// A run reads the data that the previous run has stored in a folder. That is true after a complete write, after a
// patch, and after the heap is rewritten because much of it is unused.
func TestFolderStoresData(t *testing.T) {
	k, r := newKeeper(t, 40)
	if taken := k.run(nil); taken != 0 {
		t.Fatalf("the first run reused %d pages", taken)
	}
	k.check("the first run")
	patched, shrunk := 0, 0
	size := func(name string) int64 {
		info, err := os.Stat(filepath.Join(k.dir, name))
		if err != nil {
			return 0
		}
		return info.Size()
	}
	for edit := range 400 {
		i, before := r.IntN(len(k.pages)), size(heapFile)
		is := numbered(r, i)
		for range 20 * r.IntN(2) {
			is.Entry += "a long entry of the search's index, so that the heap grows. "
		}
		if taken := k.run(map[int]*Page{i: is}); taken != len(k.pages)-1 {
			t.Fatalf("edit %d: reused %d pages", edit, taken)
		}
		if size(patchFile) > 0 {
			patched++
		}
		if size(heapFile) < before {
			shrunk++
		}
		if edit%7 == 0 {
			k.check(fmt.Sprint("edit ", edit))
		}
	}
	if patched < 100 || patched == 400 || shrunk == 0 {
		t.Errorf("%d of 400 runs wrote a patch, and %d rewrote the heap", patched, shrunk)
	}
}

// A damaged record isn't read, and other pages aren't affected. There are no totals if they depend on the record.
func TestFolderDamagedRecord(t *testing.T) {
	k, r := newKeeper(t, 30)
	k.run(nil)
	k.run(map[int]*Page{4: numbered(r, 4)})
	heap := filepath.Join(k.dir, heapFile)
	whole, err := os.ReadFile(heap)
	if err != nil {
		t.Fatal(err)
	}
	unknown := 0
	for range 60 {
		damaged := append([]byte(nil), whole...)
		damaged[r.IntN(len(damaged))] ^= 1 << r.IntN(8)
		if err := os.WriteFile(heap, damaged, 0o600); err != nil {
			t.Fatal(err)
		}
		l, _ := k.store().Open(7)
		if l == nil || l.Load() != nil {
			t.Fatal("a damaged record lost everything")
		}
		lost := 0
		for i, want := range k.pages {
			if got := l.Page(i); got == nil {
				lost++
			} else if !reflect.DeepEqual(got, want) {
				t.Fatalf("page %d is %+v, want %+v", i, got, want)
			}
		}
		if totals := l.Totals(); totals == nil {
			unknown++
		} else if !reflect.DeepEqual(totals, k.totals()) {
			t.Fatal("the totals depend on a damaged record")
		}
		if lost > 1 {
			t.Fatalf("one damaged byte lost %d pages", lost)
		}
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if unknown == 0 {
		t.Error("no damage affected the totals")
	}
}

// If the header, the index, or the patch is damaged or missing, a run reads either exactly the stored data or no data.
func TestFolderDamage(t *testing.T) {
	k, r := newKeeper(t, 6)
	k.run(nil)
	k.run(map[int]*Page{2: numbered(r, 2)})
	for _, name := range []string{headerFile, indexFile, patchFile} {
		file := filepath.Join(k.dir, name)
		whole, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for range 80 {
			damaged := append([]byte(nil), whole...)
			if damaged[r.IntN(len(damaged))] ^= 1 << r.IntN(8); r.IntN(3) == 0 {
				damaged = whole[:r.IntN(len(whole))]
			}
			if err := os.WriteFile(file, damaged, 0o600); err != nil {
				t.Fatal(err)
			}
			if l, _ := k.store().Open(7); l != nil && l.Load() == nil {
				t.Fatalf("read the damaged %s", name)
			}
		}
		if err := os.WriteFile(file, whole, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	k.check("the damage")
}

// A killed run leaves the previous run's record intact.
func TestFolderKilled(t *testing.T) {
	k, r := newKeeper(t, 20)
	k.run(nil)
	for range 3 {
		store := k.store()
		was, _ := store.Open(7)
		if was == nil || was.Load() != nil {
			t.Fatal("nothing is stored")
		}
		killed := store.Begin(was, len(k.pages), true)
		for i := range 5 {
			killed.Keep(i, numbered(r, i))
		}
		if err := killed.heap.out.Flush(); err != nil {
			t.Fatal(err)
		}
		k.check("a killed run")
		k.run(map[int]*Page{9: numbered(r, 9)})
		k.check("the next run")
	}
}

// If two processes store their findings in the same folder, a reader gets the findings of one process or none.
func TestFolderShared(t *testing.T) {
	k, r := newKeeper(t, 10)
	k.store = func() Store { return Folder(k.dir, true) }
	k.run(nil)
	for range 30 {
		stores := [2]Store{k.store(), k.store()}
		var next [2]*Next
		var pages [2][]*Page
		for n, store := range stores {
			was, _ := store.Open(7)
			if was == nil || was.Load() != nil {
				t.Fatal("nothing is stored")
			}
			next[n] = store.Begin(was, len(k.pages), r.IntN(2) > 0)
			for i, p := range k.pages {
				if r.IntN(3) == 0 {
					p = numbered(r, i)
					next[n].Keep(i, p)
				} else {
					next[n].Take(i, i)
				}
				pages[n] = append(pages[n], p)
			}
		}
		for n := range next {
			next[n].Header = Header{Key: 7, Run: fmt.Sprint(n), Tree: new(folder.Tree)}
			totals := NewTotals()
			for _, p := range pages[n] {
				totals.Put(nil, p)
			}
			if err := next[n].Commit(totals, "rest"); err != nil {
				t.Fatal(err)
			}
		}
		if l, _ := k.store().Open(7); l != nil && l.Load() == nil {
			for i, want := range pages[1] {
				if got := l.Page(i); got != nil && !reflect.DeepEqual(got, want) {
					t.Fatalf("page %d is %+v, want %+v", i, got, want)
				}
				if got, ok := l.Texts(i); ok && got != want.Texts {
					t.Fatalf("the texts of page %d are %+v, want %+v", i, got, want.Texts)
				}
			}
			if l.Run != "1" {
				t.Fatalf("the stored run is %q", l.Run)
			}
			if err := l.Close(); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.RemoveAll(k.dir); err != nil {
			t.Fatal(err)
		}
		k.run(nil)
	}
}

// Open rejects an invalid header and a header with another key.
func TestFolderKey(t *testing.T) {
	k, _ := newKeeper(t, 2)
	k.run(nil)
	if l, _ := k.store().Open(8); l != nil {
		t.Error("Open accepted another key")
	}
	var w codec.Writer
	file := CreateFile(filepath.Join(k.dir, headerFile), filepath.Join(k.dir, "x"))
	file.Write(append(w.Data, 1, 2, 3))
	if _, err := file.Finish(); err != nil {
		t.Fatal(err)
	}
	if l, _ := k.store().Open(7); l != nil {
		t.Error("Open accepted an invalid header")
	}
}
