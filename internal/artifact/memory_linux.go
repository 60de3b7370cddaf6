package artifact

import (
	"syscall"
	"unsafe"
)

// freshMemory returns memory for n bytes, none of which were used before. The
// system is asked to give it in large pages, as far as it fills them: the first
// touch of each page is half of what reading a large manifest costs.
func freshMemory(n int) []byte {
	const page = 2 << 20
	if n < page {
		return make([]byte, n)
	}
	memory := make([]byte, n+page)
	from := int(-uintptr(unsafe.Pointer(unsafe.SliceData(memory))) & (page - 1))
	memory = memory[from : from+n : from+n]
	// A system that has no large pages to give gives small ones.
	_ = syscall.Madvise(memory[:n&^(page-1)], syscall.MADV_HUGEPAGE)
	return memory
}
