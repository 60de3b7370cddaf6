package docs_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"vitrine/internal/artifact"
	"vitrine/internal/lab/rig"
)

// figureSign matches the comment above a paragraph, list, or table that names the figures in it and their sources.
var figureSign = regexp.MustCompile(`(?m)^ *<!-- figures: (.*) -->\n`)

// TestFigures compares the figures in prose with their sources. A comment above a paragraph names each figure and its
// key:
//
//	<!-- figures: 206 claims; 13 languages -->
//
// The figure must be in the next paragraph, and must equal the value from counts().
func TestFigures(t *testing.T) {
	known := counts(t)
	used := make(map[string]bool)
	for _, name := range pagesWithCommands(t) {
		text, err := os.ReadFile(filepath.Join(rig.Root(t), name))
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range figureSign.FindAllStringSubmatchIndex(string(text), -1) {
			below, _, _ := strings.Cut(strings.TrimLeft(string(text[m[1]:]), "\n"), "\n\n")
			for figure := range strings.SplitSeq(string(text[m[2]:m[3]]), "; ") {
				said, key, _ := strings.Cut(figure, " ")
				count, ok := known[key]
				switch {
				case !ok:
					t.Errorf("%s: nothing counts %q; counts() in this file has the keys", name, key)
				case strings.ReplaceAll(said, ",", "") != strconv.Itoa(count):
					t.Errorf("%s says %s %s, and there are %d: correct the prose and its sign", name, said, key, count)
				case !regexp.MustCompile(`\b` + regexp.QuoteMeta(said) + `\b`).MatchString(below):
					t.Errorf("%s: the figure %s (%s) is not in the paragraph below its sign", name, said, key)
				}
				used[key] = true
			}
		}
	}
	for key := range known {
		if !used[key] {
			t.Errorf("no page has the figure %q: take it out of counts()", key)
		}
	}
}

// counts returns the figures that pages may use, computed from the data of the proofs and programs.
func counts(t *testing.T) map[string]int {
	t.Helper()
	root := rig.Root(t)
	number := func(name, pattern string) int {
		text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
		if err != nil {
			t.Fatal(err)
		}
		found := regexp.MustCompile(pattern).FindSubmatch(text)
		if found == nil {
			t.Fatalf("%s has no %s", name, pattern)
		}
		n, err := strconv.Atoi(strings.ReplaceAll(string(found[1]), ",", ""))
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	words, err := filepath.Glob(filepath.Join(root, "templates", "words", "*.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	commands, run := countCommands(t)
	return map[string]int{
		"commands":     commands,
		"commands run": run,
		"languages":    len(words),
		"allowance":    artifact.DefaultLimit,
		"kills":        number("internal/lab/faults/run/main.go", `flag\.Int\("kills", (\d+),`),
		"connections":  number("docs/reference/vitrined.md", "`--connections NUMBER` \\| `(\\d+)` "),
		"claims":       number("docs/project/contract.md", `consists of (\d+) claims`),
		"exchanges":    number("docs/project/contract.md", `([\d,]+) HTTP exchanges`),
	}
}
