package theme

import (
	"strings"
	"testing"
)

// The message about an unknown name in a template suggests the nearest known name and lists all of them.
func TestExplainMistake(t *testing.T) {
	for text, want := range map[string][]string{
		`executing "main" at <.Page.Titel>: can't evaluate field Titel in type *view.Page`: {`.Page.Titel: unknown field "Titel"; did you mean "Title"? (the fields are API, Author, `, "Picture", "Words"},
		`executing "main" at <.X>: can't evaluate field X in type view.Summary`:            {`.X: unknown field "X"; the fields are Author, Authors, Cover, Date, Description, Home, Tags, Title, URL`},
		`executing "main" at <.X>: can't evaluate field X in type *site.Product`:           {"Pricing", "Audience"},
		`executing "main" at <$x.Y>: can't evaluate field Y in type string`:                {`$x.Y: unknown field "Y" in a value of type string`},
		`function "pricee" not defined`:                                                    {`unknown function "pricee"; did you mean "price"? (the functions are abs, and, asset, `, "mdtext, "},
		"unexpected EOF":                                                                   {"unexpected EOF"},
	} {
		got := explainMistake(text)
		for _, part := range want {
			if !strings.Contains(strings.Replace(got, "Path, ", "", 1), part) {
				t.Errorf("%s\ngot  %s\nwant %s", text, got, part)
			}
		}
	}
}
