package markdown

import (
	"bytes"
	"flag"
	"fmt"
	htmltemplate "html/template"
	"io/fs"
	"os"
	"path"
	"strings"
	"testing"
	texttemplate "text/template"

	"golang.org/x/tools/txtar"

	"vitrine/internal/site"
	"vitrine/templates"
)

// testComponents contains the default theme's components and the components of a site.
type testComponents struct {
	html *htmltemplate.Template
	own  map[string]*texttemplate.Template
}

func newTestComponents(t testing.TB) *testComponents {
	t.Helper()
	c := &testComponents{html: htmltemplate.New("").Funcs(map[string]any{"word": englishWord}), own: make(map[string]*texttemplate.Template)}
	names, err := fs.Glob(templates.FS, "components/*.html")
	if err != nil || len(names) == 0 {
		t.Fatal("the theme has no components", err)
	}
	for _, name := range names {
		source, err := fs.ReadFile(templates.FS, name)
		if err != nil {
			t.Fatal(err)
		}
		htmltemplate.Must(c.html.New(strings.TrimSuffix(path.Base(name), ".html")).Parse(string(source)))
	}
	htmltemplate.Must(c.html.New("quotation").Parse("<blockquote>{{.Content}}<p>{{.Label}}, {{.Attributes.from}}</p></blockquote>"))
	c.own["quotation"] = texttemplate.Must(texttemplate.New("").Parse("{{.Content}}\n{{.Label}}, {{.Attributes.from}}\n"))
	return c
}

func englishWord(key string) string {
	return map[string]string{"details": "Details", "watchVideo": "Watch the video"}[key]
}

func (c *testComponents) Names() []string              { return []string{"quotation"} }
func (c *testComponents) Own(name string) bool         { return c.own[name] != nil }
func (c *testComponents) HasMarkdown(name string) bool { return c.own[name] != nil }

type componentView struct {
	*Component
	Label, Content any
	Attributes     map[string]any
}

func (c *testComponents) HTML(w *bytes.Buffer, data *Component) error {
	v := componentView{data, htmltemplate.HTML(data.Label), htmltemplate.HTML(data.Content), make(map[string]any)}
	for name, value := range data.Attributes {
		if ref, ok := value.(site.Ref); ok {
			value = htmltemplate.URL(ref)
		}
		v.Attributes[name] = value
	}
	return c.html.ExecuteTemplate(w, data.Name, v)
}

func (c *testComponents) Markdown(w *bytes.Buffer, data *Component) error {
	return c.own[data.Name].Execute(w, data)
}

var update = flag.Bool("update", false, "update the expected output in testdata")

// TestElements compares the outputs and the problems of HTML and directives with the expected ones, and checks that the
// twin has the same meaning. In the archive, the names of a case's files start with the name of the case, and the name
// of its source ends in .md.
func TestElements(t *testing.T) {
	const file = "testdata/elements.txtar"
	archive, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	p := New(Options{}).WithFacts(testFacts()).With(newTestComponents(t)).Describing(testPages)
	wanted := make(map[string]string)
	for _, f := range archive.Files {
		wanted[f.Name] = string(f.Data)
	}
	var got []txtar.File
	for _, f := range archive.Files {
		name, ok := strings.CutSuffix(f.Name, ".md")
		if !ok {
			continue
		}
		d := p.Parse(f.Name, f.Data, 0)
		html, twin := render(t, d)
		var problems strings.Builder
		for _, problem := range d.Problems() {
			problems.WriteString(problem.String() + "\n")
		}
		got = append(got, f)
		for _, part := range []struct{ kind, text string }{{".html", html}, {".twin", twin}, {".problems", problems.String()}} {
			if part.text == "" {
				continue
			}
			got = append(got, txtar.File{Name: name + part.kind, Data: []byte(part.text)})
			if want := wanted[name+part.kind]; part.text != want && !*update {
				t.Errorf("%s%s is\n%s\nwant\n%s", name, part.kind, part.text, want)
			}
		}
		if !strings.HasPrefix(name, "own ") {
			checkTwin(t, p, f.Data)
			continue
		}
		if _, again := render(t, p.Parse(f.Name, []byte(twin), 0)); again != twin {
			t.Errorf("%s: the twin's twin is\n%s\nwant\n%s", name, again, twin)
		}
	}
	if *update {
		archive.Files = got
		if err := os.WriteFile(file, txtar.Format(archive), 0o666); err != nil {
			t.Fatal(err)
		}
	} else if len(got) != len(archive.Files) {
		t.Errorf("%d parts, want %d", len(got), len(archive.Files))
	}
}

// testPages is a Describe function for links to a page with a description, to a page without a description, to a page
// without a title, and to a missing page.
func testPages(_, link string) (title, description string, ok bool) {
	switch link {
	case "/pricing#plans":
		return "Prices & *plans*", "What [it] costs.", true
	case "/terms":
		return "Terms", "", true
	case "/none":
		return "", "", true
	}
	return "", "", false
}

// In the twin, a component starts with more colons than the components inside it, at any depth.
func TestNestedComponents(t *testing.T) {
	p := New(Options{}).With(newTestComponents(t))
	source := strings.Repeat(":::details[x]\n", 12) + "a\n" + strings.Repeat(":::\n", 12)
	d := p.Parse("x.md", []byte(source), 0)
	_, twin := render(t, d)
	if len(d.Problems()) > 0 || !strings.HasPrefix(twin, strings.Repeat(":", 14)+"details[x]\n") || strings.Count(twin, "\n:::\n") != 1 {
		t.Errorf("%v\n%s", d.Problems(), twin)
	}
	checkTwin(t, p, []byte(source))
	// A site's component is written once, at any depth.
	render(t, p.Parse("x.md", []byte(strings.Repeat(":::quotation[x]\n", 20)), 0))
	d = p.Parse("x.md", []byte(strings.Repeat(":::details[x]\n", 50)), 0)
	if problems := fmt.Sprint(d.Problems()); !strings.Contains(problems, "[V020]") || !strings.Contains(problems, "x.md:21:1") {
		t.Errorf("no limit: %s", problems)
	}
}

// Links in attributes are links of the page: they are checked, and the outputs contain their targets.
func TestComponentLinks(t *testing.T) {
	p := New(Options{}).With(newTestComponents(t))
	d := p.Parse("x.md", []byte("::video[Tour]{src=tour.mp4 poster=\"a b.png\"}\n\n::card[C]{link=../c.md}\n\n<img src=d.png width=50 alt=D>\n"), 0)
	var got strings.Builder
	for _, l := range d.Links() {
		fmt.Fprintf(&got, "%v %s %v %s\n", l.Pos, l.Destination, l.Image, l.Alt)
		l.Target = "/at/" + path.Base(l.Destination)
		if l.Image {
			l.Picture = site.Picture{Width: 200, Height: 100, Set: "/at/d-100.png 100w", Sizes: "100vw"}
		}
	}
	if want := "{1 15} tour.mp4 false Tour\n{1 28} a b.png true Tour\n{3 11} ../c.md false C\n{5 1} d.png true D\n"; got.String() != want {
		t.Errorf("links are\n%swant\n%s", &got, want)
	}
	var html, twin bytes.Buffer
	if err := d.WriteHTML(&html); err != nil {
		t.Fatal(err)
	}
	if err := d.WriteMarkdown(&twin, "https://a.example"); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`src="/at/tour.mp4" poster="/at/a%20b.png"`, `<a href="/at/c.md">C</a>`, `srcset="/at/d-100.png 100w" sizes="50px" width="50" height="25"`} {
		if !strings.Contains(html.String(), want) {
			t.Errorf("no %s in\n%s", want, &html)
		}
	}
	want := "::video[Tour]{src=https://a.example/at/tour.mp4 poster=https://a.example/at/a%20b.png}\n\n::card[C]{link=https://a.example/at/c.md}\n\n<img src=\"https://a.example/at/d.png\" alt=\"D\" width=\"50\">\n"
	if twin.String() != want {
		t.Errorf("the twin is\n%swant\n%s", &twin, want)
	}
}

// The examples in docs/guides/components.md have no errors, and their twins have the same meaning.
func TestDocumentedComponents(t *testing.T) {
	text, err := os.ReadFile("../../docs/guides/components.md")
	if err != nil {
		t.Fatal(err)
	}
	p := New(Options{}).With(newTestComponents(t))
	examples := 0
	for _, block := range strings.Split(string(text), "\n```markdown\n")[1:] {
		source, _, _ := strings.Cut(block, "\n```\n")
		if strings.Contains(source, ":name[") || strings.Contains(source, "{{") || strings.Contains(source, ":::person") {
			continue
		}
		examples++
		for _, problem := range p.Parse("components.md", []byte(source+"\n"), 0).Problems() {
			t.Errorf("%s\n%v", source, problem)
		}
		checkTwin(t, p, []byte(source+"\n"))
	}
	if examples < 9 {
		t.Errorf("only %d examples", examples)
	}
}
