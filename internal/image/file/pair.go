package file

// narrowPair reads the rows of an 8-bit channel at y and y+1 and scales both to the new width with one multiplication
// for each weight. Each 64-bit integer contains one sample of each row: one in its low 32 bits, the other in its high
// 32 bits. The sums don't overflow these bits, because the magnitudes of the weights add up to less than 2<<fraction.
func (s *scaler) narrowPair(y int) {
	upper, lower := s.plane(y), s.plane(min(y+1, s.height-1))
	for x, v := range upper {
		s.pair[x] = int64(v) | int64(lower[x])<<32
	}
	first, second := s.kept[y%len(s.kept)], s.kept[(y+1)%len(s.kept)]
	for x, t := range s.taps {
		sum := weighted(t.weights, s.pair[t.first:t.first+len(t.weights)])
		// A negative low part has borrowed from the high part.
		low := int64(int32(sum))
		first[x], second[x] = int32(low*0x101>>fraction), int32((sum-low)>>32*0x101>>fraction)
	}
}

// weighted returns the weighted sum of the first len(weights) samples.
func weighted(weights, samples []int64) (sum int64) {
	samples = samples[:len(weights)]
	for k, w := range weights {
		sum += w * samples[k]
	}
	return sum
}
