package file

import (
	"bytes"
	"math/rand/v2"
	"testing"
)

// An 8-bit channel is scaled two rows at a time. The result equals the result for a 16-bit channel with the same
// samples, which is scaled row by row.
func TestPairsOfRowsAgree(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	for _, c := range []struct {
		name                      string
		fromWidth, fromHeight     int
		toWidth, toHeight, levels int
	}{
		{"all levels", 301, 200, 120, 80, 256},
		{"odd height", 301, 201, 120, 80, 256},
		{"only black and white, with the largest overshoot", 500, 301, 480, 289, 2},
		{"many rows for one", 64, 901, 3, 2, 2},
		{"one row", 400, 1, 100, 1, 256},
		{"one column", 1, 77, 1, 20, 256},
		{"the same size", 30, 21, 30, 21, 256},
		{"larger", 5, 7, 11, 13, 256},
		{"a pair whose second row isn't needed yet", 4, 5, 7, 39, 256},
	} {
		t.Run(c.name, func(t *testing.T) {
			pixels := make([]byte, c.fromWidth*c.fromHeight)
			for i := range pixels {
				pixels[i] = byte(random.IntN(c.levels) * 255 / (c.levels - 1))
			}
			pairs := byteRows(pixels, c.fromWidth, c.fromWidth, c.fromHeight)
			single := pairs
			single.plane, single.read = nil, func(y int, into []uint16) {
				for x, v := range pairs.plane(y) {
					into[x] = uint16(v) * 0x101
				}
			}
			got, want := pairs.bytes(c.toWidth, c.toHeight), single.bytes(c.toWidth, c.toHeight)
			if !bytes.Equal(got, want) {
				t.Errorf("%d bytes differ from %d", len(got), len(want))
			}
		})
	}
}
