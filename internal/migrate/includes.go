package migrate

import (
	"path"
	"regexp"
	"strconv"
	"strings"
)

// candidates are the places in the source that a name on a page can mean.
func (c *conv) candidates(name string) (list []string) {
	dirs := append([]string{path.Dir(c.page.source)}, c.site.contentDirs...)
	dirs = append(dirs, c.site.base, ".")
	if rest, ok := cutAny(name, "@site/", "@/", "~/", "~@/", "/"); ok {
		name, dirs = rest, append([]string{c.site.base}, c.site.contentDirs...)
	}
	return within(name, dirs...)
}

// within is a name below each of some folders, where it does not leave the source.
func within(name string, dirs ...string) (list []string) {
	for _, dir := range dirs {
		if full, ok := inside(dir, name); ok {
			list = append(list, full)
		}
	}
	return list
}

// file reads the first of some files that is there, or the part of it that spec names:
// lines such as "3:7", or a region. ok is false too where the page has enough of files.
func (c *conv) file(list []string, spec string) (text, full string, ok bool) {
	for _, full := range list {
		s, err := c.site.src.text(full)
		if err != nil || c.size > maxText || c.depth > 16 {
			continue
		}
		ok := true
		switch {
		case spec == "":
		case lineRange.MatchString(spec):
			s = linesOf(s, spec)
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

// missing leaves an include that cannot be resolved to the step that shows it as it was
// written.
func (c *conv) missing(name, raw string) string {
	return c.leave(&tag{form: alone, name: "{" + name, raw: strings.TrimSpace(raw)})
}

// regionOf is the part of a file between the marks of a region, as editors, mdBook and
// PyMdown write them.
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
		case in && !anchorMark.MatchString(line):
			out = append(out, line)
		}
	}
	return strings.Join(out, "\n"), found
}

// anchorMark is a line that only marks a region.
var anchorMark = regexp.MustCompile(`\b(?:ANCHOR|ANCHOR_END):\s*[\w-]+|--8<--\s*\[(?:start|end):`)

var lineRange = regexp.MustCompile(`^(?:\d+|\d*:\d*)$`)

// linesOf are the lines of a range "from:to" that counts from 1.
func linesOf(text, spec string) string {
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
