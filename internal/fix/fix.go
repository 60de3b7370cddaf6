// Package fix applies the edits that are attached to a site's problems. A problem has an edit only if there is only one
// way to fix the problem. The package doesn't change any bytes outside an edit. It replaces files atomically, preserves
// their modes, and doesn't replace a file that has changed since it was read.
package fix

import (
	"bytes"
	"cmp"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"vitrine/internal/site"
)

// File is a file of a site, with its text before and after edits.
type File struct {
	// Name is the file's path relative to the site's root, with forward slashes.
	Name         string
	Before, Text []byte
	// Edits is the number of edits applied to the file.
	Edits int
	// origins contains, for each line of Text, the number of the same line in Before, counted from 0, or -1 if the line
	// has changed.
	origins []int
}

// New returns an unchanged file.
func New(name string, text []byte) *File {
	f := &File{Name: name, Before: text, Text: text}
	for i := range splitLines(text) {
		f.origins = append(f.origins, i)
	}
	return f
}

// Edit applies edits to the file's current text. If the text to replace isn't found, it returns ErrChanged and changes
// nothing.
func (f *File) Edit(edits []site.Edit) error {
	text, made, err := Apply(f.Text, edits)
	if err != nil {
		return err
	}
	var origins []int
	at := 0
	for _, c := range changes(f.Text, made) {
		origins = append(origins, f.origins[at:c.first]...)
		for range c.lines {
			origins = append(origins, -1)
		}
		at = c.end
	}
	f.origins = append(origins, f.origins[at:]...)
	f.Text, f.Edits = text, f.Edits+len(made)
	return nil
}

// ErrChanged is returned by Apply, File.Edit, and File.Write if a file has changed since it was read, or if it doesn't
// contain the text that an edit replaces.
var ErrChanged = errors.New("the file has changed since it was read, so it was not fixed; run vitrine fix again")

// Edits returns the fixes of problems, keyed by file.
func Edits(problems []site.Problem) map[string][]site.Edit {
	edits := make(map[string][]site.Edit)
	for _, p := range problems {
		if p.Fix != (site.Edit{}) {
			edits[p.Path] = append(edits[p.Path], p.Fix)
		}
	}
	return edits
}

// Read reads a regular file for editing. It rejects symbolic links.
func Read(root *os.Root, name string) (*File, error) {
	info, err := root.Lstat(name)
	if err != nil {
		return nil, fmt.Errorf("reading the file: %w", err)
	}
	if !info.Mode().IsRegular() {
		return nil, errors.New("this is not a regular file; if it is a symbolic link, fix the file that it points to")
	}
	text, err := root.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("reading the file: %w", err)
	}
	return New(name, text), nil
}

// Apply applies edits to source, and returns the result and the applied edits, sorted by position. If edits overlap or
// start at the same position, it applies only the first of these edits. It returns ErrChanged if source doesn't contain
// the text that an edit replaces.
func Apply(source []byte, edits []site.Edit) (text []byte, made []site.Edit, err error) {
	edits = slices.Clone(edits)
	slices.SortStableFunc(edits, func(a, b site.Edit) int { return cmp.Compare(a.Start, b.Start) })
	end := 0
	for _, e := range edits {
		switch {
		case e.Start < 0 || e.Start > len(source) || !bytes.HasPrefix(source[e.Start:], []byte(e.Old)):
			return nil, nil, ErrChanged
		case e.Start < end || len(made) > 0 && made[len(made)-1].Start == e.Start:
			continue
		}
		text = append(append(text, source[end:e.Start]...), e.New...)
		end = e.Start + len(e.Old)
		made = append(made, e)
	}
	return append(text, source[end:]...), made, nil
}

// Write replaces the file atomically with the edited text: it writes a temporary file and renames that file. It returns
// ErrChanged if the file has changed since it was read.
func (f *File) Write(root *os.Root) error {
	info, err := root.Lstat(f.Name)
	if err != nil {
		return fmt.Errorf("reading the file: %w", err)
	}
	name := path.Join(path.Dir(f.Name), "."+path.Base(f.Name)+"."+strings.ToLower(rand.Text()[:8])+".tmp")
	if err := write(root, name, f.Text, info.Mode()); err != nil {
		return errors.Join(fmt.Errorf("writing a fixed file: %w", err), remove(root, name))
	}
	now, err := root.ReadFile(f.Name)
	if err == nil && !bytes.Equal(now, f.Before) {
		err = ErrChanged
	}
	if err == nil {
		err = root.Rename(name, f.Name)
	}
	if err != nil {
		return errors.Join(err, remove(root, name))
	}
	return nil
}

func write(root *os.Root, name string, text []byte, mode fs.FileMode) error {
	file, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode.Perm())
	if err != nil {
		return err
	}
	_, err = file.Write(text)
	// The umask may have removed bits of the mode.
	return errors.Join(err, file.Chmod(mode.Perm()), file.Sync(), file.Close())
}

func remove(root *os.Root, name string) error {
	if err := root.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
