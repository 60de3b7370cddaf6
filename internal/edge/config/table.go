package config

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"vitrine/internal/artifact"
)

// table contains the data of a manifest that configurations need: the kind of each path, the files of each
// representation, and the fields of each class.
type table struct {
	// Routes are the paths with their kinds. Only redirects have a Location.
	Routes []routeRow
	// Variants are the representations before compression.
	Variants []variantRow
	// Classes are the sets of fields that variants share.
	Classes []classRow
	// Names are the names of all fields in Classes, except Content-Type.
	Names []string
	// Languages are the sorted tags of the languages that have their own 404 page.
	Languages []string
	// BuildFile is the name of the file with the body of artifact.BuildPath. Responses with this body have no
	// validator.
	BuildFile string
	// Retirement contains the fields that announce the end of the API version in every response at the operation's
	// path.
	Retirement []artifact.Field
}

// routeRow is a path with its kind: "page", "file", "operation", or "redirect".
type routeRow struct {
	Path, Kind, Location string
}

// variantRow is a representation before compression. Its name is the resource's path. For a page or a 404 page, " html"
// or " markdown" follows. Examples are "/pricing html", "/llms.txt", "404 html", and "problem/not-found".
type variantRow struct {
	Name  string
	Class int
	// Identity, Gzip, and Brotli are file names, or "-" if missing.
	Identity, Gzip, Brotli string
	// Link and Tokens are the values of the fields Link and X-Markdown-Tokens, which differ from page to page.
	Link, Tokens string
}

// classRow is a set of fields that variants share, with its number.
type classRow struct {
	Number    int
	MediaType string
	// Fields are the values of the fields in Names, in the same order. A value is "" if the class lacks the field.
	Fields []string
}

// newTable returns the table of a manifest. It returns an error if check rejects a path.
func newTable(m *artifact.Manifest) (*table, error) {
	t := &table{}
	classes := make(map[string]int)
	var fieldSets [][]artifact.Field
	class := func(shared []artifact.Field) int {
		key := fmt.Sprint(shared)
		if _, ok := classes[key]; !ok {
			classes[key] = len(classes)
			fieldSets = append(fieldSets, shared)
		}
		return classes[key]
	}
	for route := range m.Routes() {
		t.addRoute(m, route)
		for i := range route.Variants() {
			v := route.Variant(i)
			row := variantRow{Name: variantName(route, i)}
			row.Identity, row.Gzip, row.Brotli = fileOf(m, v, artifact.Identity), fileOf(m, v, artifact.Gzip), fileOf(m, v, artifact.Brotli)
			if strings.HasPrefix(row.Name, artifact.ProblemPrefix) {
				row.Gzip, row.Brotli = "-", "-" // problems are short and never compressed
			}
			var shared []artifact.Field
			shared, row.Link, row.Tokens = split(artifact.WithBuild(m.Fields(v), m.Build))
			row.Class = class(shared)
			if route.Path() == artifact.OperationPath {
				t.Retirement = slices.DeleteFunc(slices.Clone(shared), func(f artifact.Field) bool {
					return f.Name != artifact.FieldDeprecation && f.Name != artifact.FieldSunset
				})
			}
			t.Variants = append(t.Variants, row)
		}
	}
	if _, taken := m.Lookup(artifact.BuildPath); !taken {
		t.BuildFile = buildFile(m)
		t.Routes = append(t.Routes, routeRow{Path: artifact.BuildPath, Kind: "file"})
		t.Variants = append(t.Variants, variantRow{Name: artifact.BuildPath, Class: class(artifact.BuildFields(m.Build)), Identity: t.BuildFile, Gzip: "-", Brotli: "-"})
	}
	t.mount(m.Mount)
	t.addClasses(fieldSets)
	slices.Sort(t.Languages)
	slices.SortFunc(t.Routes, func(a, b routeRow) int { return cmp.Compare(a.Path, b.Path) })
	slices.SortFunc(t.Variants, func(a, b variantRow) int { return cmp.Compare(a.Name, b.Name) })
	return t, t.check()
}

// addRoute adds a resource, and the other spellings of its path, which redirect to it (wire contract §3).
func (t *table) addRoute(m *artifact.Manifest, r artifact.Route) {
	location := r.Target()
	switch r.Kind() {
	case artifact.KindFallback:
		if language, ok := artifact.NotFoundLanguage(r.Path()); ok && language != "" {
			t.Languages = append(t.Languages, language)
		}
		return
	case artifact.KindFile:
		t.Routes = append(t.Routes, routeRow{Path: r.Path(), Kind: "file"})
		return
	case artifact.KindOperation:
		t.Routes = append(t.Routes, routeRow{Path: r.Path(), Kind: "operation"})
		return
	case artifact.KindPage:
		t.Routes = append(t.Routes, routeRow{Path: r.Path(), Kind: "page"})
		location = string(artifact.AppendEscaped(nil, r.Path()))
	case artifact.KindRedirect:
		t.Routes = append(t.Routes, routeRow{Path: r.Path(), Kind: "redirect", Location: location})
	}
	if r.Path() == "/" {
		if _, ok := m.Lookup("/index.md"); ok {
			t.Routes = append(t.Routes, routeRow{Path: "/.md", Kind: "redirect", Location: "/index.md"})
		}
	}
	for _, s := range artifact.Spellings(r.Path()) {
		if _, taken := m.Lookup(s); taken {
			continue
		}
		t.Routes = append(t.Routes, routeRow{Path: s, Kind: "redirect", Location: location})
	}
}

// mount prefixes every path with the site's base path, and adds the base path itself, which redirects to the
// home page.
func (t *table) mount(mount string) {
	if mount == "" {
		return
	}
	for i := range t.Routes {
		r := &t.Routes[i]
		r.Path = mount + r.Path
		if r.Location != "" {
			r.Location = mount + r.Location
		}
	}
	t.Routes = append(t.Routes, routeRow{Path: mount, Kind: "redirect", Location: mount + "/"})
	for i := range t.Variants {
		if v := &t.Variants[i]; strings.HasPrefix(v.Name, "/") {
			v.Name = mount + v.Name
		}
	}
}

// addClasses numbers the sets of fields and arranges their values in one column for each field name.
func (t *table) addClasses(sets [][]artifact.Field) {
	for _, set := range sets {
		for _, f := range set {
			if f.Name != "Content-Type" && !slices.Contains(t.Names, f.Name) {
				t.Names = append(t.Names, f.Name)
			}
		}
	}
	for number, set := range sets {
		row := classRow{Number: number, Fields: make([]string, len(t.Names))}
		for _, f := range set {
			if i := slices.Index(t.Names, f.Name); i >= 0 {
				row.Fields[i] = f.Value
			} else {
				row.MediaType = f.Value
			}
		}
		t.Classes = append(t.Classes, row)
	}
}

// check returns an error if a path or a redirect's target contains a line break or NUL, or if two resources have the
// same path.
func (t *table) check() error {
	seen := make(map[string]string)
	for _, r := range t.Routes {
		if strings.ContainsAny(r.Path+r.Location, "\r\n\x00") {
			return fmt.Errorf("the path %q or its redirect target contains a line break or NUL, which a configuration cannot contain", r.Path)
		}
		if other, ok := seen[r.Path]; ok && other != r.Kind+r.Location {
			return fmt.Errorf("two resources have the path %q", r.Path)
		}
		seen[r.Path] = r.Kind + r.Location
	}
	return nil
}

// variantName returns the name of a resource's i-th variant; see variantRow.
func variantName(r artifact.Route, i int) string {
	if r.Variants() == 2 {
		return r.Path() + " " + []string{"html", "markdown"}[i]
	}
	return r.Path()
}

// fileOf returns the name of a representation's file, or "-" if there is none.
func fileOf(m *artifact.Manifest, v artifact.VariantIndex, c artifact.Coding) string {
	i, ok := m.BodyIn(v, c)
	if !ok {
		return "-"
	}
	return fileName(m.Body(i).Hash, c)
}

// buildFile returns the name of the file with the response at artifact.BuildPath.
func buildFile(m *artifact.Manifest) string {
	return fileName(artifact.Hash(artifact.BuildBody(m.Build)), artifact.Identity)
}

// split separates Link and X-Markdown-Tokens, which differ from page to page, from the shared fields.
func split(fields []artifact.Field) (shared []artifact.Field, link, tokens string) {
	for _, f := range fields {
		switch f.Name {
		case "Link":
			link = f.Value
		case artifact.FieldMarkdownTokens:
			tokens = f.Value
		default:
			shared = append(shared, f)
		}
	}
	return shared, link, tokens
}
