package file

// A scaler shrinks an image by convolution with the Catmull-Rom cubic, as golang.org/x/image/draw does. That package
// uses floating point, which rounds differently on processors with fused multiply-add, so the bytes would depend on the
// machine. This scaler uses only integers.

// fraction is the number of fractional bits of a weight.
const fraction = 16

// taps are the weights of the source samples for one sample of the result. Their sum is 1<<fraction. first is the index
// of the first of these source samples.
type taps struct {
	first   int
	weights []int64
}

// newTaps returns the weights for every sample of a row or a column scaled from one number of samples to another.
func newTaps(from, to int) []taps {
	all := make([]taps, to)
	for i := range all {
		all[i] = tapsOf(int64(i), int64(from), int64(to))
	}
	return all
}

// tapsOf returns the weights of the source samples for the result's sample i. The distance of the source sample j from
// this sample is ((2j+1)·to − (2i+1)·from) / (2·from), in samples of the result. If the source has fewer samples than
// the result, the distance is measured in source samples. A source sample has a weight if its distance is less than 2.
func tapsOf(i, from, to int64) taps {
	center, unit := (2*i+1)*from, 2*max(from, to)
	first := max(0, ((center-2*unit)/to-1)/2)
	last := min(from-1, ((center+2*unit)/to+1)/2)
	t := taps{first: int(first)}
	var sum int64
	for j := first; j <= last; j++ {
		w := cubic(max(((2*j+1)*to-center), center-(2*j+1)*to) << fraction / unit)
		t.weights = append(t.weights, w)
		sum += w
	}
	rest, largest := int64(1)<<fraction, 0
	for k, w := range t.weights {
		t.weights[k] = w << fraction / sum
		rest -= t.weights[k]
		if t.weights[k] > t.weights[largest] {
			largest = k
		}
	}
	t.weights[largest] += rest
	return t
}

// cubic returns the Catmull-Rom cubic at the distance x, both with fraction bits after the binary point.
func cubic(x int64) int64 {
	x2 := x * x >> fraction
	x3 := x2 * x >> fraction
	switch {
	case x < 1<<fraction:
		return (3*x3 - 5*x2 + 2<<fraction) / 2
	case x < 2<<fraction:
		return (-x3 + 5*x2 - 8*x + 4<<fraction) / 2
	}
	return 0
}

// rows provides the samples of an image, row by row: interleaved 16-bit channels, premultiplied if one of the channels
// is alpha.
type rows struct {
	width, height, channels int
	// read fills into with the row at y.
	read func(y int, into []uint16)
	// plane returns the row at y of an image with one 8-bit channel, for which read is nil. plane is nil for other
	// images. An 8-bit sample v corresponds to the 16-bit sample 0x101·v.
	plane func(y int) []byte
}

// scale passes the rows of the scaled image to write, which must not retain them.
func (r rows) scale(width, height int, write func(y int, row []uint16)) {
	columns := newTaps(r.height, height)
	s := newScaler(r, width, columns)
	sums := make([]int64, width*r.channels)
	out := make([]uint16, width*r.channels)
	for y, t := range columns {
		s.combine(t, sums)
		for i, v := range sums {
			out[i] = clamp(v >> fraction)
		}
		write(y, out)
	}
}

// scaler narrows the rows of an image to the new width and keeps the narrowed rows that are still needed.
type scaler struct {
	rows
	taps []taps
	// source is the row that narrow reads, and pair contains the two rows that narrowPair reads.
	source []uint16
	pair   []int64
	// ready is the number of source rows that have been narrowed.
	ready int
	// kept contains the most recently narrowed rows. Row y is at index y modulo len(kept).
	kept [][]int32
}

// newScaler returns a scaler that keeps as many source rows as one row of the result needs, plus the additional row
// that narrowPair reads.
func newScaler(r rows, width int, columns []taps) *scaler {
	s := &scaler{rows: r, taps: newTaps(r.width, width), source: make([]uint16, r.width*r.channels), pair: make([]int64, r.width)}
	most := 0
	for _, t := range columns {
		most = max(most, len(t.weights))
	}
	for range most + 1 {
		s.kept = append(s.kept, make([]int32, width*r.channels))
	}
	return s
}

// row returns the narrowed row of the source at y. Only the most recent len(s.kept) rows are available.
func (s *scaler) row(y int) []int32 {
	for s.ready <= y {
		if s.plane != nil {
			s.narrowPair(s.ready)
			s.ready += 2
			continue
		}
		s.narrow(s.ready)
		s.ready++
	}
	return s.kept[y%len(s.kept)]
}

// combine sets the sums of a row of the result to the weighted sums of the narrowed rows.
func (s *scaler) combine(t taps, sums []int64) {
	clear(sums)
	k := 0
	// Add four rows at a time so that each sum is loaded and stored less often.
	for ; k+4 <= len(t.weights); k += 4 {
		// All four rows are still kept because a row of the result needs them at the same time.
		a, b, c, d := s.row(t.first + k)[:len(sums)], s.row(t.first + k + 1)[:len(sums)], s.row(t.first + k + 2)[:len(sums)], s.row(t.first + k + 3)[:len(sums)]
		wa, wb, wc, wd := t.weights[k], t.weights[k+1], t.weights[k+2], t.weights[k+3]
		for i := range sums {
			sums[i] += wa*int64(a[i]) + wb*int64(b[i]) + wc*int64(c[i]) + wd*int64(d[i])
		}
	}
	for ; k < len(t.weights); k++ {
		w := t.weights[k]
		for i, v := range s.row(t.first + k) {
			sums[i] += w * int64(v)
		}
	}
}

// narrow reads a row of the source and scales it to the new width. Values beyond white and black are clamped only after
// both directions are scaled.
func (s *scaler) narrow(y int) {
	s.read(y, s.source)
	row := s.kept[y%len(s.kept)]
	n := s.channels
	for x, t := range s.taps {
		for c := range n {
			var sum int64
			at := t.first*n + c
			for _, w := range t.weights {
				sum += w * int64(s.source[at])
				at += n
			}
			row[x*n+c] = int32(sum >> fraction)
		}
	}
}

func clamp(v int64) uint16 {
	return uint16(max(0, min(v, 0xffff)))
}
