package markdown

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
)

// Documents by other authors pass the same checks as the test cases of this package. The test reads each file in the
// folder named by VITRINE_TEXTS, or in docs/ by default.
func TestStrings(t *testing.T) {
	root := os.Getenv("VITRINE_TEXTS")
	if root == "" {
		root = filepath.Join("..", "..", "docs")
	}
	names := make(chan string)
	var group sync.WaitGroup
	var files, whole, quick atomic.Int64
	for range 2 {
		group.Go(func() {
			p := New(Options{}).With(newTestComponents(t))
			for name := range names {
				source, err := os.ReadFile(name)
				if err != nil {
					t.Error(err)
					continue
				}
				source = withoutFrontMatter(source)
				files.Add(1)
				t.Run(filepath.ToSlash(name), func(t *testing.T) {
					if checkTwin(t, p, source) {
						whole.Add(1)
					}
					if sameWithout(t, p, source) {
						quick.Add(1)
					}
				})
			}
		})
	}
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && entry.Type().IsRegular() {
			names <- path
		}
		return err
	})
	close(names)
	group.Wait()
	if err == nil && files.Load() == 0 {
		err = errors.New("the folder contains no files")
	}
	if err != nil {
		t.Fatal(fmt.Errorf("reading the files in %s: %w", root, err))
	}
	t.Logf("%d files: %d have no errors and a twin with the same meaning, and the quick parsers give the same result for %d", files.Load(), whole.Load(), quick.Load())
}

// withoutFrontMatter returns source without its leading block between lines of three dashes.
func withoutFrontMatter(source []byte) []byte {
	rest, ok := bytes.CutPrefix(source, []byte("---\n"))
	if !ok {
		return source
	}
	if _, text, ok := bytes.Cut(rest, []byte("\n---\n")); ok {
		return text
	}
	return source
}
