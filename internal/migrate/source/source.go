// Package source reads the folder of the site to import: its files, front matter, and data. It only reads, and
// accesses nothing outside the folder.
package source

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"vitrine/internal/folder"
	"vitrine/internal/load/tree"
)

// Limits of a source: its number of files, and the sizes in bytes of text files and assets. Open rejects a source with too many
// files. A file that is too large is omitted and reported.
const (
	MaxFiles = 200_000
	MaxText  = 8 << 20
	MaxAsset = 512 << 20
)

// Folder is the folder to import. It is never changed.
type Folder struct {
	root *os.Root
	// Sizes maps the names of regular files, with slashes, to their sizes in bytes.
	Sizes map[string]int64
	// Names are the names in Sizes, sorted.
	Names []string
	// Refused maps the names of rejected files and folders to the reasons, for the report.
	Refused map[string]string
}

// Open lists all files of a folder. It follows symbolic links that stay inside the folder. Inside a linked folder, it
// doesn't follow links to folders, so that links can't form cycles or multiply.
func Open(ctx context.Context, name string) (*Folder, error) {
	root, err := os.OpenRoot(name)
	if err != nil {
		return nil, fmt.Errorf("opening the site to import: %w", err)
	}
	s := &Folder{root: root, Sizes: make(map[string]int64), Refused: make(map[string]string)}
	if err := s.walk(ctx, ".", 0, false); err != nil {
		return nil, errors.Join(fmt.Errorf("reading the site to import: %w", err), root.Close())
	}
	slices.Sort(s.Names)
	return s, nil
}

// Close closes the folder.
func (s *Folder) Close() error { return s.root.Close() }

// notContent reports whether a folder is filled by a tool and has no authored content.
func notContent(name string) bool {
	switch path.Base(name) {
	case "node_modules", "_site", "__pycache__", "venv", "bower_components", "target":
		return true
	}
	return false
}

// hidden reports whether a name isn't part of a site, like folder.Ignored. The configurations of some generators and
// the files of /.well-known/ are exceptions.
func hidden(name string) bool {
	switch path.Base(name) {
	case ".vitepress", ".vuepress", ".well-known", ".pages", ".nav.yml", ".gitbook.yaml", ".gitbook.yml", ".gitbook", ".eleventy.js":
		return false
	}
	return folder.Ignored(name)
}

func (s *Folder) walk(ctx context.Context, name string, depth int, linked bool) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if depth > folder.MaxDepth {
		s.Refused[name] = fmt.Sprintf("folders are nested more than %d levels deep", folder.MaxDepth)
		return nil
	}
	entries, err := fs.ReadDir(s.root.FS(), name)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		below := path.Join(name, entry.Name())
		if hidden(below) {
			continue
		}
		mode := entry.Type()
		link := mode&fs.ModeSymlink != 0
		info, err := s.root.Stat(filepath.FromSlash(below))
		switch {
		case err != nil && link:
			s.Refused[below] = "the symbolic link points outside the folder, or its target is missing"
			continue
		case err != nil:
			s.Refused[below] = "it cannot be read: " + err.Error()
			continue
		}
		mode = info.Mode()
		switch {
		case mode.IsDir() && notContent(below):
		case mode.IsDir() && link && linked:
			s.Refused[below] = "this is a symbolic link to a folder inside a linked folder"
		case mode.IsDir():
			if err := s.walk(ctx, below, depth+1, linked || link); err != nil {
				return err
			}
		case !mode.IsRegular():
			s.Refused[below] = "it is " + folder.Kind(mode) + ", not a regular file"
		default:
			if len(s.Names) == MaxFiles {
				return fmt.Errorf("found more than %d files; specify only the folder that contains the site", MaxFiles)
			}
			s.Names = append(s.Names, below)
			s.Sizes[below] = info.Size()
		}
	}
	return nil
}

// Has reports whether there is a file with that name.
func (s *Folder) Has(name string) bool {
	_, ok := s.Sizes[name]
	return ok
}

// HasFolder reports whether there is a folder with that name that contains a file.
func (s *Folder) HasFolder(name string) bool {
	i, _ := slices.BinarySearch(s.Names, name+"/")
	return i < len(s.Names) && strings.HasPrefix(s.Names[i], name+"/")
}

// Below returns the files in a folder, in order. "." selects all files.
func (s *Folder) Below(dir string) []string {
	if dir == "." || dir == "" {
		return s.Names
	}
	from, _ := slices.BinarySearch(s.Names, dir+"/")
	to, _ := slices.BinarySearch(s.Names, dir+"0") // "0" follows "/"
	return s.Names[from:to]
}

// errTooLarge reports that a file exceeds the size limit.
var errTooLarge = errors.New("the file exceeds the size limit")

// Bytes reads a file. It returns fs.ErrNotExist if there is no such file, or an error that wraps errTooLarge if the
// size of the file exceeds most.
func (s *Folder) Bytes(name string, most int64) ([]byte, error) {
	size, ok := s.Sizes[name]
	switch {
	case !ok:
		return nil, fs.ErrNotExist
	case size > most:
		return nil, fmt.Errorf("%w: %d KiB; the maximum is %d KiB", errTooLarge, size>>10, most>>10)
	}
	return folder.ReadFile(s.root, name)
}

// Text reads a text file as lines that end in "\n", without a byte order mark.
func (s *Folder) Text(name string) (string, error) {
	data, err := s.Bytes(name, MaxText)
	if err != nil {
		return "", err
	}
	return CleanText(string(data)), nil
}

// CleanText returns text as valid UTF-8 with lines that end in "\n", without a byte order mark, control characters, and
// the private-use characters that package convert uses as marks.
func CleanText(text string) string {
	text = strings.TrimPrefix(strings.ToValidUTF8(text, "\uFFFD"), "\uFEFF")
	text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
	return strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' && r != '\t' || r >= 0x7f && r < 0xa0 || r >= 0xE000 && r <= 0xE002 {
			return -1
		}
		return r
	}, text)
}

// Data reads a TOML or JSON file, according to its extension, or otherwise a YAML file. It returns an error if the
// file is missing or invalid.
func (s *Folder) Data(name string) (*tree.Node, error) {
	text, err := s.Text(name)
	if err != nil {
		return nil, err
	}
	switch path.Ext(name) {
	case ".toml":
		return parsed(tree.TOML([]byte(text), 1))
	case ".json", ".json5", ".jsonc":
		return parsed(tree.JSON([]byte(text), 1))
	}
	return looseYAML(text)
}

// parsed returns the tree, or the first fault as an error.
func parsed(root *tree.Node, faults []tree.Fault) (*tree.Node, error) {
	if faults != nil {
		return nil, fmt.Errorf("line %d: %s", faults[0].Line, faults[0].Text)
	}
	return root, nil
}

// FirstOf returns the first of the names that exists, or "" if no file exists.
func (s *Folder) FirstOf(names ...string) string {
	for _, name := range names {
		if s.Has(name) {
			return name
		}
	}
	return ""
}

// Inside returns the path of name in a folder, and reports whether the path stays in the source.
func Inside(dir, name string) (string, bool) {
	name = path.Clean(path.Join(dir, name))
	return name, name != ".." && !strings.HasPrefix(name, "../") && !path.IsAbs(name)
}
