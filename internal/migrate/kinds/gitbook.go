package kinds

import (
	"path"
	"strings"

	"vitrine/internal/lazyregexp"
	"vitrine/internal/load/tree"
	"vitrine/internal/migrate/convert"
	"vitrine/internal/migrate/oldsite"
	"vitrine/internal/migrate/source"
)

// Gitbook returns the kind for GitBook spaces. See
// https://gitbook.com/docs/getting-started/git-sync/content-configuration.
func Gitbook() *oldsite.Kind {
	return &oldsite.Kind{Name: "gitbook", Detect: detectGitbook, Read: readGitbook, Docs: true, Whole: true, Syntax: convert.Syntax{
		Expand: gitbookBlocks, Math: true, Attrs: true, Tags: map[string]convert.Handler{
			"{hint": gitbookHint, "{code": gitbookCode, "{embed": gitbookLink, "{file": gitbookLink, "{content-ref": gitbookRef, "{stepper": gitbookInner, "{step": gitbookInner,
			"{columns": gitbookInner, "{column": gitbookInner, "{updates": gitbookInner, "{update": gitbookInner, "{prompt": gitbookInner,
		}}}
}

func detectGitbook(s *source.Folder) (string, bool) {
	if name := oldsite.FindConfig(s, ".gitbook.yaml", ".gitbook.yml"); name != "" {
		return path.Dir(name), true
	}
	if oldsite.FindConfig(s, "book.toml") != "" {
		return ".", false
	}
	name := oldsite.FindConfig(s, "SUMMARY.md", "summary.md")
	dir := path.Dir(name)
	return dir, name != "" && path.Base(dir) != "src"
}

func readGitbook(im *oldsite.Site) error {
	config := im.SettingsOf(".gitbook.yaml", ".gitbook.yml", "book.json")
	im.ReadSettings(config, oldsite.SettingKeys{Title: "title", Description: "description", Language: "language"})
	dir, ok := source.Inside(im.Base, source.Fallback(source.TextAt(config, "root"), "."))
	if !ok {
		dir = im.Base
	}
	summary := source.Fallback(source.TextAt(config, "structure/summary"), "SUMMARY.md")
	readme := path.Join(dir, source.Fallback(source.TextAt(config, "structure/readme"), "README.md"))
	for _, m := range source.Members(source.Get(config, "redirects")) {
		im.Redirected("/"+strings.Trim(m.Key, "/"), folderPath(strings.TrimPrefix(source.Text(m.Value), "./")))
	}
	byName := map[string]*oldsite.Page{}
	im.Content(dir, oldsite.Rules{Skip: func(_, rel string) bool { return strings.EqualFold(rel, summary) || tooling(rel) }, Page: func(p *oldsite.Page, rel string) {
		im.SetAddress(p, pageStem(rel), "", "README", "index")
		if p.Source == readme {
			p.Address, p.Index = im.BasePath+"/", true
		}
		byName[p.Source] = p
	}})
	text, err := im.Src.Text(path.Join(dir, summary))
	if err != nil {
		return nil
	}
	bar := &oldsite.Sidebar{Site: im, Find: func(name string) *oldsite.Page {
		name, _, _ = strings.Cut(name, "#")
		return byName[path.Join(dir, source.Unescape(name))]
	}}
	bar.Read(summaryTree(text))
	if m := firstHeading.FindStringSubmatch(text); m != nil && im.Title == "" && !strings.EqualFold(convert.Plain(m[1]), "Table of contents") && !strings.EqualFold(convert.Plain(m[1]), "Summary") {
		im.Title = convert.Plain(m[1])
	}
	if p := byName[readme]; p != nil && im.Title == "" {
		if m := firstHeading.FindStringSubmatch(p.Body); m != nil {
			im.Title = convert.Plain(m[1])
		}
	}
	return nil
}

// tooling reports whether a file, such as LICENSE, is about the repository and isn't part of its documentation.
func tooling(rel string) bool {
	switch strings.ToUpper(source.Stem(rel)) {
	case "LICENSE", "CHANGELOG", "CODE_OF_CONDUCT", "CONTRIBUTING", "SECURITY", "PULL_REQUEST_TEMPLATE":
		return !strings.Contains(rel, "/")
	}
	return false
}

var summaryHeading = lazyregexp.New(`^##+[ \t]+(.*)$`)

// summaryTree converts a SUMMARY.md to the structure that oldsite.Sidebar.Read expects. Headings, and entries with
// nested entries, become groups.
func summaryTree(text string) *tree.Node {
	type level struct {
		indent int
		list   *tree.Node
	}
	list := func() *tree.Node { return &tree.Node{Kind: tree.List} }
	entry := func(label, link string) *tree.Node {
		n := &tree.Node{Kind: tree.Map, Members: []tree.Member{{Key: "label", Value: source.TextNode(label)}}}
		if link != "" {
			n.Members = append(n.Members, tree.Member{Key: "link", Value: source.TextNode(link)})
		}
		return n
	}
	root := list()
	stack := []level{{-1, root}}
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if m := summaryHeading.FindStringSubmatch(line); m != nil {
			group := entry(convert.Plain(m[1]), "")
			group.Members = append(group.Members, tree.Member{Key: "items", Value: list()})
			root.Items = append(root.Items, group)
			stack = []level{{-1, group.Get("items").Value}}
			continue
		}
		if strings.Trim(line, "-* \t") == "" && strings.Contains(line, "---") {
			// A thematic break ends the current group.
			stack = []level{{-1, root}}
		}
		m := summaryLink.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		indent := convert.Columns(m[1])
		for len(stack) > 1 && stack[len(stack)-1].indent >= indent {
			stack = stack[:len(stack)-1]
		}
		link, _, _ := strings.Cut(strings.TrimPrefix(m[3], "./"), " ")
		one := entry(convert.Plain(m[2]), link)
		items := list()
		one.Members = append(one.Members, tree.Member{Key: "items", Value: items})
		top := stack[len(stack)-1].list
		top.Items = append(top.Items, one)
		stack = append(stack, level{indent, items})
	}
	pruneItems(root)
	return root
}

// pruneItems removes the empty item lists of entries without children.
func pruneItems(n *tree.Node) {
	for _, one := range n.Items {
		m := one.Get("items")
		if m == nil {
			continue
		}
		if pruneItems(m.Value); len(m.Value.Items) == 0 {
			one.Members = one.Members[:len(one.Members)-1]
		}
	}
}

// gitbookBlocks returns text with blocks, "{% name … %} … {% endname %}", replaced by placeholders. The blocks are
// converted when tags are read.
func gitbookBlocks(c *convert.Converter, text string) string {
	return c.Calls(text, "{%", readGitbookCall, func(*convert.Tag, string, bool, bool) (string, bool) { return "", false })
}

var gitbookCall = lazyregexp.New(`^\{%-?[ \t]*(end)?([a-z][\w-]*)`)

func readGitbookCall(text string, i int) (*convert.Tag, int, string) {
	m := gitbookCall.FindStringSubmatch(text[i:min(len(text), i+200)])
	if m == nil {
		return nil, 0, ""
	}
	attrs, at, _ := convert.Arguments(text, i+len(m[0]), "-%}", "%}")
	if at < 0 {
		return nil, 0, ""
	}
	t := &convert.Tag{Name: "{" + m[2], Attrs: attrs}
	if m[1] != "" {
		t.Form = convert.Closing
	}
	return t, at, ""
}

func gitbookHint(c *convert.Converter, n *convert.Node) convert.Piece {
	return convert.Alert(source.Fallback(n.Tag.Get("style"), "info"), n.Tag.Get("title"), c.Inner(n))
}

func gitbookCode(c *convert.Converter, n *convert.Node) convert.Piece {
	text := c.Inner(n)
	if title := n.Tag.Get("title"); title != "" {
		text = convert.CodeSpan(title) + "\n\n" + text
	}
	return convert.Piece{Text: text, Block: true}
}

func gitbookInner(c *convert.Converter, n *convert.Node) convert.Piece {
	return convert.Piece{Text: c.Inner(n), Block: true}
}

func gitbookLink(c *convert.Converter, n *convert.Node) convert.Piece {
	to := n.Tag.Get("url", "src")
	if to == "" {
		return convert.Piece{Text: c.Inner(n), Block: true}
	}
	if p, ok := convert.Film(to, ""); ok {
		return p
	}
	label := source.Fallback(strings.TrimSpace(c.Inner(n)), source.Fallback(n.Tag.Get("caption"), to))
	if strings.Contains(label, "\n") || strings.Contains(label, "](") {
		return convert.Piece{Text: "[" + to + "](" + convert.Destination(to) + ")\n\n" + label, Block: true}
	}
	return convert.Piece{Text: "[" + label + "](" + convert.Destination(to) + ")", Block: true}
}

func gitbookRef(c *convert.Converter, n *convert.Node) convert.Piece {
	if text := strings.TrimSpace(c.Inner(n)); text != "" {
		return convert.Piece{Text: text, Block: true}
	}
	return gitbookLink(c, n)
}
