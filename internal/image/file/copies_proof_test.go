//go:build proof

package file_test

import (
	"bytes"
	"image"
	"testing"

	"golang.org/x/image/draw"
)

// Copies have the standard widths below the source's width and keep the source's proportions and format. Narrower
// copies have fewer bytes.
func TestWidths(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		width, height int
		want          []int
	}{
		{1501, 301, []int{480, 960, 1440}}, {1440, 200, []int{480, 960}}, {481, 300, []int{480}}, {480, 300, nil}, {20, 20, nil},
	} {
		for _, data := range [][]byte{encodePNG(t, gradient(c.width, c.height)), encodeJPEG(t, gradient(c.width, c.height))} {
			copies := copiesOf(t, data)
			var widths []int
			for i, made := range copies {
				widths = append(widths, made.Width)
				m := decoded(t, made.Data)
				if size := m.Bounds().Size(); size.X != made.Width || size.Y != made.Height || made.Height != (made.Width*c.height+c.width/2)/c.width {
					t.Errorf("%d × %d: a copy says %d × %d and has %v", c.width, c.height, made.Width, made.Height, size)
				}
				if !bytes.Equal(made.Data[:3], data[:3]) {
					t.Errorf("a copy is in another format: %q", made.Data[:3])
				}
				if len(made.Data) >= len(data) || i > 0 && len(made.Data) <= len(copies[i-1].Data) {
					t.Errorf("%d × %d: copy %d has %d bytes of %d", c.width, c.height, i, len(made.Data), len(data))
				}
			}
			if len(widths) != len(c.want) || len(widths) > 0 && widths[len(widths)-1] != c.want[len(c.want)-1] {
				t.Errorf("%d × %d: got %v, want %v", c.width, c.height, widths, c.want)
			}
		}
	}
}

// The scaler agrees with golang.org/x/image/draw, which uses floating point, to within a rounding error, including for
// transparent pixels.
func TestScalerAgrees(t *testing.T) {
	t.Parallel()
	m := gradient(1001, 301)
	for y := range 301 {
		for x := range 600 {
			m.Pix[y*m.Stride+4*x+3] = uint8((x + y) % 256)
		}
	}
	for _, made := range copiesOf(t, encodePNG(t, m)) {
		want := image.NewRGBA(image.Rect(0, 0, made.Width, made.Height))
		draw.CatmullRom.Scale(want, want.Rect, m, m.Rect, draw.Src, nil)
		got := decoded(t, made.Data)
		for y := range made.Height {
			for x := range made.Width {
				if !near(got.At(x, y), want.At(x, y), 2) {
					t.Fatalf("width %d at %d, %d: got %v, want %v", made.Width, x, y, got.At(x, y), want.At(x, y))
				}
			}
		}
	}
}
