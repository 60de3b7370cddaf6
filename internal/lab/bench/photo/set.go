// Package photo generates photographs for benchmarks from a seed and measures how much a copy differs from its
// photograph. The same seed always produces the same bytes.
package photo

import (
	"bytes"
	"fmt"
	"image"
	"image/jpeg"
	"math/rand/v2"
)

// Width and Height are the size of each photograph in pixels.
const (
	Width  = 2400
	Height = 1600
)

const (
	// quality is the JPEG quality of the photographs, typical of cameras.
	quality = 85
	// scenes is the number of different scenes. Each photograph shows a section of a scene in different light.
	scenes = 4
	// margin is the number of pixels by which a scene is wider and higher than a photograph.
	margin = 600
)

// Set is a set of photographs. It is safe for concurrent use.
type Set struct {
	seed   uint64
	scenes []*image.YCbCr
}

// NewSet draws the scenes of the photographs for seed.
func NewSet(seed uint64) *Set {
	s := &Set{seed: seed}
	for i := range uint64(scenes) {
		s.scenes = append(s.scenes, drawScene(rand.New(rand.NewPCG(seed, i)), Width+margin, Height+margin))
	}
	return s
}

// JPEG returns photograph number i, counted from 0, as a camera stores it: with one color sample for every four pixels.
func (s *Set) JPEG(i int) ([]byte, error) {
	random := rand.New(rand.NewPCG(s.seed, uint64(scenes+i)))
	var out bytes.Buffer
	if err := jpeg.Encode(&out, expose(s.scenes[i%scenes], random), &jpeg.Options{Quality: quality}); err != nil {
		return nil, fmt.Errorf("encoding photograph %d: %w", i, err)
	}
	return out.Bytes(), nil
}

// expose returns a random section of a scene, with random contrast, brightness, and tint.
func expose(scene *image.YCbCr, random *rand.Rand) *image.YCbCr {
	// At even coordinates, the section has the same color samples as the scene.
	x, y := 2*random.IntN(margin/2), 2*random.IntN(margin/2)
	section, _ := scene.SubImage(image.Rect(x, y, x+Width, y+Height)).(*image.YCbCr)
	out := image.NewYCbCr(image.Rect(0, 0, Width, Height), image.YCbCrSubsampleRatio420)
	light := levels(85+random.IntN(31), random.IntN(31)-15)
	mapPlane(out.Y, section.Y, Width, section.YStride, light)
	mapPlane(out.Cb, section.Cb, Width/2, section.CStride, levels(100, random.IntN(21)-10))
	mapPlane(out.Cr, section.Cr, Width/2, section.CStride, levels(100, random.IntN(21)-10))
	return out
}

// levels returns a table that scales the distance of each level from the middle by percent and then adds add.
func levels(percent, add int) (table [256]byte) {
	for v := range table {
		table[v] = level(128 + (v-128)*percent/100 + add)
	}
	return table
}

// mapPlane fills a plane with samples of a larger plane, mapped by table. width is the width of into, and stride is the
// distance between two rows of from.
func mapPlane(into, from []byte, width, stride int, table [256]byte) {
	for at := 0; len(into) > 0; at += stride {
		for x, v := range from[at : at+width] {
			into[x] = table[v]
		}
		into = into[width:]
	}
}

func level(v int) byte { return byte(max(0, min(v, 255))) }
