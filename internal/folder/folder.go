// Package folder reads a site's folder: its entries, the contents of its files, and the changes since an earlier scan.
// A name under content/ or templates/ never gives access to a hidden file or to a file outside these folders, even
// through symbolic links. Opening a file never blocks, even if a named pipe has replaced the file. A file is treated as
// unchanged only if its stamp proves that it is unchanged, or if the digest of its bytes is the same.
package folder

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
)

// Names of folders in a site's folder, with forward slashes.
const (
	Content   = "content"
	Static    = Content + "/static"
	Templates = "templates"
	// MaxDepth is the maximum nesting depth of folders in content/ and templates/. A Tree doesn't contain the entries
	// of deeper folders.
	MaxDepth = 64
)

// A Folder is a site's open folder. It is safe for concurrent use. It keeps some of its subfolders open, because an
// os.Root opens every folder on a file's path each time that it opens the file.
type Folder struct {
	// Instead maps the names of files to contents that replace the files' own, such as unsaved text. It must be set
	// before the first read.
	Instead map[string][]byte

	root *os.Root
	mu   sync.Mutex
	// open maps the names of subfolders to open folders, or to nil for subfolders that can't be opened.
	open map[string]*openFolder
	// places caches the results of following symbolic links in folder names; see resolve.
	places map[string]place
}

// Open opens the site's folder at the path name. The caller must call Close.
func Open(name string) (*Folder, error) {
	root, err := os.OpenRoot(name)
	if err != nil {
		return nil, err
	}
	return &Folder{root: root, open: make(map[string]*openFolder), places: make(map[string]place)}, nil
}

// Close closes the folder and its open subfolders.
func (f *Folder) Close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	var failed []error
	for _, kept := range f.open {
		if kept != nil {
			failed = append(failed, kept.close())
		}
	}
	clear(f.open)
	return errors.Join(append(failed, f.root.Close())...)
}

// Ignored reports whether a file or folder isn't part of a site because it is hidden or is an editor's temporary or
// backup file. The hidden folder .well-known in content/static is an exception, because it is published (RFC 8615).
func Ignored(name string) bool {
	base := path.Base(name)
	if name == Static+"/.well-known" {
		return false
	}
	return strings.HasPrefix(base, ".") || strings.HasSuffix(base, "~") || strings.HasSuffix(base, ".swp") ||
		len(base) > 1 && strings.HasPrefix(base, "#") && strings.HasSuffix(base, "#")
}

// A Special is the error for an entry that isn't a regular file.
type Special struct {
	// Name is the requested name.
	Name string
	// Mode is the mode of the entry with this name.
	Mode fs.FileMode
}

func (s *Special) Error() string {
	return s.Name + " is " + Kind(s.Mode) + ", not a regular file; replace it with a file"
}

// Kind returns a noun phrase, such as "a folder", for the mode of an entry that isn't a regular file.
func Kind(mode fs.FileMode) string {
	switch {
	case mode.IsDir():
		return "a folder"
	case mode&fs.ModeNamedPipe != 0:
		return "a named pipe"
	case mode&fs.ModeSocket != 0:
		return "a socket"
	case mode&fs.ModeDevice != 0:
		return "a device"
	default:
		return "a special file"
	}
}

// Stat describes the named entry, following symbolic links. The error is a *Link if a link must not be followed, and
// otherwise the error from the os.Root.
func (f *Folder) Stat(name string) (fs.FileInfo, error) {
	at, err := f.resolve(name)
	if err != nil {
		return nil, err
	}
	return f.root.Stat(filepath.FromSlash(at))
}

// Open opens a regular file for reading. The error is a *Special if the file isn't a regular file, a *Link if a
// symbolic link must not be followed, and otherwise the error from the os.Root.
func (f *Folder) Open(name string) (*os.File, error) {
	file, info, err := f.openAny(name)
	if err == nil && info.IsDir() {
		return nil, errors.Join(&Special{name, info.Mode()}, file.Close())
	}
	return file, err
}

// openAny opens a regular file or a folder, and describes it. It returns the same errors as Open.
func (f *Folder) openAny(name string) (*os.File, fs.FileInfo, error) {
	at, err := f.resolve(name)
	if err != nil {
		return nil, nil, err
	}
	file, info, err := open(f.root, at)
	var special *Special
	if errors.As(err, &special) {
		special.Name = name
	}
	return file, info, err
}

// open opens a regular file or a folder under root. It never waits for the other end of a named pipe.
func open(root *os.Root, name string) (*os.File, fs.FileInfo, error) {
	file, err := root.OpenFile(filepath.FromSlash(name), os.O_RDONLY|nonblock, 0)
	if errors.Is(err, syscall.ENXIO) { // a socket can't be opened
		return nil, nil, &Special{name, fs.ModeSocket}
	}
	if err != nil {
		return nil, nil, err
	}
	info, err := file.Stat()
	if err == nil && !info.Mode().IsRegular() && !info.IsDir() {
		err = &Special{name, info.Mode()}
	}
	if err != nil {
		return nil, nil, errors.Join(err, file.Close())
	}
	return file, info, nil
}

// ReadFile returns the content of a regular file, or its replacement in Instead. It returns the same errors as Open. If
// name is a folder, it returns the error from reading a folder like a file.
func (f *Folder) ReadFile(name string) ([]byte, error) {
	if text, ok := f.Instead[name]; ok {
		return text, nil
	}
	if text, err := f.readDirectly(name, maxDirect); err == nil {
		return text, nil
	}
	file, info, err := f.openAny(name)
	return readAll(file, info, err)
}

// ReadFile returns the content of a regular file under root. It works even while folders on the file's path are being
// replaced. It returns the same errors as Folder.ReadFile.
func ReadFile(root *os.Root, name string) ([]byte, error) {
	file, info, err := open(root, name)
	return readAll(file, info, err)
}

// readAll takes the results of open, and reads and closes the file. It returns err if err isn't nil.
func readAll(file *os.File, info fs.FileInfo, err error) ([]byte, error) {
	if err != nil {
		return nil, err
	}
	defer file.Close()
	// With MinRead more bytes than the file has, ReadFrom detects its end without growing the buffer.
	text := bytes.NewBuffer(make([]byte, 0, info.Size()+bytes.MinRead))
	_, err = text.ReadFrom(file)
	return text.Bytes(), err
}

// ErrTooLarge is the error for a file that is larger than its limit; see Folder.ReadLimited.
var ErrTooLarge = errors.New("the file is too large")

// ReadLimited is like ReadFile, but returns an error that wraps ErrTooLarge if the file is larger than limit bytes.
func (f *Folder) ReadLimited(name string, limit int64) ([]byte, error) {
	if text, ok := f.Instead[name]; ok {
		if int64(len(text)) > limit {
			return nil, tooLarge(limit)
		}
		return text, nil
	}
	if text, err := f.readDirectly(name, limit); err == nil {
		return text, nil
	}
	file, info, err := f.openAny(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	if info.IsDir() {
		return nil, &Special{name, info.Mode()}
	}
	var text bytes.Buffer
	n, err := text.ReadFrom(io.LimitReader(file, limit+1))
	if err == nil && n > limit {
		err = tooLarge(limit)
	}
	return text.Bytes(), err
}

func tooLarge(limit int64) error { return fmt.Errorf("%w: more than %d bytes", ErrTooLarge, limit) }

// FS returns the folder as a file system, which opens folders as well as regular files. It follows the same symbolic
// links as Open, and doesn't list Ignored files.
func (f *Folder) FS() fs.FS { return fileSystem{f} }

type fileSystem struct{ *Folder }

var (
	_ fs.ReadFileFS = fileSystem{}
	_ fs.ReadDirFS  = fileSystem{}
)

// valid returns an error if name isn't valid for fs.FS or for the system, such as a name with a backslash on Windows.
func valid(name string) error {
	if _, err := filepath.Localize(name); err != nil {
		return &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	}
	return nil
}

func (s fileSystem) Open(name string) (fs.File, error) {
	if err := valid(name); err != nil {
		return nil, err
	}
	file, _, err := s.openAny(name)
	if err != nil {
		return nil, err // a nil *os.File would be a non-nil fs.File
	}
	return file, nil
}

func (s fileSystem) ReadFile(name string) ([]byte, error) {
	if err := valid(name); err != nil {
		return nil, err
	}
	return s.Folder.ReadFile(name)
}

func (s fileSystem) ReadDir(name string) ([]fs.DirEntry, error) {
	if err := valid(name); err != nil {
		return nil, err
	}
	dir, err := s.openDir(name)
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	entries, err := dir.ReadDir(-1)
	entries = slices.DeleteFunc(entries, func(e fs.DirEntry) bool { return Ignored(path.Join(name, e.Name())) })
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries, err
}

// openDir opens a folder. If the entry isn't a folder, only reading its entries returns an error.
func (f *Folder) openDir(name string) (*os.File, error) {
	at, err := f.resolve(name)
	if err != nil {
		return nil, err
	}
	return f.root.OpenFile(filepath.FromSlash(at), os.O_RDONLY|nonblock, 0)
}

// Contains reports whether a Tree may contain an entry with the given name: content/, templates/, an entry in one of
// them that isn't Ignored, or a foreign folder. See IsForeign.
func Contains(name string) bool {
	first, _, _ := strings.Cut(name, "/")
	return fs.ValidPath(name) && (first == Content || first == Templates) && !Ignored(name) || IsForeign(name)
}

// IsForeign reports whether name is a folder in which another generator keeps content or templates. A Tree records that
// the folder exists, but not the folder's contents, which Vitrine doesn't read.
func IsForeign(name string) bool {
	switch name {
	case "_posts", "_layouts", "_includes", "archetypes", "layouts", "themes":
		return true
	}
	return false
}
