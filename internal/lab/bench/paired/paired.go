// Package paired measures contestants side by side. Each contestant runs once per round, in alternating order, so that
// disturbances of the machine affect all contestants equally. Ratios are computed within each round and then
// aggregated.
package paired

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"time"
)

// Sample is the cost of one run.
type Sample struct {
	// Wall is the time from the start of the program to its end.
	Wall time.Duration
	// CPU is the user and system time of the program on all processors.
	CPU time.Duration
	// Peak is the maximum resident memory in bytes, or 0 if unknown.
	Peak int64
}

// Wall, CPU, and Peak return the values of a sample by which contestants can be compared. Times are in seconds, and
// memory is in bytes.
func Wall(s Sample) float64 { return s.Wall.Seconds() }
func CPU(s Sample) float64  { return s.CPU.Seconds() }
func Peak(s Sample) float64 { return float64(s.Peak) }

// Contestant is a program or a program configuration to compare.
type Contestant struct {
	Name string
	// Run is called once per round. The first round is 0.
	Run func(ctx context.Context, round int) (Sample, error)
}

// Results maps contestants' names to their samples, one per round.
type Results map[string][]Sample

// Match is a comparison of contestants.
type Match struct {
	Rounds      int
	Contestants []Contestant
	// Before and After are called before and after each round, outside the measurement. They may be nil.
	Before, After func(ctx context.Context, round int) error
}

// Run runs every contestant once in each round. It reverses the order in every other round. At the first error, it
// stops and returns no results.
func (m Match) Run(ctx context.Context) (Results, error) {
	results := make(Results)
	for round := range m.Rounds {
		if err := m.round(ctx, round, results); err != nil {
			return nil, err
		}
	}
	return results, nil
}

func (m Match) round(ctx context.Context, round int, results Results) error {
	if m.Before != nil {
		if err := m.Before(ctx, round); err != nil {
			return fmt.Errorf("preparing round %d: %w", round+1, err)
		}
	}
	order := slices.Clone(m.Contestants)
	if round%2 == 1 {
		slices.Reverse(order)
	}
	for _, c := range order {
		if err := ctx.Err(); err != nil {
			return err
		}
		s, err := c.Run(ctx, round)
		if err != nil {
			return fmt.Errorf("%s, round %d: %w", c.Name, round+1, err)
		}
		results[c.Name] = append(results[c.Name], s)
	}
	if m.After != nil {
		if err := m.After(ctx, round); err != nil {
			return fmt.Errorf("checking round %d: %w", round+1, err)
		}
	}
	return nil
}

// Ratio summarizes the ratios of two contestants' costs over all rounds.
type Ratio struct {
	Median, Min, Max float64
	// Pairs is the number of rounds.
	Pairs int
}

// Ratio compares the values of the two named contestants round by round; see Compare.
func (r Results) Ratio(dividend, divisor string, by func(Sample) float64) Ratio {
	return Compare(values(r[dividend], by), values(r[divisor], by))
}

// Median returns the median of the named contestant's values, or 0 if there are no values.
func (r Results) Median(name string, by func(Sample) float64) float64 {
	return Median(values(r[name], by))
}

func values(samples []Sample, by func(Sample) float64) []float64 {
	all := make([]float64, len(samples))
	for i, s := range samples {
		all[i] = by(s)
	}
	return all
}

// Compare divides two series of values round by round and summarizes the ratios. It returns the zero Ratio if a series
// is empty, their lengths differ, or a divisor is zero.
func Compare(dividend, divisor []float64) Ratio {
	if len(dividend) == 0 || len(dividend) != len(divisor) || slices.Contains(divisor, 0) {
		return Ratio{}
	}
	all := make([]float64, len(dividend))
	for i := range dividend {
		all[i] = dividend[i] / divisor[i]
	}
	return Ratio{Median: Median(all), Min: slices.Min(all), Max: slices.Max(all), Pairs: len(all)}
}

// String returns the median, the minimum, and the maximum in the tables' format, or a dash if there is no ratio.
func (r Ratio) String() string {
	if r.Pairs == 0 || r.Median == 0 {
		return "–"
	}
	return fmt.Sprintf("**%s** (%s–%s)", figure(r.Median), figure(r.Min), figure(r.Max))
}

// figure formats a ratio below 1 with three decimals, and other ratios with at least three significant digits.
func figure(v float64) string {
	decimals := 3
	for limit := 1.0; decimals > 0 && v >= limit; limit *= 10 {
		decimals--
	}
	return strconv.FormatFloat(v, 'f', decimals, 64)
}

// Median returns the median of values, which is the mean of the two middle values if their number is even. It returns 0
// if there are no values.
func Median(values []float64) float64 {
	if len(values) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(values))
	middle := len(sorted) / 2
	if len(sorted)%2 == 1 {
		return sorted[middle]
	}
	return (sorted[middle-1] + sorted[middle]) / 2
}

// Times multiplies a ratio by factor, for example to compare costs per item.
func (r Ratio) Times(factor float64) Ratio {
	r.Median, r.Min, r.Max = r.Median*factor, r.Min*factor, r.Max*factor
	return r
}
