package report

import (
	"math"

	"vitrine/internal/readers"
)

// The plot of requests contains a column for each day, or for each month if there are more than mostColumns days. Each
// column contains one part for each family with requests. Sizes are in SVG units.
const (
	plotWidth, plotHeight = 920.0, 240.0
	plotLeft, plotBottom  = 56.0, 24.0
	mostColumns           = 93
)

// plot contains the shapes and labels of the plot for the report's template.
type plot struct {
	Width, Height, Left, Bottom float64
	Parts                       []part
	Lines                       []gridLine
	Names                       []columnName
}

// part is the rectangle in a column that represents the requests of one family.
type part struct {
	Family     readers.Family
	X, Y, W, H float64
	Title      string
}

type gridLine struct {
	Y    float64
	Name string
}

type columnName struct {
	X    float64
	Name string
}

// columns returns the plot of the requests in r. If there are no requests, the plot contains no columns and no grid.
func columns(r *Report) plot {
	p := plot{Width: plotWidth, Height: plotHeight, Left: plotLeft, Bottom: plotHeight - plotBottom}
	days := r.Days
	if len(days) > mostColumns {
		days = byMonth(days)
	}
	var most int64
	for _, d := range days {
		most = max(most, sum(d.Requests))
	}
	if most == 0 {
		return p
	}
	step := roundStep(float64(most) / 4)
	top := step * math.Ceil(float64(most)/step)
	height := p.Bottom - 8
	for v := 0.0; v <= top; v += step {
		p.Lines = append(p.Lines, gridLine{p.Bottom - v/top*height, number(int64(v))})
	}
	width := (plotWidth - plotLeft - 8) / float64(len(days))
	every := 1 + len(days)*80/int(plotWidth-plotLeft)
	for i, d := range days {
		x, y := plotLeft+float64(i)*width, p.Bottom
		for _, family := range readers.Families() {
			n := d.Requests[family]
			if n == 0 {
				continue
			}
			h := float64(n) / top * height
			y -= h
			p.Parts = append(p.Parts, part{family, x + width*0.08, y, width * 0.84, h, d.Day + ", " + label(family) + ": " + number(n)})
		}
		if i%every == 0 {
			p.Names = append(p.Names, columnName{x + width/2, d.Day})
		}
	}
	return p
}

// legend returns the families that sent requests.
func legend(r *Report) []readers.Family {
	var came []readers.Family
	for _, f := range r.Families {
		came = append(came, f.Family)
	}
	return came
}

func byMonth(days []Day) []Day {
	var months []Day
	for _, d := range days {
		month := d.Day[:len("2006-01")]
		if n := len(months); n == 0 || months[n-1].Day != month {
			months = append(months, Day{month, make(map[readers.Family]int64)})
		}
		addCounts(months[len(months)-1].Requests, d.Requests)
	}
	return months
}

func sum(counts map[readers.Family]int64) (total int64) {
	for _, n := range counts {
		total += n
	}
	return total
}

// roundStep returns the smallest of 1, 2, 5, 10, 20, … that is at least n.
func roundStep(n float64) float64 {
	power := math.Pow(10, math.Floor(math.Log10(math.Max(1, n))))
	for _, m := range []float64{1, 2, 5} {
		if m*power >= n {
			return m * power
		}
	}
	return 10 * power
}
