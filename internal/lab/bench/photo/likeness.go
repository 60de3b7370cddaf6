package photo

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/jpeg"
	"math"

	"golang.org/x/image/draw"
	"golang.org/x/image/webp"
)

// Likeness measures how similar the luma of a copy is to the luma of its photograph.
type Likeness struct {
	// PSNR is the peak signal-to-noise ratio in decibels, and SSIM is the mean structural similarity, which is at most
	// 1.
	PSNR, SSIM float64
}

// Brightness returns the luma plane of a color JPEG or a lossy WebP, in JPEG's range of levels. It returns an error for
// any other image.
func Brightness(data []byte) (*image.Gray, error) {
	read := jpeg.Decode
	isWebP := bytes.HasPrefix(data, []byte("RIFF"))
	if isWebP {
		read = webp.Decode
	}
	m, err := read(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("decoding a copy: %w", err)
	}
	planes, ok := m.(*image.YCbCr)
	if !ok {
		return nil, errors.New("a copy is not in the YCbCr color model, so it has no luma plane")
	}
	gray := image.NewGray(image.Rect(0, 0, planes.Rect.Dx(), planes.Rect.Dy()))
	table := levels(100, 0)
	if isWebP {
		table = wide()
	}
	mapPlane(gray.Pix, planes.Y, gray.Stride, planes.YStride, table)
	return gray, nil
}

// wide returns the table that maps the video range of a WebP (ITU-R BT.601) to JPEG's 256 levels.
func wide() (table [256]byte) {
	for v := range table {
		table[v] = level((255*(v-16) + 219/2) / 219)
	}
	return table
}

// Reference returns photograph scaled to the given size with a Catmull-Rom filter. photograph is a luma plane.
func Reference(photograph *image.Gray, width, height int) *image.Gray {
	scaled := image.NewGray(image.Rect(0, 0, width, height))
	draw.CatmullRom.Scale(scaled, scaled.Rect, photograph, photograph.Rect, draw.Src, nil)
	return scaled
}

// Compare returns the likeness of two images of the same size, or an error if their sizes differ.
func Compare(a, b *image.Gray) (Likeness, error) {
	if a.Rect.Size() != b.Rect.Size() {
		return Likeness{}, fmt.Errorf("the compared images differ in size: %v and %v pixels", b.Rect.Size(), a.Rect.Size())
	}
	return Likeness{PSNR: psnr(a, b), SSIM: ssim(a, b)}, nil
}

// psnr returns the peak signal-to-noise ratio, or infinity if the images are equal.
func psnr(a, b *image.Gray) float64 {
	var sum int
	for i, v := range a.Pix {
		d := int(v) - int(b.Pix[i])
		sum += d * d
	}
	return 10 * math.Log10(255*255*float64(len(a.Pix))/float64(sum))
}

// window is the width and the height, in pixels, of the windows used to compute structural similarity.
const window = 8

// ssim returns the mean structural similarity of all windows, which overlap by half (Wang et al., 2004).
func ssim(a, b *image.Gray) float64 {
	var sum float64
	var n int
	for y := 0; y+window <= a.Rect.Dy(); y += window / 2 {
		for x := 0; x+window <= a.Rect.Dx(); x += window / 2 {
			sum += similarity(a, b, y*a.Stride+x)
			n++
		}
	}
	return sum / float64(n)
}

// similarity returns the structural similarity of the windows at the given offset.
func similarity(a, b *image.Gray, at int) float64 {
	const n, c1, c2 = window * window, 6.5025, 58.5225
	var sumA, sumB, squares, product int
	for y := range window {
		rowA, rowB := a.Pix[at+y*a.Stride:][:window], b.Pix[at+y*b.Stride:][:window]
		for x := range window {
			va, vb := int(rowA[x]), int(rowB[x])
			sumA, sumB = sumA+va, sumB+vb
			squares += va*va + vb*vb
			product += va * vb
		}
	}
	meanA, meanB := float64(sumA)/n, float64(sumB)/n
	variances := float64(squares)/n - meanA*meanA - meanB*meanB
	covariance := float64(product)/n - meanA*meanB
	return (2*meanA*meanB + c1) * (2*covariance + c2) / ((meanA*meanA + meanB*meanB + c1) * (variances + c2))
}
