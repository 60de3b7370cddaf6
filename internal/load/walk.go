package load

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"vitrine/internal/folder"
	"vitrine/internal/rule"
	"vitrine/internal/site"
)

// walker finds the pages and files under content/.
type walker struct {
	site     *folder.Folder
	tree     *folder.Tree
	pages    []string
	files    []site.File
	sidebars []string
	problems []site.Problem
}

func (w *walker) errorf(name, format string, args ...any) *site.Problem {
	w.problems = append(w.problems, site.Problem{Path: printable(name), Severity: site.Error, Code: rule.Unreadable, Text: fmt.Sprintf(format, args...)})
	return &w.problems[len(w.problems)-1]
}

// folder adds the pages and files in a folder to w, in lexical order. linked reports whether the folder was reached
// through a symbolic link. If so, folder rejects further links to folders, so that links can't loop or multiply.
func (w *walker) folder(ctx context.Context, name string, depth int, linked bool) {
	if depth > folder.MaxDepth {
		w.errorf(name, "folders are nested more than %d levels deep here; use fewer levels", folder.MaxDepth)
		return
	}
	entries, err := w.tree.List(name)
	if err != nil {
		w.errorf(name, "the folder cannot be read: %v", plainError(err))
		return
	}
	for _, entry := range entries {
		if ctx.Err() != nil {
			return
		}
		w.entry(ctx, path.Join(name, entry.Name()), entry, depth, linked)
	}
}

func (w *walker) entry(ctx context.Context, name string, entry fs.DirEntry, depth int, linked bool) {
	mode := entry.Type()
	link := mode&fs.ModeSymlink != 0
	if link {
		info, err := w.site.Stat(name)
		if err != nil {
			w.errorf(name, "%s", linkProblem(err))
			return
		}
		mode = info.Mode()
	}
	switch {
	case mode.IsDir() && link && linked:
		w.errorf(name, "this is a symbolic link to a folder inside a linked folder; put the files themselves here")
	case mode.IsDir() && isPage(name):
		w.errorf(name, "this folder's name ends in %s, like a page; rename the folder", path.Ext(name))
	case mode.IsDir():
		if base := path.Base(name); base[0] == '_' && folder.IsForeign(base) && !within(name, folder.Static) {
			w.foreign(name, "this folder belongs to another generator, and its pages are published at addresses with "+base+" in them; articles belong in content/blog/, and templates in templates/")
		}
		w.folder(ctx, name, depth+1, linked || link)
	case !mode.Type().IsRegular():
		w.errorf(name, "this is %s, not a file or a folder; remove it", folder.Kind(mode))
	case name == folder.Static:
		w.errorf(name, "this is a file, but static must be the folder for files that are published unchanged; rename the file")
	case isPage(name):
		if stem, _ := site.CutPage(path.Base(name)); stem == "_index" {
			w.foreign(name, "this page is published at an address that ends in _index; rename it to index.md, the name of a folder's index page")
		}
		w.pages = append(w.pages, name)
	case IsSidebar(name):
		w.sidebars = append(w.sidebars, name)
	case name != productPath && name != configPath && name != questionsPath && name != site.AuthorsFile && name != shortAuthors && overlayTag(name) == "":
		w.file(name, entry)
	}
}

// foreign warns about a file or folder whose name has a special meaning in another generator.
func (w *walker) foreign(name, text string) {
	w.problems = append(w.problems, site.Problem{Path: printable(name), Severity: site.Warning, Code: rule.ForeignFile, Text: text})
}

// isPage reports whether the named file is a page. Files in static/ are never pages.
func isPage(name string) bool {
	_, page := site.CutPage(name)
	return page && !within(name, folder.Static)
}

// linkProblem returns a message that explains why a symbolic link isn't followed, and how to fix the problem.
func linkProblem(err error) string {
	var link *folder.Link
	if !errors.As(err, &link) {
		link = &folder.Link{Why: "is broken"}
	}
	return printable(link.Text())
}

// file records a file that is published unchanged, or reports why it can't be published.
func (w *walker) file(name string, entry fs.DirEntry) {
	below := strings.TrimPrefix(name, folder.Content+"/")
	if problem := nameProblem(below); problem != "" {
		w.errorf(name, "the file name cannot be used as a URL path: %s; rename the file", problem).Code = rule.WrongPath
		return
	}
	info, err := entry.Info()
	if err != nil {
		w.errorf(name, "the file cannot be read: %v", plainError(err))
		return
	}
	f := site.File{
		Source: name, Path: filePath(below), Size: info.Size(),
		OnLink: !within(name, folder.Static) && !isAsset(name),
	}
	if site.Reserved(f.Path) && reservedFolder(name) == "" {
		w.errorf(name, reservedText, f.Path).Code = rule.WrongPath
		return
	}
	w.files = append(w.files, f)
}

// within reports whether name is in dir, at any depth.
func within(name, dir string) bool {
	return strings.HasPrefix(name, dir+"/")
}

// readFile reads a regular file of at most limit bytes. Its error is a message for the user and wraps fs.ErrNotExist if
// the file doesn't exist.
func readFile(f *folder.Folder, name string, limit int64) (content []byte, problem error) {
	content, err := f.ReadLimited(name, limit)
	var special *folder.Special
	var link *folder.Link
	switch {
	case err == nil:
		return content, nil
	case errors.As(err, &link):
		return nil, errors.New(printable(link.Text()))
	case errors.As(err, &special) && special.Mode.IsDir():
		return nil, errors.New("want a file, found a folder; rename the folder")
	case errors.As(err, &special):
		return nil, fmt.Errorf("want a file, found %s; replace it with a file", folder.Kind(special.Mode))
	case errors.Is(err, folder.ErrTooLarge):
		return nil, tooLarge(limit)
	}
	return nil, fmt.Errorf("the file cannot be read: %w", plainError(err))
}

func tooLarge(limit int64) error {
	return fmt.Errorf("the file is larger than the limit of %d KiB; make it smaller", limit>>10)
}

// plainError returns the error in an fs.PathError, because the diagnostic already contains the path. It returns other
// errors unchanged.
func plainError(err error) error {
	var wrapped *fs.PathError
	if errors.As(err, &wrapped) {
		return wrapped.Err
	}
	return err
}
