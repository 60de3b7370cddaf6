package tree

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"vitrine/internal/lazyregexp"
	"vitrine/internal/site"
)

// A slip is a common mistake in YAML, such as a missing space after a colon. The YAML library reports only the
// consequence of the mistake, so these functions search the lines of the source for the mistake itself.

var (
	// plainEntry matches a line with a key and a value.
	plainEntry = lazyregexp.New(`^([ ]*(?:- )?)("[^"]*"|'[^']*'|[\pL_][\pL\pN_.-]*)(:[ \t]+)(\S.*?)[ \t]*$`)
	// joinedEntry matches a line with a key and a value without a space after the colon.
	joinedEntry  = lazyregexp.New(`^[ ]*(?:- )?([\pL_][\pL\pN_-]*):([^\s:/"'].*?)[ \t]*$`)
	conflictLine = lazyregexp.New(`^(?:<{7}|>{7})(?: |$)`)
	// hashText matches a value that YAML reads as a comment: a color, a tag, or a number.
	hashText = lazyregexp.New(`^:[ \t]+(#[\pL\pN][^#]*?)[ \t]*$`)
	// hashNumber matches the part of a value that YAML reads as a comment, such as " #2" in "Case #2".
	hashNumber = lazyregexp.New(`^[ \t]+#\d`)
)

// IsConflict reports whether a fault is about a merge conflict marker.
func (f Fault) IsConflict() bool { return f.Text == conflictText }

const conflictText = "this is a merge conflict marker; keep one of the two versions, and remove the lines with <<<<<<<, =======, and >>>>>>>"

// conflictFault returns a fault at the first merge conflict marker.
func conflictFault(lines []string) (Fault, bool) {
	for i, line := range lines {
		if conflictLine.MatchString(line) {
			return Fault{site.Pos{Line: i + 1, Col: 1}, conflictText}, true
		}
	}
	return Fault{}, false
}

// slipFault returns a fault for the slip that causes an error message from the YAML library at the given position. It
// returns false if the line contains no known slip.
func slipFault(lines []string, at site.Pos, message string) (Fault, bool) {
	if at.Line > len(lines) {
		return Fault{}, false
	}
	line := lines[at.Line-1]
	if m := joinedEntry.FindStringSubmatchIndex(line); m != nil {
		col := utf8.RuneCountInString(line[:m[3]]) + 1
		return Fault{site.Pos{Line: at.Line, Col: col}, fmt.Sprintf("not valid YAML: a space is missing after this colon; write %q", line[m[2]:m[3]]+": "+line[m[4]:m[5]])}, true
	}
	m := plainEntry.FindStringSubmatch(line)
	if m == nil {
		return Fault{}, false
	}
	start := utf8.RuneCountInString(m[1]+m[2]+m[3]) + 1
	value := m[4]
	switch {
	case strings.HasPrefix(value, "{{"):
		return Fault{site.Pos{Line: at.Line, Col: start}, "not valid YAML: a value that begins with { is a map; put the whole value in quotes, as in " + m[2] + ": " + inQuotes(value)}, true
	case strings.Contains(message, "map key-value is pre-defined") && (value[0] == '"' || value[0] == '\''):
		return Fault{at, quoteEnds(m[2], value)}, true
	case strings.HasPrefix(value, "[") && !strings.HasSuffix(value, "]") && strings.Contains(value, "]"):
		return Fault{site.Pos{Line: at.Line, Col: start}, "not valid YAML: a value that begins with [ is a list; put the whole value in quotes, as in " + m[2] + ": " + inQuotes(value)}, true
	case strings.Contains(value, "[#") || strings.HasPrefix(value, "[") && strings.Contains(value, " #"):
		i := strings.IndexByte(value, '#')
		return Fault{site.Pos{Line: at.Line, Col: start + utf8.RuneCountInString(value[:i])}, "not valid YAML: # starts a comment here; remove the #, or put the text in quotes"}, true
	}
	return Fault{}, false
}

// quoteEnds returns the message for a value that continues after its closing quote.
func quoteEnds(key, value string) string {
	quote := value[:1]
	inside := strings.TrimSuffix(value[1:], quote)
	if inside == value[1:] {
		inside = value
	}
	switch {
	case quote == `"` && strings.Contains(inside, `"`) && !strings.Contains(inside, "'"):
		return fmt.Sprintf(`not valid YAML: the quote before this ends the value; put the value in single quotes, as in %s: '%s'`, key, inside)
	case quote == `"`:
		return `not valid YAML: the quote before this ends the value; write \" for a quote inside it`
	}
	return "not valid YAML: the quote before this ends the value; write '' for an apostrophe inside it"
}

// inQuotes returns value in single quotes if it contains double quotes but no single quotes, and in double quotes
// otherwise.
func inQuotes(value string) string {
	if strings.Contains(value, `"`) && !strings.Contains(value, "'") {
		return "'" + value + "'"
	}
	return `"` + strings.ReplaceAll(value, `"`, `\"`) + `"`
}

// hashed reports a value that YAML reads as a comment, or that a comment truncates, as in "accent: #336699" and "title:
// Case #2".
func (c *yamlConverter) hashed(key string, m Member) {
	if m.Value.Kind == Null && m.Value.Text == "" {
		rest, ok := strings.CutPrefix(from(c.lines[m.Pos.Line-1], m.Pos.Col), key)
		if found := hashText.FindStringSubmatchIndex(rest); ok && found != nil {
			col := m.Pos.Col + utf8.RuneCountInString(key+rest[:found[2]])
			c.fault(site.Pos{Line: m.Pos.Line, Col: col}, fmt.Sprintf("# starts a comment, so %s has no value; put the value in quotes, as in %s: %q", key, key, rest[found[2]:found[3]]))
		}
		return
	}
	if m.Value.Kind != Text || m.Value.Quoted {
		return
	}
	rest, ok := strings.CutPrefix(from(c.lines[m.Value.Pos.Line-1], m.Value.Pos.Col), m.Value.Text)
	if ok && hashNumber.MatchString(rest) {
		col := m.Value.Pos.Col + utf8.RuneCountInString(m.Value.Text) + strings.IndexByte(rest, '#')
		c.fault(site.Pos{Line: m.Value.Pos.Line, Col: col}, fmt.Sprintf("# starts a comment, so the value of %s ends here; put the whole value in quotes, as in %s: %q", key, key, m.Value.Text+strings.TrimRight(rest, " \t")))
	}
}

// from returns the part of line that starts at column col. Columns are counted in characters, starting at 1.
func from(line string, col int) string {
	for range col - 1 {
		_, size := utf8.DecodeRuneInString(line)
		line = line[size:]
	}
	return line
}
