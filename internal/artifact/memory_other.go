//go:build !linux

package artifact

// freshMemory returns n zero bytes.
func freshMemory(n int) []byte { return make([]byte, n) }
