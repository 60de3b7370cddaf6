package publish

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"vitrine/internal/artifact"
)

// A build writes only to folders that it recognizes as build folders. It writes markFile to an empty folder before it
// creates the lock, so that later builds recognize the folder even if this build is interrupted.
const (
	markFile  = ".vitrine"
	markTitle = "vitrine build folder\n"
	markText  = markTitle + `
This folder was made by vitrine build. It owns the entries named public, coded, cache, .spare, and manifest, and the files that it
creates in netlify and cloudflare. It leaves other files in this folder alone.
`
)

const lockFile = ".lock"

// claim creates the build folder dir if it is missing, and writes markFile to it. It returns an error if a build must
// not write to the folder.
func claim(d disk, dir string) error {
	if err := d.mkdirAll(dir); err != nil {
		return fmt.Errorf("creating the build folder: %w", err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return fmt.Errorf("reading the build folder: %w", err)
	}
	title, err := head(filepath.Join(dir, markFile), len(markTitle))
	if err != nil {
		return fmt.Errorf("reading the build folder: %w", err)
	}
	marked := title == markTitle
	if !marked {
		// Build folders of early versions of Vitrine have no markFile. Recognize such a folder by its manifest, in any
		// format version.
		magic, err := head(filepath.Join(dir, artifact.ManifestFile), artifact.MagicSize)
		if err != nil {
			return fmt.Errorf("reading the build folder: %w", err)
		}
		if foreign := foreignNames(entries); len(foreign) > 0 && !artifact.IsMagic(magic) {
			return fmt.Errorf("%s was not created by vitrine build and is not empty: it contains %s; "+
				"set --out to a folder that is empty or does not exist yet",
				dir, strings.Join(foreign[:min(len(foreign), 5)], ", "))
		}
	}
	if err := noLinks(dir, entries); err != nil {
		return err
	}
	if marked {
		return nil
	}
	if err := d.write(filepath.Join(dir, markFile), []byte(markText)); err != nil {
		return fmt.Errorf("writing the marker file in the build folder: %w", err)
	}
	return nil
}

// foreignNames returns the names of entries that may belong to the user. It omits files that version control and file
// systems create, and the first files that a build creates: the lock and markFile.
func foreignNames(entries []os.DirEntry) []string {
	var names []string
	for _, e := range entries {
		switch e.Name() {
		case ".gitkeep", ".gitignore", ".DS_Store", "lost+found", lockFile, markFile:
		default:
			names = append(names, e.Name())
		}
	}
	return names
}

// head returns the first size bytes of the named file, or the complete content of a shorter file. It returns "" if
// there is no regular file with that name.
func head(name string, size int) (string, error) {
	info, err := os.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) || err == nil && !info.Mode().IsRegular() {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	f, err := os.Open(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	first := make([]byte, size)
	n, err := io.ReadFull(f, first)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return "", err
	}
	return string(first[:n]), nil
}

// noLinks returns an error if a file or folder to which a build writes is a symbolic link, because the link may point
// outside the build.
func noLinks(dir string, entries []os.DirEntry) error {
	refuse := func(name string) error {
		return fmt.Errorf("%s is a symbolic link, and a build does not write through links; remove the link", filepath.Join(dir, name))
	}
	for _, e := range entries {
		name := e.Name()
		own := slices.Contains([]string{artifact.PublicDir, artifact.CodedDir, artifact.ManifestFile, "cache", artifact.PartFile, artifact.PartPages, lockFile, markFile}, name)
		if !own && !isSpare(name) {
			continue
		}
		if e.Type()&fs.ModeSymlink != 0 {
			return refuse(name)
		}
		if !e.IsDir() || name == artifact.PublicDir {
			// A build replaces the files in a public folder and never writes to them.
			continue
		}
		inside, err := os.ReadDir(filepath.Join(dir, name))
		if err != nil {
			return fmt.Errorf("reading the build folder: %w", err)
		}
		for _, i := range inside {
			if i.Type()&fs.ModeSymlink != 0 {
				return refuse(filepath.Join(name, i.Name()))
			}
		}
	}
	return nil
}

// isSpare reports whether name is the name of the spare folder or of a folder that setAside creates.
func isSpare(name string) bool {
	rest, ok := strings.CutPrefix(name, artifact.SpareDir)
	return ok && (rest == "" || rest[0] == '-' && len(rest) > 1 && strings.Trim(rest[1:], "0123456789") == "")
}

func exists(name string) bool {
	_, err := os.Lstat(name)
	return err == nil
}
