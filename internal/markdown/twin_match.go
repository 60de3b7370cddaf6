package markdown

import "slices"

// run is a run of markers as goldmark sees it.
type run struct {
	char              byte
	canOpen, canClose bool
	// length is what is left of it, original what it had.
	length, original int
	previous, next   int
}

// matches reports whether goldmark will match the markers that were written
// the way the spans say. It follows goldmark's ProcessDelimiters.
func (w *inlineWriter) matches() bool {
	// No run is without a marker, so neither grows below.
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
			// What was matched in a label is out of the list.
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

// matchRuns matches the runs from first on and compares with the spans.
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

// findOpener returns the run that a closer matches and by how many characters,
// -1 if there is none.
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
