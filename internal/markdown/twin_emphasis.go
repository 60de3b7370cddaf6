package markdown

import (
	"bytes"
	"slices"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/util"
)

// Emphasis is the only Markdown construct whose markers can't be chosen one at a time: the meaning of "*" and "_"
// depends on the characters around them and on every other marker in the block (CommonMark 0.31 §6.2). Therefore, the
// writer writes a block according to a plan for its markers, and then matches the markers as goldmark will match them.
// If the result isn't the intended emphasis, it writes the block again: first with the characters next to a marker as
// character references, which count as punctuation, then with another plan.

// marker is a written opening or closing marker, or the start or end of a link's label. The markers in a label are
// matched when the label ends, before the markers outside the label.
type marker struct {
	start, end int
	char       byte // '[' and ']' for a label
	opens      bool
}

// span is a span of emphasis or strikethrough, identified by the ordinals of its markers.
type span struct {
	open, close int
	// width is the length of each marker.
	width int
}

// fix selects the characters next to a marker that are written as character references.
type fix uint8

const (
	fixBefore fix = 1 << iota
	fixAfter
)

// emphasisWriter chooses and records the markers of a block.
type emphasisWriter struct {
	markers []marker
	// spans are in closing order.
	spans []span
	// fixes contains the fixes of the markers, indexed by ordinal.
	fixes []fix
	// stack contains the marker characters of the open spans, outermost first.
	stack []byte
	// markerEnd is the end of the most recent marker, or -1 if there is none.
	markerEnd int
	plan      plan
	// rounds is the number of times that fixes were added in the current plan.
	rounds int
	// runs and runOf are buffers for the method matches.
	runs  []run
	runOf []int
}

// plan specifies how to choose the markers of a block.
type plan uint8

const (
	// stars uses only "*".
	stars plan = iota
	// apart uses "_" for emphasis that would touch another "*".
	apart
	// strict uses "_" within "*" and vice versa, so that no marker can match the surrounding marker. If possible, every
	// marker can only open or only close. This plan always works, because no emphasis is within or next to emphasis of
	// the same kind.
	strict
)

func (w *inlineWriter) reset() {
	w.plan = stars
	w.fixes = w.fixes[:0]
	w.rounds = 0
}

func (w *inlineWriter) beginEmphasis() {
	w.markers, w.spans, w.stack = w.markers[:0], w.spans[:0], w.stack[:0]
	w.markerEnd = -1
}

func (w *inlineWriter) openLabel() {
	w.markers = append(w.markers, marker{start: len(w.out), end: len(w.out), char: '['})
}

func (w *inlineWriter) closeLabel() {
	w.encodeNext = false
	w.markers = append(w.markers, marker{start: len(w.out), end: len(w.out), char: ']'})
}

// emphasis writes emphasis, or strikethrough if level is 0.
func (w *inlineWriter) emphasis(n ast.Node, level int) {
	char, width := byte('~'), 2
	if level > 0 {
		char, width = w.char(n), level
	}
	open := w.mark(char, width, true)
	w.stack = append(w.stack, char)
	w.children(n)
	w.stack = w.stack[:len(w.stack)-1]
	closing := w.mark(char, width, false)
	w.spans = append(w.spans, span{open, closing, width})
}

// char chooses the marker character for emphasis according to the plan.
func (w *inlineWriter) char(n ast.Node) byte {
	touches := w.markerEnd == len(w.out) && bytes.HasSuffix(w.out, []byte("*"))
	around := w.around()
	switch w.plan {
	case apart:
		_, nested := n.Parent().(*ast.Emphasis)
		touches = touches || nested && n.NextSibling() == nil && around == '*'
	case strict:
		touches = around == '*' || around == 0 && touches
	default:
		touches = false
	}
	if touches {
		return '_'
	}
	return '*'
}

// around returns the marker character of the innermost open emphasis, or 0 if there is none.
func (w *inlineWriter) around() byte {
	for _, c := range slices.Backward(w.stack) {
		if c != '~' {
			return c
		}
	}
	return 0
}

// mark writes a marker and returns its ordinal.
func (w *inlineWriter) mark(char byte, width int, opens bool) int {
	ordinal := len(w.markers)
	var f fix
	if ordinal < len(w.fixes) {
		f = w.fixes[ordinal]
	}
	// Goldmark doesn't start a strikethrough after "~", even if the "~" is escaped.
	if f&fixBefore != 0 || char == '~' && len(w.out) > 0 && w.out[len(w.out)-1] == '~' {
		w.encodeLast()
	}
	start := len(w.out)
	w.repeat(char, width)
	w.markerEnd = len(w.out)
	w.markers = append(w.markers, marker{start, len(w.out), char, opens})
	w.encodeNext = f&fixAfter != 0
	return ordinal
}

// settled reports whether the block is final: its markers have the intended meaning, or there are no more plans.
// Otherwise, it prepares the next attempt, first by adding fixes, and then by changing to the next plan.
func (w *inlineWriter) settled() bool {
	if len(w.spans) == 0 {
		return true
	}
	if w.rounds < 4 && w.addFixes() {
		w.rounds++
		return false
	}
	if w.matches() {
		return true
	}
	if w.plan == strict {
		return true
	}
	w.plan++
	w.rounds = 0
	w.fixes = w.fixes[:0]
	return false
}

// addFixes adds fixes for markers that can't open or close, and reports whether it added any.
func (w *inlineWriter) addFixes() bool {
	added := false
	for i, m := range w.markers {
		if m.char == '[' || m.char == ']' {
			continue
		}
		// Check adjacent markers of the same character as one run.
		start, end := m.start, m.end
		for j := i - 1; j >= 0 && w.markers[j].end == start && w.markers[j].char == m.char; j-- {
			start = w.markers[j].start
		}
		for j := i + 1; j < len(w.markers) && w.markers[j].start == end && w.markers[j].char == m.char; j++ {
			end = w.markers[j].end
		}
		if f := w.fixFor(m, w.flanks(start, end, m.char)); f != 0 && w.fixAt(i, f) {
			added = true
		}
	}
	return added
}

// fixAt adds a fix to the marker with the given ordinal, and reports whether the fix is new.
func (w *inlineWriter) fixAt(ordinal int, f fix) bool {
	for len(w.fixes) <= ordinal {
		w.fixes = append(w.fixes, 0)
	}
	if w.fixes[ordinal]&f == f {
		return false
	}
	w.fixes[ordinal] |= f
	return true
}

// fixFor returns the fix that gives a marker its intended role and, if the plan is strict, no other role. It returns 0
// if the marker needs no fix or no fix helps.
func (w *inlineWriter) fixFor(m marker, f flanks) fix {
	if m.opens {
		switch {
		case f.canOpen && !(w.plan == strict && f.canClose):
			return 0
		case f.afterSpace:
			return fixAfter
		case !f.beforeSpace && !f.beforePunct:
			return fixBefore
		}
		return 0
	}
	switch {
	case f.canClose && !(w.plan == strict && f.canOpen):
		return 0
	case f.beforeSpace:
		return fixBefore
	case !f.afterSpace && !f.afterPunct:
		return fixAfter
	}
	return 0
}

// flanks describes the characters next to a run of markers, and reports whether the run can open or close emphasis.
type flanks struct {
	canOpen, canClose        bool
	beforeSpace, beforePunct bool
	afterSpace, afterPunct   bool
}

func (w *inlineWriter) flanks(start, end int, char byte) flanks {
	before, after := '\n', ' '
	if start > 0 {
		before, _ = utf8.DecodeLastRune(w.out[:start])
	}
	if end < len(w.out) {
		after, _ = utf8.DecodeRune(w.out[end:])
	}
	f := flanks{
		beforeSpace: util.IsSpaceRune(before), beforePunct: util.IsPunctRune(before),
		afterSpace: util.IsSpaceRune(after), afterPunct: util.IsPunctRune(after),
	}
	left := !f.afterSpace && (!f.afterPunct || f.beforeSpace || f.beforePunct)
	right := !f.beforeSpace && (!f.beforePunct || f.afterSpace || f.afterPunct)
	f.canOpen, f.canClose = left, right
	if char == '_' {
		f.canOpen = left && (!right || f.beforePunct)
		f.canClose = right && (!left || f.afterPunct)
	}
	return f
}

// run is a delimiter run in goldmark's algorithm.
type run struct {
	char              byte
	canOpen, canClose bool
	// length is the number of characters not yet matched. Initially, it equals original.
	length, original int
	// previous and next are the indexes of the adjacent runs with unmatched characters, or -1.
	previous, next int
}

// matches reports whether goldmark will match the written markers as specified by spans. It follows goldmark's
// ProcessDelimiters.
func (w *inlineWriter) matches() bool {
	// There are at most as many runs as markers, so neither slice grows below.
	w.runOf = slices.Grow(w.runOf[:0], len(w.markers))[:len(w.markers)]
	w.runs = slices.Grow(w.runs[:0], len(w.markers))
	runOf, runs := w.runOf, w.runs
	spans := w.spans
	label, labelSpans := -1, 0
	closed := 0
	for i, m := range w.markers {
		switch {
		case m.char == '[':
			label, labelSpans = len(runs), closed
		case m.char == ']':
			if !matchRuns(runs, label, spans[labelSpans:closed], runOf) {
				return false
			}
			// Markers in a label can't match markers outside it.
			spans = append(spans[:labelSpans:labelSpans], spans[closed:]...)
			closed = labelSpans
			for j := label; j < len(runs); j++ {
				runs[j].length = 0
			}
		default:
			if n := len(runs); i > 0 && n > 0 && w.markers[i-1].end == m.start && w.markers[i-1].char == m.char {
				runs[n-1].length += m.end - m.start
				runs[n-1].original = runs[n-1].length
			} else {
				runs = append(runs, run{char: m.char, length: m.end - m.start, original: m.end - m.start})
			}
			runOf[i] = len(runs) - 1
			f := w.flanks(m.end-runs[len(runs)-1].length, m.end, m.char)
			runs[len(runs)-1].canOpen, runs[len(runs)-1].canClose = f.canOpen, f.canClose
			if !m.opens {
				closed++
			}
		}
	}
	return matchRuns(runs, 0, spans, runOf)
}

// matchRuns matches the openers and closers in runs[first:], and reports whether the resulting spans equal spans.
func matchRuns(runs []run, first int, spans []span, runOf []int) bool {
	last := -1
	for i := first; i < len(runs); i++ {
		if runs[i].length == 0 {
			continue
		}
		runs[i].previous, runs[i].next = last, -1
		if last >= 0 {
			runs[last].next = i
		}
		last = i
	}
	closer := first
	for closer < len(runs) && runs[closer].length == 0 {
		closer++
	}
	if closer == len(runs) {
		closer = -1
	}
	for closer >= 0 {
		c := &runs[closer]
		opener, width := findOpener(runs, closer)
		if opener < 0 {
			if !c.canOpen {
				return false
			}
			closer = c.next
			continue
		}
		if len(spans) == 0 || runOf[spans[0].open] != opener || runOf[spans[0].close] != closer || spans[0].width != width {
			return false
		}
		o := &runs[opener]
		o.length -= width
		c.length -= width
		spans = spans[1:]
		if o.next != closer {
			return false
		}
		if o.length == 0 {
			c.previous = o.previous
			if o.previous >= 0 {
				runs[o.previous].next = closer
			}
		}
		if c.length == 0 {
			next := c.next
			if c.previous >= 0 {
				runs[c.previous].next = next
			}
			if next >= 0 {
				runs[next].previous = c.previous
			}
			closer = next
		}
	}
	return len(spans) == 0
}

// findOpener returns the index of the run that matches the run at index closer, or -1 if there is none, and the number
// of matched characters.
func findOpener(runs []run, closer int) (opener, width int) {
	c := runs[closer]
	if !c.canClose {
		return -1, 0
	}
	for i := c.previous; i >= 0; i = runs[i].previous {
		o := runs[i]
		if !o.canOpen || o.char != c.char {
			continue
		}
		if (o.canClose || c.canOpen) && (o.original+c.original)%3 == 0 && c.original%3 != 0 {
			continue
		}
		if o.length >= 2 && c.length >= 2 {
			return i, 2
		}
		return i, 1
	}
	return -1, 0
}
