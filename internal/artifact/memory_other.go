//go:build !linux

package artifact

// freshMemory returns memory for n bytes.
func freshMemory(n int) []byte { return make([]byte, n) }
