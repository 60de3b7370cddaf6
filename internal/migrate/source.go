package migrate

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

// What a source may have at most. A site that is larger is refused whole, a file is
// left out and reported.
const (
	maxFiles = 200_000
	maxText  = 8 << 20
	maxAsset = 512 << 20
)

// source is the folder that is imported. It is only read.
type source struct {
	root *os.Root
	// sizes has the regular files by name, with slashes; names are in order.
	sizes map[string]int64
	names []string
	// refused are what was found and is not read, with the reason.
	refused map[string]string
}

// openSource looks at all of a folder. Symbolic links are followed where they stay
// inside; one that leads to a folder from within such a folder is not, so that links
// can neither run in circles nor multiply.
func openSource(ctx context.Context, name string) (*source, error) {
	root, err := os.OpenRoot(name)
	if err != nil {
		return nil, fmt.Errorf("opening the site to import: %w", err)
	}
	s := &source{root: root, sizes: make(map[string]int64), refused: make(map[string]string)}
	if err := s.walk(ctx, ".", 0, false); err != nil {
		return nil, errors.Join(fmt.Errorf("reading the site to import: %w", err), root.Close())
	}
	slices.Sort(s.names)
	return s, nil
}

func (s *source) close() error { return s.root.Close() }

// notContent are the folders that tools fill, in which nothing is written by people.
func notContent(name string) bool {
	switch path.Base(name) {
	case "node_modules", "_site", "__pycache__", "venv", "bower_components", "target":
		return true
	}
	return false
}

// hidden reports whether a name is none of a site's, as for folder.Ignored; the
// configuration of VitePress and the excerpts of /.well-known/ are.
func hidden(name string) bool {
	switch path.Base(name) {
	case ".vitepress", ".well-known", ".pages", ".nav.yml":
		return false
	}
	return folder.Ignored(name)
}

func (s *source) walk(ctx context.Context, name string, depth int, linked bool) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if depth > folder.MaxDepth {
		s.refused[name] = fmt.Sprintf("folders stand more than %d levels deep in one another", folder.MaxDepth)
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
			s.refused[below] = "the symbolic link leads out of the folder, or nowhere"
			continue
		case err != nil:
			s.refused[below] = "it cannot be read: " + err.Error()
			continue
		}
		mode = info.Mode()
		switch {
		case mode.IsDir() && notContent(below):
		case mode.IsDir() && link && linked:
			s.refused[below] = "the symbolic link to a folder stands inside a linked folder"
		case mode.IsDir():
			if err := s.walk(ctx, below, depth+1, linked || link); err != nil {
				return err
			}
		case !mode.IsRegular():
			s.refused[below] = "it is not a file but " + folder.Kind(mode)
		default:
			if len(s.names) == maxFiles {
				return fmt.Errorf("there are more than %d files; give the folder that holds the site alone", maxFiles)
			}
			s.names = append(s.names, below)
			s.sizes[below] = info.Size()
		}
	}
	return nil
}

// has reports whether there is a file of that name.
func (s *source) has(name string) bool {
	_, ok := s.sizes[name]
	return ok
}

// hasFolder reports whether there is a folder of that name with a file in it.
func (s *source) hasFolder(name string) bool {
	i, _ := slices.BinarySearch(s.names, name+"/")
	return i < len(s.names) && strings.HasPrefix(s.names[i], name+"/")
}

// below are the files in a folder, in order; "." is all.
func (s *source) below(dir string) []string {
	if dir == "." || dir == "" {
		return s.names
	}
	from, _ := slices.BinarySearch(s.names, dir+"/")
	to, _ := slices.BinarySearch(s.names, dir+"0") // "0" follows "/"
	return s.names[from:to]
}

// errTooLarge says that a file is larger than is read.
var errTooLarge = errors.New("the file is larger than is read")

// bytes reads a file of at most most bytes.
func (s *source) bytes(name string, most int64) ([]byte, error) {
	size, ok := s.sizes[name]
	switch {
	case !ok:
		return nil, fs.ErrNotExist
	case size > most:
		return nil, fmt.Errorf("%w: %d KiB, and %d KiB are the most", errTooLarge, size>>10, most>>10)
	}
	return folder.ReadFile(s.root, name)
}

// text reads a text file as lines that end in "\n", without a byte order mark.
func (s *source) text(name string) (string, error) {
	data, err := s.bytes(name, maxText)
	if err != nil {
		return "", err
	}
	return cleanText(string(data)), nil
}

// cleanText makes text one that everything after it can rely on.
func cleanText(text string) string {
	text = strings.TrimPrefix(strings.ToValidUTF8(text, "\uFFFD"), "\uFEFF")
	text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
	return strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' && r != '\t' || r >= 0x7f && r < 0xa0 {
			return -1
		}
		return r
	}, text)
}

// data reads a YAML, TOML or JSON file by its extension; nil where there is none, or
// where it cannot be read, which is a note of the caller's.
func (s *source) data(name string) (*tree.Node, error) {
	text, err := s.text(name)
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

// parsed makes an error of the first fault.
func parsed(root *tree.Node, faults []tree.Fault) (*tree.Node, error) {
	if faults != nil {
		return nil, fmt.Errorf("line %d: %s", faults[0].Line, faults[0].Text)
	}
	return root, nil
}

// firstOf returns the first of the names that is there, "" for none.
func (s *source) firstOf(names ...string) string {
	for _, name := range names {
		if s.has(name) {
			return name
		}
	}
	return ""
}

// inside joins a name to a folder and reports whether it stays in the source.
func inside(dir, name string) (string, bool) {
	name = path.Clean(path.Join(dir, name))
	return name, name != ".." && !strings.HasPrefix(name, "../") && !path.IsAbs(name)
}
