package config

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"vitrine/internal/artifact"
)

// filesList names the build that a folder was last filled with, and its files; then the build before it, and its files.
const filesList = ".vitrine-files"

// WriteFiles writes each representation of a build into a folder, named after
// its ETag: the hash of its bytes, and its coding. A name never changes its
// bytes, so that a server can be given a new build while it goes on serving
// the old one from the same folder.
//
// What no worker of a server can ask for any more is removed: representations that are neither of this build nor of the one that the folder
// was filled with before it, which workers serve until they have ended. A file with another name is none of ours, and stays.
func WriteFiles(ctx context.Context, b *artifact.Build, dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("making the folder of representations: %w", err)
	}
	current := make(map[string]bool)
	for route := range b.Manifest.Routes() {
		if err := ctx.Err(); err != nil {
			return err
		}
		for i := range route.Variants() {
			if err := writeVariant(b, route.Variant(i), dir, current); err != nil {
				return fmt.Errorf("writing the representations of %s: %w", route.Path(), err)
			}
		}
	}
	current[buildFile(b.Manifest)] = true
	if err := writeFile(filepath.Join(dir, buildFile(b.Manifest)), artifact.BuildBody(b.Manifest.Build)); err != nil {
		return fmt.Errorf("writing which build this is: %w", err)
	}
	if err := clearFiles(dir, fmt.Sprintf("%016x", b.Manifest.Build), current); err != nil {
		return fmt.Errorf("removing files of an older build: %w", err)
	}
	return nil
}

// representation is what WriteFiles calls a file.
var representation = regexp.MustCompile(`^[0-9a-f]{16}(-gzip|-br)?$`)

// clearFiles removes the files of builds before the last one, and writes the list that the next call goes by.
func clearFiles(dir, build string, current map[string]bool) error {
	name := filepath.Join(dir, filesList)
	list, err := os.ReadFile(name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	last, before, _ := strings.Cut(string(list), "\n\n")
	// The same build once more: the one before it is still the one before it.
	if strings.HasPrefix(last, build) {
		last = before
	}
	kept := make(map[string]bool)
	for word := range strings.FieldsSeq(last) {
		kept[word] = true
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	// A folder without a list is one that an older version filled: nobody knows of which build its files are.
	for _, e := range entries {
		if list != nil && representation.MatchString(e.Name()) && !current[e.Name()] && !kept[e.Name()] {
			if err := os.Remove(filepath.Join(dir, e.Name())); err != nil {
				return err
			}
		}
	}
	text := build + "\n" + strings.Join(slices.Sorted(maps.Keys(current)), "\n") + "\n\n" + strings.TrimSpace(last) + "\n"
	if list == nil {
		text = build + "\n" + strings.Join(slices.Sorted(maps.Keys(current)), "\n") + "\n\n"
		for _, e := range entries {
			if representation.MatchString(e.Name()) && !current[e.Name()] {
				text += e.Name() + "\n"
			}
		}
	}
	return writeFile(name, []byte(text))
}

// writeFile writes a file whole or not at all: a server may be reading the folder.
func writeFile(name string, body []byte) error {
	if err := os.WriteFile(name+".new", body, 0o644); err != nil {
		return err
	}
	return os.Rename(name+".new", name)
}

func writeVariant(b *artifact.Build, v artifact.VariantIndex, dir string, current map[string]bool) error {
	for coding := range artifact.Coding(artifact.Codings) {
		i, ok := b.Manifest.BodyIn(v, coding)
		if !ok {
			continue
		}
		name := filepath.Join(dir, fileName(b.Manifest.Body(i).Hash, coding))
		current[filepath.Base(name)] = true
		if info, err := os.Stat(name); err == nil && info.Size() == b.Manifest.Body(i).Size {
			continue
		} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		body, err := b.Read(v, i)
		if err != nil {
			return err
		}
		if err := writeFile(name, body); err != nil {
			return err
		}
	}
	return nil
}

// fileName is the name of a representation: its ETag without the quotes.
func fileName(hash uint64, coding artifact.Coding) string {
	return strings.Trim(artifact.ETag(hash, coding), `"`)
}
