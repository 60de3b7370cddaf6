package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"vitrine/internal/artifact"
	"vitrine/internal/load"
)

// withoutPlaceholders returns an error if a build publishes placeholder text from new or import, either as a fact or in
// another text file. It reads only the files in dir, because the other files of a sparse build have already been
// published.
func withoutPlaceholders(ctx context.Context, b *artifact.Build, dir string) error {
	public := filepath.Join(dir, artifact.PublicDir)
	const advice = "run vitrine check --strict, replace the placeholders that it reports, and build again"
	text, err := os.ReadFile(filepath.Join(public, filepath.FromSlash(artifact.OperationPath[1:]+".json")))
	if unchanged := b.Sparse() && errors.Is(err, fs.ErrNotExist); !unchanged {
		if err != nil {
			return fmt.Errorf("reading the build's facts: %w", err)
		}
		var document any
		if err := json.Unmarshal(text, &document); err != nil {
			return fmt.Errorf("reading the build's facts: %w", err)
		}
		if found := placeholderIn(document); found != "" {
			return fmt.Errorf("the build publishes the placeholder %q; %s", found, advice)
		}
	}
	return filepath.WalkDir(public, func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return fmt.Errorf("looking for placeholders: %w", err)
		}
		if entry.IsDir() || !isTextOutput(name) {
			return ctx.Err()
		}
		body, err := os.ReadFile(name)
		if err != nil {
			return fmt.Errorf("looking for placeholders: %w", err)
		}
		if found := placeholderOf(filepath.Base(name), body); found != "" {
			rel, err := filepath.Rel(public, name)
			if err != nil {
				rel = name
			}
			return fmt.Errorf("%s publishes the placeholder %q; %s", filepath.ToSlash(rel), found, advice)
		}
		return ctx.Err()
	})
}

// isTextOutput reports whether a published file contains text for people or programs, judging by its extension.
func isTextOutput(name string) bool {
	switch filepath.Ext(name) {
	case ".html", ".md", ".txt", ".json", ".xml", ".mjs":
		return true
	}
	return false
}

// placeholderOf returns the first placeholder in body, the content of the published file called name, or "" if there is
// none. It reports the placeholder address only in the Sitemap line of robots.txt, because other text may mention
// www.example.com for other reasons.
func placeholderOf(name string, body []byte) string {
	for _, sentence := range load.PlaceholderSentences() {
		if bytes.Contains(body, []byte(sentence)) {
			return sentence
		}
	}
	if own := []byte("Sitemap: " + load.PlaceholderAddress + "/"); name == "robots.txt" && bytes.Contains(body, own) {
		return load.PlaceholderAddress
	}
	return ""
}

// placeholderIn returns the first placeholder in value, a decoded JSON value, or "" if there is none.
func placeholderIn(value any) string {
	switch value := value.(type) {
	case string:
		if load.Placeholder(value) {
			return value
		}
	case []any:
		for _, item := range value {
			if found := placeholderIn(item); found != "" {
				return found
			}
		}
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(value)) {
			if found := placeholderIn(value[key]); found != "" {
				return found
			}
		}
	}
	return ""
}
