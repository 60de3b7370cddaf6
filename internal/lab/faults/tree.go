package faults

import (
	"bytes"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"vitrine/internal/artifact"
)

// SameTree returns an error that names the files in which two build folders
// differ, and nil where there are none. Locks, spare folders and the cache are
// no part of what is published.
func SameTree(a, b string) error {
	one, err := readTree(a)
	if err != nil {
		return err
	}
	other, err := readTree(b)
	if err != nil {
		return err
	}
	var differ []string
	for name, data := range one {
		if there, ok := other[name]; !ok || !bytes.Equal(data, there) {
			differ = append(differ, name)
		}
		delete(other, name)
	}
	differ = append(differ, slices.Collect(maps.Keys(other))...)
	if len(differ) == 0 {
		return nil
	}
	slices.Sort(differ)
	return fmt.Errorf("%s and %s differ in %s", a, b, strings.Join(differ, ", "))
}

func readTree(dir string) (map[string][]byte, error) {
	files := make(map[string][]byte)
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		name := d.Name()
		switch {
		case err != nil:
			return err
		case d.IsDir() && (strings.HasPrefix(name, artifact.SpareDir) || name == "cache"):
			return filepath.SkipDir
		case d.IsDir() || name == ".lock":
			return nil
		}
		rel, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		files[filepath.ToSlash(rel)], err = os.ReadFile(path)
		return err
	})
	return files, err
}
