package words

import (
	"strings"

	"vitrine/internal/load/tree"
	"vitrine/internal/rule"
	"vitrine/internal/site"
)

// read parses the word file f. list contains the words without problems.
func read(f File) (list []site.Word, problems []site.Problem) {
	wrong := func(at site.Pos, code site.Code, text string) {
		problems = append(problems, site.Problem{Path: f.Name, Pos: at, Severity: site.Error, Code: code, Text: text})
	}
	root, faults := tree.YAML(f.Text, 1)
	for _, fault := range faults {
		wrong(fault.Pos, rule.Syntax, fault.Text)
	}
	switch {
	case root == nil || root.Kind == tree.Null:
		return nil, problems
	case root.Kind != tree.Map:
		wrong(root.Pos, rule.WrongValue, "want a map of keys and strings such as \"contents: On this page\"; found "+root.Describe())
		return nil, problems
	}
	for _, m := range root.Members {
		word := site.Word{Key: m.Key, Pos: m.Pos, TextPos: m.Value.Pos}
		members := []tree.Member{m}
		if m.Value.Kind == tree.Map && len(m.Value.Members) > 0 {
			members = m.Value.Members
		}
		said := true
		for _, part := range members {
			if part.Value.Kind != tree.Text || strings.TrimSpace(part.Value.Text) == "" {
				wrong(part.Value.Pos, rule.WrongValue, part.Key+": want a string, found "+part.Value.Describe())
				said = false
				continue
			}
			text := strings.Join(strings.Fields(part.Value.Text), " ")
			if m.Value.Kind == tree.Map {
				word.Forms = append(word.Forms, site.Word{Key: part.Key, Pos: part.Pos, Text: text, TextPos: part.Value.Pos})
			} else {
				word.Text = text
			}
		}
		if said {
			list = append(list, word)
		}
	}
	return list, problems
}
