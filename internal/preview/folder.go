package preview

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// folderPattern matches the name of a preview's folder, in the folder for temporary files.
const folderPattern = "vitrine-preview-*"

// Folder is the output folder of a preview. It is private to its user (mode 0700) and removed at the end, so that a draft
// in it can neither be published nor found later. If a preview is killed, the next preview removes its folder.
type Folder struct {
	Path string
	// mark is locked while the preview runs. It is nil if the system has no locks that end with a process.
	mark *os.File
}

// NewFolder creates a folder for a preview, and removes the folders of previews that no longer run.
// The caller must call Remove.
func NewFolder() (*Folder, error) {
	left, _ := filepath.Glob(filepath.Join(os.TempDir(), folderPattern)) // the pattern is valid
	for _, path := range left {
		// A failed removal must not prevent the preview.
		_ = removeAbandoned(path)
	}
	path, err := os.MkdirTemp("", folderPattern)
	if err != nil {
		return nil, fmt.Errorf("creating a folder for the preview: %w", err)
	}
	mark, err := hold(path)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("marking the preview's folder: %w", err), os.RemoveAll(path))
	}
	return &Folder{path, mark}, nil
}

// Remove removes the folder and everything in it.
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
