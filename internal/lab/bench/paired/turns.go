package paired

import "time"

// Turns has two functions take turns for as long as more says, perTurn calls at
// a time, so that what else the machine does weighs on both. It returns the
// median of the first one's time divided by the second's, turn by turn, and the
// medians of the nanoseconds that a call of each takes.
func Turns(more func() bool, perTurn int, first, second func()) (ratio, firstTakes, secondTakes float64) {
	var ratios, firsts, seconds []float64
	for more() {
		a, b := timed(perTurn, first), timed(perTurn, second)
		ratios, firsts, seconds = append(ratios, a/b), append(firsts, a), append(seconds, b)
	}
	return Median(ratios), Median(firsts), Median(seconds)
}

// timed returns the nanoseconds that a call takes, as the mean of many.
func timed(calls int, do func()) float64 {
	begun := time.Now()
	for range calls {
		do()
	}
	return float64(time.Since(begun)) / float64(calls)
}
