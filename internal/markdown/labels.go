package markdown

import (
	"fmt"
	"strings"
)

// Words is the type of the function that returns the theme's string for key. values contains the name and the value of
// each placeholder in the string, in turn.
type Words func(key string, values ...any) string

// WithWords returns a copy of the parser that uses the strings from words instead of the default English strings.
func (p *Parser) WithWords(words Words) *Parser {
	with := *p
	with.words = words
	return &with
}

// word returns the string for key with its placeholders replaced.
func (p *Parser) word(key string, values ...any) string {
	if p.words != nil {
		return p.words(key, values...)
	}
	text := english[key]
	for i := 0; i+1 < len(values); i += 2 {
		text = strings.ReplaceAll(text, fmt.Sprintf("{%v}", values[i]), fmt.Sprint(values[i+1]))
	}
	return text
}

// english contains the default strings, for pages that are parsed without a theme.
var english = map[string]string{
	"note": "Note", "tip": "Tip", "important": "Important", "warning": "Warning", "caution": "Caution",
	"table": "Table", "footnotes": "Footnotes", "footnoteBack": "Back to reference {number}",
	"anchor":   "Link to this section",
	"taskDone": "Completed task", "taskOpen": "Incomplete task",
	"plan": "Plan", "pricePerMonth": "Price per month", "creditsPerMonth": "Credits per month",
}
