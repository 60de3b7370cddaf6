package llmstxt

import (
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// Most is the size limit for llms.txt: a file must contain fewer than Most characters (wire contract §5).
const Most = 50_000

// exact matches a link line in the form that the contract requires: no characters before the dash, or between the
// title, the URL, and the note, and no empty note.
var exact = regexp.MustCompile(`^- \[[^\[\]]+\]\([^()\s]+\)(: \S.*)?$`)

// Check returns all problems in text, an llms.txt file. If the reference parser fails, Check returns only the problems
// found before the failure. resolves reports whether an absolute URL exists.
func Check(text string, resolves func(url string) bool) []error {
	var wrong []error
	report := func(format string, arguments ...any) { wrong = append(wrong, fmt.Errorf(format, arguments...)) }
	if n := utf8.RuneCountInString(text); n >= Most {
		report("the file has %d characters; it must have fewer than %d", n, Most)
	}
	if strings.Contains(text, "\r") {
		report("a line ends with CR")
	}
	if !strings.HasSuffix(text, "\n") || strings.HasSuffix(text, "\n\n") {
		report("the file does not end with exactly one line feed")
	}
	file, err := Parse(text)
	if err != nil {
		report("the reference parser fails: %w", err)
		return wrong
	}
	wrong = append(wrong, checkStart(text, file)...)
	wrong = append(wrong, checkSections(text, file, resolves)...)
	return wrong
}

// checkStart returns the problems in the text before the first section.
func checkStart(text string, file *File) []error {
	var wrong []error
	if !strings.HasPrefix(text, "# "+file.Title+"\n\n> "+file.Summary+"\n\n") || strings.Contains(file.Title+file.Summary, "\n") {
		wrong = append(wrong, fmt.Errorf("the file does not begin with a one-line title and a one-line summary"))
	}
	if file.Summary == "" {
		wrong = append(wrong, fmt.Errorf("the file has no summary"))
	}
	if strings.TrimSpace(file.Info) == "" {
		wrong = append(wrong, fmt.Errorf("no paragraph follows the summary"))
	}
	for line := range strings.SplitSeq(file.Info, "\n") {
		if strings.HasPrefix(line, "#") {
			wrong = append(wrong, fmt.Errorf("%q is a heading before the first section", line))
		}
	}
	return wrong
}

// checkSections returns the violations of the contract in the sections and their lines.
func checkSections(text string, file *File, resolves func(string) bool) []error {
	var wrong []error
	report := func(format string, arguments ...any) { wrong = append(wrong, fmt.Errorf(format, arguments...)) }
	if len(file.Sections) == 0 {
		report("the file has no sections")
	}
	var titles []string
	for i, s := range file.Sections {
		if s.Title == "" || slices.Contains(titles, s.Title) {
			report("section %d: the title %q is empty or a duplicate", i+1, s.Title)
		}
		titles = append(titles, s.Title)
		if s.Title == "Optional" && i != len(file.Sections)-1 {
			report("section Optional is not the last section")
		}
		if len(s.Links) == 0 {
			report("section %q is empty", s.Title)
		}
		for _, l := range s.Links {
			if err := checkURL(l.URL, resolves); err != nil {
				report("section %q: %w", s.Title, err)
			}
		}
	}
	_, sections, _ := strings.Cut(text, "\n## ")
	for line := range strings.SplitSeq(sections, "\n") {
		if strings.HasPrefix(line, "#") && !strings.HasPrefix(line, "## ") {
			report("%q is not a heading of the second level", line)
		}
		if strings.HasPrefix(strings.TrimSpace(line), "-") && !exact.MatchString(line) {
			report("%q is not written as - [title](URL): note", line)
		}
	}
	return wrong
}

// checkURL returns an error if raw isn't an absolute URL or doesn't exist according to resolves.
func checkURL(raw string, resolves func(string) bool) error {
	u, err := url.Parse(raw)
	if err != nil || !u.IsAbs() || u.Host == "" {
		return fmt.Errorf("%s is not an absolute URL", raw)
	}
	if !resolves(raw) {
		return fmt.Errorf("%s does not exist", raw)
	}
	return nil
}
