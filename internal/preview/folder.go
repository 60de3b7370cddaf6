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
	// folderPattern is the pattern for the names of previews' folders in the system's temporary folder.
	folderPattern = "vitrine-preview-*"
	// keptFor is the time for which the folder of an ended preview is kept for the next preview of the same site.
	keptFor = 7 * 24 * time.Hour
)

// Folder is the output folder of a preview. Only its owner can access it (mode 0700), because it may contain drafts.
// The folder is kept for the next preview of the same site, which then renders only the changed pages. On systems that
// can't lock the folder, such as Windows, the folder is removed when the preview ends.
type Folder struct {
	Path string
	// mark is a file in the folder that identifies the folder's site and is locked while the preview runs. It is nil if
	// the system doesn't support this; see hold.
	mark *os.File
}

// NewFolder returns the folder left by the previous preview of the site at root, or creates a folder. It removes all
// other folders of ended previews of the same site, folders that haven't been used for keptFor, and folders from before
// the machine's last boot, which a power loss may have damaged because previews don't sync their files. The caller must
// call Close.
func NewFolder(root string) (*Folder, error) {
	root, err := filepath.Abs(root)
	if err != nil {
		return nil, fmt.Errorf("determining the absolute path of the site's folder: %w", err)
	}
	label := strings.Join([]string{root, startOfMachine()}, "\n")
	var found *Folder
	left, _ := filepath.Glob(filepath.Join(os.TempDir(), folderPattern)) // Glob fails only for an invalid pattern
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
		return nil, errors.Join(fmt.Errorf("locking the preview folder: %w", err), os.RemoveAll(path))
	}
	f := &Folder{path, mark}
	if err := f.describe(label); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// describe writes label to the mark. This also updates the mark's modification time, which records the folder's last
// use.
func (f *Folder) describe(label string) error {
	if f.mark == nil {
		return nil
	}
	_, err := f.mark.WriteAt([]byte(label), 0)
	if err = errors.Join(err, f.mark.Truncate(int64(len(label)))); err != nil {
		return fmt.Errorf("writing the label of the preview folder: %w", err)
	}
	return nil
}

// Close releases the folder for the next preview. On systems that can't lock the folder, Close removes it.
func (f *Folder) Close() error {
	if f.mark != nil {
		if err := f.mark.Close(); err != nil {
			return fmt.Errorf("releasing the preview folder: %w", err)
		}
		return nil
	}
	if err := os.RemoveAll(f.Path); err != nil {
		return fmt.Errorf("removing the preview folder: %w", err)
	}
	return nil
}
