package schema

import (
	"bytes"
	"encoding/json"
	"fmt"

	"vitrine/internal/load"
	"vitrine/internal/load/shape"
)

// today inserts the current date, in the syntax of VS Code's snippets.
const today = "${CURRENT_YEAR}-${CURRENT_MONTH}-${CURRENT_DATE}"

// Snippets returns a file of VS Code snippets that complete the keys of front matter, because VS Code's YAML tools
// don't support front matter. The format follows "Create your own snippets" in VS Code's manual.
func Snippets() ([]byte, error) {
	page := load.PageShape()
	snippets := object{
		{"article", object{
			{"scope", "markdown"},
			{"prefix", "---"},
			{"description", "The front matter of an article."},
			{"body", []string{"---", "title: ${1:Title}", "description: ${2:One line about it.}", "date: " + today, "tags: [$3]", "draft: true", "---", "", "$0"}},
		}},
	}
	for i := range page.Fields {
		f := &page.Fields[i]
		snippets = append(snippets, member{f.Name, object{
			{"scope", "markdown"},
			{"prefix", f.Name},
			{"description", f.About},
			{"body", f.Name + ": " + placeholder(&f.Shape)},
		}})
	}
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(snippets); err != nil {
		return nil, fmt.Errorf("writing the snippets: %w", err)
	}
	return out.Bytes(), nil
}

// placeholder returns the value that a snippet inserts for a key of shape s: the usual value or a choice of values, if
// there is one, and the cursor position.
func placeholder(s *shape.Shape) string {
	switch {
	case s.Use == shape.Moment:
		return today + "$0"
	case s.Usual() == shape.Truth:
		return "${1|true,false|}"
	case s.Usual() == shape.List:
		return "[$0]"
	case s.Usual() == shape.Map:
		return "{$0}"
	}
	return "$0"
}
