package main

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
)

// plot contains a table's ratios, by row and series.
type plot struct {
	title  string
	series []string
	rows   []row
}

type row struct {
	name string
	// bar is the target of the first ratio, or 0 if it has no target.
	bar float64
	// ratios contains a ratio for each series. Zero ratios aren't drawn.
	ratios []ratio
}

type ratio struct{ median, least, greatest float64 }

var (
	ratioCell = regexp.MustCompile(`\*\*([\d.]+)\*\* \(([\d.]+)–([\d.]+)\)`)
	barCell   = regexp.MustCompile(`^[≥≤] ([\d.]+)(: (?:met|missed))?$`)
)

// read parses the lines of a Markdown table. Each column with ratios becomes a series. Rows without ratios are omitted.
func read(title string, lines []string) plot {
	p := plot{title: title}
	if len(lines) < 3 {
		return p
	}
	head := cells(lines[0])
	column := make(map[int]int) // from table column to series
	for _, line := range lines[2:] {
		row := row{}
		for i, cell := range cells(line) {
			if i == 0 {
				row.name = cell
			}
			if bar := barCell.FindStringSubmatch(cell); bar != nil {
				row.bar = number(bar[1])
			}
			found := ratioCell.FindStringSubmatch(cell)
			if found == nil || i >= len(head) {
				continue
			}
			at, ok := column[i]
			if !ok {
				at = len(p.series)
				column[i], p.series = at, append(p.series, head[i])
			}
			for len(row.ratios) <= at {
				row.ratios = append(row.ratios, ratio{})
			}
			row.ratios[at] = ratio{number(found[1]), number(found[2]), number(found[3])}
		}
		if len(row.ratios) > 0 {
			p.rows = append(p.rows, row)
		}
	}
	return p
}

func cells(line string) []string {
	var all []string
	for _, cell := range strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|") {
		all = append(all, strings.TrimSpace(cell))
	}
	return all
}

func number(s string) float64 {
	v, _ := strconv.ParseFloat(s, 64) // the expressions accept only numbers; 0 is not drawn
	return v
}

// Positions and sizes in an image, in SVG user units.
const (
	width, left, right = 860, 400, 70
	top, lane, between = 44, 15, 12
	letter             = 6.6 // the approximate width of a letter in a name
)

// svg draws the ratios on a logarithmic scale: a line from the minimum to the maximum, a dot at the median, and a
// vertical line at the bar. Colors follow the reader's color scheme. Viewers without support for styles show the light
// colors.
func (p plot) svg() []byte {
	low, high := p.bounds()
	x := func(v float64) float64 {
		return left + (width-left-right)*math.Log(v/low)/math.Log(high/low)
	}
	height := top + 26
	for range p.rows {
		height += lane*len(p.series) + between
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" role="img" font-family="system-ui, sans-serif" font-size="12">`+"\n", width, height, width, height)
	fmt.Fprintf(&b, "<title>%s</title>\n", escape(p.title))
	b.WriteString(style)
	fmt.Fprintf(&b, `<rect class="ground" width="%d" height="%d" fill="#ffffff"/>`+"\n", width, height)
	at := float64(left)
	for i, name := range p.series {
		fmt.Fprintf(&b, `<circle class="s%d" cx="%.1f" cy="14" r="4" fill="%s"/><text class="ink" x="%.1f" y="18" fill="#1b1f24">%s</text>`+"\n", i%len(colors), at, colors[i%len(colors)], at+9, escape(name))
		at += 28 + letter*float64(len([]rune(name)))
	}
	for _, v := range ticks(low, high) {
		fmt.Fprintf(&b, `<path class="%s" d="M%.1f %dV%d" stroke="%s"/><text class="faint" x="%.1f" y="%d" text-anchor="middle" fill="#5b6570">%s</text>`+"\n",
			pick(v == 1, "one", "grid"), x(v), top-8, height-22, pick(v == 1, "#5b6570", "#dfe3e8"), x(v), height-7, strconv.FormatFloat(v, 'g', -1, 64))
	}
	y := float64(top)
	for _, row := range p.rows {
		tall := float64(lane * len(p.series))
		fmt.Fprintf(&b, `<text class="ink" x="%d" y="%.1f" text-anchor="end" fill="#1b1f24">%s</text>`+"\n", left-12, y+tall/2+4, escape(short(row.name)))
		if row.bar > 0 {
			fmt.Fprintf(&b, `<path class="bar" d="M%.1f %.1fV%.1f" stroke="#1b1f24" stroke-width="2"><title>the bar: %s</title></path>`+"\n", x(row.bar), y, y+tall, strconv.FormatFloat(row.bar, 'g', -1, 64))
		}
		for i, r := range row.ratios {
			if r.least <= 0 {
				continue
			}
			middle, color := y+float64(lane*i)+lane/2.0, colors[i%len(colors)]
			fmt.Fprintf(&b, `<path class="l%d" d="M%.1f %.1fH%.1f" stroke="%s" stroke-width="2"/><circle class="s%d" cx="%.1f" cy="%.1f" r="4" fill="%s"/>`+"\n",
				i%len(colors), x(r.least), middle, x(r.greatest), color, i%len(colors), x(r.median), middle, color)
			fmt.Fprintf(&b, `<text class="faint" x="%d" y="%.1f" font-size="11" fill="#5b6570">%s</text>`+"\n", width-right+12, middle+4, strconv.FormatFloat(r.median, 'g', 4, 64))
		}
		y += tall + between
	}
	b.WriteString("</svg>\n")
	return b.Bytes()
}

// colors are the colors of the series for image viewers without support for styles.
var colors = [...]string{"#1f5fa8", "#b4540a", "#4b7d2a", "#8a3f8f"}

const style = `<style>
@media (prefers-color-scheme: dark) {
.ground { fill: #14171c } .ink { fill: #e6e9ed } .faint { fill: #9aa5b1 }
.grid { stroke: #2b3138 } .one { stroke: #9aa5b1 } .bar { stroke: #e6e9ed }
.s0 { fill: #6cabf0 } .s1 { fill: #f0a060 } .s2 { fill: #93c96f } .s3 { fill: #d08fd6 }
.l0 { stroke: #6cabf0 } .l1 { stroke: #f0a060 } .l2 { stroke: #93c96f } .l3 { stroke: #d08fd6 }
}
</style>
`

// bounds returns round numbers that enclose 1 and all drawn values.
func (p plot) bounds() (low, high float64) {
	low, high = 1, 1
	for _, row := range p.rows {
		for _, v := range append([]ratio{{row.bar, row.bar, row.bar}}, row.ratios...) {
			if v.least > 0 {
				low, high = min(low, v.least), max(high, v.greatest)
			}
		}
	}
	round := func(v float64, up bool) float64 {
		power := math.Pow(10, math.Floor(math.Log10(v)))
		best := power
		for _, step := range []float64{1, 2, 5, 10} {
			if s := step * power; up && s >= v*0.999 {
				return s
			} else if s <= v*1.001 {
				best = s
			}
		}
		return best
	}
	if low, high = round(low, false), round(high, true); low == high {
		low, high = low/2, high*2
	}
	return low, high
}

// ticks returns 1, 2, and 5 times powers of ten from low to high.
func ticks(low, high float64) []float64 {
	var all []float64
	for power := math.Floor(math.Log10(low)) - 1; power <= math.Ceil(math.Log10(high)); power++ {
		for _, step := range []float64{1, 2, 5} {
			v, _ := strconv.ParseFloat(fmt.Sprintf("%ge%d", step, int(power)), 64)
			if v >= low*0.999 && v <= high*1.001 {
				all = append(all, v)
			}
		}
	}
	return all
}

// short truncates a name to fit to the left of the scale.
func short(name string) string {
	const most = 62
	if all := []rune(name); len(all) > most {
		return string(all[:most-1]) + "…"
	}
	return name
}

func pick(yes bool, a, b string) string {
	if yes {
		return a
	}
	return b
}

func escape(s string) string {
	var b bytes.Buffer
	_ = xml.EscapeText(&b, []byte(s)) // writing to a buffer can't fail
	return b.String()
}
