package history_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"vitrine/internal/history"
)

// Since returns the same dates as Read after linear commits and merges, and if the commit that it starts from was lost.
// Files are edited, moved, removed, and moved into the site.
func TestSinceEqualsRead(t *testing.T) {
	for seed := range uint64(2) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) { sinceEqualsRead(t, rand.New(rand.NewPCG(seed, 1))) })
	}
}

func sinceEqualsRead(t *testing.T, random *rand.Rand) {
	r := newRepository(t)
	type state struct {
		head  string
		dates history.Dates
	}
	// ofSite returns the dates of the site's files.
	ofSite := func(all history.Dates) history.Dates {
		kept := maps.Clone(all)
		maps.DeleteFunc(kept, func(name string, _ time.Time) bool { return !strings.HasPrefix(name, "content/") })
		return kept
	}
	file := func() string {
		return fmt.Sprintf("%s/%d.md", []string{"content", "content/deep", "beside"}[random.IntN(3)], random.IntN(4))
	}
	there := func(name string) bool {
		_, err := os.Stat(filepath.Join(r.dir, name))
		return err == nil
	}
	lines := 0
	text := func() string {
		lines++
		return strings.Repeat(fmt.Sprintf("Line %d.\n", lines), 10)
	}
	var states []state
	for day := 1; day <= 28; day++ {
		on := fmt.Sprintf("%02d", day)
		commit := func() {
			for range 1 + random.IntN(3) {
				name, other := file(), file()
				switch {
				case there(name) && !there(other) && random.IntN(2) == 0:
					if err := os.MkdirAll(filepath.Dir(filepath.Join(r.dir, other)), 0o777); err != nil {
						t.Fatal(err)
					}
					if err := os.Rename(filepath.Join(r.dir, name), filepath.Join(r.dir, other)); err != nil {
						t.Fatal(err)
					}
				case there(name) && random.IntN(4) == 0:
					if err := os.Remove(filepath.Join(r.dir, name)); err != nil {
						t.Fatal(err)
					}
				default:
					r.commit(on, map[string]string{name: text()})
				}
			}
			r.commit(on, map[string]string{"count": text()})
		}
		if day > 1 && random.IntN(6) == 0 {
			r.git(on, "checkout", "--quiet", "-b", "branch"+on, "HEAD")
			commit()
			r.git(on, "checkout", "--quiet", "main")
			r.commit(on, map[string]string{"main": text()})
			r.git(on, "merge", "--quiet", "--no-edit", "--strategy-option=theirs", "branch"+on)
		} else {
			commit()
		}
		head, known := history.Head(r.dir)
		want, err := history.Read(t.Context(), r.dir)
		if err != nil || !known {
			t.Fatal(err)
		}
		earlier := []state{{strings.Repeat("1", 40), nil}, {history.None, nil}}
		for range min(3, len(states)) {
			earlier = append(earlier, states[random.IntN(len(states))])
		}
		for _, was := range earlier {
			got, err := history.Since(t.Context(), r.dir, was.head, was.dates)
			if err != nil || !maps.Equal(ofSite(got), ofSite(want)) {
				log, _ := exec.Command("git", "-C", r.dir, "log", "--graph", "--name-status", "-M", "--format=%h %cs").Output()
				t.Fatalf("day %d since %s: %v\ngot  %v\nwant %v\n%s", day, was.head, err, ofSite(got), ofSite(want), log)
			}
		}
		states = append(states, state{head, ofSite(want)})
	}
	// Since doesn't read known commits again.
	known := states[len(states)-1]
	r.commit("28", map[string]string{"content/new.md": "new"})
	known.dates["content/old.md"] = time.Unix(1, 0)
	if got, err := history.Since(t.Context(), r.dir, known.head, known.dates); err != nil || got["content/new.md"].Day() != 28 || got["content/old.md"].Unix() != 1 {
		t.Errorf("%v: Since doesn't reuse the known dates: %v", err, got)
	}
	delete(known.dates, "content/old.md")
	// Since can't start from a commit that was undone or rewritten.
	for _, undo := range [][]string{{"reset", "--quiet", "--hard", "HEAD~2"}, {"commit", "--quiet", "--amend", "--message", "Anew"}} {
		r.git("28", undo...)
		last := states[len(states)-1]
		want, err := history.Read(t.Context(), r.dir)
		got, errSince := history.Since(t.Context(), r.dir, last.head, last.dates)
		if err != nil || errSince != nil || !maps.Equal(ofSite(got), ofSite(want)) {
			t.Errorf("after git %v: %v %v, got %v, want %v", undo, err, errSince, got, want)
		}
	}
}
