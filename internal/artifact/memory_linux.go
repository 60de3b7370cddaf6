package artifact

import (
	"syscall"
	"unsafe"
)

// freshMemory returns n zero bytes. If n is large enough, it requests huge pages from the system, because otherwise
// half the time of reading a large manifest is spent on page faults.
func freshMemory(n int) []byte {
	const page = 2 << 20
	if n < page {
		return make([]byte, n)
	}
	memory := make([]byte, n+page)
	from := int(-uintptr(unsafe.Pointer(unsafe.SliceData(memory))) & (page - 1))
	memory = memory[from : from+n : from+n]
	// If no huge pages are free, the system uses normal pages.
	_ = syscall.Madvise(memory[:n&^(page-1)], syscall.MADV_HUGEPAGE)
	return memory
}
