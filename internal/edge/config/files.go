package config

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"vitrine/internal/artifact"
)

// WriteFiles writes each representation of a build into a folder, named after
// its ETag: the hash of its bytes, and its coding. A name never changes its
// bytes, so that a server can be given a new build while it goes on serving
// the old one from the same folder.
func WriteFiles(ctx context.Context, b *artifact.Build, dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("making the folder of representations: %w", err)
	}
	for route := range b.Manifest.Routes() {
		if err := ctx.Err(); err != nil {
			return err
		}
		for i := range route.Variants() {
			if err := writeVariant(b, route.Variant(i), dir); err != nil {
				return fmt.Errorf("writing the representations of %s: %w", route.Path(), err)
			}
		}
	}
	return nil
}

func writeVariant(b *artifact.Build, v artifact.VariantIndex, dir string) error {
	for coding := range artifact.Coding(artifact.Codings) {
		i, ok := b.Manifest.BodyIn(v, coding)
		if !ok {
			continue
		}
		name := filepath.Join(dir, fileName(b.Manifest.Body(i).Hash, coding))
		if info, err := os.Stat(name); err == nil && info.Size() == b.Manifest.Body(i).Size {
			continue
		} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		body, err := b.Read(v, i)
		if err != nil {
			return err
		}
		// Whole or not at all: a server may be reading the folder.
		if err := os.WriteFile(name+".new", body, 0o644); err != nil {
			return err
		}
		if err := os.Rename(name+".new", name); err != nil {
			return err
		}
	}
	return nil
}

// fileName is the name of a representation: its ETag without the quotes.
func fileName(hash uint64, coding artifact.Coding) string {
	return strings.Trim(artifact.ETag(hash, coding), `"`)
}
