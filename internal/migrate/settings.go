package migrate

import (
	_ "embed"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"text/template"
)

//go:embed site.yaml.tmpl
var siteText string

//go:embed product.yaml.tmpl
var productText string

// settingsFiles writes site.yaml and product.yaml with what is known; what the person
// has to write is marked.
func (im *importer) settingsFiles() (map[string]string, error) {
	host := ""
	if u, err := url.Parse(im.url); err == nil && (u.Scheme == "https" || u.Scheme == "http") && u.Host != "" {
		host = strings.ToLower(u.Scheme + "://" + u.Host)
	}
	data := map[string]any{
		"Host": host, "Path": strings.TrimSuffix(im.basePath, "/"), "Known": im.title != "", "Title": fallback(im.title, "A site"),
		"Description": im.description, "Language": im.language, "TimeZone": fallback(im.timeZone, "UTC"), "Navigation": im.navigationItems(),
		"Languages": im.languages, "Repository": im.repository, "Links": strings.HasPrefix(im.repository, "https://"),
	}
	funcs := template.FuncMap{
		"yaml":  quoted,
		"line":  func(s string) string { return quoted(oneLine(s, maxLine)) },
		"value": func(s string, most int) string { return quoted(escapeBraces(oneLine(s, most))) },
	}
	files := map[string]string{}
	for name, text := range map[string]string{"content/site.yaml": siteText, "content/product.yaml": productText} {
		var b strings.Builder
		page, err := template.New(name).Funcs(funcs).Parse(text)
		if err == nil {
			err = page.Execute(&b, data)
		}
		if err != nil {
			return nil, fmt.Errorf("writing %s: %w", name, err)
		}
		files[name] = b.String()
	}
	return files, nil
}

// navigationItems are the entries that lead somewhere.
func (im *importer) navigationItems() []item {
	var out []item
	from := &page{document: document{source: im.base + "/index.md", address: "/"}, path: "/", name: "index.md", anchors: map[string]string{}}
	for _, i := range im.navigation {
		label := oneLine(i.Label, 80)
		target, gone := im.resolve(from, i.Path, false)
		if gone != "" {
			im.note(Note{File: im.base, What: "the entry " + label + " of the navigation", Why: gone, Do: "write it into content/site.yaml with the address that is meant", Source: i.Path})
			continue
		}
		if label == "" || target == "" || slices.ContainsFunc(out, func(o item) bool { return o.Label == label }) || len(out) == 12 {
			continue
		}
		if !strings.HasPrefix(target, "/") && !strings.Contains(target, ":") {
			target = "/" + target
		}
		out = append(out, item{label, target})
	}
	return out
}
