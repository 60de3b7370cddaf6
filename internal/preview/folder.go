package preview

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

const (
	// folderPattern is the pattern for the names of previews' folders, which are in the folder of temporary files.
	folderPattern = "vitrine-preview-*"
	// keptFor is the time for which the folder of an ended preview is kept for the next preview of its site.
	keptFor = 7 * 24 * time.Hour
)

// Folder is the output folder of a preview. Only its owner can access it (mode 0700), because it may contain drafts. It
// is kept for the next preview of the same site, which then renders only the changed pages. On systems without flock(2), it is
// removed when the preview ends.
type Folder struct {
	Path string
	// mark is a file in the folder that describes it and is locked while the preview runs. It is nil on systems without
	// locks that end with the process.
	mark *os.File
}

// NewFolder returns the folder of the last preview of the site at root, or creates one. It removes the folders of previews
// that ended long ago, or before the machine was started: without syncing, a power loss may damage their files. The caller
// must call Close.
func NewFolder(root string) (*Folder, error) {
	root, err := filepath.Abs(root)
	if err != nil {
		return nil, fmt.Errorf("finding the site's folder: %w", err)
	}
	label := strings.Join([]string{root, startOfMachine()}, "\n")
	var found *Folder
	left, _ := filepath.Glob(filepath.Join(os.TempDir(), folderPattern)) // the pattern is valid
	for _, path := range left {
		mark, about, used, err := claim(path)
		switch {
		case err != nil:
			// The folder is in use, or isn't a preview's folder.
		case found == nil && about == label:
			found = &Folder{path, mark}
		case about == label || !strings.HasSuffix(about, "\n"+startOfMachine()) || time.Since(used) > keptFor:
			// A failed removal must not prevent the preview.
			_ = errors.Join(os.RemoveAll(path), mark.Close())
		default:
			_ = mark.Close()
		}
	}
	if found != nil {
		return found, found.describe(label)
	}
	return createFolder(label)
}

func createFolder(label string) (*Folder, error) {
	path, err := os.MkdirTemp("", folderPattern)
	if err != nil {
		return nil, fmt.Errorf("creating a folder for the preview: %w", err)
	}
	mark, err := hold(path)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("marking the preview's folder: %w", err), os.RemoveAll(path))
	}
	f := &Folder{path, mark}
	if err := f.describe(label); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// describe writes the label into the mark, whose modification time is the folder's last use.
func (f *Folder) describe(label string) error {
	if f.mark == nil {
		return nil
	}
	_, err := f.mark.WriteAt([]byte(label), 0)
	if err = errors.Join(err, f.mark.Truncate(int64(len(label)))); err != nil {
		return fmt.Errorf("describing the preview's folder: %w", err)
	}
	return nil
}

// Close releases the folder for the next preview, or removes it if it can't be locked.
func (f *Folder) Close() error {
	if f.mark != nil {
		if err := f.mark.Close(); err != nil {
			return fmt.Errorf("releasing the preview's folder: %w", err)
		}
		return nil
	}
	if err := os.RemoveAll(f.Path); err != nil {
		return fmt.Errorf("removing the preview's folder: %w", err)
	}
	return nil
}
