package migrate

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"vitrine/internal/load/tree"
)

// fields reads what a page's front matter says in the words of other tools. What no key
// here is for goes to params.
func (im *importer) fields(p *page) {
	f := p.front
	if s := textAt(f, "title", "hero/name"); s != "" && p.title == "" {
		p.title = oneLine(im.plainValue(s), maxTitle)
	}
	p.description = oneLine(im.plainValue(textAt(f, "description", "summary", "excerpt", "subtitle", "hero/tagline", "seo/description", "lead")), maxLine)
	p.sidebar = oneLine(textAt(f, labelKeys...), maxTitle)
	if t, ok := date(textAt(f, "date", "publishDate", "pubDate", "published", "created", "publish_date", "date/created")); ok {
		p.date = t
	}
	if t, ok := date(textAt(f, "lastmod", "updated", "modified", "last_modified_at", "lastUpdated", "last_update/date", "updatedDate", "last_modified", "date/updated")); ok && !t.Before(p.date) {
		p.updated = t
	}
	p.draft = p.draft || truthAt(f, "draft") || isFalse(get(f, "published"))
	p.unlisted = p.unlisted || truthAt(f, "unlisted") || isFalse(get(f, "sitemap"))
	p.author = oneLine(im.author(f), maxLine)
	p.tags = append(p.tags, im.tagsOf(f)...)
	p.tags = cleanTags(p.tags)
	p.image = textAt(f, "image", "cover", "thumbnail", "featured_image", "heroImage", "featuredImage", "image/path", "image/src", "image/url", "cover/image", "og_image", "banner", "hero/image/src", "extra/image")
	if p.image == "" {
		if list := texts(get(f, "images")); len(list) > 0 {
			p.image = list[0]
		}
	}
	if p.order == 0 {
		p.order = math.MinInt
		if n, err := strconv.ParseFloat(textAt(f, orderKeys...), 64); err == nil && math.Abs(n) < 1e9 {
			p.order = int(math.Floor(n * 1000))
		}
	}
	for _, m := range f.Members {
		if !hasWord(takenKeys, strings.ToLower(m.Key)) && m.Value.Kind != tree.Null && !strings.Contains(m.Key, "\n") {
			p.params = append(p.params, m)
		}
	}
	im.aliases(p)
}

// aliases reads the old addresses that a page names.
func (im *importer) aliases(p *page) {
	for _, key := range []string{"aliases", "redirect_from", "redirects"} {
		for _, s := range texts(get(p.front, key)) {
			if !strings.HasPrefix(s, "/") && !strings.Contains(s, "://") {
				s = folderOf(p.address) + s
			}
			p.others = append(p.others, s)
		}
	}
}

// folderOf is the folder of an address, with its slash.
func folderOf(address string) string {
	return address[:strings.LastIndexByte(address, '/')+1]
}

// takenKeys are the keys of front matter that have their place, or say nothing here.
const takenKeys = "title description linktitle sidebar_label date publishdate pubdate lastmod updated modified last_modified_at updateddate last_update lastupdated" +
	" draft unlisted author authors tags categories category taxonomies weight sidebar_position nav_order order aliases redirect_from sidebar nav_title cascade" +
	" menu menus build _build headless slug permalink url published"

// plainValue takes tags and templates off a value of front matter.
func (im *importer) plainValue(s string) string {
	if strings.Contains(s, "<") {
		s = bare(s)
	}
	s = linkText.ReplaceAllString(s, "$1")
	return strings.NewReplacer("**", "", "`", "").Replace(s)
}

// author reads one or many, as texts, maps with a name, or keys of a file of authors.
func (im *importer) author(f *tree.Node) string {
	var names []string
	for _, one := range slices.Concat(listOf(get(f, "author")), listOf(get(f, "authors"))) {
		name := fallback(text(one), textAt(one, "name", "title", "key"))
		// "[Name](https://…) (Company)" is how some write themselves.
		name = strings.TrimSpace(plain(fallback(im.authors[name], name)))
		if name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return strings.Join(names, ", ")
}

func (im *importer) tagsOf(f *tree.Node) (tags []string) {
	for _, key := range []string{"tags", "categories", "category", "taxonomies/tags", "taxonomies/categories"} {
		v := get(f, strings.Split(key, "/")...)
		switch {
		case v == nil || v.Kind == tree.List:
			for _, item := range items(v) {
				tags = append(tags, fallback(text(item), textAt(item, "label", "name", "title")))
			}
		case im.kind.name == "jekyll" && key != "category":
			// Jekyll splits a text at its spaces.
			tags = append(tags, strings.Fields(text(v))...)
		default:
			tags = append(tags, strings.Split(text(v), ",")...)
		}
	}
	return tags
}

// cleanTags keeps each tag once, whatever its case.
func cleanTags(tags []string) (out []string) {
	for _, t := range tags {
		t = oneLine(t, maxTag)
		if t != "" && !slices.ContainsFunc(out, func(other string) bool { return strings.EqualFold(other, t) }) {
			out = append(out, t)
		}
	}
	return out
}

// orders makes of any numbers the places from 1 in each folder: those of other tools may
// be 0, negative, or fractions.
func (im *importer) orders() {
	folders := map[string][]*page{}
	for _, p := range im.pages {
		if p.order == math.MinInt {
			p.order = 0
			continue
		}
		dir := folderOf(strings.TrimSuffix(cleanAddress(p.address), "/"))
		folders[dir] = append(folders[dir], p)
	}
	for _, list := range folders {
		whole := true
		for _, p := range list {
			whole = whole && p.order >= 1000 && p.order%1000 == 0
		}
		slices.SortStableFunc(list, func(a, b *page) int { return a.order - b.order })
		rank, last := 0, math.MinInt
		for _, p := range list {
			if p.order != last {
				rank, last = rank+1, p.order
			}
			if p.order /= 1000; !whole {
				p.order = rank
			}
		}
	}
}

// frontText writes the front matter of a page.
func (im *importer) frontText(p *page) string {
	var b strings.Builder
	line := func(key, value string) {
		if value != "" {
			b.WriteString(key + ": " + value + "\n")
		}
	}
	value := func(key, s string) {
		if s != "" {
			line(key, quoted(escapeBraces(s)))
		}
	}
	flag := func(key, value string, holds bool) {
		if holds {
			line(key, value)
		}
	}
	value("title", p.title)
	value("description", p.description)
	line("date", day(p.date))
	line("updated", day(p.updated))
	flag("draft", "true", p.draft)
	flag("unlisted", "true", p.unlisted)
	for i, a := range im.aliasList(p) {
		if i == 0 {
			b.WriteString("aliases:\n")
		}
		b.WriteString("  - " + quoted(a) + "\n")
	}
	var tags []string
	for _, t := range p.tags {
		tags = append(tags, quoted(escapeBraces(t)))
	}
	flag("tags", "["+strings.Join(tags, ", ")+"]", len(tags) > 0)
	value("author", p.author)
	value("image", p.image)
	flag("order", strconv.Itoa(p.order), p.order > 0)
	if p.sidebar != p.title {
		value("sidebar", p.sidebar)
	}
	flag("layout", "docs", p.docs)
	for i, m := range p.params {
		if i == 0 {
			b.WriteString("params:\n")
		}
		line("  "+quoted(m.Key), yamlValue(m.Value))
	}
	if b.Len() == 0 {
		return ""
	}
	if strings.TrimSpace(p.out) == "" {
		p.out = ""
		return "---\n" + b.String() + "---\n"
	}
	return "---\n" + b.String() + "---\n\n"
}
