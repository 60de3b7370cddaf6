package folder

import (
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"strings"
)

// maxLinks is the maximum number of symbolic links followed for one name.
const maxLinks = 40

// Link is the error for a symbolic link that is not followed.
type Link struct {
	// Name is the requested name, and Why is the problem with the link, as a verb phrase.
	Name, Why string
}

func (l *Link) Error() string { return l.Name + ": " + l.Text() }

// Text returns the problem and its solution without the name, for a report that shows the link's position.
func (l *Link) Text() string {
	return "the symbolic link " + l.Why + "; put the file itself here"
}

// place is the result of following a name's symbolic links: the resulting name, or the error.
type place struct {
	name string
	err  error
}

// resolve follows the symbolic links of a name under content/ or templates/. They may point only to published files in
// the same folder. Otherwise, someone who contributes a link, for example in a pull request, could publish any file on
// the build machine, such as .env or .git/config. Other names are confined only by the os.Root.
func (f *Folder) resolve(name string) (string, error) {
	area, _, _ := strings.Cut(name, "/")
	if area != Content && area != Templates {
		return name, nil
	}
	dir, base := path.Split(name)
	// A Folder is used for only one look or build, so it may rely on the initial locations of folders.
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

// walk resolves rest relative to from, whose own path has no symbolic links. If rest has symbolic links, the result
// must be in area.
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
