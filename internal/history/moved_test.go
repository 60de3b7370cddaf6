package history_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"vitrine/internal/history"
)

// Moved finds a file by its former name before and after the move is committed, and after a second move.
func TestMoved(t *testing.T) {
	r := newRepository(t)
	text := strings.Repeat("A line that git knows again.\n", 5)
	r.commit("01", map[string]string{"site/content/a.md": "---\ntitle: A\n---\n" + text, "site/content/b.md": "Something else entirely.\n", "c.md": "x"})
	site := filepath.Join(r.dir, "site")
	moved := func(name, want string) {
		t.Helper()
		if got := history.Moved(t.Context(), site, "content/never/index.md", name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	moved("content/never.md", "")
	// The file is moved and edited, but not committed.
	if err := os.Remove(filepath.Join(site, "content/a.md")); err != nil {
		t.Fatal(err)
	}
	r.write(map[string]string{"site/content/guide/new.md": "---\ntitle: New\n---\n" + text, "site/content/other.md": "Not that one.\n", "site/content/new.txt": text})
	moved("content/a.md", "content/guide/new.md")
	// The move is in the index.
	r.git("02", "add", "--all")
	moved("content/a.md", "content/guide/new.md")
	r.commit("02", nil)
	moved("content/a.md", "content/guide/new.md")
	r.git("03", "mv", "site/content/guide/new.md", "site/content/newer.md")
	r.commit("03", nil)
	moved("content/a.md", "content/newer.md")
	// Another possible name was added and removed later.
	r.commit("03", map[string]string{"site/content/never/index.md": "Something new.\n"})
	r.git("03", "rm", "--quiet", "site/content/never/index.md")
	r.commit("03", nil)
	moved("content/a.md", "content/newer.md")
	// A removed file has no current name.
	r.git("04", "rm", "--quiet", "site/content/b.md")
	r.commit("04", map[string]string{"site/content/z.md": "All of this is new.\n"})
	moved("content/b.md", "")
}
