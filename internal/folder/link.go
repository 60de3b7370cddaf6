package folder

import (
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"strings"
)

// maxLinks is the maximum number of symbolic links in the resolution of one name.
const maxLinks = 40

// Link is the error for a symbolic link that is not followed.
type Link struct {
	// Name is the requested link, and Why the problem with its target.
	Name, Why string
}

func (l *Link) Error() string { return l.Name + ": " + l.Text() }

// Text returns the problem and its solution, for a report that names the link's position.
func (l *Link) Text() string {
	return "the symbolic link leads " + l.Why + "; put the file itself here"
}

// place is a name once its symbolic links are followed.
type place struct {
	name string
	err  error
}

// resolve follows the symbolic links of a name under content/ or templates/. They may only point to
// published files of the same folder: otherwise a contributor of a link, for example in a pull
// request, could publish any file on the build machine, such as .env or .git/config. Other names
// are confined only by the root of the site's folder.
func (f *Folder) resolve(name string) (string, error) {
	area, _, _ := strings.Cut(name, "/")
	if area != Content && area != Templates {
		return name, nil
	}
	dir, base := path.Split(name)
	// A Folder lasts for one look or one build, which may rely on the initial locations of folders.
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

// walk follows a path from a folder without symbolic links in its path. The result must be in the
// area.
func (f *Folder) walk(from, rest, area string) (string, error) {
	at, links := from, 0
	asked := path.Join(from, rest)
	refused := func(why string, args ...any) (string, error) {
		return "", &Link{asked, fmt.Sprintf(why, args...)}
	}
	for todo := strings.Split(rest, "/"); len(todo) > 0; {
		part := todo[0]
		todo = todo[1:]
		switch part {
		case "", ".":
			continue
		case "..":
			if at == "." {
				return refused("out of the site's folder")
			}
			at = path.Dir(at)
			continue
		}
		at = path.Join(at, part)
		if links > 0 && Ignored(at) {
			return refused("to %s, which is hidden and never published", at)
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
			return refused("in a circle")
		}
		if at == area {
			return refused("to %s, but %s is the folder itself", filepath.ToSlash(target), area)
		}
		if filepath.IsAbs(target) || filepath.VolumeName(target) != "" {
			return refused("to %s, out of %s/", filepath.ToSlash(target), area)
		}
		at = path.Dir(at)
		todo = append(strings.Split(filepath.ToSlash(target), "/"), todo...)
	}
	if links > 0 && at != area && !strings.HasPrefix(at, area+"/") {
		return refused("to %s, out of %s/", at, area)
	}
	return at, nil
}
