package convert

import (
	"strings"

	"vitrine/internal/lazyregexp"
)

// DefinitionLists returns text with definition lists in the syntax of Hugo, kramdown, and MkDocs converted to HTML. In
// this syntax, definition lines (": …") follow a term.
func DefinitionLists(text string) string {
	lines := strings.Split(text, "\n")
	at := func(i int) string {
		if i < len(lines) {
			return lines[i]
		}
		return ""
	}
	// skipped returns the index of the definition line at line i, or at line i+1 if line i is empty. It returns -1 if
	// there is no definition line.
	skipped := func(i int) int {
		if blankFollows(at(i)) {
			i++
		}
		if !definitionLine.MatchString(at(i)) {
			return -1
		}
		return i
	}
	var out []string
	f := NewFences(false)
	for i := 0; i < len(lines); i++ {
		line, next := lines[i], -1
		if !f.Line(line) && strings.TrimSpace(line) != "" && !strings.HasPrefix(strings.TrimSpace(line), ":") && !strings.Contains("-*+>#| ", line[:1]) {
			next = skipped(i + 1)
		}
		if next < 0 {
			out = append(out, line)
			continue
		}
		out = append(out, "<dl markdown>", "<dt markdown>"+strings.TrimSpace(line)+"</dt>")
		for next >= 0 {
			body := []string{definitionLine.FindStringSubmatch(lines[next])[1]}
			for i = next + 1; i < len(lines); i++ {
				blank := strings.TrimSpace(lines[i]) == ""
				if blank && !strings.HasPrefix(at(i+1), "    ") && (!strings.HasPrefix(at(i+1), "  ") || definitionLine.MatchString(at(i+1))) || definitionLine.MatchString(lines[i]) {
					break
				}
				body = append(body, CutColumns(lines[i], 4))
			}
			text := trimBlank(strings.Join(body, "\n"))
			if strings.Contains(text, "\n\n") || strings.Contains(text, "```") {
				out = append(out, "<dd markdown>", "", text, "", "</dd>")
			} else {
				out = append(out, "<dd markdown>"+strings.Join(strings.Fields(text), " ")+"</dd>")
			}
			next = skipped(i)
		}
		out = append(out, "</dl>", "")
		i--
	}
	return strings.Join(out, "\n")
}

var definitionLine = lazyregexp.New(`^ {0,3}:[ \t]+(\S.*)$`)
