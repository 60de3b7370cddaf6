package card

import (
	"slices"

	"github.com/go-text/typesetting/di"
	"github.com/go-text/typesetting/shaping"
	"golang.org/x/image/math/fixed"
	"golang.org/x/text/unicode/bidi"
	"golang.org/x/text/unicode/norm"
)

// Positions and sizes in an image, in pixels.
const (
	margin    = 80
	textWidth = Width - 2*margin
	// The lines of the title are centered between these rows.
	titleTop, titleBottom = 166, 508
	// Titles rarely change other rows, because almost all accents and descenders are within these rows.
	titleRows, titleRowsEnd = 140, ruleTop - 2
	// The baseline of the site's name, which follows the mark. The host is at the bottom.
	nameLine, nameSize, nameLeft = 110, 40, margin + 58
	ruleTop                      = 536
	hostLine, hostSize           = 584, 28
)

// Palette levels of the elements: faint for the rule, quiet for the host, and strong for everything else.
const (
	faint  = 5
	quiet  = 12
	strong = levels - 1
)

// titleSizes returns the font sizes to try, largest first.
func titleSizes() []int {
	return []int{92, 80, 70, 62, 54, 48, 42}
}

// lineHeight returns the distance between two baselines.
func lineHeight(size int) int {
	return size * 118 / 100
}

// worker contains the drawing state that goroutines must not share.
type worker struct {
	maker *Maker
	// Between images, canvas equals the base. It is nil before the first image.
	canvas *canvas
	// stream is the buffer for the encoded rows of an image.
	stream    []byte
	choosers  map[*fontSet]*chooser
	segmenter shaping.Segmenter
	shaper    shaping.HarfbuzzShaper
	wrapper   shaping.LineWrapper
}

func newWorker(m *Maker) *worker {
	return &worker{maker: m, choosers: make(map[*fontSet]*chooser)}
}

// drawBase draws the elements common to all images of a site: the logo (or else the theme's mark and the site's name),
// a rule, and the host.
func (m *Maker) drawBase(style Style) *canvas {
	w := newWorker(m)
	w.canvas = &canvas{}
	if logo := logoMask(style.Logo, logoWidth, logoHeight); logo != nil {
		w.canvas.draw(logo, m.start(margin, logo.width), nameLine+12, strong)
	} else {
		w.mark(nameLine-36, 1)
		w.line(style.Site, nameSize, nameLeft, nameLine, textWidth-nameLeft+margin, strong)
	}
	w.canvas.fill(margin, ruleTop, textWidth, 3, faint)
	w.line(style.Host, hostSize, margin, hostLine, textWidth, quiet)
	return w.canvas
}

// start returns the left edge of an element. from is the element's distance in pixels from the side where lines start,
// and width is the element's width in pixels.
func (m *Maker) start(from, width int) int {
	if m.rightToLeft {
		return Width - from - width
	}
	return from
}

// mark draws the theme's mark, a small display case on a plinth. times is the factor by which the mark is enlarged.
func (w *worker) mark(top, times int) {
	left := w.maker.start(margin, 36*times)
	w.canvas.fill(left, top, 36*times, 40*times, strong)
	w.canvas.fill(left+4*times, top+4*times, 28*times, 27*times, 0)
}

// emblem draws the logo, or the mark if there is no logo, in place of a title.
func (w *worker) emblem() {
	if logo := w.maker.logo; logo != nil {
		w.canvas.draw(logo, w.maker.start(margin, logo.width), (titleTop+titleBottom+logo.height)/2, strong)
		return
	}
	const times = 6
	w.mark((titleTop+titleBottom-40*times)/2, times)
}

// line draws a string on one line, truncated to width pixels. from is the distance from the side where lines start, and
// y is the baseline.
func (w *worker) line(text string, size, from, y, width int, level byte) {
	set, text := w.readable(text)
	if text == "" {
		return
	}
	p := w.shape(set, text, size)
	if lines := w.wrap(p, width, 1, shaping.WhenNecessary); len(lines) > 0 {
		w.draw(lines[0], size, w.maker.start(from, advance(lines[0]).Ceil()), y, level)
	}
}

// readable returns the drawable part of a string with its fonts, or "" if the string contains a letter, a digit, or a
// combining mark that no font has.
func (w *worker) readable(text string) (*fontSet, string) {
	text = norm.NFC.String(text)
	set := w.maker.fontsFor(text)
	if !set.covers(text) {
		return set, ""
	}
	return set, drawable(set, text)
}

// title draws a title in the largest size that fits. It breaks words only if necessary, and truncates the title if it
// is still too long. It returns false if the title can't be drawn; see readable.
func (w *worker) title(text string) bool {
	set, text := w.readable(text)
	if text == "" {
		return false
	}
	sizes := titleSizes()
	for _, size := range sizes {
		p := w.shape(set, text, size)
		lines := w.wrap(p, textWidth, 0, shaping.Never)
		if len(lines)*lineHeight(size) <= titleBottom-titleTop && !tooWide(lines) {
			w.titleLines(p, lines, size)
			return true
		}
	}
	size := sizes[len(sizes)-1]
	p := w.shape(set, text, size)
	w.titleLines(p, w.wrap(p, textWidth, (titleBottom-titleTop)/lineHeight(size), shaping.WhenNecessary), size)
	return true
}

// titleLines draws the lines of a title, vertically centered. They are aligned to the right if the title or the site is
// right-to-left, and to the left otherwise.
func (w *worker) titleLines(p paragraph, lines []shaping.Line, size int) {
	height := len(lines) * lineHeight(size)
	y := titleTop + (titleBottom-titleTop-height)/2 + size
	for _, line := range lines {
		x := margin
		if p.direction == di.DirectionRTL || w.maker.rightToLeft {
			x = Width - margin - advance(line).Ceil()
		}
		w.draw(line, size, x, y, strong)
		y += lineHeight(size)
	}
}

// paragraph is a shaped string not yet broken into lines.
type paragraph struct {
	fonts     *fontSet
	text      []rune
	direction di.Direction
	size      int
	runs      []shaping.Output
}

// shape converts a string to glyphs of one size.
func (w *worker) shape(set *fontSet, text string, size int) paragraph {
	p := paragraph{fonts: set, text: []rune(text), direction: directionOf(text), size: size}
	choose := w.choosers[set]
	if choose == nil {
		choose = newChooser(set)
		w.choosers[set] = choose
	}
	choose.text(p.text)
	inputs := w.segmenter.Split(shaping.Input{
		Text: p.text, RunEnd: len(p.text), Direction: p.direction, Size: fixed.I(size), Language: set.language,
	}, choose)
	for _, in := range inputs {
		p.runs = append(p.runs, w.shaper.Shape(in))
	}
	return p
}

// wrap breaks a paragraph into lines. limit is the maximum number of lines, or 0 for any number. If wrap omits lines,
// the last remaining line ends in an ellipsis.
func (w *worker) wrap(p paragraph, width, limit int, policy shaping.LineBreakPolicy) []shaping.Line {
	config := shaping.WrapConfig{Direction: p.direction, TruncateAfterLines: limit, BreakPolicy: policy}
	if limit > 0 {
		ellipsis := w.shape(p.fonts, "…", p.size)
		config.Truncator = ellipsis.runs[0]
	}
	lines, _ := w.wrapper.WrapParagraph(config, width, p.text, shaping.NewSliceIterator(p.runs))
	return lines
}

func tooWide(lines []shaping.Line) bool {
	return slices.ContainsFunc(lines, func(l shaping.Line) bool { return advance(l).Ceil() > textWidth })
}

func advance(line shaping.Line) fixed.Int26_6 {
	var sum fixed.Int26_6
	for i := range line {
		sum += line[i].Advance
	}
	return sum
}

// draw draws a line of glyphs. x is its left edge, and y is its baseline.
func (w *worker) draw(line shaping.Line, size, x, y int, level byte) {
	runs := slices.Clone(line)
	slices.SortStableFunc(runs, func(a, b shaping.Output) int { return int(a.VisualIndex - b.VisualIndex) })
	dot := fixed.I(x)
	for _, run := range runs {
		for _, g := range run.Glyphs {
			m := w.maker.mask(run.Face, g.GlyphID, size)
			w.canvas.draw(m, (dot + g.XOffset).Round(), y-g.YOffset.Round(), level)
			dot += g.Advance
		}
	}
}

// directionOf returns the direction of the first letter with a strong direction (UAX #9, rule P2), or left to right if
// there is none.
func directionOf(text string) di.Direction {
	for _, r := range text {
		properties, _ := bidi.LookupRune(r)
		switch properties.Class() {
		case bidi.L:
			return di.DirectionLTR
		case bidi.R, bidi.AL:
			return di.DirectionRTL
		}
	}
	return di.DirectionLTR
}
