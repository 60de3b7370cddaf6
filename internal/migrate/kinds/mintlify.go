package kinds

import (
	"path"
	"strings"

	"vitrine/internal/migrate/convert"
	"vitrine/internal/migrate/oldsite"
	"vitrine/internal/migrate/source"
)

// Mintlify returns the kind for Mintlify sites. See https://mintlify.com/docs/organize/settings.
func Mintlify() *oldsite.Kind {
	inner := func(c *convert.Converter, n *convert.Node) convert.Piece {
		return convert.Piece{Text: c.Inner(n), Block: true}
	}
	tags := map[string]convert.Handler{"ParamField": mintlifyField, "ResponseField": mintlifyField, "Update": mintlifyUpdate, "Tooltip": func(c *convert.Converter, n *convert.Node) convert.Piece {
		return convert.Piece{Text: strings.TrimSpace(c.Inner(n))}
	}}
	for name := range strings.FieldsSeq("AccordionGroup RequestExample ResponseExample Panel View Columns Column Snippet Visibility Tile") {
		tags[name] = inner
	}
	tags["Color.Item"] = func(_ *convert.Converter, n *convert.Node) convert.Piece {
		return convert.Piece{Text: "- " + strings.TrimSpace(n.Tag.Get("name")+" "+convert.CodeSpan(n.Tag.Get("value"))), Block: true}
	}
	tags["Color"], tags["Color.Row"] = inner, inner
	return &oldsite.Kind{Name: "mintlify", Detect: detectMintlify, Read: readMintlify, Docs: true, Whole: true, Syntax: convert.Syntax{
		Mdx: true, Math: true, Lines: convert.Directives, Tags: tags}}
}

func detectMintlify(s *source.Folder) (string, bool) {
	for _, name := range []string{"docs.json", "mint.json"} {
		at := oldsite.FindConfig(s, name)
		if text, err := s.Text(at); at != "" && err == nil && strings.Contains(text, `"navigation"`) {
			return path.Dir(at), true
		}
	}
	return ".", false
}

func readMintlify(im *oldsite.Site) error {
	config := im.SettingsOf("docs.json", "mint.json")
	im.ReadSettings(config, oldsite.SettingKeys{Url: "seo/metatags/canonical", Title: "name", Description: "description"})
	im.Content(im.Base, oldsite.Rules{Linked: true, Skip: func(name, rel string) bool {
		return source.IsPage(name) && (strings.HasPrefix(rel, "snippets/") || strings.HasPrefix(path.Base(rel), "_") || tooling(rel) || strings.EqualFold(rel, "readme.md"))
	}, Page: func(p *oldsite.Page, rel string) {
		im.SetAddress(p, pageStem(rel), "", "index")
		if url := source.TextAt(p.Front, "url"); url != "" {
			p.Body = "[" + source.Fallback(source.TextAt(p.Front, "title"), url) + "](" + convert.Destination(url) + ")\n\n" + p.Body
		}
	}})
	for _, one := range source.Items(source.Get(config, "redirects")) {
		if from := source.TextAt(one, "source"); !strings.ContainsAny(from, ":*") {
			im.Redirected(from, source.TextAt(one, "destination"))
		}
	}
	nav := source.Get(config, "navigation")
	// Use only the pages of the first language and of the first version.
	for _, many := range []string{"languages", "versions"} {
		if list := source.Items(source.Get(nav, many)); len(list) > 0 {
			nav = list[0]
		}
	}
	(&oldsite.Sidebar{Site: im, Find: im.AtSlug}).Read(nav)
	if im.AtSlug("/") == nil && len(im.Tree) > 0 {
		mintlifyHome(im)
	}
	for _, e := range im.Tree {
		if first := firstPage(e); first != nil && len(source.Items(source.Get(nav, "tabs"))) > 0 {
			im.Entry(e.Label, first.Address)
		}
	}
	for _, key := range []string{"navbar", "topbarLinks"} {
		im.Menu(source.Get(config, key))
		im.Menu(source.Get(config, key, "links"))
	}
	return nil
}

// mintlifyHome creates a home page that links to the first page of each sidebar entry.
func mintlifyHome(im *oldsite.Site) {
	var body strings.Builder
	for _, e := range im.Tree {
		if p := firstPage(e); p != nil {
			body.WriteString("- [" + source.Fallback(e.Label, source.Fallback(source.TextAt(p.Front, "title"), oldsite.TitleOf(p))) + "](" + p.Address + ")\n")
		}
	}
	im.Add(&oldsite.Page{Document: convert.Document{Source: im.Base, Title: source.Fallback(im.Title, "Home"), Address: im.BasePath + "/", Body: body.String()}, Made: true, Index: true})
}

// firstPage returns the first page of a sidebar entry, or nil if there is none.
func firstPage(e *oldsite.Entry) *oldsite.Page {
	if e.Page != nil {
		return e.Page
	}
	for _, one := range e.Items {
		if p := firstPage(one); p != nil {
			return p
		}
	}
	return nil
}

// mintlifyField converts a request parameter or a response field to its name, type, default value, and description.
func mintlifyField(c *convert.Converter, n *convert.Node) convert.Piece {
	t := n.Tag
	name := source.Fallback(t.Get("name"), t.Get("path", "query", "body", "header"))
	text := "**" + convert.CodeSpan(name) + "**"
	if kind := t.Get("type"); kind != "" {
		text += " " + convert.CodeSpan(kind)
	}
	if t.Has("required") {
		text += ", required"
	}
	if value := t.Get("default"); value != "" {
		text += ", default " + convert.CodeSpan(value)
	}
	return convert.Piece{Text: text + "\n\n" + c.Inner(n), Block: true}
}

func mintlifyUpdate(c *convert.Converter, n *convert.Node) convert.Piece {
	text := "## " + source.Fallback(n.Tag.Get("label"), "Update")
	if s := n.Tag.Get("description"); s != "" {
		text += "\n\n" + s
	}
	return convert.Piece{Text: text + "\n\n" + c.Inner(n), Block: true}
}
