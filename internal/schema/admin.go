package schema

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"path"
	"slices"
	"strings"

	"vitrine/internal/load"
	"vitrine/internal/load/shape"
	"vitrine/internal/rule"
	"vitrine/internal/site"
)

// Paths of the content editor. Its script is a file of the site, because the site loads no scripts from other hosts.
const (
	AdminPath   = "/admin"
	AdminConfig = "/admin/config.yml"
	AdminScript = "/admin/cms.js"
	// AdminIcons is the path of the editor's icon font, if the site contains it.
	AdminIcons = "/admin/icons.woff2"
)

// Admin is the content editor that a site serves.
type Admin struct {
	// Page is the HTML document at AdminPath.
	Page []byte
	// Policy is the page's Content-Security-Policy. It is more permissive than the policy of other pages, because the
	// editor sets its own styles and connects to the backend.
	Policy string
	// Config is the YAML document at AdminConfig.
	Config []byte
}

// AdminOf returns the content editor of a site, or nil if site.yaml doesn't enable it. The editor is Sveltia CMS, which
// uses Decap CMS's configuration format: https://decapcms.org/docs/configuration-options/. The configuration lists only
// folders that contain published pages, so it doesn't reveal drafts.
func AdminOf(s *site.Site) (*Admin, error) {
	settings := s.Config.Admin
	if settings == nil {
		return nil, nil
	}
	backend := object{}
	for _, setting := range settings.Backend {
		if setting.Text {
			backend = append(backend, member{setting.Key, setting.Value})
		} else {
			backend = append(backend, member{setting.Key, setting.Value == "true"})
		}
	}
	var config bytes.Buffer
	config.WriteString("# Written by Vitrine from its own rules for pages; JSON is YAML too.\n")
	encoder := json.NewEncoder(&config)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	err := encoder.Encode(object{
		{"backend", backend},
		{"site_url", s.Config.BaseURL},
		{"display_url", s.Config.BaseURL},
		{"media_folder", "content/static/media"},
		{"public_folder", "/media"},
		{"slug", object{{"encoding", "unicode"}, {"clean_accents", false}}},
		// Keys without a value have no meaning, so the editor must not write such keys to new pages.
		{"output", object{{"omit_empty_optional_fields", true}}},
		{"collections", collections(s)},
	})
	if err != nil {
		return nil, fmt.Errorf("writing the content editor's configuration: %w", err)
	}
	return &Admin{Page: adminPage(s), Policy: adminPolicy(settings.Backend), Config: config.Bytes()}, nil
}

// AdminProblems returns the problems with the editor: a missing script, and pages whose params the editor would change.
// It returns nil if site.yaml doesn't enable the editor.
func AdminProblems(s *site.Site) []site.Problem {
	if s.Config.Admin == nil {
		return nil
	}
	var problems []site.Problem
	if !hasFile(s, AdminScript) {
		problems = append(problems, site.Problem{Path: "content/site.yaml", Pos: s.Config.Admin.Pos, Severity: site.Error, Code: rule.Unreadable,
			Text: "the content editor's script is missing; to create content/static" + AdminScript + ", run \"npm install @sveltia/cms @fontsource-variable/material-symbols-outlined\", then \"vitrine new admin node_modules\""})
	}
	for _, p := range s.Pages {
		if key := dotted(p.Params); key != "" {
			problems = append(problems, site.Problem{Path: p.Source, Severity: site.Warning, Code: rule.DottedParam,
				Text: fmt.Sprintf("params: the content editor would split the key %q at its dot when it saves this page; write the key without a dot", key)})
		}
	}
	return problems
}

// dotted returns the first key at any depth of value that contains a dot, or "" if there is none.
func dotted(value any) string {
	switch value := value.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(value)) {
			if strings.Contains(key, ".") {
				return key
			}
			if inner := dotted(value[key]); inner != "" {
				return inner
			}
		}
	case []any:
		for _, item := range value {
			if inner := dotted(item); inner != "" {
				return inner
			}
		}
	}
	return ""
}

func hasFile(s *site.Site, path string) bool {
	return slices.ContainsFunc(s.Files, func(f site.File) bool { return f.Path == path })
}

// adminPage returns the HTML document that loads the editor's script. The script requests its icon font from another
// host, but the policy forbids this request. If the site contains AdminIcons, the page therefore declares that file as
// a font with the same name.
func adminPage(s *site.Site) []byte {
	icons := ""
	if hasFile(s, AdminIcons) {
		icons = `<style>@font-face { font-family: "Material Symbols Outlined"; font-weight: 100 700; src: url(` + AdminIcons + `) format("woff2"); }</style>
`
	}
	return []byte(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Content editor</title>
<link rel="icon" href="data:,">
<link rel="cms-config-url" type="text/yaml" href="` + AdminConfig + `">
` + icons + `</head>
<body>
<script src="` + AdminScript + `"></script>
</body>
</html>
`)
}

// adminPolicy returns a policy that allows the editor's script to run, to set its styles, and to show images. The
// policy allows connections to the site and the backend, but to no other host.
func adminPolicy(backend []site.Setting) string {
	connect := []string{"'self'", "blob:", "data:"}
	for _, setting := range backend {
		switch {
		case setting.Key == "name":
			connect = append(connect, serviceHosts(setting.Value)...)
		case setting.Text:
			if u, err := url.Parse(setting.Value); err == nil && u.Scheme == "https" && u.Host != "" {
				connect = append(connect, "https://"+u.Host)
			}
		}
	}
	images := append([]string{"'self'", "blob:", "data:"}, connect[3:]...)
	return "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; font-src 'self' data:; " +
		"img-src " + strings.Join(images, " ") + "; media-src 'self' blob:; frame-src 'self' blob:; manifest-src 'self' data: blob:; " +
		"connect-src " + strings.Join(connect, " ") + "; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
}

// serviceHosts returns the hosts of a backend's public service, to which the editor connects by default. It returns nil
// for an unknown backend.
func serviceHosts(name string) []string {
	switch name {
	case "github":
		return []string{"https://api.github.com", "https://raw.githubusercontent.com", "https://avatars.githubusercontent.com"}
	case "gitlab":
		return []string{"https://gitlab.com"}
	case "gitea":
		return []string{"https://gitea.com"}
	case "bitbucket":
		return []string{"https://api.bitbucket.org"}
	}
	return nil
}

// group is a folder of pages that the editor lists together. If bundles is true, the pages are the index.md files in
// the folder's subfolders. Otherwise, they are the files in the folder.
type group struct {
	folder  string
	bundles bool
}

// articles returns the group to which the editor adds new articles.
func articles() group { return group{"content/blog", true} }

// collections returns a collection for each group of published pages. The group of new articles comes first.
func collections(s *site.Site) []object {
	groups := []group{articles()}
	for _, p := range s.Pages {
		if p.Text != nil || p.List != nil {
			continue
		}
		g := group{folder: path.Dir(p.Source)}
		if stem, _ := site.CutPage(path.Base(p.Source)); stem == "index" && g.folder != "content" {
			g = group{path.Dir(g.folder), true}
		}
		if !slices.Contains(groups, g) {
			groups = append(groups, g)
		}
	}
	slices.SortStableFunc(groups[1:], func(a, b group) int { return strings.Compare(a.folder, b.folder) })
	out := make([]object, len(groups))
	for i, g := range groups {
		out[i] = collection(g)
	}
	return out
}

func collection(g group) object {
	below := strings.TrimPrefix(strings.TrimPrefix(g.folder, "content"), "/")
	post := below == "blog" || strings.HasPrefix(below, "blog/")
	name, label, file := "pages", "Pages", "{{slug}}"
	if below != "" {
		name, label = "pages-"+strings.ReplaceAll(below, "/", "-"), "Pages in /"+below
	}
	if g.bundles {
		name, label, file = name+"-folders", label+", in their own folders", "{{slug}}/index"
	}
	if g == articles() {
		name, label = "articles", "Articles"
	}
	o := object{
		{"name", name}, {"label", label}, {"folder", g.folder}, {"path", file},
		{"create", !post || g == articles()}, {"slug", "{{title}}"},
		{"format", "frontmatter"}, {"extension", "md"},
	}
	if g.bundles {
		// Images are next to the page that shows them.
		o = append(o, member{"media_folder", ""}, member{"public_folder", ""})
	}
	return append(o, member{"fields", fields(post)})
}

// fields returns the editor's fields: the front matter keys for which the editor has a widget, and the text. The editor
// leaves other keys, such as params, unchanged. The text is edited as source, because a visual editor would rewrite it.
func fields(post bool) []object {
	page := load.PageShape()
	var out []object
	for i := range page.Fields {
		f := &page.Fields[i]
		widget, ok := widgetOf(&f.Shape)
		if !ok {
			continue
		}
		o := object{
			{"name", f.Name}, {"label", strings.ToUpper(f.Name[:1]) + f.Name[1:]}, {"hint", f.About},
			{"required", f.Name == "title" || post && f.Name == "date"},
		}
		out = append(out, append(o, widget...))
	}
	return append(out, object{{"name", "body"}, {"label", "Text"}, {"widget", "markdown"}, {"modes", []string{"raw"}}, {"required", false}})
}

// widgetOf returns the editor's widget for a value of shape s, or false if there is none. The widget for a date is a
// text field, because the editor's date field would rewrite a time in its own format and zone. A value that may be a
// string or a list, such as author, has no widget, because the editor's list would drop a string, and its text field
// would drop all items of a list except one.
func widgetOf(s *shape.Shape) (widget object, ok bool) {
	if s.Has(shape.Text) && s.Has(shape.List) {
		return nil, false
	}
	switch s.Usual() {
	case shape.Truth:
		return object{{"widget", "boolean"}}, true
	case shape.Whole:
		return object{{"widget", "number"}, {"value_type", "int"}, {"step", 1}}, true
	case shape.Text:
		if s.Use == shape.Image {
			return object{{"widget", "image"}}, true
		}
		widget := object{{"widget", "string"}}
		if s.Use == shape.Moment {
			widget = append(widget, member{"pattern", []string{s.Pattern, "Write a date such as " + s.Examples[0] + ", or a time such as " + s.Examples[1] + "."}})
		}
		return widget, true
	case shape.List:
		if s.Item.Usual() == shape.Text {
			return object{{"widget", "list"}, {"field", object{{"name", "item"}, {"label", "One"}, {"widget", "string"}}}}, true
		}
	}
	return nil, false
}
