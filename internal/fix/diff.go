package fix

import (
	"bytes"
	"fmt"
	"strings"
)

// around is how many lines a diff shows before and after what changes.
const around = 3

// Diff is what an edited file changes, as a unified diff that patch reads.
func (f *File) Diff() string {
	var b strings.Builder
	fmt.Fprintf(&b, "--- a/%s\n+++ b/%s\n", f.Name, f.Name)
	before := bytes.SplitAfter(f.Before, []byte("\n"))
	if len(before[len(before)-1]) == 0 {
		before = before[:len(before)-1]
	}
	changes := f.changes(before)
	shift := 0
	for i := 0; i < len(changes); {
		last := i
		for last+1 < len(changes) && changes[last+1].first-changes[last].end <= 2*around {
			last++
		}
		from, to := max(changes[i].first-around, 0), min(changes[last].end+around, len(before))
		var body strings.Builder
		at, grown := from, 0
		for _, c := range changes[i : last+1] {
			writeLines(&body, ' ', before[at:c.first])
			writeLines(&body, '-', before[c.first:c.end])
			writeLines(&body, '+', c.lines)
			at = c.end
			grown += len(c.lines) - (c.end - c.first)
		}
		writeLines(&body, ' ', before[at:to])
		fmt.Fprintf(&b, "@@ -%s +%s @@\n%s", span(from, to-from), span(from+shift, to-from+grown), body.String())
		shift += grown
		i = last + 1
	}
	return b.String()
}

// change replaces lines of a file, counted from 0.
type change struct {
	first, end int
	lines      [][]byte
}

// changes are the edits as changes of whole lines.
func (f *File) changes(before [][]byte) []change {
	starts := make([]int, len(before)+1)
	for i, line := range before {
		starts[i+1] = starts[i] + len(line)
	}
	var changes []change
	line := 0
	for i := 0; i < len(f.Edits); {
		for line+1 < len(before) && starts[line+1] <= f.Edits[i].Start {
			line++
		}
		c := change{first: line, end: min(line+1, len(before))}
		var text []byte
		at := starts[line]
		for {
			for ; i < len(f.Edits) && (f.Edits[i].Start < starts[c.end] || c.end == len(before)); i++ {
				e := f.Edits[i]
				text = append(append(text, f.Before[at:e.Start]...), e.New...)
				at = e.Start + len(e.Old)
				for c.end < len(before) && starts[c.end] < at {
					c.end++
				}
			}
			text = append(text, f.Before[at:starts[c.end]]...)
			at = starts[c.end]
			if c.end == len(before) || len(text) == 0 || bytes.HasSuffix(text, []byte("\n")) {
				break
			}
			// The end of the line is gone, and the next line belongs to it.
			c.end++
		}
		c.lines = bytes.SplitAfter(text, []byte("\n"))
		if n := len(c.lines) - 1; len(c.lines[n]) == 0 {
			c.lines = c.lines[:n]
		}
		changes = append(changes, c)
		line = min(c.end, max(len(before)-1, 0))
	}
	return changes
}

func span(from, count int) string {
	if count == 0 {
		return fmt.Sprintf("%d,0", from)
	}
	return fmt.Sprintf("%d,%d", from+1, count)
}

func writeLines(b *strings.Builder, mark byte, lines [][]byte) {
	for _, line := range lines {
		b.WriteByte(mark)
		b.Write(line)
		if !bytes.HasSuffix(line, []byte("\n")) {
			b.WriteString("\n\\ No newline at end of file\n")
		}
	}
}
