package fix

import (
	"bytes"
	"fmt"
	"strings"

	"vitrine/internal/site"
)

// around is the number of context lines in a diff.
const around = 3

// Diff returns the changes to the file as a unified diff that patch and git apply accept.
func (f *File) Diff() string {
	before, after := splitLines(f.Before), splitLines(f.Text)
	var b strings.Builder
	fmt.Fprintf(&b, "--- a/%s\n+++ b/%s\n", f.Name, f.Name)
	all := f.regions(len(before))
	shift := 0
	for i := 0; i < len(all); {
		last := i
		for last+1 < len(all) && all[last+1].first-all[last].end <= 2*around {
			last++
		}
		from, to := max(all[i].first-around, 0), min(all[last].end+around, len(before))
		var body strings.Builder
		at, grown := from, 0
		for _, r := range all[i : last+1] {
			writeLines(&body, ' ', before[at:r.first])
			writeLines(&body, '-', before[r.first:r.end])
			writeLines(&body, '+', after[r.newFirst:r.newEnd])
			at = r.end
			grown += (r.newEnd - r.newFirst) - (r.end - r.first)
		}
		writeLines(&body, ' ', before[at:to])
		fmt.Fprintf(&b, "@@ -%s +%s @@\n%s", span(from, to-from), span(from+shift, to-from+grown), body.String())
		shift += grown
		i = last + 1
	}
	return b.String()
}

// region is a range of changed lines, which extends from first to end in Before, and from newFirst to newEnd in Text.
// Line numbers start at 0, and the ends are exclusive.
type region struct {
	first, end, newFirst, newEnd int
}

// regions returns the changed regions of the file, in order. lines is the number of lines in Before.
func (f *File) regions(lines int) []region {
	var all []region
	before := 0
	for i := 0; i <= len(f.origins); i++ {
		next := lines
		if i < len(f.origins) {
			if next = f.origins[i]; next == before {
				before++
				continue
			}
		}
		r := region{first: before, newFirst: i}
		for i < len(f.origins) && f.origins[i] < 0 {
			i++
		}
		if r.end, r.newEnd = lines, i; i < len(f.origins) {
			r.end = f.origins[i]
		}
		if r.end > r.first || r.newEnd > r.newFirst {
			all = append(all, r)
		}
		before = r.end + 1
	}
	return all
}

// splitLines splits text into lines, keeping the line endings.
func splitLines(text []byte) [][]byte {
	lines := bytes.SplitAfter(text, []byte("\n"))
	if n := len(lines) - 1; len(lines[n]) == 0 {
		lines = lines[:n]
	}
	return lines
}

// change replaces the lines from first up to, but not including, end. Line numbers start at 0.
type change struct {
	first, end int
	lines      [][]byte
}

// changes converts edits of source to changes that replace complete lines.
func changes(source []byte, edits []site.Edit) []change {
	before := splitLines(source)
	starts := make([]int, len(before)+1)
	for i, line := range before {
		starts[i+1] = starts[i] + len(line)
	}
	var all []change
	line := 0
	for i := 0; i < len(edits); {
		for line+1 < len(before) && starts[line+1] <= edits[i].Start {
			line++
		}
		c := change{first: line, end: min(line+1, len(before))}
		var text []byte
		at := starts[line]
		for {
			for ; i < len(edits) && (edits[i].Start < starts[c.end] || c.end == len(before)); i++ {
				e := edits[i]
				text = append(append(text, source[at:e.Start]...), e.New...)
				at = e.Start + len(e.Old)
				for c.end < len(before) && starts[c.end] < at {
					c.end++
				}
			}
			text = append(text, source[at:starts[c.end]]...)
			at = starts[c.end]
			if c.end == len(before) || len(text) == 0 || bytes.HasSuffix(text, []byte("\n")) {
				break
			}
			// The edits removed the line ending, so the change includes the next line.
			c.end++
		}
		c.lines = splitLines(text)
		all = append(all, c)
		line = min(c.end, max(len(before)-1, 0))
	}
	return all
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
