package build

import (
	"fmt"
	"os"
	"path/filepath"

	"vitrine/internal/folder"
)

// checkOut refuses a folder to build into that lies in one of the site's sources,
// or around one, as the site's own folder does: a build would stand among them.
func checkOut(root, out string) error {
	to, err := resolve(out)
	if err != nil {
		return fmt.Errorf("looking for the build folder: %w", err)
	}
	for _, name := range []string{folder.Content, folder.Templates} {
		place, err := filepath.Abs(filepath.Join(root, name))
		if err != nil {
			return fmt.Errorf("looking for the site: %w", err)
		}
		source, err := resolve(place)
		if err != nil {
			return fmt.Errorf("looking for the site: %w", err)
		}
		switch {
		case within(to, source):
			return fmt.Errorf("%s is in %s, which holds sources; nothing was written; "+
				"give --out a folder next to it, such as build", out, filepath.Join(root, name))
		case within(source, to), within(place, to):
			return fmt.Errorf("%s holds the site itself, with %s; nothing was written; "+
				"give --out a separate folder, such as build", out, filepath.Join(root, name))
		}
	}
	return nil
}

// resolve returns the absolute name of what may not exist yet, without symbolic
// links.
func resolve(name string) (string, error) {
	name, err := filepath.Abs(name)
	if err != nil {
		return "", err
	}
	rest := ""
	for existing := name; ; existing = filepath.Dir(existing) {
		real, err := filepath.EvalSymlinks(existing)
		if err == nil {
			return filepath.Join(real, rest), nil
		}
		if !os.IsNotExist(err) || existing == filepath.Dir(existing) {
			return "", err
		}
		rest = filepath.Join(filepath.Base(existing), rest)
	}
}

// within reports whether a name is that of a folder or lies below it. Folders that
// exist are compared as such: names may differ in case, or lead there by a mount.
func within(name, folder string) bool {
	at, err := os.Stat(folder)
	for {
		if name == folder {
			return true
		}
		if is, e := os.Stat(name); err == nil && e == nil && os.SameFile(is, at) {
			return true
		}
		above := filepath.Dir(name)
		if above == name {
			return false
		}
		name = above
	}
}
