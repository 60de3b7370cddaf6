package kinds

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"vitrine/internal/lazyregexp"
	"vitrine/internal/load/tree"
	"vitrine/internal/migrate/convert"
	"vitrine/internal/migrate/liquid"
	"vitrine/internal/migrate/oldsite"
	"vitrine/internal/migrate/source"
)

// Eleventy returns the kind for Eleventy sites. See https://www.11ty.dev/docs/.
func Eleventy() *oldsite.Kind {
	return &oldsite.Kind{Name: "eleventy", Detect: oldsite.ByConfig(append(scripts("eleventy.config"), ".eleventy.js")...), Read: readEleventy, Syntax: convert.Syntax{
		Expand: eleventyText, Attrs: true, HtmlBlocks: true, Lines: convert.Directives}}
}

// EleventySite contains the data of an Eleventy site. Values are the values that templates can use, keyed by name.
type EleventySite struct{ Values map[string]any }

var eleventyInput = lazyregexp.New(`\binput\s*:\s*["'\x60]([^"'\x60]+)["'\x60]|setInputDirectory\(\s*["'\x60]([^"'\x60]+)`)

func readEleventy(im *oldsite.Site) error {
	input := "."
	for _, name := range append(scripts("eleventy.config"), ".eleventy.js") {
		if text, err := im.Src.Text(path.Join(im.Base, name)); err == nil {
			if m := eleventyInput.FindStringSubmatch(text); m != nil {
				input = m[1] + m[2]
			}
		}
	}
	dir, ok := source.Inside(im.Base, input)
	if !ok {
		dir = im.Base
	}
	data := jekyllData(im, path.Join(dir, "_data"))
	for _, folder := range []string{path.Join(dir, "_data"), path.Join(im.Base, "_data")} {
		for _, name := range im.Src.Below(folder) {
			if ext := path.Ext(name); ext == ".js" || ext == ".mjs" || ext == ".cjs" {
				if n := im.JsDefault(name); n != nil && n.Kind == tree.Map {
					mergeConfig(data, source.Wrapped(n, source.Stem(name)))
				}
			}
		}
	}
	site := &EleventySite{Values: map[string]any{}}
	if values, ok := data.Plain().(map[string]any); ok {
		site.Values = values
	}
	im.Data = site
	for _, key := range []string{"site", "metadata", "meta"} {
		if n := source.Get(data, key); n != nil && im.Title == "" {
			im.ReadSettings(n, oldsite.SettingKeys{Url: "url", Title: "title name", Description: "description", Language: "language lang"})
		}
	}
	im.Content(dir, oldsite.Rules{Linked: true, Skip: func(name, rel string) bool {
		switch path.Ext(name) {
		case ".njk", ".liquid", ".webc", ".vto", ".hbs", ".ejs", ".pug":
			if !strings.Contains("/"+rel, "/_") {
				im.Program(name, "the page of "+rel)
			}
			return true
		}
		return strings.Contains("/"+rel, "/_") || strings.Contains(rel, "node_modules/") || source.IsPage(name) && (tooling(rel) || dir == im.Base && strings.EqualFold(rel, "readme.md"))
	}, Page: func(p *oldsite.Page, rel string) { eleventyPage(im, p, rel, site) }})
	im.Pages = slices.DeleteFunc(im.Pages, func(p *oldsite.Page) bool {
		if source.IsFalse(source.Get(p.Front, "permalink")) {
			im.Omitted["permalink: false excludes them from publishing"]++
			return true
		}
		return false
	})
	im.Statics(path.Join(dir, "public"), "/", "static")
	if dir != im.Base {
		im.Statics(path.Join(im.Base, "public"), "/", "static")
	}
	eleventyTree(im)
	return nil
}

// eleventyPage sets a page's address, and its date if the file's name contains one.
func eleventyPage(im *oldsite.Site, p *oldsite.Page, rel string, site *EleventySite) {
	at := pageStem(rel)
	if when, rest, ok := source.CutDate(path.Base(at)); ok {
		p.Date, at = when, path.Join(path.Dir(at), rest)
	}
	base := path.Base(at)
	if base == path.Base(path.Dir(at)) {
		// A file named after its folder is the folder's index page.
		at = path.Join(path.Dir(at), "index")
	}
	im.SetAddress(p, at, "/", "index")
	own := source.TextAt(p.Front, "permalink")
	if strings.Contains(own, "{{") {
		values := map[string]any{"title": source.TextAt(p.Front, "title"), "slug": source.TextAt(p.Front, "slug"), "page": map[string]any{"fileSlug": base, "filePathStem": "/" + at}}
		for key, value := range site.Values {
			values[key] = value
		}
		own = liquid.Run(convert.New(&im.Site, &im.Kind.Syntax, &p.Document), own, values)
	}
	if own != "" && !strings.ContainsAny(own, "{}") && !strings.Contains(own, convert.Mark) {
		p.Address = im.BasePath + "/" + strings.TrimPrefix(strings.TrimSuffix(own, "index.html"), "/")
	}
}

// eleventyTree reads the sidebar from the pages' entries for the navigation plugin. Each entry has a key, a parent, and
// an order.
func eleventyTree(im *oldsite.Site) {
	type place struct {
		page  *oldsite.Page
		order float64
	}
	below := map[string][]place{}
	for _, p := range im.Pages {
		n := source.Get(p.Front, "eleventyNavigation")
		if n == nil || n.Kind != tree.Map {
			continue
		}
		order, _ := strconv.ParseFloat(source.TextAt(n, "order"), 64)
		parent := source.TextAt(n, "parent")
		below[parent] = append(below[parent], place{p, order})
	}
	bar := &oldsite.Sidebar{Site: im, Find: im.AtSlug}
	var walk func(parent string, depth int) []*oldsite.Entry
	walk = func(parent string, depth int) (out []*oldsite.Entry) {
		list := below[parent]
		slices.SortStableFunc(list, func(a, b place) int {
			switch {
			case a.order < b.order:
				return -1
			case a.order > b.order:
				return 1
			}
			return strings.Compare(a.page.Source, b.page.Source)
		})
		for _, one := range list {
			key := source.TextAt(one.page.Front, "eleventyNavigation/key")
			label := source.Fallback(source.TextAt(one.page.Front, "eleventyNavigation/title"), key)
			e := bar.Put(im.Strip(one.page.Address), label)
			if e == nil || depth > 10 {
				continue
			}
			if items := walk(key, depth+1); len(items) > 0 && key != "" {
				if depth == 0 {
					im.Entry(label, one.page.Address)
				}
				out = append(out, &oldsite.Entry{Label: label, Items: append([]*oldsite.Entry{e}, items...), Headed: true})
				continue
			}
			out = append(out, e)
		}
		return out
	}
	keys := map[string]bool{"": true}
	for _, list := range below {
		for _, one := range list {
			keys[source.TextAt(one.page.Front, "eleventyNavigation/key")] = true
		}
	}
	im.Tree = walk("", 0)
	for _, parent := range source.SortedKeys(below) {
		// If no imported page has the parent's key, the page of the parent is a template.
		if !keys[parent] {
			im.Tree = append(im.Tree, &oldsite.Entry{Label: parent, Items: walk(parent, 1)})
		}
	}
}

// eleventyText returns text with its Liquid evaluated with the data of the site and the page.
func eleventyText(c *convert.Converter, text string) string {
	if !strings.Contains(text, "{{") && !strings.Contains(text, "{%") {
		return text
	}
	scope := map[string]any{"page": map[string]any{"url": c.Site.Strip(c.Page.Address), "fileSlug": source.Stem(c.Page.Source)}}
	if site, ok := c.Site.Data.(*EleventySite); ok {
		for key, value := range site.Values {
			scope[key] = value
		}
	}
	if front, ok := source.PlainOf(c.Page.Front).(map[string]any); ok {
		for key, value := range front {
			scope[key] = value
		}
	}
	text = c.Calls(text, "{%", func(text string, i int) (*convert.Tag, int, string) {
		t, end, literal := readGitbookCall(text, i)
		if t == nil || t.Name == "{raw" || c.Site.Components[t.Name] == nil {
			return nil, 0, ""
		}
		return t, end, literal
	}, func(*convert.Tag, string, bool, bool) (string, bool) { return "", false })
	return liquid.Run(c, text, scope)
}
