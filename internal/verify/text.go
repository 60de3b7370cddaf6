package verify

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"vitrine/internal/verify/visit"
)

// shown is the maximum number of findings of a check in the text report. The JSON report has all findings.
const shown = 3

// WriteText writes the report as text.
func (r *Report) WriteText(w io.Writer) error {
	out := bufio.NewWriter(w)
	fmt.Fprintln(out, r.URL)
	if r.Base != "" && r.Base != r.URL {
		fmt.Fprintf(out, "  the site identifies itself as %s\n", visit.Plain(r.Base))
	}
	if r.Host != "" {
		fmt.Fprintf(out, "  verified as %s; use --host if that is wrong\n", r.Host)
	}
	for _, h := range r.Hosts {
		fmt.Fprintf(out, "  the responses look like %s\n", h)
	}
	fmt.Fprintln(out)
	width := 0
	for _, c := range r.Checks {
		width = max(width, len(c.Name))
	}
	for _, c := range r.Checks {
		c.write(out, width)
	}
	fmt.Fprintf(out, "\n%d ok, %d failed, %d skipped; %d requests, %d of them counted toward the allowance\n",
		r.Count(OK), r.Count(Failed), r.Count(Skipped), r.Requests, r.Counted)
	return out.Flush()
}

// write writes a check, with its name in a column of the given width. If the check failed, write also writes its
// findings and hints.
func (c *Check) write(w io.Writer, width int) {
	fmt.Fprintf(w, "%-8s %-*s  %s\n", c.Outcome, width, c.Name, c.Proves)
	if c.Why != "" {
		fmt.Fprintf(w, "         %s\n", visit.Plain(c.Why))
	}
	for _, n := range c.Notes {
		fmt.Fprintf(w, "         note: %s\n", visit.Plain(n))
	}
	for i, f := range c.Findings {
		if i == shown {
			fmt.Fprintf(w, "\n         and %d more; use --format json to list them all\n", len(c.Findings)-shown)
			break
		}
		f.write(w)
	}
	if len(c.Findings) > 0 {
		fmt.Fprintln(w)
	}
	for _, h := range c.Hints {
		fmt.Fprintf(w, "         hint: %s\n", h)
	}
	for _, t := range c.Traits {
		fmt.Fprintf(w, "         %s\n", t)
	}
	if len(c.Findings) > 0 {
		fmt.Fprintln(w)
	}
}

// write writes the request, the failed line, the expected value, and the actual value, on separate lines.
func (f *Finding) write(w io.Writer) {
	fmt.Fprintln(w)
	for line := range strings.Lines(f.Sent) {
		if !strings.HasPrefix(line, "User-Agent:") && strings.TrimSpace(line) != "" {
			fmt.Fprintf(w, "         > %s\n", visit.Plain(strings.TrimRight(line, "\n")))
		}
	}
	fmt.Fprintf(w, "         %s\n", visit.Plain(f.Check))
	if f.Want != "" {
		fmt.Fprintf(w, "           want  %s\n", short(f.Want))
	}
	fmt.Fprintf(w, "           got   %s\n", short(f.Got))
}

// short returns at most the first 120 characters of s on one line, or "nothing" if s is empty.
func short(s string) string {
	const most = 120
	s = strings.Join(strings.Fields(s), " ")
	if runes := []rune(s); len(runes) > most {
		s = string(runes[:most]) + " …"
	}
	if s == "" {
		s = "nothing"
	}
	return visit.Plain(s)
}
