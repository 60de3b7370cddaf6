package card

import (
	"encoding/binary"
	"math"
)

// glyphStreams are the streams in which WOFF2 keeps glyphs (§5.1).
type glyphStreams struct {
	contours, points, flags, glyph, composite, boxes bitten
	// bitmap says which glyphs have a box of their own.
	bitmap []byte
}

// glyphs makes the tables glyf and loca, and the left side bearings of the glyphs.
func glyphs(data []byte) (glyf, loca []byte, bearings []int16, err error) {
	in := &bitten{rest: data}
	in.skip(4)
	count := int(in.u16())
	in.skip(2)
	var sizes [7]int
	for i := range sizes {
		sizes[i] = int(in.u32())
	}
	var s glyphStreams
	for i, stream := range []*bitten{&s.contours, &s.points, &s.flags, &s.glyph, &s.composite, &s.boxes} {
		stream.rest = in.take(sizes[i])
	}
	s.bitmap = s.boxes.take((count + 31) / 32 * 4)
	if in.cut || s.boxes.cut {
		return nil, nil, nil, errCut
	}
	glyf, bearings = make([]byte, 0, 4*len(data)), make([]int16, count)
	for i := range count {
		loca = binary.BigEndian.AppendUint32(loca, uint32(len(glyf)))
		boxed := s.bitmap[i/8]&(0x80>>(i%8)) != 0
		start := len(glyf)
		switch n := int16(s.contours.u16()); {
		case n > 0:
			glyf = s.simple(glyf, int(n), boxed)
		case n < 0:
			glyf = s.composed(glyf)
		}
		if len(glyf) > start {
			bearings[i] = int16(binary.BigEndian.Uint16(glyf[start+2:]))
		}
		if s.cut() || len(glyf) > maxUnpacked {
			return nil, nil, nil, errCut
		}
		glyf = append(glyf, make([]byte, -len(glyf)&3)...)
	}
	return glyf, binary.BigEndian.AppendUint32(loca, uint32(len(glyf))), bearings, nil
}

func (s *glyphStreams) cut() bool {
	return s.contours.cut || s.points.cut || s.flags.cut || s.glyph.cut || s.composite.cut || s.boxes.cut
}

// simple appends a glyph of contours, each point with its flag and its distance from the last in 16 bits.
func (s *glyphStreams) simple(out []byte, contours int, boxed bool) []byte {
	start := len(out)
	out = append(binary.BigEndian.AppendUint16(out, uint16(contours)), make([]byte, 8)...)
	total := 0
	for range contours {
		total += s.points.short()
		out = binary.BigEndian.AppendUint16(out, uint16(total-1))
	}
	if total > math.MaxUint16 || s.points.cut {
		s.points.cut = true
		return out
	}
	out = append(out, 0, 0) // the length of the instructions
	flagsAt := len(out)
	out = append(out, make([]byte, 5*total)...)
	flags, xs, ys := out[flagsAt:flagsAt+total], out[flagsAt+total:flagsAt+3*total], out[flagsAt+3*total:]
	var x, y int
	low, high := [2]int{math.MaxInt, math.MaxInt}, [2]int{math.MinInt, math.MinInt}
	for i := range total {
		flag := s.flags.u8()
		flags[i] = ^flag >> 7 & 1
		dx, dy := s.triplet(int(flag & 0x7f))
		binary.BigEndian.PutUint16(xs[2*i:], uint16(dx))
		binary.BigEndian.PutUint16(ys[2*i:], uint16(dy))
		x, y = x+dx, y+dy
		low, high = [2]int{min(low[0], x), min(low[1], y)}, [2]int{max(high[0], x), max(high[1], y)}
	}
	s.glyph.short() // how many bytes of instructions there are, in a stream that nothing here reads
	if boxed {
		copy(out[start+2:], s.boxes.take(8))
	} else if total > 0 {
		for i, v := range []int{low[0], low[1], high[0], high[1]} {
			binary.BigEndian.PutUint16(out[start+2+2*i:], uint16(v))
		}
	}
	return out
}

// triplet reads the distance of a point from the last one (§5.2).
func (s *glyphStreams) triplet(flag int) (dx, dy int) {
	b := func() int { return int(s.glyph.u8()) }
	signed := func(positive, v int) int {
		if positive&1 == 0 {
			return -v
		}
		return v
	}
	switch {
	case flag < 10:
		return 0, signed(flag, (flag&14)<<7+b())
	case flag < 20:
		return signed(flag, ((flag-10)&14)<<7+b()), 0
	case flag < 84:
		f, b0 := flag-20, b()
		return signed(flag, 1+f&0x30+b0>>4), signed(flag>>1, 1+(f&0x0c)<<2+b0&0x0f)
	case flag < 120:
		f, b0, b1 := flag-84, b(), b()
		return signed(flag, 1+(f/12)<<8+b0), signed(flag>>1, 1+(f%12)>>2<<8+b1)
	case flag < 124:
		b0, b1, b2 := b(), b(), b()
		return signed(flag, b0<<4+b1>>4), signed(flag>>1, (b1&0x0f)<<8+b2)
	}
	b0, b1, b2, b3 := b(), b(), b(), b()
	return signed(flag, b0<<8+b1), signed(flag>>1, b2<<8+b3)
}

// Flags of a part of a glyph that is composed of others.
const (
	argumentsAreWords = 1 << 0
	hasScale          = 1 << 3
	moreParts         = 1 << 5
	hasTwoScales      = 1 << 6
	hasMatrix         = 1 << 7
	hasInstructions   = 1 << 8
)

// composed appends a glyph that is composed of others.
func (s *glyphStreams) composed(out []byte) []byte {
	out = append(append(out, 0xff, 0xff), s.boxes.take(8)...)
	instructed := false
	for more := true; more && !s.composite.cut; {
		flags := s.composite.u16()
		size := 4
		if flags&argumentsAreWords != 0 {
			size += 2
		}
		switch {
		case flags&hasScale != 0:
			size += 2
		case flags&hasTwoScales != 0:
			size += 4
		case flags&hasMatrix != 0:
			size += 8
		}
		out = binary.BigEndian.AppendUint16(out, flags&^hasInstructions)
		out = append(out, s.composite.take(size)...)
		instructed, more = instructed || flags&hasInstructions != 0, flags&moreParts != 0
	}
	if instructed {
		s.glyph.short()
	}
	return out
}
