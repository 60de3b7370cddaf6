//go:build !linux

package artifact

// freshMemory returns n bytes of unused memory.
func freshMemory(n int) []byte { return make([]byte, n) }
