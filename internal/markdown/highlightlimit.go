package markdown

import "bytes"

// The lexers of highlighting are regular expressions, many of which look at all
// the rest of the code from every character of it, for the end of a comment for
// instance: their time may grow with the square of a block's length. The limits
// keep it to seconds for the worst page; what is beyond them is not highlighted.
const (
	// maxHighlight is how many bytes of code are highlighted in one block: longer
	// ones are data more often than code.
	maxHighlight = 16 << 10
	// maxHighlightLine is how long a line of such a block may be, in bytes.
	maxHighlightLine = 1000
	// maxHighlightWork bounds the sum of the squares of the blocks' lengths on
	// one page: four blocks of the greatest length, or a quarter of a megabyte
	// in blocks of a hundred lines.
	maxHighlightWork = 4 * maxHighlight * maxHighlight
)

// mayHighlight reports whether a block is to be highlighted, and counts it.
func (h *htmlWriter) mayHighlight(code []byte) bool {
	if len(code) > maxHighlight {
		return false
	}
	h.highlightWork += len(code) * len(code)
	if h.highlightWork > maxHighlightWork {
		return false
	}
	for line := range bytes.Lines(code) {
		if len(line) > maxHighlightLine {
			return false
		}
	}
	return true
}
