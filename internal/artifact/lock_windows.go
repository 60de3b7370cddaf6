package artifact

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// lockShared does nothing because, on Windows, a folder that a reader has open is already protected.
func lockShared(*os.File) error { return nil }

// InUse reports whether a reader has a folder of public files open. It tries to open the folder exclusively, which
// fails while a reader has it open.
func InUse(dir string) bool {
	name, err := windows.UTF16PtrFromString(dir)
	if err != nil {
		return false
	}
	const alone = 0
	h, err := windows.CreateFile(name, windows.GENERIC_READ, alone, nil, windows.OPEN_EXISTING, windows.FILE_FLAG_BACKUP_SEMANTICS, 0)
	if err != nil {
		return errors.Is(err, windows.ERROR_SHARING_VIOLATION)
	}
	// No data was written through the handle, so closing it can't lose any.
	_ = windows.CloseHandle(h)
	return false
}
