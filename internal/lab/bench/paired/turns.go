package paired

import "time"

// Turns runs two functions alternately as long as more returns true, perTurn calls at a time, so that
// other load affects both. It returns the median of the turns' ratios of the first function's time to
// the second's, and the median time of each function in nanoseconds per call.
func Turns(more func() bool, perTurn int, first, second func()) (ratio, firstTakes, secondTakes float64) {
	var ratios, firsts, seconds []float64
	for more() {
		a, b := timed(perTurn, first), timed(perTurn, second)
		ratios, firsts, seconds = append(ratios, a/b), append(firsts, a), append(seconds, b)
	}
	return Median(ratios), Median(firsts), Median(seconds)
}

// timed calls do the given number of times, and returns the mean time of a call in nanoseconds.
func timed(calls int, do func()) float64 {
	begun := time.Now()
	for range calls {
		do()
	}
	return float64(time.Since(begun)) / float64(calls)
}
