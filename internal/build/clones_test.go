package build

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"vitrine/internal/artifact"
	"vitrine/internal/site"
)

// After each of many random edits, two sparse builds of a fresh clone equal full builds of the clone. One is based on a
// build in a folder, and the other on the records that the previous sparse build has stored elsewhere. Most edits are
// committed.
func TestSparseOfClones(t *testing.T) { sparseOfClones(t, 6, 3) }

func sparseOfClones(t *testing.T, edits int, seed uint64) {
	t.Helper()
	t.Setenv("SOURCE_DATE_EPOCH", "1780000000")
	for name, begin := range map[string]func(*testing.T, uint64) *editor{"one language": newEditor, "several languages": newPolyglot} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("GIT_CEILING_DIRECTORIES", "") // lets the build find HEAD without running git
			c := newClones(begin(t, seed))
			s := sparse{editor: c.editor, since: filepath.Join(t.TempDir(), "since"), out: filepath.Join(t.TempDir(), "sparse")}
			last, records, r := filepath.Join(t.TempDir(), "last"), new(elsewhere), rand.New(rand.NewPCG(seed, 2))
			c.inClone(func() { c.build(s.since); c.build(last) })
			records.store(t, last, r)
			for i := range edits {
				after := fmt.Sprintf("edit %d of seed %d (%s)", i, seed, c.editOrText())
				same := false
				check := func() { same = s.compare(after) && c.continues(&last, records, r, after) }
				if c.r.IntN(4) == 0 {
					check() // this edit and some earlier edits aren't committed
				} else {
					c.commit()
					c.inClone(check)
				}
				if !same {
					return
				}
			}
		})
	}
}

// clones edits a site in a Git repository.
type clones struct {
	*editor
	commits int
}

func newClones(e *editor) *clones {
	e.t.Helper()
	e.t.Setenv("GIT_CONFIG_GLOBAL", "/dev/null")
	c := &clones{editor: e}
	c.git("init", "--quiet")
	c.commit()
	return c
}

func (c *clones) git(arguments ...string) {
	c.t.Helper()
	cmd := exec.CommandContext(c.t.Context(), "git", append([]string{"-C", c.root, "-c", "user.name=test", "-c", "user.email=test@vitrine.example"}, arguments...)...)
	cmd.Env = append(os.Environ(), fmt.Sprintf("GIT_COMMITTER_DATE=%d +0000", 1_770_000_000+100_000*c.commits))
	if out, err := cmd.CombinedOutput(); err != nil {
		c.t.Fatalf("git %v: %v\n%s", arguments, err, out)
	}
}

// commit commits all edits.
func (c *clones) commit() {
	c.t.Helper()
	c.git("add", "--all")
	c.git("commit", "--quiet", "--allow-empty", "--message", "Edit")
	c.commits++
}

// inClone calls do with a fresh clone of the last commit as the root of the site.
func (c *clones) inClone(do func()) {
	c.t.Helper()
	was, clone := c.root, filepath.Join(c.t.TempDir(), "clone")
	c.git("clone", "--quiet", was, clone)
	c.root = clone
	do()
	c.root = was
}

// editOrText makes a random edit. Half of its edits change only the text of one or two pages.
func (c *clones) editOrText() string {
	if c.r.IntN(2) == 0 {
		return c.edit()
	}
	var names []string
	for range 1 + c.r.IntN(2) {
		name := c.any()
		c.write(name, c.read(name)+"\n"+c.words()+"\n")
		names = append(names, name)
	}
	return "text of " + strings.Join(names, ", ")
}

// After an edit, a sparse build of a fresh clone reads few records, whether or not the edit is committed. It renders
// only the edited page and, after a commit, the pages that show that page's date from Git.
func TestSparseReadsFewRecords(t *testing.T) {
	t.Setenv("SOURCE_DATE_EPOCH", "1780000000")
	for what, ceiling := range map[string]string{"HEAD is known": "", "only git knows HEAD": "/nowhere"} {
		t.Run(what, func(t *testing.T) {
			t.Setenv("GIT_CEILING_DIRECTORIES", ceiling)
			readsFewRecords(t)
		})
	}
}

func readsFewRecords(t *testing.T) {
	t.Helper()
	e := newEditor(t, 5)
	// Disable the search and add many posts. Otherwise, the build would read the records of all pages for the feed and
	// for the search index of a small site.
	e.write("content/site.yaml", settings("Parley")+"search: false\n")
	for range 60 {
		e.addPost()
	}
	e.write("content/blog/old.md", "---\ntitle: Old\ndescription: Not in the feed.\ndate: 2020-01-01\n---\n\nText.\n")
	e.write("content/list/index.md", "---\ntitle: List\nlayout: list\n---\n")
	e.write("content/list/undated.md", "---\ntitle: Undated\n---\n\nText.\n")
	c := newClones(e)
	edit := func(name string) func() {
		return func() { c.write(name, c.read(name)+"\nMore.\n") }
	}
	last, records, r := filepath.Join(t.TempDir(), "last"), new(elsewhere), rand.New(rand.NewPCG(1, 1))
	c.inClone(func() { c.build(last) })
	records.store(t, last, r)
	for _, step := range []struct {
		what   string
		edit   func()
		commit bool
		made   int
	}{
		{"a post", edit("content/blog/old.md"), true, 1},
		{"a page with a date from git", edit("content/list/undated.md"), true, 2},
		{"the same page, not committed", edit("content/list/undated.md"), false, 1},
		{"the commit of that edit", func() {}, true, 2},
		{"a file outside of the site", func() { c.write("README", "x") }, true, 0},
	} {
		step.edit()
		build := func() {
			before := records.reads.Load()
			if made := c.sparseFrom(last, records); made != step.made {
				t.Errorf("%s: %d pages are made, want %d", step.what, made, step.made)
			}
			if reads, most := records.reads.Load()-before, int64(16); reads > most {
				t.Errorf("%s: %d records are read, want at most %d", step.what, reads, most)
			}
			if !c.continues(&last, records, r, step.what) {
				t.FailNow()
			}
		}
		if !step.commit {
			build()
			continue
		}
		c.commit()
		c.inClone(build)
	}
}

// sparseFrom makes a sparse build that is based on the build in the folder last and on records. It returns the number
// of pages that the build has rendered.
func (e *editor) sparseFrom(last string, records *elsewhere) (pages int) {
	e.t.Helper()
	since, err := artifact.Open(last)
	if err != nil {
		e.t.Fatal(err)
	}
	defer since.Close()
	output := e.output(filepath.Join(e.t.TempDir(), "sparse"))
	output.Earlier = &Earlier{Build: artifact.Remote(since.Manifest, since.Read), Records: records}
	var made counting
	_, problems, err := Build(e.t.Context(), Source{Root: e.root}, output, Observer{Progress: &made})
	if err != nil || site.HasErrors(problems) {
		e.t.Fatal(problems, err)
	}
	return made.pages
}
