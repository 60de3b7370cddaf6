package folder

import (
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"strings"
)

// maxLinks is the maximum number of symbolic links to follow for one name.
const maxLinks = 40

// A Link is the error for a symbolic link that must not be followed.
type Link struct {
	// Name is the requested name. Why is a verb phrase that says what is wrong with the link, such as "is part of a
	// loop".
	Name, Why string
}

func (l *Link) Error() string { return l.Name + ": " + l.Text() }

// Text returns the message without the name, for a report that already shows the position of the link.
func (l *Link) Text() string {
	return "the symbolic link " + l.Why + "; put the file itself here"
}

// A place is the result of following the symbolic links in a folder's name: either the resulting name or an error.
type place struct {
	name string
	err  error
}

// resolve follows the symbolic links in name if it is under content/ or templates/, and returns the resulting name.
// Links may point only to files in the same one of these folders that aren't Ignored. Otherwise, anyone who contributes
// a link, for example in a pull request, could publish any file on the build machine, such as .env or .git/config. For
// other names, only the os.Root prevents access outside the site's folder.
func (f *Folder) resolve(name string) (string, error) {
	area, _, _ := strings.Cut(name, "/")
	if area != Content && area != Templates {
		return name, nil
	}
	dir, base := path.Split(name)
	// A Folder is used for a single scan or build, so the first result for a subfolder stays valid.
	f.mu.Lock()
	from, known := f.places[dir]
	f.mu.Unlock()
	if !known {
		from.name, from.err = f.walk(".", dir, area)
		f.mu.Lock()
		f.places[dir] = from
		f.mu.Unlock()
	}
	if from.err != nil {
		return "", from.err
	}
	return f.walk(from.name, base, area)
}

// walk follows the symbolic links in rest, a path relative to from. from must have no symbolic links. If rest has
// symbolic links, the result must be in area, which is content or templates.
func (f *Folder) walk(from, rest, area string) (string, error) {
	at, links := from, 0
	requested := path.Join(from, rest)
	rejected := func(why string, args ...any) (string, error) {
		return "", &Link{requested, fmt.Sprintf(why, args...)}
	}
	for todo := strings.Split(rest, "/"); len(todo) > 0; {
		part := todo[0]
		todo = todo[1:]
		switch part {
		case "", ".":
			continue
		case "..":
			if at == "." {
				return rejected("points outside the site's folder")
			}
			at = path.Dir(at)
			continue
		}
		at = path.Join(at, part)
		if links > 0 && Ignored(at) {
			return rejected("points to %s, which is hidden and never published", at)
		}
		info, err := f.root.Lstat(filepath.FromSlash(at))
		if err != nil {
			return "", err
		}
		if info.Mode()&fs.ModeSymlink == 0 {
			continue
		}
		target, err := f.root.Readlink(filepath.FromSlash(at))
		if err != nil {
			return "", err
		}
		if links++; links > maxLinks {
			return rejected("is part of a loop")
		}
		if at == area {
			return rejected("points to %s, but %s must be a folder, not a link", filepath.ToSlash(target), area)
		}
		if filepath.IsAbs(target) || filepath.VolumeName(target) != "" {
			return rejected("points to %s, outside %s/", filepath.ToSlash(target), area)
		}
		at = path.Dir(at)
		todo = append(strings.Split(filepath.ToSlash(target), "/"), todo...)
	}
	if links > 0 && at != area && !strings.HasPrefix(at, area+"/") {
		return rejected("points to %s, outside %s/", at, area)
	}
	return at, nil
}
