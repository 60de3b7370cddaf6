package convert

import (
	"path"
	"regexp"
	"strconv"
	"strings"

	"vitrine/internal/lazyregexp"
	"vitrine/internal/migrate/source"
)

// Candidates returns the paths of the source files that name, as used on the current page, may refer to.
func (c *Converter) Candidates(name string) (list []string) {
	dirs := append([]string{path.Dir(c.Page.Source)}, c.Site.ContentDirs...)
	dirs = append(dirs, c.Site.Base, ".")
	if rest, ok := source.CutAny(name, "@site/", "@/", "~/", "~@/", "/"); ok {
		name, dirs = rest, append([]string{c.Site.Base}, c.Site.ContentDirs...)
	}
	return Within(name, dirs...)
}

// Within returns the path of name in each folder of dirs. It omits paths outside the source.
func Within(name string, dirs ...string) (list []string) {
	for _, dir := range dirs {
		if full, ok := source.Inside(dir, name); ok {
			list = append(list, full)
		}
	}
	return list
}

// File reads the first file in list that exists and contains the part selected by spec: lines such as "3:7", a region,
// or the whole file if spec is "". full is the path of the file. ok is false if there is no such file, the page has
// included too much text, or its includes are nested too deeply.
func (c *Converter) File(list []string, spec string) (text, full string, ok bool) {
	for _, full := range list {
		s, err := c.Site.Src.Text(full)
		if err != nil || c.size > source.MaxText || c.Depth > 16 {
			continue
		}
		ok := true
		switch {
		case spec == "":
		case lineRange.MatchString(spec):
			s = LinesOf(s, spec)
		default:
			s, ok = regionOf(s, spec)
		}
		if ok {
			c.size += len(s)
			return s, full, true
		}
	}
	return "", "", false
}

// Missing returns a placeholder for an include that can't be resolved. name is the kind of include, such as "snippet",
// and raw is the original text. A later step adds a note about the placeholder.
func (c *Converter) Missing(name, raw string) string {
	return c.Leave(&Tag{Form: Alone, Name: "{" + name, Raw: strings.TrimSpace(raw)})
}

// regionOf returns the part of a file between the markers of a region, in the syntax of editors, mdBook, and PyMdown,
// and reports whether the file has that region.
func regionOf(text, name string) (string, bool) {
	var out []string
	in, found := false, false
	name = regexp.QuoteMeta(name)
	open := regexp.MustCompile(`(?:#?region|ANCHOR:|--8<--\s*\[start:)\s*\b?` + name + `\b`)
	end := regexp.MustCompile(`(?:#?endregion|ANCHOR_END:|--8<--\s*\[end:)\s*(?:` + name + `\b|-->|\*/|$)`)
	for line := range strings.SplitSeq(text, "\n") {
		switch {
		case in && end.MatchString(line):
			in = false
		case open.MatchString(line) && !strings.Contains(line, "endregion"):
			in, found = true, true
		case in && !AnchorMark.MatchString(line):
			out = append(out, line)
		}
	}
	return strings.Join(out, "\n"), found
}

// AnchorMark matches a line that marks the start or end of a region.
var AnchorMark = lazyregexp.New(`\b(?:ANCHOR|ANCHOR_END):\s*[\w-]+|--8<--\s*\[(?:start|end):`)

var lineRange = lazyregexp.New(`^(?:\d+|\d*:\d*)$`)

// LinesOf returns the lines that spec selects: a line number, or a range "from:to" with optional ends. Lines are
// counted from 1.
func LinesOf(text, spec string) string {
	lines := strings.Split(text, "\n")
	from, to, isRange := strings.Cut(spec, ":")
	number := func(s string, usual int) int {
		if n, err := strconv.Atoi(strings.TrimSpace(s)); err == nil && n > 0 {
			return n
		}
		return usual
	}
	first := number(from, 1)
	if !isRange {
		to = from
	}
	first, last := min(first, len(lines)+1), min(number(to, len(lines)), len(lines))
	if first > last {
		return ""
	}
	return strings.Join(lines[first-1:last], "\n")
}
