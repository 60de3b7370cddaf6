package migrate

import (
	"vitrine/internal/migrate/convert"
	"vitrine/internal/migrate/oldsite"
	"vitrine/internal/migrate/source"

	_ "embed"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"text/template"
)

//go:embed site.yaml.tmpl
var siteText string

//go:embed product.yaml.tmpl
var productText string

// settingsFiles returns the content of site.yaml, product.yaml, authors.yaml, and the sidebar files, keyed by file
// name. Comments mark the values that the user must fill in.
func (im *importer) settingsFiles() (map[string]string, error) {
	host := ""
	if u, err := url.Parse(im.Url); err == nil && (u.Scheme == "https" || u.Scheme == "http") && u.Host != "" {
		host = strings.ToLower(u.Scheme + "://" + u.Host)
	}
	data := map[string]any{
		"TitleFrom": im.titleFrom,
		"Host":      host, "Path": strings.TrimSuffix(im.BasePath, "/"), "Known": im.Title != "", "Title": source.Fallback(im.Title, "A site"),
		"Description": im.Description, "Language": im.Language, "TimeZone": source.Fallback(im.TimeZone, "UTC"), "Navigation": im.navigationItems(),
		"Languages": im.Languages, "Versions": im.versions(), "Facts": im.findFacts(), "File": im.settingsName(), "Repository": im.Repository, "Links": strings.HasPrefix(im.Repository, "https://"),
	}
	if im.settings.noDetails {
		data["Repository"], data["Links"], data["Description"], data["Facts"] = "", false, "", facts{}
	}
	if im.settings.nameOnly {
		data["Navigation"], data["Languages"], data["Language"], data["TimeZone"], data["Path"] = []oldsite.Item{}, nil, "", "UTC", ""
		data["Versions"] = nil
	}
	if im.settings.nothing {
		data["Host"], data["Known"], data["Title"], data["TitleFrom"] = "", false, "A site", ""
	}
	funcs := template.FuncMap{
		"yaml":  source.Quoted,
		"plain": func(s string) string { return source.OneLine(s, 200) },
		"line":  func(s string) string { return source.Quoted(source.OneLine(s, oldsite.MaxLine)) },
		"value": func(s string, most int) string { return source.Quoted(source.EscapeBraces(source.OneLine(s, most))) },
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
	if text := im.authorsText(); text != "" {
		files["content/authors.yaml"] = text
	}
	maps.Copy(files, im.sidebarFiles())
	return files, nil
}

// settingsName returns the name of the old site's settings file, or "" if there is none or more than one.
func (im *importer) settingsName() string {
	if len(im.Settings) == 0 {
		return ""
	}
	return im.Settings[0].Name
}

// version is a documentation version and its folder in content/.
type version struct {
	oldsite.Version
	Path string
}

// versions returns the versions that have an index page in the new site, or nil if there are fewer than two.
func (im *importer) versions() (list []version) {
	for _, v := range im.Versions {
		at := im.newPath(im.BasePath + v.Address)
		if im.byName[strings.TrimPrefix(at, "/")+"/index.md"] != nil {
			list = append(list, version{v, strings.TrimPrefix(at, "/")})
		}
	}
	if len(list) < 2 {
		return nil
	}
	return list
}

// home returns a page at "/". Links in the settings are resolved as links on this page.
func (im *importer) home() *oldsite.Page {
	return &oldsite.Page{Document: convert.Document{Source: im.Base + "/index.md", Address: "/"}, Path: "/", Name: "index.md", Anchors: map[string]string{}}
}

// navigationItems returns at most maxMenu navigation entries with working links. It adds notes about broken links and
// about a menu with too many entries. If there are no entries with working links, it returns a short menu.
func (im *importer) navigationItems() []oldsite.Item {
	var out []oldsite.Item
	from := im.home()
	for _, i := range im.Navigation {
		label := source.OneLine(convert.Bare(i.Label), 80)
		target, gone := im.resolve(from, i.Path, false)
		if gone != "" {
			im.Note(convert.Note{File: im.Base, What: "the navigation entry " + label, Why: gone, Do: "add it to content/site.yaml with the correct address", Source: i.Path})
			continue
		}
		if label == "" || target == "" || slices.ContainsFunc(out, func(o oldsite.Item) bool { return o.Label == label }) || len(out) == maxMenu {
			continue
		}
		if !strings.HasPrefix(target, "/") && !strings.Contains(target, ":") {
			target = "/" + target
		}
		out = append(out, oldsite.Item{Label: label, Path: target})
	}
	if len(im.Navigation) > maxMenu {
		im.Note(convert.Note{File: im.Base, What: "a long menu", Why: fmt.Sprintf("the menu has %d entries, but a header has room for only %d", len(im.Navigation), maxMenu), Do: "list the other entries under footer: in content/site.yaml"})
	}
	if len(out) == 0 {
		out = im.shortMenu()
	}
	return out
}

// maxMenu is the maximum number of entries in the header menu.
const maxMenu = 7
