package theme

import (
	"bytes"
	"cmp"
	"flag"
	"go/ast"
	"go/parser"
	"go/token"
	htmltemplate "html/template"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	texttemplate "text/template"
	"time"

	"vitrine/internal/folder"
	"vitrine/internal/load"
	"vitrine/internal/markdown"
	"vitrine/internal/render/view"
	"vitrine/internal/site"
	"vitrine/templates"
)

// templatesPage is the reference page. Its marked parts are generated: the template data from the types and their
// comments, and the functions from newFunctions.
const templatesPage = "../../../docs/reference/templates.md"

var update = flag.Bool("update", false, "write the reference of templates")

// loadAcorn returns a small site and its theme. The examples in the reference show the site's values.
func loadAcorn(t *testing.T) (*site.Site, *Theme) {
	t.Helper()
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "content"), 0o777); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"site.yaml": "baseURL: https://acorn.example\ntitle: Acorn\nsocial: {images: false}\n",
		"product.yaml": `name: Acorn
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
`,
	} {
		if err := os.WriteFile(filepath.Join(dir, "content", name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	root, err := folder.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	s, problems, err := load.Load(t.Context(), root, load.Options{Now: time.Date(2026, 10, 20, 12, 0, 0, 0, time.UTC)})
	if err != nil || s == nil {
		t.Fatal(err, problems)
	}
	used, problems, err := Load(s, root.FS(), templates.FS, nil)
	if err != nil || len(problems) > 0 {
		t.Fatal(err, problems)
	}
	return s, used
}

// described returns the name of typ in docs/reference/templates.md. names contains the names of struct types.
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
	case reflect.TypeFor[[]struct{}]():
		return "list"
	case reflect.TypeFor[[]byte]():
		return "bytes"
	}
	switch typ.Kind() {
	case reflect.String:
		return "text"
	case reflect.Bool:
		return "true or false"
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
			return "[" + name + "](#" + strings.ToLower(name) + ")"
		}
	}
	t.Errorf("templates can get a %v, but docs/reference/templates.md has no table for this type", typ)
	return ""
}

// TestTemplatesPage checks that the template reference matches the types and functions from which it is generated. With
// -update (make references), it writes the page.
func TestTemplatesPage(t *testing.T) {
	text, err := os.ReadFile(templatesPage)
	if err != nil {
		t.Fatal(err)
	}
	src := readSources(t)
	page := between(t, string(text), "data", src.data(t))
	page = between(t, page, "functions", src.functions(t))
	if page == string(text) {
		return
	}
	if !*update {
		t.Fatalf("%s is out of date; run make references and read the diff", templatesPage)
	}
	if err := os.WriteFile(templatesPage, []byte(page), 0o666); err != nil {
		t.Fatal(err)
	}
}

// between returns page with text in place of the text between the marks for name.
func between(t *testing.T, page, name, text string) string {
	t.Helper()
	begin, end := `<!-- `+name+`: written by "make references" -->`+"\n", "<!-- end of "+name+" -->\n"
	before, rest, found := strings.Cut(page, begin)
	_, after, closed := strings.Cut(rest, end)
	if !found || !closed {
		t.Fatalf("%s has no marks for the generated part %q", templatesPage, name)
	}
	return before + begin + "\n" + text + "\n" + end + after
}

// sources contains the comments of the packages with template data, keyed by names such as "view.Page" and
// "view.Page.Title". It also contains the parameters of methods, such as " LINK" for "view.Page.Picture()".
type sources struct {
	comments map[string]string
	calls    [][2]string // the name and the comment of each template function
}

func readSources(t *testing.T) sources {
	t.Helper()
	src := sources{comments: make(map[string]string)}
	for _, folder := range []string{"render/theme", "render/view", "site", "openapi", "plan", "markdown"} {
		name := path.Base(folder)
		files, err := fs.Glob(os.DirFS("../.."), folder+"/*.go")
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			positions := token.NewFileSet()
			parsed, err := parser.ParseFile(positions, "../../"+file, nil, parser.ParseComments)
			if err != nil {
				t.Fatal(err)
			}
			for _, declaration := range parsed.Decls {
				switch d := declaration.(type) {
				case *ast.GenDecl:
					src.types(name, d)
				case *ast.FuncDecl:
					if d.Recv != nil {
						receiver := d.Recv.List[0].Type
						if pointer, ok := receiver.(*ast.StarExpr); ok {
							receiver = pointer.X
						}
						if of, ok := receiver.(*ast.Ident); ok {
							key := name + "." + of.Name + "." + d.Name.Name
							src.comments[key] = d.Doc.Text()
							for _, parameter := range d.Type.Params.List {
								for _, name := range parameter.Names {
									src.comments[key+"()"] += " " + strings.ToUpper(name.Name)
								}
							}
						}
					} else if d.Name.Name == "newFunctions" {
						src.calls = entries(positions, parsed, d)
					}
				}
			}
		}
	}
	return src
}

// types records the comments of the types in d, and of the fields of these types.
func (s sources) types(pkg string, d *ast.GenDecl) {
	for _, spec := range d.Specs {
		named, ok := spec.(*ast.TypeSpec)
		if !ok {
			continue
		}
		key := pkg + "." + named.Name.Name
		s.comments[key] = cmp.Or(named.Doc.Text(), d.Doc.Text())
		if of, ok := named.Type.(*ast.StructType); ok {
			for _, field := range of.Fields.List {
				for _, name := range field.Names {
					s.comments[key+"."+name.Name] = cmp.Or(field.Comment.Text(), field.Doc.Text())
				}
			}
		}
	}
}

// entries returns the keys of the map that f returns, each with the comment above the key.
func entries(positions *token.FileSet, file *ast.File, f *ast.FuncDecl) (found [][2]string) {
	above := make(map[int]string)
	for _, c := range file.Comments {
		above[positions.Position(c.End()).Line+1] = c.Text()
	}
	ast.Inspect(f, func(n ast.Node) bool {
		if entry, ok := n.(*ast.KeyValueExpr); ok {
			found = append(found, [2]string{strings.Trim(entry.Key.(*ast.BasicLit).Value, `"`), above[positions.Position(entry.Pos()).Line]})
		}
		return true
	})
	return found
}

// meaning returns a comment on one line, without the verb phrase at its start, such as "Path is".
func meaning(comment, name string) string {
	text := strings.Join(strings.Fields(comment), " ")
	if rest, ok := strings.CutPrefix(text, name+" "); ok {
		text = regexp.MustCompile(`^(is|are|contains|lists|returns|reports) `).ReplaceAllString(rest, "")
	}
	text = regexp.MustCompile(`\s""`).ReplaceAllString(strings.TrimSuffix(text, "."), " empty")
	return strings.ReplaceAll(text, "|", `\|`)
}

// sentence returns text with an initial capital and a final period.
func sentence(text string) string {
	if text = strings.ToUpper(text[:1]) + text[1:]; !strings.HasSuffix(text, ":") {
		text += "."
	}
	return text
}

// introduction returns the comment of the type called name as Markdown paragraphs. Indented lines become a code block.
func introduction(comment, name string) string {
	var parts []string
	for part := range strings.SplitSeq(strings.TrimSpace(comment), "\n\n") {
		if strings.HasPrefix(part, "\t") {
			part = "```html\n" + strings.TrimSpace(strings.ReplaceAll(part, "\n\t", "\n")) + "\n```"
		} else if part = meaning(part, name); part != "" {
			part = sentence(part)
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, "\n\n")
}

// comment returns the comment of a field or a method of typ or of a type embedded in typ.
func (s sources) comment(typ reflect.Type, member string) string {
	if typ.Kind() == reflect.Pointer {
		typ = typ.Elem()
	}
	if text := s.comments[typ.String()+"."+member]; text != "" {
		return text
	}
	if typ.Kind() == reflect.Struct {
		for f := range typ.Fields() {
			if f.Anonymous {
				if text := s.comment(f.Type, member); text != "" {
					return text
				}
			}
		}
	}
	return ""
}

// withMarkup are the types whose fields of type any are markup.
var withMarkup = []reflect.Type{
	reflect.TypeFor[view.Page](), reflect.TypeFor[view.Summary](), reflect.TypeFor[view.PageSection](), reflect.TypeFor[view.SectionItem](), reflect.TypeFor[view.SectionAction](), reflect.TypeFor[view.ShownPicture](),
}

// long is the maximum number of rows in a table in the order of the source. Longer tables are in alphabetical order.
const long = 20

// data returns a section of the page for each type, with the type's fields and methods.
func (s sources) data(t *testing.T) string {
	// The Markdown template of a component gets the same fields as its HTML template, as plain text.
	names := map[reflect.Type]string{reflect.TypeFor[markdown.Component](): "Component"}
	for _, group := range documented() {
		for _, d := range group.types {
			names[d.typ] = d.name
		}
	}
	for _, typ := range given() {
		described(t, typ, names)
	}
	if html, plain := members(reflect.TypeFor[componentView]()), members(reflect.TypeFor[markdown.Component]()); !slices.Equal(html, plain) {
		t.Errorf("components have the fields %v in HTML and %v in Markdown; want the same fields", html, plain)
	}
	var b strings.Builder
	for i, group := range documented() {
		if i > 0 {
			b.WriteString("\n")
		}
		b.WriteString("### " + group.title + "\n")
		for _, d := range group.types {
			b.WriteString("\n#### " + d.name + "\n\n" + s.table(t, d, names))
		}
	}
	return b.String()
}

// table returns the introduction of the type d and a table with its fields and methods.
func (s sources) table(t *testing.T, d namedType, names map[reflect.Type]string) string {
	about := introduction(s.comments[d.typ.String()], d.typ.Name())
	if about == "" {
		t.Errorf("%v has no comment", d.typ)
	}
	var rows []string
	row := func(name string, typ reflect.Type) {
		kind := described(t, typ, names)
		if slices.Contains(withMarkup, d.typ) && (typ.Kind() == reflect.Interface || typ.Kind() == reflect.Slice) {
			kind = strings.Replace(kind, "anything", "markup", 1) // its type differs between html/template and text/template
		}
		content := meaning(s.comment(d.typ, name), name)
		if content == "" {
			t.Errorf("%s of %v has no comment", name, d.typ)
			return
		}
		rows = append(rows, "| `."+name+s.comment(d.typ, name+"()")+"` | "+kind+" | "+sentence(content)+" |\n")
	}
	fields := reflect.VisibleFields(d.typ)
	slices.SortStableFunc(fields, func(a, b reflect.StructField) int { return len(a.Index) - len(b.Index) })
	for _, f := range fields {
		// Omit the position of a setting.
		if f.IsExported() && !f.Anonymous && f.Type != reflect.TypeFor[site.Pos]() {
			row(f.Name, f.Type)
		}
	}
	for m := range reflect.PointerTo(d.typ).Methods() {
		row(m.Name, m.Type.Out(0))
	}
	if len(rows) > long {
		slices.SortFunc(rows, func(a, b string) int { return strings.Compare(strings.ToLower(a), strings.ToLower(b)) })
	}
	return about + "\n\n| Field | Type | Content |\n|---|---|---|\n" + strings.Join(rows, "")
}

// functions returns the rows for template functions. The comment above each function starts with an example, whose
// result the row shows.
func (s sources) functions(t *testing.T) string {
	acorn, used := loadAcorn(t)
	functions := newFunctions(acorn, used)
	if len(s.calls) != len(functions) {
		t.Errorf("found the comments of %d template functions, want %d", len(s.calls), len(functions))
	}
	var b strings.Builder
	b.WriteString("| Function | Example | Example result | Returns |\n|---|---|---|---|\n")
	for _, c := range s.calls {
		example, about, found := strings.Cut(strings.Join(strings.Fields(c[1]), " "), "}} is ")
		if example += "}}"; !found || !strings.HasPrefix(example, "{{"+c[0]+" ") {
			t.Errorf("the comment of %s must begin with an example, such as {{%s …}} is …: %q", c[0], c[0], c[1])
			continue
		}
		parsed, err := texttemplate.New("").Funcs(functions).Parse(example)
		if err != nil {
			t.Errorf("the example of %s: %v", c[0], err)
			continue
		}
		var out bytes.Buffer
		if err := parsed.Execute(&out, view.TextFile{Site: view.NewSite(acorn, used.look), Product: &acorn.Product}); err != nil {
			t.Errorf("the example of %s: %v", c[0], err)
		}
		gives := regexp.MustCompile(`\.[0-9a-f]{16}\.`).ReplaceAllString(out.String(), ".….")
		gives = regexp.MustCompile(`<svg .*</svg>`).ReplaceAllString(gives, "<svg …>…</svg>")
		b.WriteString("| `" + c[0] + "` | `" + example + "` | `" + gives + "` | " + strings.ReplaceAll(sentence(strings.TrimSuffix(about, ".")), "|", `\|`) + " |\n")
	}
	return b.String()
}
