// Package llmstxt parses llms.txt in the same way as the format's reference parser. It also checks the requirements of
// the format and of the wire contract (§5) that the parser doesn't enforce. Parse returns the same results as that
// parser, including its mistakes. For example, neither parser recognizes a summary without a paragraph after it.
package llmstxt

import (
	"fmt"
	"regexp"
	"strings"
)

// File is a parsed llms.txt file.
type File struct {
	// Title is the H1, Summary is the quoted line after it, and Info is the rest of the text before the first section.
	Title, Summary, Info string
	// Sections are the sections of the file, in order.
	Sections []Section
}

// Section is a list of links under an H2.
type Section struct {
	Title string
	Links []Link
}

// Link is a line of a section: a title, a URL, and an optional note after a colon.
type Link struct{ Title, URL, Note string }

// These are the regular expressions of the reference parser. The parser splits the text at every heading of level 2 or
// deeper. It parses the text before the first of these headings with start, and each section line with link.
var (
	heading = regexp.MustCompile(`(?m)^##\s*(.*?)$`)
	start   = regexp.MustCompile(`(?ms)^#\s*(.+?)$\n+(?:^>\s*(.+?)$)?\n+(.*)`)
	link    = regexp.MustCompile(`-\s*\[([^\]]+)\]\(([^)]+)\)(?::\s*(.*))?`)
)

// Parse parses text, an llms.txt file. The error explains why the reference parser would fail: a missing title, or a
// section line that is not a link.
func Parse(text string) (*File, error) {
	places := heading.FindAllStringSubmatchIndex(text, -1)
	before := text
	if len(places) > 0 {
		before = text[:places[0][0]]
	}
	m := start.FindStringSubmatch(strings.TrimSpace(before))
	if m == nil {
		return nil, fmt.Errorf("the file does not start with a title, a summary, and a paragraph")
	}
	file := &File{Title: m[1], Summary: m[2], Info: m[3]}
	for i, at := range places {
		end := len(text)
		if i+1 < len(places) {
			end = places[i+1][0]
		}
		section, err := parseSection(text[at[2]:at[3]], text[at[1]:end])
		if err != nil {
			return nil, err
		}
		file.Sections = append(file.Sections, section)
	}
	return file, nil
}

func parseSection(title, body string) (Section, error) {
	s := Section{Title: title}
	for line := range strings.SplitSeq(body, "\n") {
		if strings.TrimSpace(line) == "" {
			continue
		}
		m := link.FindStringSubmatch(line)
		if m == nil {
			return s, fmt.Errorf("section %q: %q is not a link", title, line)
		}
		s.Links = append(s.Links, Link{m[1], m[2], m[3]})
	}
	return s, nil
}
