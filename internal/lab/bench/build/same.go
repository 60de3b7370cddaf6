package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// same checks that two builds have the same files with the same bytes. What is
// only there to make the next build is left out.
func same(a, b string) error {
	have, err := publishedFiles(a)
	if err != nil {
		return err
	}
	other, err := publishedFiles(b)
	if err != nil {
		return err
	}
	var differences []error
	for name := range have {
		if !other[name] {
			differences = append(differences, fmt.Errorf("%s has no %s", b, name))
			continue
		}
		if err := sameFile(filepath.Join(a, name), filepath.Join(b, name)); err != nil {
			differences = append(differences, err)
		}
	}
	for name := range other {
		if !have[name] {
			differences = append(differences, fmt.Errorf("%s has no %s", a, name))
		}
	}
	if len(differences) > 0 {
		return fmt.Errorf("a warm build differs from a cold one in %d files: %w", len(differences), errors.Join(differences[:min(3, len(differences))]...))
	}
	return nil
}

func sameFile(a, b string) error {
	one, err := os.ReadFile(a)
	if err != nil {
		return fmt.Errorf("comparing builds: %w", err)
	}
	two, err := os.ReadFile(b)
	if err != nil {
		return fmt.Errorf("comparing builds: %w", err)
	}
	if !bytes.Equal(one, two) {
		return fmt.Errorf("%s and %s differ", a, b)
	}
	return nil
}

// publishedFiles are the files of a build, by their paths in it: all but the
// cache and what is hidden.
func publishedFiles(build string) (map[string]bool, error) {
	files := make(map[string]bool)
	err := filepath.WalkDir(build, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(build, path)
		if err != nil {
			return err
		}
		top, _, _ := strings.Cut(filepath.ToSlash(name), "/")
		switch {
		case top != "." && strings.HasPrefix(top, ".") || top == "cache":
			if d.IsDir() {
				return fs.SkipDir
			}
		case !d.IsDir():
			files[name] = true
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("listing a build: %w", err)
	}
	return files, nil
}
