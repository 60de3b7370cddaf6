package stencil

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	texttemplate "text/template"
	"text/template/parse"
)

// Execute fails without output if a template writes too much or has too many iterations.
func TestExecuteIsBounded(t *testing.T) {
	type data struct{ List []string }
	for name, body := range map[string]string{
		"output": `{{range .List}}{{range $.List}}` + strings.Repeat("x", 100) + `{{end}}{{end}}`,
		"turns":  `{{range .List}}{{range $.List}}{{range $.List}}{{end}}{{end}}{{end}}`,
		"text":   `{{$s := "xxxxxxxx"}}{{range .List}}{{$s = printf "%s%s" $s $s}}{{end}}`,
	} {
		parsed := texttemplate.Must(texttemplate.New("a").Parse(body))
		compiled, err := Compile("a", Options{Lookup: func(string) *parse.Tree { return parsed.Tree }, Data: data{}, Varying: []string{"List"}})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		out := bytes.NewBufferString("before")
		if err := compiled.Execute(out, data{make([]string, 1000)}); !errors.Is(err, ErrUnknown) || out.String() != "before" {
			t.Errorf("%s: got %v and %d bytes", name, err, out.Len())
		}
		out.Reset()
		if err := compiled.Execute(out, data{make([]string, 10)}); err != nil {
			t.Errorf("%s: a short one: %v", name, err)
		}
	}
}
