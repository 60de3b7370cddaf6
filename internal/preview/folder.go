package preview

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// folderPattern is the name of a preview's folder, in the folder of temporary files.
const folderPattern = "vitrine-preview-*"

// Folder is where a preview builds: for its owner alone (mode 0700), and removed
// at the end, so that a draft in it can neither be published nor found later. A
// preview that is killed cannot remove its own; the next one does.
type Folder struct {
	Path string
	// mark is held for as long as the preview runs; nil where the system has no
	// lock that ends with its process.
	mark *os.File
}

// NewFolder makes a folder for a preview, and removes those of previews that no
// longer run. Remove has to be called.
func NewFolder() (*Folder, error) {
	left, _ := filepath.Glob(filepath.Join(os.TempDir(), folderPattern)) // the pattern is a good one
	for _, path := range left {
		// What cannot be removed is no reason not to preview.
		_ = removeAbandoned(path)
	}
	path, err := os.MkdirTemp("", folderPattern)
	if err != nil {
		return nil, fmt.Errorf("making a folder for the preview: %w", err)
	}
	mark, err := hold(path)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("marking the preview's folder: %w", err), os.RemoveAll(path))
	}
	return &Folder{path, mark}, nil
}

// Remove removes the folder with all that is in it.
func (f *Folder) Remove() error {
	err := os.RemoveAll(f.Path)
	if f.mark != nil {
		err = errors.Join(err, f.mark.Close())
	}
	if err != nil {
		return fmt.Errorf("removing the preview's folder: %w", err)
	}
	return nil
}
