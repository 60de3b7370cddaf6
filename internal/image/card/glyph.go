package card

import (
	"image"
	"math"

	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/font/opentype"
	"github.com/golang/freetype/raster"
	"golang.org/x/image/math/fixed"
)

// maskKey identifies a glyph at a size in pixels.
type maskKey struct {
	font *font.Font
	id   font.GID
	size int
}

// maxMasks is the maximum number of bytes of cached glyphs.
const maxMasks = 16 << 20

// mask returns a glyph's coverage. The Maker caches up to maxMasks bytes of glyphs.
func (m *Maker) mask(face *font.Face, id font.GID, size int) *mask {
	key := maskKey{face.Font, id, size}
	if known, ok := m.masks.Load(key); ok {
		return known.(*mask)
	}
	made := &mask{}
	if outline, ok := face.GlyphDataOutline(id); ok {
		made = fillOutline(outline, size, int(face.Upem()))
	}
	// The cache is limited because a Chinese title has a different glyph for almost every character.
	if m.kept.Add(int64(2*len(made.levels))) < maxMasks {
		m.masks.Store(key, made)
	}
	return made
}

// fillOutline rasterizes an outline. After scaling, it uses only integers, so all machines give the same result.
func fillOutline(outline font.GlyphOutline, size, unitsPerEm int) *mask {
	points := scaled(outline, size, unitsPerEm)
	bounds := boundsOf(points)
	if bounds.Empty() {
		return &mask{}
	}
	r := raster.NewRasterizer(bounds.Dx(), bounds.Dy())
	r.UseNonZeroWinding = true
	origin := fixed.P(bounds.Min.X, bounds.Min.Y)
	for i, segment := range outline.Segments {
		p := points[i]
		for j := range p {
			p[j] = p[j].Sub(origin)
		}
		switch segment.Op {
		case opentype.SegmentOpMoveTo:
			r.Start(p[0])
		case opentype.SegmentOpLineTo:
			r.Add1(p[0])
		case opentype.SegmentOpQuadTo:
			r.Add2(p[0], p[1])
		case opentype.SegmentOpCubeTo:
			r.Add3(p[0], p[1], p[2])
		}
	}
	alpha := image.NewAlpha(image.Rect(0, 0, bounds.Dx(), bounds.Dy()))
	r.Rasterize(raster.NewAlphaSrcPainter(alpha))
	shades := alpha.Pix
	for i, a := range shades {
		shades[i] = byte((int(a)*(levels-1) + 127) / 255)
	}
	return newMask(bounds.Min.X, bounds.Min.Y, bounds.Dx(), bounds.Dy(), shades)
}

// scaled converts the points of an outline to pixels, with the y axis pointing down.
func scaled(outline font.GlyphOutline, size, unitsPerEm int) [][]fixed.Point26_6 {
	points := make([][]fixed.Point26_6, len(outline.Segments))
	// There is no addition here that a machine could fuse with the multiplication, so all machines round the same
	// value.
	scale := func(v float32) fixed.Int26_6 {
		return fixed.Int26_6(math.Round(float64(v) * float64(64*size) / float64(unitsPerEm)))
	}
	for i := range outline.Segments {
		args := outline.Segments[i].ArgsSlice()
		points[i] = make([]fixed.Point26_6, len(args))
		for j, a := range args {
			points[i][j] = fixed.Point26_6{X: scale(a.X), Y: -scale(a.Y)}
		}
	}
	return points
}

// boundsOf returns the bounds of all points in whole pixels. It includes control points because a curve is within the
// bounds of its control points.
func boundsOf(points [][]fixed.Point26_6) image.Rectangle {
	var bounds image.Rectangle
	for _, segment := range points {
		for _, p := range segment {
			pixel := image.Rect(p.X.Floor(), p.Y.Floor(), p.X.Ceil()+1, p.Y.Ceil()+1)
			bounds = bounds.Union(pixel)
		}
	}
	return bounds
}
