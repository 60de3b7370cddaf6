//go:build linux

package main

import (
	"fmt"
	"strconv"

	"vitrine/internal/lab/bench/paired"
)

// table returns a table that compares each maker with the first maker. Each cell of the last three columns contains two
// values: one for JPEG and one for WebP.
func (p *photographs) table(makers []*maker, results paired.Results) *table {
	total := p.count * 2 * len(photoCopies().Widths)
	t := &table{
		title: fmt.Sprintf("Copies of photographs: %s photographs, %s copies", thousands(p.count), thousands(total)),
		head: []string{"", "wall time ÷ vitrine", "CPU time ÷ vitrine", "pairs", "wall time", "CPU time per copy", "CPU time ÷ wall time",
			"JPEG, WebP: size", "PSNR in dB", "SSIM"},
	}
	for _, m := range makers {
		t.rows = append(t.rows, p.row(m.name, makers[0].name, total, results))
	}
	return t
}

func (p *photographs) row(name, first string, total int, results paired.Results) []string {
	wall, cpu := results.Ratio(name, first, paired.Wall), results.Ratio(name, first, paired.CPU)
	shown := []string{wall.String(), cpu.String()}
	if name == first {
		shown = []string{"1", "1"}
	}
	busy := results.Median(name, func(s paired.Sample) float64 { return s.CPU.Seconds() / s.Wall.Seconds() })
	made := p.made[name]
	return append(append([]string{name}, shown...),
		strconv.Itoa(wall.Pairs),
		seconds(results.Median(name, paired.Wall)),
		seconds(results.Median(name, paired.CPU)/float64(total)),
		fmt.Sprintf("%.2f", busy),
		made.each(func(q quality) string { return fmt.Sprintf("%.2f MB", float64(q.bytes)/1e6) }),
		made.each(func(q quality) string { return fmt.Sprintf("%.2f", q.PSNR) }),
		made.each(func(q quality) string { return fmt.Sprintf("%.4f", q.SSIM) }))
}
