package kinds

import (
	"encoding/csv"
	"path"
	"slices"
	"strings"

	"vitrine/internal/lazyregexp"
	"vitrine/internal/load/tree"
	"vitrine/internal/migrate/convert"
	"vitrine/internal/migrate/oldsite"
	"vitrine/internal/migrate/source"
)

// Notion returns the kind for an unpacked Markdown and CSV export of a Notion workspace. See
// https://www.notion.com/help/export-your-content.
func Notion() *oldsite.Kind {
	return &oldsite.Kind{Name: "notion", Detect: detectNotion, Read: readNotion, Docs: true, Whole: true, Syntax: convert.Syntax{
		Math: true, Tags: map[string]convert.Handler{"aside": notionCallout}}}
}

// notionID matches the identifier that Notion adds to the names of pages, databases, and, in older exports, folders.
var notionID = lazyregexp.New(` [0-9a-f]{32}(_all)?$`)

// detectNotion recognizes an export if more than half of the pages have an identifier in their names. It returns the
// innermost folder that contains all pages, because an unpacked archive often contains an extra folder around the
// pages.
func detectNotion(s *source.Folder) (string, bool) {
	base, pages, named := "", 0, 0
	for _, name := range s.Names {
		if !source.IsPage(name) {
			continue
		}
		if dir := path.Dir(name); pages == 0 {
			base = dir
		} else {
			for base != "." && dir != base && !strings.HasPrefix(dir, base+"/") {
				base = path.Dir(base)
			}
		}
		if pages++; notionID.MatchString(source.Stem(name)) {
			named++
		}
	}
	return base, named*2 > pages
}

func readNotion(im *oldsite.Site) error {
	top := notionTop(im)
	at := func(rel string) string {
		address := notionAddress(rel)
		if rest, ok := strings.CutPrefix(address+"/", top+"/"); ok && top != "" {
			return strings.Trim(rest, "/")
		}
		return address
	}
	im.Content(im.Base, oldsite.Rules{
		Skip: func(name, _ string) bool { return path.Ext(name) == ".csv" },
		Page: func(p *oldsite.Page, rel string) {
			im.SetAddress(p, at(pageStem(rel)), "")
			if at(pageStem(rel)) == "" {
				p.Address, p.Index = im.BasePath+"/", true
			}
			notionProperties(p)
		},
		File: func(rel string) string { return path.Join(at(path.Dir(rel)), path.Base(rel)) },
	})
	if home := slices.IndexFunc(im.Pages, func(p *oldsite.Page) bool { return p.Address == im.BasePath+"/" }); home >= 0 {
		im.Title = notionTitle(im.Pages[home])
	}
	for _, name := range im.Src.Below(im.Base) {
		if path.Ext(name) == ".csv" && !strings.HasSuffix(source.Stem(name), "_all") {
			rel := strings.TrimPrefix(name, strings.TrimPrefix(im.Base+"/", "./"))
			notionDatabase(im, name, at(strings.TrimSuffix(rel, ".csv")))
		}
	}
	return nil
}

// notionTop returns the address of the only top-level page, which becomes the home page. It returns "" if there is no
// top-level page or more than one.
func notionTop(im *oldsite.Site) string {
	top := ""
	for _, name := range im.Src.Below(im.Base) {
		rel := strings.TrimPrefix(name, strings.TrimPrefix(im.Base+"/", "./"))
		if !source.IsPage(name) || strings.Contains(rel, "/") {
			continue
		}
		if top != "" {
			return ""
		}
		top = notionAddress(pageStem(rel))
	}
	return top
}

// notionAddress returns a path whose segments are slugs, without Notion's identifiers.
func notionAddress(rel string) string {
	parts := strings.Split(rel, "/")
	for i, part := range parts {
		parts[i] = source.Fallback(source.Sluggish(notionID.ReplaceAllString(part, "")), "page")
	}
	return strings.TrimPrefix(strings.Join(parts, "/"), "./")
}

func notionTitle(p *oldsite.Page) string {
	if m := firstHeading.FindStringSubmatch(p.Body); m != nil {
		return convert.Plain(m[1])
	}
	return notionID.ReplaceAllString(source.Stem(p.Source), "")
}

// notionProperty matches a line such as "Tags: a, b".
var notionProperty = lazyregexp.New(`^([\p{Lu}][^:\n]{0,40}): (\S.*)$`)

// notionProperties reads the properties of a database page, which an export lists below the title. Known properties
// become front matter. The other properties remain in the text, as a list.
func notionProperties(p *oldsite.Page) {
	head, rest, ok := strings.Cut(p.Body, "\n\n")
	block, body, _ := strings.Cut(rest, "\n\n")
	if !ok || !firstHeading.MatchString(head) || strings.Contains(head, "\n") {
		return
	}
	var kept []string
	given := map[string]*tree.Node{}
	for line := range strings.Lines(block) {
		m := notionProperty.FindStringSubmatch(strings.TrimSpace(line))
		if m == nil {
			return
		}
		if key, value := notionValue(m[1], m[2]); key != "" && given[key] == nil {
			given[key] = value
			continue
		}
		kept = append(kept, "- **"+m[1]+":** "+m[2])
	}
	for _, key := range source.SortedKeys(given) {
		p.Give(key, given[key])
	}
	if p.Body = head + "\n\n"; len(kept) > 0 {
		p.Body += strings.Join(kept, "\n") + "\n\n"
	}
	p.Body += body
}

// notionValue returns the front matter key and the value of a property, or "" and nil if there is no corresponding key.
func notionValue(name, text string) (string, *tree.Node) {
	switch strings.ToLower(name) {
	case "created", "created time", "date", "published":
		if t, ok := source.Date(text); ok {
			return "date", source.TextNode(source.Day(t))
		}
	case "last edited", "last edited time", "updated":
		if t, ok := source.Date(text); ok {
			return "updated", source.TextNode(source.Day(t))
		}
	case "description", "summary":
		return "description", source.TextNode(text)
	case "tags", "tag":
		list := &tree.Node{Kind: tree.List}
		for tag := range strings.SplitSeq(text, ",") {
			list.Items = append(list.Items, source.TextNode(strings.TrimSpace(tag)))
		}
		return "tags", list
	}
	return "", nil
}

// notionDatabase adds a page for a database, with a table whose rows link to their pages.
func notionDatabase(im *oldsite.Site, name, at string) {
	text, err := im.Src.Text(name)
	if err != nil {
		im.Failed(name, "the database", err)
		return
	}
	reader := csv.NewReader(strings.NewReader(strings.TrimPrefix(text, "\uFEFF")))
	reader.FieldsPerRecord = -1
	rows, err := reader.ReadAll()
	if err != nil {
		im.Failed(name, "the database", err)
		return
	}
	title := notionID.ReplaceAllString(source.Stem(name), "")
	links := map[string]string{}
	for _, p := range im.Pages {
		if strings.HasPrefix(p.Address, im.BasePath+"/"+at+"/") {
			links[notionTitle(p)] = p.Address
		}
	}
	body := "# " + title + "\n\n" + notionTable(rows, links)
	im.Add(&oldsite.Page{Document: convert.Document{Source: name, Title: title, Body: body, Address: im.BasePath + "/" + at}, Made: true})
}

// notionTable returns rows as a Markdown table. The first row contains the column names, and the first cell of each
// other row links to the page with that name.
func notionTable(rows [][]string, links map[string]string) string {
	width := 0
	for _, row := range rows {
		width = max(width, len(row))
	}
	var b strings.Builder
	for i, row := range rows {
		b.WriteString("|")
		for j := range width {
			cell := ""
			if j < len(row) {
				cell = notionCell.Replace(strings.TrimSpace(row[j]))
			}
			if i > 0 && j == 0 && cell != "" {
				if to := links[strings.TrimSpace(row[0])]; to != "" {
					cell = "[" + cell + "](" + to + ")"
				}
			}
			b.WriteString(" " + cell + " |")
		}
		if b.WriteString("\n"); i == 0 {
			b.WriteString("|" + strings.Repeat(" --- |", width) + "\n")
		}
	}
	return b.String()
}

// notionCell escapes a cell's text for use in a Markdown table.
var notionCell = strings.NewReplacer("\\", "\\\\", "|", "\\|", "\n", "<br>", "[", "\\[", "]", "\\]", "*", "\\*", "_", "\\_", "`", "\\`", "<", "\\<")

// notionCallout converts an aside, which is how Notion exports a callout, to an alert. It keeps an emoji at the start.
func notionCallout(c *convert.Converter, n *convert.Node) convert.Piece {
	return convert.Alert("note", "", c.Inner(n))
}
