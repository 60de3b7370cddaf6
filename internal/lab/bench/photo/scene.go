package photo

import (
	"image"
	"math/rand/v2"
)

// drawScene returns a landscape: smooth gradients, objects with sharp edges, fine texture on some objects, and sensor
// grain. It uses only integers, so the result is the same on every machine.
func drawScene(random *rand.Rand, width, height int) *image.YCbCr {
	m := image.NewYCbCr(image.Rect(0, 0, width, height), image.YCbCrSubsampleRatio420)
	shapes := field(random, width, height, octaves{{1024, 100}, {512, 60}, {256, 30}, {128, 16}, {32, 4}})
	light := field(random, width, height, octaves{{2048, 55}, {512, 20}})
	texture := field(random, width, height, octaves{{64, 18}, {32, 15}, {16, 13}, {8, 15}, {4, 16}, {2, 16}})
	grain := random.Uint32()
	for y := range height {
		for x := range width {
			i := y*width + x
			grain = grain*1664525 + 1013904223
			step, detail := object(shapes[i])
			v := 120 + step + int(light[i]>>fraction) + int(texture[i])*detail>>(fraction+4) + int(grain>>29) - 3
			m.Y[i] = level(v)
		}
	}
	for _, plane := range [][]byte{m.Cb, m.Cr} {
		colorPlane(plane, shapes, random, width, height)
	}
	return m
}

// object returns the brightness and the amount of texture, in sixteenths, of the object that covers a pixel. shape is
// the pixel's value in the field of shapes. Adjacent objects meet at a sharp edge.
func object(shape int32) (brightness, detail int) {
	switch v := shape >> fraction; {
	case v < -50:
		return -45, 16
	case v < -15:
		return 15, 9
	case v < 20:
		return -10, 22
	case v < 55:
		return 35, 4
	}
	return 55, 1
}

// colorPlane fills a plane of color samples with a smooth field plus a color for each object.
func colorPlane(plane []byte, shapes []int32, random *rand.Rand, width, height int) {
	half := width / 2
	smooth := field(random, half, height/2, octaves{{512, 18}, {128, 6}, {16, 3}, {4, 2}})
	var paint [256]int
	for i := range paint {
		paint[i] = random.IntN(41) - 20
	}
	for y := range height / 2 {
		for x := range half {
			brightness, _ := object(shapes[2*y*width+2*x])
			plane[y*half+x] = level(128 + paint[brightness+128] + int(smooth[y*half+x]>>fraction))
		}
	}
}

// fraction is the number of fractional bits in a field's values.
const fraction = 12

// octaves are layers of noise.
type octaves []struct {
	// cell is the distance between random values in pixels, and amplitude is the maximum magnitude of these values.
	cell, amplitude int
}

// field returns the sum of layers of noise, each interpolated smoothly between random values on a grid.
func field(random *rand.Rand, width, height int, layers octaves) []int32 {
	sum := make([]int32, width*height)
	for _, layer := range layers {
		columns := width/layer.cell + 2
		above, below := values(random, columns, layer.amplitude), values(random, columns, layer.amplitude)
		weights := smoothStep(layer.cell)
		between := make([]int32, columns)
		for y := range height {
			if y > 0 && y%layer.cell == 0 {
				above, below = below, values(random, columns, layer.amplitude)
			}
			for i := range between {
				between[i] = mix(above[i], below[i], weights[y%layer.cell])
			}
			addRow(sum[y*width:(y+1)*width], between, weights)
		}
	}
	return sum
}

// addRow adds the interpolated values of a grid row to a row of pixels.
func addRow(row, grid, weights []int32) {
	for i := 0; len(row) > 0; i++ {
		cell := min(len(weights), len(row))
		left, right := grid[i], grid[i+1]
		for x := range row[:cell] {
			row[x] += mix(left, right, weights[x])
		}
		row = row[cell:]
	}
}

// mix interpolates between a and b. weight is from 0, for a, to 1<<fraction, for b.
func mix(a, b, weight int32) int32 { return a + int32(int64(b-a)*int64(weight)>>fraction) }

// values returns n random fixed-point numbers that are at least -amplitude and less than amplitude.
func values(random *rand.Rand, n, amplitude int) []int32 {
	all := make([]int32, n)
	for i := range all {
		all[i] = int32(random.IntN(2*amplitude<<fraction) - amplitude<<fraction)
	}
	return all
}

// smoothStep returns the weight 3t² − 2t³ for each pixel of a cell.
func smoothStep(cell int) []int32 {
	all := make([]int32, cell)
	for i := range all {
		t := int64(i) << fraction / int64(cell)
		all[i] = int32(t * t >> fraction * (3<<fraction - 2*t) >> fraction)
	}
	return all
}
