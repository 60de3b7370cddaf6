package render

import (
	"bytes"
	htmltemplate "html/template"
	"io/fs"
	"maps"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	texttemplate "text/template"
	"time"

	"vitrine/internal/markdown"
	"vitrine/internal/openapi"
	"vitrine/internal/plan"
	"vitrine/internal/site"
	"vitrine/templates"
)

// documented are the types that docs/theming.md has tables of, by their headings.
func documented() map[string]reflect.Type {
	return map[string]reflect.Type{
		"View": reflect.TypeFor[view](), "Page": reflect.TypeFor[pageView](), "Tag": reflect.TypeFor[tagView](),
		"Heading": reflect.TypeFor[headingView](), "Summary": reflect.TypeFor[summary](), "Pagination": reflect.TypeFor[paginationView](),
		"SearchSection": reflect.TypeFor[searchSection](), "Section": reflect.TypeFor[sectionView](),
		"SidebarEntry": reflect.TypeFor[sidebarEntry](), "Picture": reflect.TypeFor[PictureView](), "Site": reflect.TypeFor[siteView](),
		"Look": reflect.TypeFor[lookView](), "Logo": reflect.TypeFor[logoView](), "Icon": reflect.TypeFor[iconView](),
		"NavigationEntry": reflect.TypeFor[navigationView](), "Notice": reflect.TypeFor[noticeView](), "Link": reflect.TypeFor[linkView](),
		"Retirement": reflect.TypeFor[site.Retirement](), "Robots": reflect.TypeFor[site.Robots](), "Signal": reflect.TypeFor[site.Signal](),
		"Security": reflect.TypeFor[site.Security](), "Social": reflect.TypeFor[site.Social](), "Images": reflect.TypeFor[site.Images](),
		"ThemeSettings": reflect.TypeFor[site.Theme](), "FileName": reflect.TypeFor[site.Reference](), "Script": reflect.TypeFor[site.Script](),
		"Word": reflect.TypeFor[site.Word](), "Repository": reflect.TypeFor[site.Repository](), "Admin": reflect.TypeFor[site.Admin](),
		"Setting": reflect.TypeFor[site.Setting](), "Product": reflect.TypeFor[site.Product](), "Pricing": reflect.TypeFor[site.Pricing](),
		"Plan": reflect.TypeFor[site.Plan](), "PlanOnRequest": reflect.TypeFor[site.PlanOnRequest](),
		"GettingStarted": reflect.TypeFor[site.GettingStarted](), "ProductLink": reflect.TypeFor[site.Link](), "Fact": reflect.TypeFor[site.Fact](),
		"Reference": reflect.TypeFor[openapi.Reference](), "Operation": reflect.TypeFor[openapi.Operation](),
		"HeaderField": reflect.TypeFor[openapi.Field](), "Response": reflect.TypeFor[openapi.Response](),
		"Schema": reflect.TypeFor[openapi.Schema](), "Member": reflect.TypeFor[openapi.Member](),
		"TextFile": reflect.TypeFor[textData](), "LinkSection": reflect.TypeFor[linkSection](), "LinkLine": reflect.TypeFor[linkLine](),
		"AgentGroup": reflect.TypeFor[agentGroup](), "ListText": reflect.TypeFor[plan.ListWords](), "ThemePage": reflect.TypeFor[pageData](),
		"Tool": reflect.TypeFor[cliView](), "Problem": reflect.TypeFor[problemData](), "Component": reflect.TypeFor[componentView](),
	}
}

// manual reads docs/theming.md.
func manual(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../../docs/theming.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// cells are the rows of the first table below a heading, without their backticks.
func cells(t *testing.T, heading string) (rows [][]string) {
	t.Helper()
	_, below, found := strings.Cut(manual(t), "\n"+heading+"\n")
	if !found {
		t.Errorf("docs/theming.md has no %q", heading)
		return nil
	}
	begun := false
	for _, line := range strings.Split(below, "\n") {
		switch {
		case strings.HasPrefix(line, "#"), begun && line == "":
			return rows
		case strings.HasPrefix(line, "| `"):
			var row []string
			for _, cell := range strings.Split(strings.Trim(line, "| "), " | ") {
				row = append(row, strings.Trim(strings.TrimSpace(cell), "`"))
			}
			rows, begun = append(rows, row), true
		}
	}
	return rows
}

// described is a type in the words of docs/theming.md.
func described(t *testing.T, typ reflect.Type, names map[reflect.Type]string) string {
	t.Helper()
	switch typ {
	case reflect.TypeFor[site.Ref]():
		return "address"
	case reflect.TypeFor[time.Time]():
		return "date"
	case reflect.TypeFor[*time.Location]():
		return "time zone"
	case reflect.TypeFor[htmltemplate.HTML]():
		return "markup"
	case reflect.TypeFor[struct{}]():
		return "nothing"
	}
	switch typ.Kind() {
	case reflect.String:
		return "text"
	case reflect.Bool:
		return "yes or no"
	case reflect.Int, reflect.Int64, reflect.Uint8, reflect.Uint64:
		return "number"
	case reflect.Interface:
		return "anything"
	case reflect.Slice:
		return "list of " + described(t, typ.Elem(), names)
	case reflect.Map:
		return "map of " + described(t, typ.Elem(), names)
	case reflect.Pointer:
		return described(t, typ.Elem(), names) + " or nothing"
	case reflect.Struct:
		if name := names[typ]; name != "" {
			return name
		}
	}
	t.Errorf("a template can come to a %v, of which docs/theming.md has no table", typ)
	return ""
}

// What docs/theming.md says of the data of templates is all of it, and so.
func TestManualOfData(t *testing.T) {
	types := documented()
	names := make(map[reflect.Type]string)
	for name, typ := range types {
		names[typ] = name
	}
	// A component's template for Markdown sees the same fields, as plain texts.
	names[reflect.TypeFor[markdown.Component]()] = "Component"
	for _, typ := range given() {
		described(t, typ, names)
	}
	_, data, _ := strings.Cut(manual(t), "\n## Data\n")
	data, _, _ = strings.Cut(data, "\n## ")
	for _, heading := range regexp.MustCompile(`(?m)^### (.*)$`).FindAllStringSubmatch(data, -1) {
		if types[heading[1]] == nil {
			t.Errorf("docs/theming.md describes %q, which is no type of a template's data", heading[1])
		}
	}
	for name, typ := range types {
		want := make(map[string]string)
		for _, f := range reflect.VisibleFields(typ) {
			// Where a setting is written is nothing to show.
			if f.IsExported() && !f.Anonymous && f.Type != reflect.TypeFor[site.Pos]() {
				want["."+f.Name] = described(t, f.Type, names)
			}
		}
		for m := range reflect.PointerTo(typ).Methods() {
			want["."+m.Name] = described(t, m.Type.Out(0), names)
		}
		if typ == reflect.TypeFor[pageView]() {
			want[".Metadata"], want[".Content"] = "markup", "markup" // for html/template and text/template each in its own type
		}
		got := make(map[string]string)
		for _, row := range cells(t, "### "+name) {
			if len(row) != 3 || row[2] == "" {
				t.Errorf("%s: the row %q has no field, type and meaning", name, row)
				continue
			}
			got[row[0]] = row[1]
		}
		for field := range want {
			if got[field] != want[field] {
				t.Errorf("%s: docs/theming.md says %q of %s, which is %q", name, got[field], field, want[field])
			}
		}
		for field := range got {
			if want[field] == "" {
				t.Errorf("%s: docs/theming.md has %s, which is not there", name, field)
			}
		}
	}
	if html, plain := members(reflect.TypeFor[componentView]()), members(reflect.TypeFor[markdown.Component]()); !slices.Equal(html, plain) {
		t.Errorf("components have %v in HTML and %v in Markdown", html, plain)
	}
}

// acorn is the site that the examples of docs/theming.md are of.
func acorn(t *testing.T, more ...string) map[string]string {
	t.Helper()
	return with(append([]string{
		"content/site.yaml", "baseURL: https://acorn.example\ntitle: Acorn\nfooter: [{label: Spring, path: /spring}]\n",
		"content/spring.md", "---\ntitle: Spring\n---\n",
		"content/product.yaml", `name: Acorn
url: https://acorn.example
description: Acorn plants oaks.
updated: 2026-05-01
audience: [Gardens]
capabilities: [Planting]
pricing:
  currency: EUR
  billingPeriod: month
  creditDefinition: One credit is one oak.
  unlimitedReps: false
  unlimitedTeams: false
  plans: [{name: Tree, monthlyPrice: 49.50, includedCredits: 1}]
  url: https://acorn.example/pricing
contact: hello@acorn.example
links: {}
`}, more...)...)
}

// The table of functions in docs/theming.md is all of them, and its examples give what it says.
func TestManualOfFunctions(t *testing.T) {
	b := build(t, acorn(t), withoutImages)
	s, theme := b.site, b.renderer.theme
	functions := newFunctions(s, theme)
	want, got := slices.Sorted(maps.Keys(functions)), []string(nil)
	for _, row := range cells(t, "## Functions") {
		got = append(got, row[0])
		parsed, err := texttemplate.New("").Funcs(functions).Parse(row[1])
		if err != nil || !strings.Contains(row[1], row[0]+" ") {
			t.Errorf("the example of %s: %v", row[0], err)
			continue
		}
		var out bytes.Buffer
		if err := parsed.Execute(&out, textData{Site: theme.bare(s), Product: &s.Product}); err != nil {
			t.Errorf("the example of %s: %v", row[0], err)
		}
		before, after, _ := strings.Cut(row[2], "…")
		if result := out.String(); result != row[2] && (!strings.Contains(row[2], "…") || !strings.HasPrefix(result, before) || !strings.HasSuffix(result, after)) {
			t.Errorf("the example of %s gives %q, not %q", row[0], result, row[2])
		}
	}
	if slices.Sort(got); !slices.Equal(got, want) {
		t.Errorf("docs/theming.md has the functions %v, templates %v", got, want)
	}
}

// The tables of files and custom properties in docs/theming.md are all of them.
func TestManualOfFiles(t *testing.T) {
	var listed []string
	for _, row := range cells(t, "## Files") {
		for _, name := range strings.Split(row[0], "`, `") {
			if listed = append(listed, name); strings.HasSuffix(name, "/") {
				name = strings.TrimSuffix(name, "/")
			}
			if _, err := fs.Stat(templates.FS, name); err != nil {
				t.Errorf("docs/theming.md lists a file that is not there: %v", err)
			}
		}
	}
	err := fs.WalkDir(templates.FS, ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && !slices.ContainsFunc(listed, func(l string) bool {
			return l == name || strings.HasSuffix(l, "/") && strings.HasPrefix(name, l)
		}) {
			t.Errorf("docs/theming.md does not list %s", name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	css, err := fs.ReadFile(templates.FS, "assets/style.css")
	if err != nil {
		t.Fatal(err)
	}
	_, root, _ := strings.Cut(string(css), ":root {")
	root, _, _ = strings.Cut(root, "\n}")
	var want, got []string
	for _, m := range regexp.MustCompile(`(?m)^\s*(--[a-z-]+):`).FindAllStringSubmatch(root, -1) {
		want = append(want, m[1])
	}
	for _, row := range cells(t, "## Custom properties") {
		got = append(got, row[0])
	}
	if !slices.Equal(got, want) || len(want) < 20 {
		t.Errorf("docs/theming.md has the properties %v, the stylesheet %v", got, want)
	}
}

// The examples of docs/theming.md do what it says.
func TestManualOfExamples(t *testing.T) {
	var files []string
	for _, m := range regexp.MustCompile("(?ms)^```[a-z]+ title=\"([^\"]+)\"\n(.*?)^```$").FindAllStringSubmatch(manual(t), -1) {
		files = append(files, m[1], m[2])
	}
	if len(files) != 2*7 {
		t.Fatalf("there are %d files of examples", len(files)/2)
	}
	b := build(t, acorn(t, files...), withoutImages)
	for path, want := range map[string][]string{
		"/":             {`<footer class="foot">`, `<p>Acorn, <a href="mailto:hello@acorn.example">`, `<li><a href="/spring">Spring</a></li>`, `<a href="/index.md" type="text/markdown">This page as Markdown</a>, `},
		"/team/jane":    {"<dt>Role</dt><dd>Head gardener</dd>\n<dt>Since</dt><dd>2019</dd>\n", "<h1>Jane Doe</h1>", "more oaks than"},
		"/team/jane.md": {"# Jane Doe\n", "\n\nPlants the oaks.\n\n- Role: Head gardener\n- Since: 2019\n\nJane has planted more oaks"},
		"/spring":       {`<strong>Two for one</strong> (until the first of May)</p>`, "<p>Every seedling comes with a second one.</p>"},
		"/spring.md":    {"**Two for one** (until the first of May)\n\nEvery seedling comes with a second one.\n"},
	} {
		body := b.body(t, path)
		for _, part := range want {
			if !strings.Contains(body, part) {
				t.Errorf("%s lacks %q:\n%s", path, part, body)
			}
		}
		if strings.HasSuffix(path, ".md") {
			cleanMarkdown(t, path, body)
		}
	}
}
