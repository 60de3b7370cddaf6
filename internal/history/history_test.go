package history_test

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"vitrine/internal/history"
)

// repository is a temporary Git repository.
type repository struct {
	t   *testing.T
	dir string
}

func newRepository(t *testing.T) repository {
	r := repository{t, t.TempDir()}
	r.git("", "init", "--quiet", "--initial-branch=main")
	return r
}

// git runs git with the author and commit dates set to a day in January 2026.
func (r repository) git(day string, arguments ...string) {
	r.t.Helper()
	cmd := exec.CommandContext(r.t.Context(), "git", append([]string{"-C", r.dir, "-c", "user.name=test", "-c", "user.email=test@vitrine.example"}, arguments...)...)
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null",
		"GIT_AUTHOR_DATE=2026-01-"+day+"T12:00:00Z", "GIT_COMMITTER_DATE=2026-01-"+day+"T12:00:00Z")
	if out, err := cmd.CombinedOutput(); err != nil {
		r.t.Fatalf("git %s: %v\n%s", strings.Join(arguments, " "), err, out)
	}
}

// commit writes files and commits all changes on the given day.
func (r repository) commit(day string, files map[string]string) {
	r.t.Helper()
	r.write(files)
	r.git(day, "add", "--all")
	r.git(day, "commit", "--quiet", "--message", "Day "+day)
}

// write writes files under the repository's folder, creating parent folders as needed.
func (r repository) write(files map[string]string) {
	r.t.Helper()
	for name, text := range files {
		path := filepath.Join(r.dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			r.t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			r.t.Fatal(err)
		}
	}
}

// read returns the day in January on which each file last changed.
func read(t *testing.T, dir string) map[string]int {
	t.Helper()
	dates, err := history.Read(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	days := make(map[string]int)
	for name, date := range dates {
		if date.Month() != time.January || date.Year() != 2026 {
			t.Errorf("%s: %s", name, date)
		}
		days[name] = date.Day()
	}
	return days
}

// A file's date is the date of the last commit that changed it. A move without edits keeps the date, and a move with
// edits doesn't. Unusual names are read verbatim.
func TestRead(t *testing.T) {
	r := newRepository(t)
	text := strings.Repeat("A line that git knows again.\n", 20)
	r.commit("01", map[string]string{"content/a.md": "a", "content/b.md": text, "content/c.md": text + "c", "content/ü x.md": "u"})
	r.commit("02", map[string]string{"content/a.md": "a2"})
	r.git("03", "mv", "content/b.md", "content/moved.md")
	r.commit("03", nil)
	r.git("04", "mv", "content/c.md", "content/changed.md")
	r.commit("04", map[string]string{"content/changed.md": text + "more"})
	r.git("05", "mv", "content/moved.md", "content/again.md")
	r.commit("05", map[string]string{"other.txt": "x"})
	want := map[string]int{"content/a.md": 2, "content/again.md": 1, "content/changed.md": 4, "content/ü x.md": 1, "other.txt": 5}
	if got := read(t, r.dir); !maps.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// Paths are relative to the requested folder, because a site may be in a subfolder of its repository.
func TestReadSubfolder(t *testing.T) {
	r := newRepository(t)
	r.commit("01", map[string]string{"site/content/a.md": "a", "elsewhere.md": "b"})
	want := map[string]int{"content/a.md": 1}
	if got := read(t, filepath.Join(r.dir, "site")); !maps.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// Without a complete history, Read returns no dates instead of wrong ones: in a shallow clone, in a repository without
// a commit, and outside a repository.
func TestReadWithoutHistory(t *testing.T) {
	r := newRepository(t)
	if got := read(t, r.dir); len(got) != 0 {
		t.Errorf("without a commit: %v", got)
	}
	r.commit("01", map[string]string{"a.md": "a"})
	r.commit("02", map[string]string{"b.md": "b"})
	shallow := filepath.Join(t.TempDir(), "shallow")
	r.git("02", "clone", "--quiet", "--depth=1", "file://"+r.dir, shallow)
	if got := read(t, shallow); len(got) != 0 {
		t.Errorf("in a shallow clone: %v", got)
	}
	t.Setenv("GIT_CEILING_DIRECTORIES", filepath.Dir(t.TempDir()))
	if got := read(t, t.TempDir()); len(got) != 0 {
		t.Errorf("outside a repository: %v", got)
	}
}

// Versions returns a file's versions on the main branch, oldest first. A change on another branch has the date of its
// merge, and a copied file doesn't inherit its source's history.
func TestVersions(t *testing.T) {
	r := newRepository(t)
	r.commit("01", map[string]string{"other.yaml": strings.Repeat("somebody else's facts\n", 20)})
	r.commit("02", map[string]string{"site/facts.yaml": strings.Repeat("somebody else's facts\n", 20) + "1"})
	r.git("02", "checkout", "--quiet", "-b", "branch")
	r.commit("03", map[string]string{"site/facts.yaml": "2"})
	r.commit("04", map[string]string{"site/facts.yaml": "3"})
	r.git("04", "checkout", "--quiet", "main")
	r.commit("05", map[string]string{"x": "x"})
	r.git("06", "merge", "--quiet", "--no-ff", "-m", "Merge", "branch")
	r.git("07", "rm", "--quiet", "site/facts.yaml")
	r.commit("07", nil)
	r.commit("08", map[string]string{"site/facts.yaml": "4\n"})
	versions := func(dir string, most int) string {
		all, err := history.Versions(t.Context(), dir, "facts.yaml", most)
		if err != nil {
			t.Fatal(err)
		}
		var days []string
		for _, v := range all {
			text := strings.TrimSpace(string(v.Text))
			days = append(days, v.When.Format("02 ")+text[len(text)-1:])
		}
		return strings.Join(days, ", ")
	}
	site := filepath.Join(r.dir, "site")
	// The user's Git settings have no effect.
	r.git("08", "config", "log.follow", "true")
	if got := versions(site, 9); got != "02 1, 06 3, 08 4" {
		t.Errorf("got %s", got)
	}
	if got := versions(site, 1); got != "08 4" {
		t.Errorf("only the newest: got %s", got)
	}
	shallow := filepath.Join(t.TempDir(), "shallow")
	r.git("09", "clone", "--quiet", "--depth=1", "file://"+r.dir, shallow)
	if got := versions(filepath.Join(shallow, "site"), 9); got != "" {
		t.Errorf("in a shallow clone: got %s", got)
	}
	// Head works without git, even in a linked work tree.
	tree := filepath.Join(t.TempDir(), "tree")
	r.git("09", "worktree", "add", "--quiet", tree)
	here, known := history.Head(r.dir)
	there, knownToo := history.Head(filepath.Join(tree, "site"))
	if !known || !knownToo || here != there || len(here) != 40 {
		t.Errorf("heads: %q %t, in a work tree %q %t", here, known, there, knownToo)
	}
	if head, known := history.Head(shallow); head != history.Shallow || !known {
		t.Errorf("head of a shallow clone: %q %t", head, known)
	}
}
