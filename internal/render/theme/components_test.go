package theme

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"vitrine/internal/markdown"
	"vitrine/internal/site"
	"vitrine/templates"
)

// componentTheme returns the default theme with a site's template files.
func componentTheme(t *testing.T, files map[string]string) (*Theme, []site.Problem) {
	t.Helper()
	own := make(fstest.MapFS)
	for name, text := range files {
		own[name] = &fstest.MapFile{Data: []byte(text)}
	}
	s := &site.Site{Config: site.Config{Title: "Acorn", BaseURL: "https://acorn.example", Language: "en", Social: site.Social{NoImages: true}}}
	theme, problems, err := Load(s, fstest.MapFS{}, templates.FS, own)
	if err != nil {
		t.Fatal(err)
	}
	return theme, problems
}

// outputs returns a page's HTML and its twin.
func outputs(t *testing.T, theme *Theme, source string) (html, twin string, err error) {
	t.Helper()
	doc := markdown.New(markdown.Options{}).With(theme.Components("")).Parse("x.md", []byte(source), 0)
	for _, p := range doc.Problems() {
		t.Error(p)
	}
	var h, m bytes.Buffer
	if err = doc.WriteHTML(&h); err == nil {
		err = doc.WriteMarkdown(&m, "https://acorn.example")
	}
	return h.String(), m.String(), err
}

// A site's component is a pair of templates. Both templates escape the component's label, content, attributes, and
// children for their context.
func TestOwnComponents(t *testing.T) {
	theme, problems := componentTheme(t, map[string]string{
		"components/person.html": `<div class="person" id="{{.ID}}" title="{{.Attributes.role}}"><a href="{{.Attributes.href}}">{{.Label}}</a>{{range .Children}}<i>{{.Text}}</i>{{end}}{{.Content}}</div>`,
		"components/person.md":   "**{{.Label}}** ({{.Attributes.role}}, {{.Attributes.href}}){{range .Children}} {{.Text}}{{end}}\n\n{{.Content}}",
		// If the default theme has the component, one of the two files is enough.
		"components/badge.html": `<b class="mine">{{.Label}}</b>`,
		"components/figure.md":  "{{.Content}}\n*{{.Label}}*\n",
	})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	html, twin, err := outputs(t, theme, "::::person[Jane *D.*]{role='a \"b\" <c>' href=/jane}\n:::details[More]\nd\n:::\n::::\n\n:badge[e]\n\n:::figure[F]\ng\n:::\n")
	if err != nil {
		t.Fatal(err)
	}
	wantHTML := `<div class="person" id="Person-1" title="a &#34;b&#34; &lt;c&gt;"><a href="/jane">Jane <em>D.</em></a><i>More</i><details class="fold">
<summary>More</summary>
<div>
<p>d</p>
</div>
</details>
</div>
<p><b class="mine">e</b></p>
<figure>
<p>g</p>
<figcaption>F</figcaption>
</figure>
`
	if html != wantHTML {
		t.Errorf("HTML is\n%s\nwant\n%s", html, wantHTML)
	}
	wantTwin := "**Jane *D.*** (a \"b\" <c>, https://acorn.example/jane) More\n\n:::details[More]\n\nd\n\n:::\n\n:badge[e]\n\ng\n\n*F*\n"
	if twin != wantTwin {
		t.Errorf("the twin is\n%s\nwant\n%s", twin, wantTwin)
	}
}

// An incomplete pair, an invalid directive name, and a broken template are problems in their files.
func TestWrongComponents(t *testing.T) {
	_, problems := componentTheme(t, map[string]string{
		"components/person.html": "x", "components/quote.md": "x", "components/a b.html": "x", "components/x.txt": "x",
		"components/tabs.html": "{{.Content", "components/half.html": "{{nosuch}}", "components/half.md": "x",
	})
	var got []string
	for _, p := range problems {
		got = append(got, p.String())
	}
	want := []string{
		`templates/components/a b.html: error: "a b" is not a valid component name; use letters, digits, -, and _, starting with a letter`,
		`templates/components/half.html:1:1: error: unknown function "nosuch"; the functions are abs, `,
		`templates/components/person.html: error: the component "person" has no Markdown template; write templates/components/person.md`,
		`templates/components/quote.md: error: the component "quote" has no HTML template; write templates/components/quote.html`,
		`templates/components/tabs.html:1:1: error: unclosed action`,
		`templates/components/x.txt: error: a component consists of NAME.html and NAME.md; remove this file, or rename it`,
	}
	same := slices.EqualFunc(got, want, func(g, w string) bool { return g == w || strings.HasSuffix(w, " ") && strings.HasPrefix(g, w) })
	if !same {
		t.Errorf("problems are\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// An error in a component's template during rendering is a problem in the template.
func TestComponentFails(t *testing.T) {
	theme, _ := componentTheme(t, map[string]string{"components/person.html": "a\n{{.Nosuch}}", "components/person.md": "x"})
	_, _, err := outputs(t, theme, ":::person\n:::\n")
	if p, ok := Problem(err); !ok || p.Path != "templates/components/person.html" || p.Line != 2 {
		t.Errorf("the problem is %v of %v", p, err)
	}
}
