package decide

import (
	"math"
	"runtime"

	"golang.org/x/sys/unix"
)

// newShelf returns a shelf of size bytes, or nil if size is below leastShelved or the system doesn't allow such a file.
func newShelf(size int64) *Shelf {
	if size < leastShelved || size > math.MaxInt/2 {
		return nil
	}
	// Growing a file beyond the process's file size limit would raise a signal that ends the process.
	var most unix.Rlimit
	if unix.Getrlimit(unix.RLIMIT_FSIZE, &most) != nil || most.Cur < uint64(size) {
		return nil
	}
	fd, err := unix.MemfdCreate("vitrine bodies", unix.MFD_CLOEXEC|unix.MFD_ALLOW_SEALING)
	if err != nil {
		return nil
	}
	err = unix.Ftruncate(fd, size)
	var bytes []byte
	if err == nil {
		bytes, err = unix.Mmap(fd, 0, int(size), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	}
	if err == nil {
		// From here on, only this mapping can write to the file.
		_, err = unix.FcntlInt(uintptr(fd), unix.F_ADD_SEALS, unix.F_SEAL_SHRINK|unix.F_SEAL_GROW|unix.F_SEAL_FUTURE_WRITE|unix.F_SEAL_SEAL)
	}
	if err != nil {
		if bytes != nil {
			_ = unix.Munmap(bytes)
		}
		_ = unix.Close(fd)
		return nil
	}
	s := &Shelf{fd: fd, bytes: bytes}
	runtime.AddCleanup(s, func(bytes []byte) {
		_ = unix.Munmap(bytes) // the arguments are valid; the kernel keeps data that it is still sending
		_ = unix.Close(fd)
	}, bytes)
	return s
}
