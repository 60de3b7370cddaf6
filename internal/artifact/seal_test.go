package artifact_test

import (
	"encoding/binary"

	"github.com/cespare/xxhash/v2"
)

// sealed puts a manifest's beginning and its right checksum before the rest.
func sealed(rest string) string {
	out := append([]byte("vitrine\x02"), make([]byte, 8)...)
	out = append(out, rest...)
	binary.LittleEndian.PutUint64(out[8:], xxhash.Sum64String(rest))
	return string(out)
}
