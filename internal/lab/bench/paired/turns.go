package paired

import "time"

// Turns runs two functions alternately as long as more returns true, calling each function perTurn times per turn, so
// that other load affects both. ratio is the median, over all turns, of the first function's time divided by the second
// function's time. firstTakes and secondTakes are the median times of a call in nanoseconds.
func Turns(more func() bool, perTurn int, first, second func()) (ratio, firstTakes, secondTakes float64) {
	var ratios, firsts, seconds []float64
	for more() {
		a, b := timed(perTurn, first), timed(perTurn, second)
		ratios, firsts, seconds = append(ratios, a/b), append(firsts, a), append(seconds, b)
	}
	return Median(ratios), Median(firsts), Median(seconds)
}

// timed calls do the given number of times and returns the mean time per call in nanoseconds.
func timed(calls int, do func()) float64 {
	begun := time.Now()
	for range calls {
		do()
	}
	return float64(time.Since(begun)) / float64(calls)
}
