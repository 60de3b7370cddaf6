package kinds

import (
	"path"
	"slices"
	"strings"

	"vitrine/internal/load/tree"
	"vitrine/internal/migrate/convert"
	"vitrine/internal/migrate/oldsite"
	"vitrine/internal/migrate/source"
)

// Nextra returns the kind for Nextra sites, which are Next.js apps with MDX pages. See
// https://nextra.site/docs/file-conventions.
func Nextra() *oldsite.Kind {
	inner := func(c *convert.Converter, n *convert.Node) convert.Piece {
		return convert.Piece{Text: c.Inner(n), Block: true}
	}
	return &oldsite.Kind{Name: "nextra", Detect: detectNextra, Read: readNextra, Docs: true, Syntax: convert.Syntax{Mdx: true, Lines: convert.Directives,
		Tags: map[string]convert.Handler{"Cards": inner, "Bleed": inner}}}
}

// nextraFolders lists the possible page folders in order of precedence.
var nextraFolders = []string{"app", "src/app", "content", "src/content", "pages", "src/pages"}

func detectNextra(s *source.Folder) (string, bool) {
	for _, name := range s.Names {
		if !strings.HasPrefix(path.Base(name), "_meta.") || strings.Count(name, "/") > 8 {
			continue
		}
		for _, folder := range nextraFolders {
			if i := strings.Index("/"+name, "/"+folder+"/"); i >= 0 {
				return path.Clean("./" + name[:i]), true
			}
		}
	}
	return ".", false
}

func readNextra(im *oldsite.Site) error {
	found := map[string]*oldsite.Page{}
	var roots []string
	for _, folder := range nextraFolders {
		dir := path.Join(im.Base, folder)
		if !im.Src.HasFolder(dir) {
			continue
		}
		roots = append(roots, dir)
		router := path.Base(folder) == "app"
		im.Content(dir, oldsite.Rules{Assets: true, Linked: true, Skip: func(name, rel string) bool {
			if router && source.IsPage(name) && source.Stem(name) != "page" {
				return true
			}
			return source.IsPage(name) && (strings.HasPrefix(path.Base(rel), "_") || strings.Contains(rel, "["))
		}, Page: func(p *oldsite.Page, rel string) {
			at := pageStem(rel)
			if router {
				at = path.Join(routed(path.Dir(rel)), "index")
			}
			im.SetAddress(p, strings.TrimPrefix(at, "/"), "", "index")
			found[p.Address] = p
		}})
	}
	im.Statics(path.Join(im.Base, "public"), "/", "static")
	for _, dir := range roots {
		im.Tree = append(im.Tree, nextraTree(im, &oldsite.Sidebar{Site: im, Find: im.AtSlug}, dir, dir, 0)...)
	}
	if s := folderWith(im.Pages); s == "" {
		im.DocRoots = append(im.DocRoots, "/")
	}
	return nil
}

// folderWith returns the top-level folder of the first page that is in docs or documentation, or "" if there is no such
// page.
func folderWith(pages []*oldsite.Page) string {
	for _, p := range pages {
		if first, _, below := strings.Cut(strings.TrimPrefix(p.Address, "/"), "/"); below && (first == "docs" || first == "documentation") {
			return first
		}
	}
	return ""
}

// routed returns the address of an app router folder, omitting path segments in parentheses.
func routed(dir string) string {
	parts := slices.DeleteFunc(strings.Split(strings.Trim(dir, "."), "/"), func(s string) bool { return strings.HasPrefix(s, "(") })
	return strings.Join(parts, "/")
}

// nextraTree returns the sidebar entries for a folder, ordered and labeled according to its _meta file.
func nextraTree(im *oldsite.Site, bar *oldsite.Sidebar, root, dir string, depth int) (out []*oldsite.Entry) {
	var meta *tree.Node
	for _, name := range []string{"_meta.js", "_meta.ts", "_meta.tsx", "_meta.jsx", "_meta.json", "_meta.global.js", "_meta.global.ts", "_meta.global.tsx", "_meta.en.json"} {
		if full := path.Join(dir, name); im.Src.Has(full) {
			meta = im.JsDefault(full)
			break
		}
	}
	return nextraEntries(im, bar, root, dir, meta, depth)
}

func nextraEntries(im *oldsite.Site, bar *oldsite.Sidebar, root, dir string, meta *tree.Node, depth int) (out []*oldsite.Entry) {
	if depth > 12 {
		return nil
	}
	for _, m := range source.Members(meta) {
		label := source.Fallback(source.Text(m.Value), source.TextAt(m.Value, "title"))
		at := path.Join("/", routed(strings.TrimPrefix(dir, root)), m.Key)
		if to := source.TextAt(m.Value, "href"); to != "" {
			if depth == 0 {
				im.Entry(label, to)
			} else if e := bar.Put(to, label); e != nil {
				out = append(out, e)
			}
			continue
		}
		if m.Key == "index" {
			at = path.Dir(at)
		}
		page := bar.Put(at, label)
		if depth == 0 && source.TextAt(m.Value, "type") == "page" {
			im.Entry(label, at)
		}
		var items []*oldsite.Entry
		if more := source.Get(m.Value, "items"); more != nil && m.Key != "index" {
			items = nextraEntries(im, bar, root, path.Join(dir, m.Key), more, depth+1)
		} else if sub := path.Join(dir, m.Key); m.Key != "index" && im.Src.HasFolder(sub) {
			items = nextraTree(im, bar, root, sub, depth+1)
		}
		switch {
		case len(items) > 0:
			if page != nil {
				items = append([]*oldsite.Entry{page}, items...)
			}
			out = append(out, &oldsite.Entry{Label: source.Fallback(label, source.TitleCase(m.Key)), Items: items, Headed: page != nil})
		case page != nil:
			out = append(out, page)
		}
	}
	return out
}
