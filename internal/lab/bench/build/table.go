//go:build linux

package main

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"vitrine/internal/lab/bench/paired"
)

// bar is the target for a ratio: at least value, at most value, or none.
type bar struct {
	sign  string
	value float64
}

func atLeast(v float64) bar { return bar{"≥", v} }
func atMost(v float64) bar  { return bar{"≤", v} }

// met reports whether r meets the bar.
func (b bar) met(r paired.Ratio) bool {
	if b.sign == "≥" {
		return r.Median >= b.value
	}
	return r.Median <= b.value
}

// show formats the bar, followed by "met" or "missed" for the ratio. It returns a dash if there is no bar or no ratio.
func (b bar) show(r paired.Ratio) string {
	switch {
	case b.value == 0 || r.Pairs == 0:
		return "–"
	case b.met(r):
		return fmt.Sprintf("%s %v: met", b.sign, b.value)
	}
	return fmt.Sprintf("%s %v: missed", b.sign, b.value)
}

// table is a Markdown table.
type table struct {
	title string
	head  []string
	rows  [][]string
}

// newTable returns a table whose rows compare wall times and CPU times.
func newTable(title string) *table {
	return &table{title: title, head: []string{"", "bar", "wall time", "CPU time", "pairs", "medians"}}
}

// compare adds a row with the ratio of dividend to divisor.
func (t *table) compare(what string, b bar, results paired.Results, dividend, divisor string) {
	t.ratio(what, b, results.Ratio(dividend, divisor, paired.Wall), results.Ratio(dividend, divisor, paired.CPU),
		medians(results, dividend, divisor, paired.Wall, seconds))
}

// ratio adds a row with ratios of wall time and CPU time.
func (t *table) ratio(what string, b bar, wall, cpu paired.Ratio, medians string) {
	t.rows = append(t.rows, []string{what, b.show(wall), wall.String(), cpu.String(), strconv.Itoa(wall.Pairs), medians})
}

// medians formats the medians of both contestants of a ratio.
func medians(results paired.Results, dividend, divisor string, by func(paired.Sample) float64, unit func(float64) string) string {
	return unit(results.Median(dividend, by)) + " ÷ " + unit(results.Median(divisor, by))
}

func (t *table) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "\n#### %s\n\n", t.title)
	line := func(cells []string) { fmt.Fprintf(&b, "| %s |\n", strings.Join(cells, " | ")) }
	line(t.head)
	line(strings.Split(strings.Repeat("---,", len(t.head)-1)+"---", ","))
	for _, row := range t.rows {
		line(row)
	}
	return b.String()
}

// seconds and megabytes format medians of samples.
func seconds(v float64) string {
	if v < 1 {
		return fmt.Sprintf("%.1f ms", v*1e3)
	}
	return time.Duration(v * float64(time.Second)).Round(10 * time.Millisecond).String()
}

func megabytes(v float64) string { return fmt.Sprintf("%.0f MB", v/1e6) }

// thousands formats a number with commas.
func thousands(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
