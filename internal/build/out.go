package build

import (
	"fmt"
	"os"
	"path/filepath"

	"vitrine/internal/folder"
)

// checkOut returns an error if the build folder out is in one of the site's source folders or contains one, as the
// site's own folder does. Otherwise, the build's files would become sources.
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
			return fmt.Errorf("%s is in %s, which contains sources; "+
				"set --out to a folder outside the source folders, such as build", out, filepath.Join(root, name))
		case within(source, to), within(place, to):
			return fmt.Errorf("%s contains the site's source folder %s; "+
				"set --out to a separate folder, such as build", out, filepath.Join(root, name))
		}
	}
	return nil
}

// resolve returns the absolute path of name without symbolic links. name may not exist yet.
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

// within reports whether name is folder or is in it. It compares existing folders by identity, because two different
// names may refer to the same folder, for example if they differ in case or one of them is a mount.
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
