package photo

import (
	"bytes"
	"image"
	"image/jpeg"
	"math"
	"testing"

	"github.com/cespare/xxhash/v2"

	"vitrine/internal/image/encode"
)

// The seed determines the bytes of the photographs, which are as large as a phone's.
func TestPhotographsAreTheSeeds(t *testing.T) {
	first, again := NewSet(1), NewSet(1)
	seen := make(map[uint64]bool)
	for i := range scenes + 1 {
		a, err := first.JPEG(i)
		if err != nil {
			t.Fatal(err)
		}
		b, err := again.JPEG(i)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(a, b) {
			t.Errorf("photograph %d differs in another set of the same seed", i)
		}
		if len(a) < 500_000 || len(a) > 1_500_000 {
			t.Errorf("photograph %d has %d bytes", i, len(a))
		}
		seen[xxhash.Sum64(a)] = true
	}
	if len(seen) != scenes+1 {
		t.Errorf("%d of %d photographs differ", len(seen), scenes+1)
	}
}

// The likeness decreases with the quality and isn't affected by WebP's range of levels.
func TestLikeness(t *testing.T) {
	source := image.NewYCbCr(image.Rect(0, 0, 320, 200), image.YCbCrSubsampleRatio420)
	noise := uint32(1)
	for i := range source.Y {
		noise = noise*1664525 + 1013904223
		source.Y[i] = level(i%320/2 + i/320/3 + int(noise>>27))
	}
	for i := range source.Cb {
		source.Cb[i], source.Cr[i] = 120, 140
	}
	original := &image.Gray{Pix: source.Y, Stride: source.YStride, Rect: source.Rect}
	inWebP, err := encode.WebP(source)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name        string
		data        []byte
		least, most float64
	}{
		{"JPEG, high quality", inJPEG(t, source, 95), 40, 60},
		{"JPEG, low quality", inJPEG(t, source, 10), 20, 35},
		{"WebP", inWebP, 32, 50},
	} {
		copied, err := Brightness(c.data)
		if err != nil {
			t.Fatal(err)
		}
		got, err := Compare(original, copied)
		if err != nil || got.PSNR < c.least || got.PSNR > c.most || got.SSIM > 1 {
			t.Errorf("%s: %+v, %v; want a PSNR from %v to %v", c.name, got, err, c.least, c.most)
		}
	}
}

func inJPEG(t *testing.T, m image.Image, quality int) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := jpeg.Encode(&out, m, &jpeg.Options{Quality: quality}); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestCompareOfEqualAndOtherSizes(t *testing.T) {
	m := image.NewGray(image.Rect(0, 0, 24, 16))
	for i := range m.Pix {
		m.Pix[i] = byte(i)
	}
	if got, err := Compare(m, m); err != nil || !math.IsInf(got.PSNR, 1) || math.Abs(got.SSIM-1) > 1e-9 {
		t.Errorf("equal images: %+v, %v", got, err)
	}
	if _, err := Compare(m, Reference(m, 12, 8)); err == nil {
		t.Error("images of different sizes were compared")
	}
}
