//go:build linux

package main

import (
	"testing"
	"time"

	"vitrine/internal/lab/bench/paired"
)

// A table is valid GitHub Markdown and shows whether each ratio meets its bar.
func TestTable(t *testing.T) {
	samples := func(milliseconds ...int) (all []paired.Sample) {
		for _, ms := range milliseconds {
			all = append(all, paired.Sample{Wall: time.Duration(ms) * time.Millisecond, CPU: time.Duration(ms) * time.Millisecond / 2})
		}
		return all
	}
	results := paired.Results{"peer": samples(4000, 4200, 3000), "ours": samples(1000, 1000, 1000)}
	table := newTable("Title")
	table.compare("peer ÷ ours", atLeast(4), results, "peer", "ours")
	table.compare("ours ÷ peer", atMost(0.125), results, "ours", "peer")
	table.compare("nobody ÷ ours", atLeast(1), results, "nobody", "ours")
	const want = `
#### Title

|  | bar | wall time | CPU time | pairs | medians |
| --- | --- | --- | --- | --- | --- |
| peer ÷ ours | ≥ 4: met | **4.00** (3.00–4.20) | **4.00** (3.00–4.20) | 3 | 4s ÷ 1s |
| ours ÷ peer | ≤ 0.125: missed | **0.250** (0.238–0.333) | **0.250** (0.238–0.333) | 3 | 1s ÷ 4s |
| nobody ÷ ours | – | – | – | 0 | 0.0 ms ÷ 1s |
`
	if got := table.String(); got != want {
		t.Errorf("the table is\n%s\nwant\n%s", got, want)
	}
}

func TestFigures(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{seconds(0.0123), "12.3 ms"}, {seconds(1.234), "1.23s"}, {megabytes(1.5e6), "2 MB"},
		{thousands(10), "10"}, {thousands(1000), "1,000"}, {thousands(1234567), "1,234,567"},
	} {
		if c.got != c.want {
			t.Errorf("got %s, want %s", c.got, c.want)
		}
	}
}
