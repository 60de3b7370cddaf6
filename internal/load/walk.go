package load

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"vitrine/internal/regular"
	"vitrine/internal/rule"
	"vitrine/internal/site"
)

const (
	contentDir = "content"
	staticDir  = contentDir + "/static"
	// maxFolders is how deep folders may stand in one another.
	maxFolders = 64
)

// walker finds the pages and files below content/.
type walker struct {
	ctx      context.Context
	root     *os.Root
	list     func(string) ([]fs.DirEntry, error)
	pages    []string
	files    []site.File
	problems []site.Problem
}

func (w *walker) errorf(name, format string, args ...any) *site.Problem {
	w.problems = append(w.problems, site.Problem{Path: printable(name), Severity: site.Error, Code: rule.Unreadable, Text: fmt.Sprintf(format, args...)})
	return &w.problems[len(w.problems)-1]
}

// folder walks one folder, in the order of names. linked says that a symbolic
// link led here; another link to a folder is then refused, so that links can
// neither run in circles nor multiply.
func (w *walker) folder(name string, depth int, linked bool) {
	if depth > maxFolders {
		w.errorf(name, "folders stand more than %d levels deep in one another here", maxFolders)
		return
	}
	entries, err := w.entries(name)
	if err != nil {
		w.errorf(name, "the folder cannot be read: %v", plainError(err))
		return
	}
	for _, entry := range entries {
		if w.ctx.Err() != nil {
			return
		}
		if child := path.Join(name, entry.Name()); !ignored(child) {
			w.entry(child, entry, depth, linked)
		}
	}
}

// entries lists a folder.
func (w *walker) entries(name string) ([]fs.DirEntry, error) {
	if w.list != nil {
		if entries, err := w.list(name); err == nil {
			return entries, nil
		}
	}
	return readDir(w.root, name)
}

func readDir(root *os.Root, name string) ([]fs.DirEntry, error) {
	dir, err := regular.OpenDir(root, name)
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	entries, err := dir.ReadDir(-1)
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries, err
}

func (w *walker) entry(name string, entry fs.DirEntry, depth int, linked bool) {
	mode := entry.Type()
	link := mode&fs.ModeSymlink != 0
	if link {
		info, err := w.root.Stat(name)
		if err != nil {
			w.errorf(name, "the symbolic link leads nowhere, or out of the site's folder; put the file itself here")
			return
		}
		mode = info.Mode()
	}
	switch {
	case mode.IsDir() && link && linked:
		w.errorf(name, "a symbolic link to a folder stands inside a linked folder; put the files themselves here")
	case mode.IsDir() && strings.HasSuffix(name, ".md") && !within(name, staticDir):
		w.errorf(name, "this is a folder, but its name ends in .md as a page's does; rename it")
	case mode.IsDir():
		w.folder(name, depth+1, linked || link)
	case !mode.Type().IsRegular():
		w.errorf(name, "this is neither a file nor a folder but %s; take it out", regular.Kind(mode))
	case name == staticDir:
		w.errorf(name, "this is a file, but static is the folder of files that are copied as they are; rename it")
	case strings.HasSuffix(name, ".md") && !within(name, staticDir):
		w.pages = append(w.pages, name)
	case name != productPath && name != configPath:
		w.file(name, entry, link)
	}
}

// file notes a file that is published as it is.
func (w *walker) file(name string, entry fs.DirEntry, link bool) {
	below := strings.TrimPrefix(name, contentDir+"/")
	if problem := nameProblem(below); problem != "" {
		w.errorf(name, "the file's name cannot become a path: %s; rename the file", problem).Code = rule.WrongPath
		return
	}
	stat := func() (fs.FileInfo, error) { return w.root.Stat(name) }
	if w.list != nil && !link {
		stat = entry.Info
	}
	info, err := stat()
	if err != nil {
		w.errorf(name, "the file cannot be read: %v", plainError(err))
		return
	}
	f := site.File{Source: name, Path: filePath(below), Size: info.Size()}
	if reserved(f.Path) {
		w.errorf(name, reservedText, f.Path).Code = rule.WrongPath
		return
	}
	w.files = append(w.files, f)
}

// Ignored reports whether a file or folder below content is no content, such as
// what editors leave behind.
func Ignored(name string) bool {
	return within(name, contentDir) && ignored(name)
}

// ignored reports whether a file or folder is no content: hidden ones, and
// what editors leave behind. /.well-known/ is a public folder by RFC 8615, so
// it is copied from static.
func ignored(name string) bool {
	base := path.Base(name)
	if name == staticDir+"/.well-known" {
		return false
	}
	return strings.HasPrefix(base, ".") || strings.HasSuffix(base, "~") || strings.HasSuffix(base, ".swp") ||
		len(base) > 1 && strings.HasPrefix(base, "#") && strings.HasSuffix(base, "#")
}

// within reports whether name is below dir.
func within(name, dir string) bool {
	return strings.HasPrefix(name, dir+"/")
}

// readFile reads a regular file of at most limit bytes. The problem is what an
// editor is told; it is fs.ErrNotExist's only where there is no such file.
func readFile(root *os.Root, name string, limit int64) (content []byte, problem error) {
	info, err := root.Stat(name)
	switch {
	case err != nil:
		return nil, fmt.Errorf("the file cannot be read: %w", plainError(err))
	case info.IsDir():
		return nil, errors.New("this is a folder, but a file is meant to be here; rename it")
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("this is no file but %s; put a file here", regular.Kind(info.Mode()))
	case info.Size() > limit:
		return nil, tooLarge(limit)
	}
	f, err := regular.Open(root, name)
	if err != nil {
		return nil, fmt.Errorf("the file cannot be read: %w", plainError(err))
	}
	defer f.Close()
	content = make([]byte, 0, info.Size()+1)
	content, err = readAll(content, io.LimitReader(f, limit+1))
	if err != nil {
		return nil, fmt.Errorf("the file cannot be read: %w", plainError(err))
	}
	if int64(len(content)) > limit {
		return nil, tooLarge(limit)
	}
	return content, nil
}

// readAll is io.ReadAll into a buffer that already has the file's size.
func readAll(into []byte, r io.Reader) ([]byte, error) {
	for {
		if len(into) == cap(into) {
			into = slices.Grow(into, 512)
		}
		n, err := r.Read(into[len(into):cap(into)])
		into = into[:len(into)+n]
		if errors.Is(err, io.EOF) {
			return into, nil
		}
		if err != nil {
			return into, err
		}
	}
}

func tooLarge(limit int64) error {
	return fmt.Errorf("the file is larger than %d KiB, which is the most that is read", limit>>10)
}

// plainError takes off the operation and the path, which the diagnostic says.
func plainError(err error) error {
	var wrapped *fs.PathError
	if errors.As(err, &wrapped) {
		return wrapped.Err
	}
	return err
}
