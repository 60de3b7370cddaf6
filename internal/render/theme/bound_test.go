package theme

import (
	"bytes"
	htmltemplate "html/template"
	"strings"
	"testing"

	"vitrine/internal/locale"
	"vitrine/internal/render/view"
	"vitrine/internal/site"
	"vitrine/internal/stencil"
)

// A template that runs endlessly, or whose output is endless, causes an error that names the template's file. Both
// template packages have this limit.
func TestEndlessTemplates(t *testing.T) {
	functions := boundedFunctions(newFunctions(new(site.Site), &Theme{locale: locale.New("en")}))
	for _, test := range []struct{ name, body, want string }{
		{"output", `{{range $i := 1000000000}}` + strings.Repeat("x", 1000) + `{{end}}`, "the template writes more than 64 MiB"},
		{"small output", `{{range $i := 1000000000}}x{{end}}`, "the template runs more than 10000000 loop iterations"},
		{"no output", `{{range $i := 1000000000}}{{end}}`, "the template runs more than 10000000 loop iterations"},
		{"nested", `{{range 100000}}{{if true}}{{with 1}}{{range 100000}}{{end}}{{end}}{{end}}{{end}}`, "the template runs more than 10000000 loop iterations"},
		{"calls", `{{define "a"}}{{template "b"}}{{template "b"}}{{end}}` + calls("b", 30) + `{{template "a"}}`, "the template runs more than 10000000 loop iterations"},
		{"a doubled text", `{{$s := "x"}}{{range 40}}{{$s = print $s $s}}{{end}}`, "print returned more than 16 MiB"},
		{"backslashes", `{{$s := "\\"}}{{range 40}}{{$s = js $s}}{{end}}`, "js returned more than 16 MiB"},
		{"Markdown's backslashes", `{{$s := "\\"}}{{range 40}}{{$s = mdtext $s}}{{end}}`, "mdtext returned more than 16 MiB"},
	} {
		t.Run(test.name, func(t *testing.T) {
			body := "\n\n" + test.body
			text, err := parseText("text/a.txt", body, functions)
			if err != nil {
				t.Fatal(err)
			}
			var out bytes.Buffer
			wantProblem(t, executeText(&out, text, nil), "templates/text/a.txt", test.want)
			html, err := htmltemplate.New("layouts/a.html").Funcs(functions).Parse(`{{define "base"}}` + body + `{{end}}`)
			if strings.Contains(test.body, "{{define") {
				html, err = htmltemplate.New("layouts/a.html").Funcs(functions).Parse(strings.TrimSuffix(body, `{{template "a"}}`) + `{{define "base"}}{{template "a"}}{{end}}`)
			}
			if err != nil {
				t.Fatal(err)
			}
			out.Reset()
			for _, one := range html.Templates() {
				stencil.AddTurns(one.Tree)
			}
			parsed := func() *htmltemplate.Template { return html }
			wantProblem(t, newHTMLLayout(parsed, stencil.Options{}).execute(&out, &view.View{}), "templates/layouts/a.html", test.want)
		})
	}
}

// calls returns depth+1 templates, each of which calls the next one twice.
func calls(name string, depth int) string {
	if depth == 0 {
		return `{{define "` + name + `"}}{{end}}`
	}
	next := name + "b"
	return `{{define "` + name + `"}}{{template "` + next + `"}}{{template "` + next + `"}}{{end}}` + calls(next, depth-1)
}

func wantProblem(t *testing.T, err error, path, text string) {
	t.Helper()
	p, ok := Problem(err)
	if !ok || p.Path != path || p.Line != 3 || !strings.Contains(p.Text, text) {
		t.Errorf("got %v of %v, want %q in %s", p, err, text, path)
	}
}
