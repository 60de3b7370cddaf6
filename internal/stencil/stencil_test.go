package stencil_test

import (
	"bytes"
	"errors"
	htmltemplate "html/template"
	"io"
	"strings"
	"testing"
	texttemplate "text/template"
	"text/template/parse"
	"time"

	"vitrine/internal/stencil"
)

type data struct {
	Site *siteData
	Page *pageData
}

type siteData struct {
	*configData
	Navigation []entry
	Feeds      []entry
}

type configData struct {
	Title string
	None  *entry
	Count int64
}

type entry struct {
	Path, Label string
	Current     bool
	Below       []entry
}

// Method is in the test data because compiled templates don't support methods.
func (e *entry) Method() string { return e.Label }

type pageData struct {
	Title, Path, Text string
	Date              time.Time
	Content           any
	Safe              htmltemplate.HTML
	Words             int
	Next              *entry
	Tags              []string
	Params            map[string]any
	hidden            string
}

func functions() map[string]any {
	return map[string]any{
		"upper":   strings.ToUpper,
		"isoDate": func(t time.Time) string { return t.Format(time.DateOnly) },
		"asset": func(name string) (string, error) {
			if name == "lost" {
				return "", errors.New("lost")
			}
			return "/assets/" + name, nil
		},
	}
}

// site returns data that differs only in its varying parts.
func site(current bool) *siteData {
	return &siteData{
		configData: &configData{Title: `The "Site" & <co>`, Count: 7},
		Navigation: []entry{{Path: "/a?b=c&d", Label: "A+B", Current: current}, {Path: "javascript:x", Label: "O'Neil"}},
		Feeds:      []entry{{Path: "/feed.xml", Label: "<feed>"}, {Path: "/feed.json", Label: "JSON"}},
	}
}

func pages() []*data {
	odd := "<a href=\"x\">'&+\x00\xff ä</a>"
	return []*data{
		{site(false), &pageData{Title: "First", Path: "/", Content: htmltemplate.HTML("<p>a</p>"), Safe: "<i>", Words: 3,
			Next: &entry{Path: "/näxt %41%zz", Label: odd}, Tags: []string{"a", "b"}, Date: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)}},
		{site(true), &pageData{Title: odd, Path: "mailto:a@b", Text: odd, Content: odd, Words: 1}},
		{site(true), &pageData{Path: "a/b:c", Params: map[string]any{"color": "red"}, hidden: "x"}},
	}
}

// compiled returns the compiled template, and the standard package's output for several pages.
func compiled(t *testing.T, source string, html bool) (want []string, template *stencil.Template, err error) {
	t.Helper()
	var execute func(*bytes.Buffer, *data) error
	var lookup func(string) *parse.Tree
	if html {
		std := htmltemplate.Must(htmltemplate.New("main").Funcs(functions()).Parse(source))
		execute = func(out *bytes.Buffer, d *data) error { return std.Execute(out, d) }
		lookup = func(name string) *parse.Tree {
			if found := std.Lookup(name); found != nil {
				return found.Tree
			}
			return nil
		}
	} else {
		std := texttemplate.Must(texttemplate.New("main").Funcs(functions()).Parse(source))
		execute = func(out *bytes.Buffer, d *data) error { return std.Execute(out, d) }
		lookup = func(name string) *parse.Tree {
			if found := std.Lookup(name); found != nil {
				return found.Tree
			}
			return nil
		}
	}
	for _, d := range pages() {
		var out bytes.Buffer
		if err := execute(&out, d); err != nil {
			out.Reset()
			out.WriteString("error")
		}
		want = append(want, out.String())
	}
	template, err = stencil.Compile("main", stencil.Options{
		Lookup: lookup, Functions: functions(), Data: &data{Site: site(false)},
		Varying: []string{"Page", "Site.Navigation"}, HTML: html,
	})
	return want, template, err
}

// checkOutput checks that a compiled template either writes the same output as the standard package or fails. If known
// is set, the template must not fail for a valid page.
func checkOutput(t *testing.T, source string, html, known bool) {
	t.Helper()
	want, template, err := compiled(t, source, html)
	if err != nil {
		if known || !errors.Is(err, stencil.ErrUnknown) {
			t.Errorf("%s: %v", source, err)
		}
		return
	}
	for i, d := range pages() {
		out := bytes.NewBufferString("before ")
		err := template.Execute(out, d)
		switch {
		case err != nil && (known && want[i] != "error" || !errors.Is(err, stencil.ErrUnknown) || out.String() != "before "):
			t.Errorf("%s: page %d: %v, but it wrote %q", source, i, err, out)
		case err == nil && out.String() != "before "+want[i]:
			t.Errorf("%s: page %d: got %q, want %q", source, i, out, want[i])
		}
	}
}

// Compiled text and HTML templates support the constructs of layouts.
func TestKnown(t *testing.T) {
	for _, source := range []string{
		`plain {{/* comment */ -}} text`,
		`{{.Site.Title}} {{.Page.Title | upper}} {{upper .Site.Title}} {{.Page.Words}} {{.Site.Count}} {{"x"}} {{7}}`,
		`{{if .Page.Title}}a{{else}}b{{end}}{{if not .Page.Next}}c{{end}}{{if and .Page.Title .Page.Words}}d{{else if or .Page.Text .Site.Title}}e{{end}}`,
		`{{with .Page.Next}}{{.Path}} {{.Label}} {{$.Page.Path}}{{else}}none{{end}}{{with $x := .Site.Title}}{{$x}}{{.}}{{end}}`,
		`{{range .Site.Feeds}}{{.Path}}{{.Label}}{{else}}none{{end}}{{range .Page.Tags}}{{.}}{{else}}none{{end}}`,
		`{{range $i, $tag := .Page.Tags}}{{if $i}}, {{end}}{{$tag}}{{end}}{{range $i, $f := .Site.Feeds}}{{$i}}{{$f.Label}}{{end}}{{range $t := .Page.Tags}}{{$t}}{{end}}`,
		`{{range .Site.Navigation}}{{if .Current}}[{{.Label}}]{{else}}{{.Label}}{{end}}{{range .Below}}x{{end}}{{end}}`,
		`{{$n := ""}}{{range .Page.Tags}}{{$n = printf "%s." $n}}{{end}}{{if ge (len $n) 2}}many{{end}}{{$n}}`,
		`{{if eq .Page.Path "/"}}a{{end}}{{if ne .Page.Path $.Site.Title}}b{{end}}{{if eq .Page.Words 1 3}}c{{end}}{{if lt .Page.Words 2}}d{{end}}{{if gt 2 1}}e{{end}}{{if le .Page.Words 3}}f{{end}}`,
		`{{if .Page.Date.IsZero}}none{{else}}{{isoDate .Page.Date}}{{end}}{{if not .Page.Date.IsZero}}x{{end}}{{if or (not .Page.Date.IsZero) .Page.Text}}y{{end}}`,
		`{{asset "style.css"}}{{if eq 1 .Page.Words}}{{printf "%d %s" .Page.Words .Page.Title}}{{end}}{{len (printf "x%*s" .Page.Words "")}}`,
		`{{define "part"}}{{.Label}}{{$.Path}}{{end}}{{with .Page.Next}}{{template "part" .}}{{end}}{{range .Site.Feeds}}{{template "part" .}}{{end}}`,
		`{{define "all"}}{{.Site.Title}}{{.Page.Title}}{{end}}{{template "all" .}}{{block "own" .}}{{.Page.Path}}{{end}}`,
		`{{$here := .Page.Path}}{{range .Site.Navigation}}{{if ne .Path $here}}x{{end}}{{end}}`,
		`{{$s := ""}}{{range .Site.Feeds}}{{if eq .Label "JSON"}}{{$s = .Path}}{{end}}{{end}}{{if $s}}{{$s}}{{end}}`,
		`{{if .Site.None}}a{{else}}b{{end}}{{if .Page.Content}}c{{end}}{{if (and (eq 1 1) (eq .Page.Path "/"))}}d{{end}}`,
	} {
		checkOutput(t, source, false, true)
		checkOutput(t, source, true, true)
	}
	for _, source := range []string{
		`<a href="{{.Page.Path}}">{{.Page.Title}}</a><a href="#{{.Page.Title}}" title="{{.Page.Title}}">{{.Page.Safe}}</a>`,
		`<title>{{.Page.Title}}</title>{{range .Site.Navigation}}<a href="{{.Path}}"{{if .Current}} class="x"{{end}}>{{.Label}}</a>{{end}}`,
		`<a href="/x/{{.Page.Path}}?q={{.Page.Title}}">{{.Page.Words}}</a><!-- comment --><p>{{.Site.Title}}`,
	} {
		checkOutput(t, source, true, true)
	}
	checkOutput(t, `{{with .Page.Next}}{{.Label}}{{end}}{{.Page.Safe | len}}`, false, false)
}

// Compile or Execute rejects unsupported constructs, so that the output never differs.
func TestUnknown(t *testing.T) {
	for _, source := range []string{
		`{{.Page.Params.color}}`, `{{index .Page.Tags 0}}`, `{{.Page.Next.Method}}`, `{{range .Page.Words}}x{{end}}`,
		`{{range .Page.Tags}}{{break}}{{end}}`, `{{range $i, $t := .Page.Tags}}{{if $i}}{{continue}}{{end}}{{$t}}{{end}}`,
		`{{.Page.Date}}`, `{{.Page.Next.Label}}`, `{{.Site.None.Label}}`, `{{and .Page.Title .Page.Words}}`, `{{print .Page.Title}}`,
		`{{.Page.Next}}`, `{{.Page.Content}}`, `{{html .Page.Title}}`, `{{asset "lost"}}`, `{{if .Page.Text}}{{asset "lost"}}{{end}}`,
		`{{define "self"}}{{template "self" .}}{{end}}{{if .Page.Text}}x{{template "self" .}}{{end}}`, `{{template "gone" .}}`,
		`{{$x := 1}}{{$x = "a"}}{{$x}}`, `{{range $i, $t := .Page.Tags}}{{$t = "x"}}{{$t}}{{end}}`, `{{.Page.hidden}}`,
		`{{define "none"}}{{.}}{{end}}{{template "none"}}`, `{{.Page.Nothing}}`, `{{1.5}}`, `{{'a'}}`, `{{eq .Page.Title 1}}`,
		`{{if .Page.Date}}x{{end}}`, `{{len .Page.Params}}`, `{{range .Page.Params}}{{.}}{{end}}`, `{{printf "%v" .Page.Date}}`,
	} {
		checkOutput(t, source, false, false)
		if !strings.Contains(source, "gone") && !strings.Contains(source, "hidden") {
			checkOutput(t, source, true, false)
		}
	}
	for _, source := range []string{
		`<script>var x = {{.Page.Title}};</script>`, `<p style="color: {{.Page.Title}}">`, `<p title="{{.Page.Safe}}">`,
		`<p title={{.Page.Title}}>`, `<img srcset="{{.Page.Path}}">`, `{{define "t"}}{{.}}{{end}}<p title="{{template "t" .Page.Title}}">`,
		`<p {{.Page.Title}}="x">`,
	} {
		checkOutput(t, source, true, false)
	}
}

// A Markup is written, and tested for emptiness, like its Standard value.
func TestMarkup(t *testing.T) {
	const source = `{{.Page.Content}}{{with .Page.Content}}[{{.}}]{{else}}none{{end}}{{$c := .Page.Content}}{{$c}}{{if $c}}x{{end}}`
	for _, html := range []bool{false, true} {
		_, template, err := compiled(t, source, html)
		if err != nil {
			t.Fatal(err)
		}
		var std interface{ Execute(io.Writer, any) error } = texttemplate.Must(texttemplate.New("main").Parse(source))
		if html {
			std = htmltemplate.Must(htmltemplate.New("main").Parse(source))
		}
		for _, text := range []string{"", "<p title=\"a\">b &amp; c</p>\n"} {
			var got, want bytes.Buffer
			if err := std.Execute(&want, &data{Page: &pageData{Content: stencil.Standard(stencil.Markup(text), html)}}); err != nil {
				t.Fatal(err)
			}
			if err := template.Execute(&got, &data{Site: site(false), Page: &pageData{Content: stencil.Markup(text)}}); err != nil || got.String() != want.String() {
				t.Errorf("HTML %v: got %q, %v; want %q", html, &got, err, &want)
			}
		}
	}
	if got := stencil.Standard("text", true); got != "text" {
		t.Errorf("Standard changed another value to %v", got)
	}
}

// Execute rejects data of a different type.
func TestOtherData(t *testing.T) {
	_, template, err := compiled(t, `{{.Page.Title}}`, false)
	if err != nil {
		t.Fatal(err)
	}
	if err := template.Execute(new(bytes.Buffer), "text"); !errors.Is(err, stencil.ErrUnknown) {
		t.Errorf("got %v", err)
	}
}

// FuzzEscape compares the escapers with the escapers of html/template.
func FuzzEscape(f *testing.F) {
	for _, seed := range []string{"", "a b", "<&'\"+>", "javascript:x", "HTTPS://x", "a/b:c", "%41%4", "\x00\xff\ufffe", "ä€", "mailto:x?y=z&a"} {
		f.Add(seed)
	}
	const source = `<title>{{.Page.Title}}</title><a href="{{.Page.Title}}" title="{{.Page.Title}}">{{.Page.Title}}</a><a href="/x?{{.Page.Title}}#{{.Page.Title}}">`
	std := htmltemplate.Must(htmltemplate.New("main").Parse(source))
	if err := std.Execute(new(bytes.Buffer), pages()[0]); err != nil {
		f.Fatal(err)
	}
	template, err := stencil.Compile("main", stencil.Options{
		Lookup: func(string) *parse.Tree { return std.Tree }, Data: pages()[0], Varying: []string{"Page"}, HTML: true,
	})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, s string) {
		d := &data{Page: &pageData{Title: s}}
		var got, want bytes.Buffer
		if err := std.Execute(&want, d); err != nil {
			t.Fatal(err)
		}
		if err := template.Execute(&got, d); err != nil || got.String() != want.String() {
			t.Errorf("got %q, %v; want %q", &got, err, &want)
		}
	})
}
