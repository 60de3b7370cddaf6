package docs_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"vitrine/internal/lab/rig"
)

// Every file and folder in the how-to-add lists of CONTRIBUTING.md exists. An identifier on the same line as a file
// occurs in that file.
func TestHowToAdd(t *testing.T) {
	root := rig.Root(t)
	text, err := os.ReadFile(filepath.Join(root, "CONTRIBUTING.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, section, found := strings.Cut(string(text), "\n## How to add ")
	if !found {
		t.Fatal("CONTRIBUTING.md has no section on how to add something")
	}
	section, _, _ = strings.Cut(section, "\n## ")
	if n := strings.Count(section, "\n**"); n < 5 {
		t.Errorf("%d lists, want 5 at least", n)
	}
	files := 0
	for line := range strings.Lines(section) {
		var sources []byte
		for _, m := range regexp.MustCompile("`([^`\\s]+)`").FindAllStringSubmatch(line, -1) {
			name := filepath.Join(root, filepath.FromSlash(m[1]))
			switch info, err := os.Stat(name); {
			case strings.Contains(m[1], "/") && err != nil:
				t.Errorf("%v", err)
			case strings.Contains(m[1], "/"):
				if files++; !info.IsDir() {
					source, err := os.ReadFile(name)
					if err != nil {
						t.Fatal(err)
					}
					sources = append(sources, source...)
				}
			case len(sources) > 0 && regexp.MustCompile(`^[a-zA-Z]+$`).MatchString(m[1]) && !strings.HasPrefix(m[1], "Test") && !strings.Contains(string(sources), m[1]):
				t.Errorf("%s: the files of this line do not have it", m[1])
			}
		}
	}
	if files < 20 {
		t.Errorf("%d files were found in the section, want 20 at least", files)
	}
}
