package migrate

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/html"

	"vitrine/internal/lazyregexp"
	"vitrine/internal/load/tree"
	"vitrine/internal/migrate/convert"
	"vitrine/internal/migrate/oldsite"
	"vitrine/internal/migrate/source"
)

// fields sets the fields of p from its front matter, which may contain the keys of any generator. Keys without a
// counterpart in Vitrine go to p.Params.
func (im *importer) fields(p *oldsite.Page) {
	f := p.Front
	if s := source.TextAt(f, "title", "hero/name"); s != "" && p.Title == "" {
		p.Title = source.OneLine(im.plainValue(s), oldsite.MaxTitle)
	}
	p.Description = source.OneLine(im.plainValue(source.TextAt(f, "description", "summary", "excerpt", "subtitle", "hero/tagline", "seo/description", "lead")), oldsite.MaxLine)
	if p.Description == "" {
		p.Description = source.OneLine(headDescription(p.Body), oldsite.MaxLine)
	}
	if p.Sidebar == "" {
		p.Sidebar = source.OneLine(source.TextAt(f, oldsite.LabelKeys...), oldsite.MaxTitle)
	}
	if t, ok := source.Date(source.TextAt(f, "date", "publishDate", "pubDate", "published", "created", "publish_date", "date/created")); ok {
		p.Date = t
	}
	if t, ok := source.Date(source.TextAt(f, "lastmod", "updated", "modified", "last_modified_at", "lastUpdated", "last_update/date", "updatedDate", "last_modified", "date/updated")); ok && !t.Before(p.Date) {
		p.Updated = t
	}
	p.Draft = p.Draft || source.TruthAt(f, "draft") || source.IsFalse(source.Get(f, "published"))
	p.Unlisted = p.Unlisted || source.TruthAt(f, "unlisted") || source.IsFalse(source.Get(f, "sitemap"))
	p.Authors = im.authors(f)
	p.Tags = append(p.Tags, im.tagsOf(f)...)
	p.Tags = cleanTags(p.Tags)
	p.Image = source.TextAt(f, "image", "cover", "thumbnail", "featured_image", "heroImage", "featuredImage", "image/path", "image/src", "image/url", "cover/image", "og_image", "banner", "hero/image/src", "extra/image")
	if p.Image == "" {
		if list := source.Texts(source.Get(f, "images")); len(list) > 0 {
			p.Image = list[0]
		}
	}
	p.IsCover = p.Image != "" && p.Image == source.TextAt(f, "cover", "cover/image", "featured_image", "featuredImage", "heroImage", "banner")
	if p.Order == 0 {
		p.Order = math.MinInt
		if n, err := strconv.ParseFloat(source.TextAt(f, oldsite.OrderKeys...), 64); err == nil && math.Abs(n) < 1e9 {
			p.Order = int(math.Floor(n * 1000))
		}
	}
	for _, m := range f.Members {
		if !source.HasWord(takenKeys, strings.ToLower(m.Key)) && m.Value.Kind != tree.Null && !strings.Contains(m.Key, "\n") {
			p.Params = append(p.Params, m)
		}
	}
	im.aliases(p)
}

// pageHead matches the <head> element at the start of a page, whose content the generator adds to the <head> of the
// page's layout.
var pageHead = lazyregexp.New(`(?s)^(?:import [^\n]*\n|\s)*<(?:head|Head)>(.*?)</(?:head|Head)>`)

// headDescription returns the description in the <head> element of a page, or "" if there is none.
func headDescription(body string) string {
	m := pageHead.FindStringSubmatch(body)
	if m == nil {
		return ""
	}
	tokens := html.NewTokenizer(strings.NewReader(m[1]))
	for {
		switch tokens.Next() {
		case html.ErrorToken:
			return ""
		case html.StartTagToken, html.SelfClosingTagToken:
			attrs := map[string]string{}
			for _, a := range tokens.Token().Attr {
				attrs[a.Key] = a.Val
			}
			if strings.EqualFold(attrs["name"], "description") {
				return attrs["content"]
			}
		}
	}
}

// aliases adds the old addresses in the page's front matter to p.Others.
func (im *importer) aliases(p *oldsite.Page) {
	for _, key := range []string{"aliases", "redirect_from", "redirects"} {
		for _, s := range source.Texts(source.Get(p.Front, key)) {
			if !strings.HasPrefix(s, "/") && !strings.Contains(s, "://") {
				s = folderOf(p.Address) + s
			}
			p.Others = append(p.Others, s)
		}
	}
}

// folderOf returns the part of an address up to and including its last slash.
func folderOf(address string) string {
	return address[:strings.LastIndexByte(address, '/')+1]
}

// takenKeys are the front matter keys that are converted or have no meaning for Vitrine.
const takenKeys = "title description linktitle sidebar_label date publishdate pubdate lastmod updated modified last_modified_at updateddate last_update lastupdated" +
	" draft unlisted author authors tags categories category taxonomies weight sidebar_position nav_order order aliases redirect_from sidebar nav_title cascade" +
	" menu menus build _build headless slug permalink url published"

// plainValue removes HTML tags, link syntax, bold markers, and backticks from a front matter value.
func (im *importer) plainValue(s string) string {
	if strings.Contains(s, "<") {
		s = convert.Bare(s)
	}
	s = convert.LinkText.ReplaceAllString(s, "$1")
	return strings.NewReplacer("**", "", "`", "").Replace(s)
}

func (im *importer) tagsOf(f *tree.Node) (tags []string) {
	for _, key := range []string{"tags", "categories", "category", "taxonomies/tags", "taxonomies/categories"} {
		v := source.Get(f, strings.Split(key, "/")...)
		switch {
		case v == nil || v.Kind == tree.List:
			for _, item := range source.Items(v) {
				tags = append(tags, source.Fallback(source.Text(item), source.TextAt(item, "label", "name", "title")))
			}
		case im.Kind.Name == "jekyll" && key != "category":
			// Jekyll splits a string at spaces.
			tags = append(tags, strings.Fields(source.Text(v))...)
		default:
			tags = append(tags, strings.Split(source.Text(v), ",")...)
		}
	}
	return tags
}

// cleanTags removes empty tags and, ignoring case, duplicates. It shortens long tags.
func cleanTags(tags []string) (out []string) {
	for _, t := range tags {
		t = source.OneLine(t, oldsite.MaxTag)
		if t != "" && !slices.ContainsFunc(out, func(other string) bool { return strings.EqualFold(other, t) }) {
			out = append(out, t)
		}
	}
	return out
}

// orders ensures that the orders of pages are positive integers. In other tools, orders may be 0, negative, or
// fractional, so fields stores them multiplied by 1000, and stores math.MinInt for a page without an order. If the
// order of any page in a folder isn't a positive integer, orders renumbers the ordered pages in that folder from 1.
func (im *importer) orders() {
	folders := map[string][]*oldsite.Page{}
	for _, p := range im.Pages {
		if p.Order == math.MinInt {
			p.Order = 0
			continue
		}
		dir := folderOf(strings.TrimSuffix(source.CleanAddress(p.Address), "/"))
		folders[dir] = append(folders[dir], p)
	}
	for _, list := range folders {
		whole := true
		for _, p := range list {
			whole = whole && p.Order >= 1000 && p.Order%1000 == 0
		}
		slices.SortStableFunc(list, func(a, b *oldsite.Page) int { return a.Order - b.Order })
		rank, last := 0, math.MinInt
		for _, p := range list {
			if p.Order != last {
				rank, last = rank+1, p.Order
			}
			if p.Order /= 1000; !whole {
				p.Order = rank
			}
		}
	}
}

// frontText returns the front matter of a page, or "" if the front matter would be empty. If the body of the page is
// blank, frontText also removes the body.
func (im *importer) frontText(p *oldsite.Page) string {
	var b strings.Builder
	line := func(key, value string) {
		if value != "" {
			b.WriteString(key + ": " + value + "\n")
		}
	}
	value := func(key, s string) {
		if s != "" {
			line(key, source.Quoted(source.EscapeBraces(s)))
		}
	}
	flag := func(key, value string, holds bool) {
		if holds {
			line(key, value)
		}
	}
	value("title", p.Title)
	value("description", p.Description)
	line("date", source.Day(p.Date))
	line("updated", source.Day(p.Updated))
	flag("draft", "true", p.Draft)
	flag("unlisted", "true", p.Unlisted)
	for i, a := range im.aliasList(p) {
		if i == 0 {
			b.WriteString("aliases:\n")
		}
		b.WriteString("  - " + source.Quoted(a) + "\n")
	}
	var tags []string
	for _, t := range p.Tags {
		tags = append(tags, source.Quoted(source.EscapeBraces(t)))
	}
	flag("tags", "["+strings.Join(tags, ", ")+"]", len(tags) > 0)
	flag("author", authorLine(p.Authors), len(p.Authors) > 0)
	if p.IsCover && strings.Contains("/"+p.Name, "/blog/") && !strings.Contains(p.Image, ":") {
		value("cover", p.Image)
	} else {
		value("image", p.Image)
	}
	flag("order", strconv.Itoa(p.Order), p.Order > 0)
	if p.Sidebar != p.Title {
		value("sidebar", p.Sidebar)
	}
	flag("layout", "docs", p.Docs)
	for i, m := range p.Params {
		if i == 0 {
			b.WriteString("params:\n")
		}
		line("  "+source.Quoted(m.Key), source.YamlValue(m.Value))
	}
	if b.Len() == 0 {
		return ""
	}
	if strings.TrimSpace(p.Out) == "" {
		p.Out = ""
		return "---\n" + b.String() + "---\n"
	}
	return "---\n" + b.String() + "---\n\n"
}
