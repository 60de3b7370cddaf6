package config

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"vitrine/internal/artifact"
	"vitrine/internal/lazyregexp"
)

// filesList is the name of the file that lists the last two builds written to the folder, newest first, each with its
// files.
const filesList = ".vitrine-files"

// WriteFiles writes each representation of a build into dir. The name of a file is its ETag: the hash of the bytes, and
// the content coding. The bytes under a name never change, so a new build can be written to a folder from which a
// server still serves the old build.
//
// WriteFiles removes representations that no server process can still serve, because they belong to neither this build
// nor the previous one. It keeps files with other names, because it didn't write them.
func WriteFiles(ctx context.Context, b *artifact.Build, dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("creating the representations folder: %w", err)
	}
	current := make(map[string]bool)
	for route := range b.Manifest.Routes() {
		if err := ctx.Err(); err != nil {
			return err
		}
		for i := range route.Variants() {
			if err := writeVariant(b, route.Variant(i), dir, current); err != nil {
				return fmt.Errorf("writing the representations for %s: %w", route.Path(), err)
			}
		}
	}
	current[buildFile(b.Manifest)] = true
	if err := writeFile(filepath.Join(dir, buildFile(b.Manifest)), artifact.BuildBody(b.Manifest.Build)); err != nil {
		return fmt.Errorf("writing the build name: %w", err)
	}
	if err := clearFiles(dir, fmt.Sprintf("%016x", b.Manifest.Build), current); err != nil {
		return fmt.Errorf("removing the files of an older build: %w", err)
	}
	return nil
}

// representation matches the names of files written by WriteFiles; see fileName.
var representation = lazyregexp.New(`^[0-9a-f]{16}(-gzip|-br)?$`)

// clearFiles removes the files that belong to neither this build nor the previous one, and writes the list for the next
// call.
func clearFiles(dir, build string, current map[string]bool) error {
	name := filepath.Join(dir, filesList)
	list, err := os.ReadFile(name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	last, before, _ := strings.Cut(string(list), "\n\n")
	// If the previous call also wrote this build, before lists the files of the previous build.
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
	// If the folder has no list, it's unknown which builds its files belong to. Keep these files until the next build,
	// and list them as files of the previous build.
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

// writeFile replaces the file called name in one step, because a server may be reading the folder.
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

// fileName returns the name of a representation: its ETag without the quotes.
func fileName(hash uint64, coding artifact.Coding) string {
	return strings.Trim(artifact.ETag(hash, coding), `"`)
}
