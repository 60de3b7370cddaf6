package cut

import (
	"bytes"
	"cmp"
	"fmt"
	"strings"

	"vitrine/internal/fix"
	"vitrine/internal/lazyregexp"
	"vitrine/internal/load"
	"vitrine/internal/site"
)

// settings adds the version to site.yaml and leaves the rest unchanged.
func (c *cutter) settings() error {
	file, err := fix.Read(c.root, settingsFile)
	if err != nil {
		return fmt.Errorf("%s: %w", settingsFile, err)
	}
	label := cmp.Or(c.request.Label, c.request.Name)
	for _, v := range c.site.Config.Versions {
		if v.Label == label {
			return fmt.Errorf("the label %q is already used by %s; choose another label with --label", label, v.Path[1:])
		}
	}
	current := cmp.Or(c.request.Current, "next")
	if len(c.site.Config.Versions) == 0 && current == label {
		return fmt.Errorf("both versions have the label %q; set another label with --label or --current", label)
	}
	entry := fmt.Sprintf("{path: %s, label: %s}", scalar(c.version.To), quoted(label))
	edit := c.add(file.Text, entry, fmt.Sprintf("{path: %s, label: %s}", scalar(c.version.From), quoted(current)))
	if err := file.Edit([]site.Edit{edit}); err != nil {
		return fmt.Errorf("%s: %w", settingsFile, err)
	}
	if problems := load.FactsProblems(settingsFile, file.Text); site.HasErrors(problems) {
		return fmt.Errorf("the versions in %s cannot be extended automatically; add %s yourself", settingsFile, entry)
	}
	c.version.Settings = file
	return nil
}

// add returns the edit that adds entry to the list of versions in text. If entry is the new current version, it goes
// first in the list. Otherwise, it goes after the current version. If there is no list yet, the edit also adds current,
// the entry of the current version.
func (c *cutter) add(text []byte, entry, current string) site.Edit {
	all := c.site.Config.Versions
	end := "\n"
	if bytes.Contains(text, []byte("\r\n")) {
		end = "\r\n"
	}
	if len(all) == 0 {
		before := ""
		if len(text) > 0 && !bytes.HasSuffix(text, []byte("\n")) {
			before = end
		}
		return site.Edit{Start: len(text), New: before + "versions:" + end + "  - " + current + end + "  - " + entry + end}
	}
	first, _ := site.Offset(text, all[0].Pos)
	line := bytes.LastIndexByte(text[:first], '\n') + 1
	dash := bytes.TrimRight(text[line:first], " \t")
	if !bytes.HasSuffix(dash, []byte("-")) || strings.TrimSpace(string(dash)) != "-" {
		// The list is in brackets.
		if c.version.BecomesCurrent {
			return site.Edit{Start: first, New: entry + ", "}
		}
		return site.Edit{Start: first + closing(text[first:]), New: ", " + entry}
	}
	indent := string(dash[:len(dash)-1])
	at := line
	if !c.version.BecomesCurrent {
		at = line + itemEnd(text[line:], indent)
	}
	item := indent + "- " + entry + end
	if at > 0 && text[at-1] != '\n' {
		item = end + strings.TrimSuffix(item, end)
	}
	return site.Edit{Start: at, New: item}
}

// closing returns the offset after the brace that matches the "{" at the start of text, or len(text) if there is none.
func closing(text []byte) int {
	depth := 0
	quote := byte(0)
	for i, c := range text {
		switch {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '{':
			depth++
		case c == '}':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return len(text)
}

// itemEnd returns the length of the list item at the start of text: its line and the following lines with deeper
// indentation.
func itemEnd(text []byte, indent string) int {
	end := 0
	for line := range bytes.Lines(text) {
		deeper := strings.HasPrefix(string(line), indent+" ") && strings.TrimSpace(string(line)) != ""
		if end > 0 && !deeper {
			break
		}
		end += len(line)
	}
	return end
}

var plainScalar = lazyregexp.New(`^[A-Za-z][\w./-]*$`)

// scalar returns text as a YAML scalar, quoted only if necessary.
func scalar(text string) string {
	if plainScalar.MatchString(text) {
		return text
	}
	return quoted(text)
}

// quoted returns text as a quoted YAML string.
func quoted(text string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(text) + `"`
}
