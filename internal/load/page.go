package load

import (
	"fmt"
	"strings"
	"time"

	"github.com/cespare/xxhash/v2"

	"vitrine/internal/facts"
	"vitrine/internal/folder"
	"vitrine/internal/load/shape"
	"vitrine/internal/load/suggest"
	"vitrine/internal/load/tree"
	"vitrine/internal/rule"
	"vitrine/internal/site"
)

// maxPage is the maximum size of a page in bytes.
const maxPage = 8 << 20

// pageSetting contains the settings shared by all pages in a load.
type pageSetting struct {
	zone    *time.Location
	now     time.Time
	titleOf func(path string, source []byte, body int) string
	// facts contains the facts that pages can use, keyed by language tag.
	facts map[string]*facts.Values
	// config is the site's configuration, which contains the languages.
	config *site.Config
}

// readPage reads a page's source and determines its path and other properties. The page is nil if the file's name can't
// be a path. Errors in the source don't make it nil, so that links to the page aren't reported as broken.
func (s pageSetting) readPage(r *report, source []byte) *site.Page {
	name := strings.TrimPrefix(r.path, folder.Content+"/")
	if problem := nameProblem(name); problem != "" {
		r.errorf(site.Pos{}, "the file name cannot be used as a URL path: %s; rename the file", problem).Code = rule.WrongPath
		return nil
	}
	p := &site.Page{Source: r.path, Digest: xxhash.Sum64(source), Draft: inDrafts(r.path), Language: site.LanguageOf(s.config, r.path)}
	if faults := tree.CheckText(source); faults != nil {
		p.Path, _ = pagePath(name)
		p.Body, p.Layout = len(source), defaultLayout(p, false)
		r.faults(faults)
		return p
	}
	root, body, faults := splitFrontMatter(source)
	p.Body = body
	if r.faults(faults); faults != nil {
		p.Path, _ = pagePath(name)
		p.Layout = defaultLayout(p, false)
		return p
	}
	expandFacts(s.facts[p.Language], r, source, body, root)
	s.decode(r, p, name, root)
	if absent(root, "title") && s.titleOf != nil {
		if p.Title = s.titleOf(r.path, source, body); p.Title == "" {
			if title := heroTitle(p); title != nil {
				p.Title = s.titleOf(r.path, title, 0)
			}
		}
		if problem := atMost(maxTitle).problem(p.Title); problem != "" {
			r.errorf(root.Pos, "the page's title, its first heading, is too long: %s", problem)
		}
	}
	if p.Title == "" && absent(root, "title") {
		r.errorf(placeOf(root, "title"), `the page has no title; write "title: …" in its front matter, or begin the text with a heading such as "# Pricing"`).Code = rule.NoTitle
	}
	return p
}

// decode reads front matter into p, sets the properties that depend on the page's path and the current time, and
// reports conflicts between them.
func (s pageSetting) decode(r *report, p *site.Page, name string, root *tree.Node) {
	var slug string
	frontMatter(p, &slug, s.zone).read(r, value{root, "", root.Pos})
	p.Draft = p.Draft || inDrafts(p.Source)
	for i := range p.Tags {
		p.Tags[i] = composed(p.Tags[i])
	}
	path, index := pagePath(name)
	if slug != "" {
		path = s.slugged(r, p.Language, path, slug, root)
	}
	p.Path = path
	p.Scheduled = p.Date.After(s.now)
	if !absent(root, "updated") && !p.Updated.IsZero() && !p.Date.IsZero() && p.Updated.In(p.Date.Location()).Format(time.DateOnly) < p.Date.Format(time.DateOnly) {
		r.warnf(placeOf(root, "updated"), "updated is earlier than date, so one of them is wrong; set updated to the date when the text last changed").Code = rule.WrongOrder
	}
	if p.Layout == "" {
		p.Layout = defaultLayout(p, index)
	}
	apiLayout(r, p, root)
	if site.Reserved(p.Path) && reservedFolder(p.Source) == "" {
		r.errorf(placeOf(root, "slug"), reservedText, p.Path).Code = rule.WrongPath
	}
	if strings.HasSuffix(p.Path, ".md") {
		r.errorf(placeOf(root, "slug"), "the page's path would be %s, but paths that end in .md are reserved for the Markdown form of pages; rename the file", p.Path).Code = rule.WrongPath
	}
	if p.IsPost() && absent(root, "date") {
		r.errorf(placeOf(root, "date"), `an article in blog/ needs a date; write "date: 2026-03-14" in its front matter`).Code = rule.NoDate
	}
}

// absent reports whether a key is missing from front matter or has no value.
func absent(root *tree.Node, key string) bool {
	m := root.Get(key)
	return m == nil || m.Value.Kind == tree.Null
}

// placeOf returns the position of key, or of the front matter if key is missing.
func placeOf(root *tree.Node, key string) site.Pos {
	if m := root.Get(key); m != nil {
		return m.Pos
	}
	return root.Pos
}

func (s pageSetting) slugged(r *report, language, path, slug string, root *tree.Node) string {
	if path == site.At(language, "/") {
		r.errorf(root.Get("slug").Pos, "slug: a home page has a fixed path; remove the slug").Code = rule.WrongPath
		return path
	}
	return withSlug(path, slug)
}

func defaultLayout(p *site.Page, index bool) string {
	switch {
	case p.Local() == "/":
		return "home"
	case p.IsPost():
		return "post"
	case index:
		return "list"
	default:
		return "page"
	}
}

// frontMatter returns a reader for the front matter of a page. The reader stores the slug in *slug.
func frontMatter(p *site.Page, slug *string, zone *time.Location) reader {
	return object(others{read: refuseKey, elsewhere: pageElsewhere(), unlike: published},
		field{"title", "", "The page's title. Default: the first level-1 heading of the text or, without one, the title of a hero at the top of the page.", unlessNull(line(&p.Title, atMost(maxTitle)))},
		field{"description", "", "One line about the page, for lists, search results, and llms.txt.", optional(line(&p.Description))},
		field{"date", "", "The publication date. Articles in blog/ require it. Until this date, builds omit the page.", unlessNull(moment(&p.Date, &zone))},
		field{"updated", "", "The date of the last substantial change to the text.", unlessNull(noting(&p.UpdatedPos, moment(&p.Updated, &zone)))},
		field{"draft", "", "Whether builds omit the page. Default: false.", unlessNull(truth(&p.Draft))},
		field{"unlisted", "", "Whether to hide the page from lists, the sitemap, llms.txt, and search, and to ask search engines not to index it. The page's URL still works. Default: false.", unlessNull(truth(&p.Unlisted))},
		field{"slug", "", "The last part of the page's path. Default: the file's name.", optional(written(text(slug, isSlug())))},
		field{"aliases", "", "One or more old paths that redirect to the page. Write each path from the site's root.", optional(aliases(&p.Aliases))},
		field{"tags", "", "The page's topics, one or two words each.", optional(noting(&p.TagsPos, few(maxTags, "tags; keep the most important", present(&p.Tags, func(s *string) reader { return line(s, atMost(maxTag)) }))))},
		field{"author", "", "The page's author or authors: a key in authors.yaml, a name, or a list of keys and names.", optional(bylines(&p.Authors))},
		field{"image", "", "The page's social image: a path relative to the page, or a URL. Default: the cover, or a generated image.", optional(reference(&p.Image))},
		field{"cover", "", "The article's picture, shown in lists, above the text, and in link previews: {src, alt}, or a path relative to the page.", optional(figure(&p.Cover, pictureOfPage, false))},
		field{"series", "", "The name of the series that the article belongs to. The articles of a series are sorted by date.", optional(noting(&p.SeriesPos, line(&p.Series, atMost(maxTag))))},
		field{"order", "", "The page's position in lists: small numbers come first, and pages without a number come last.", unlessNull(order(&p.Order))},
		field{"sidebar", "", "The page's name in the documentation sidebar. Default: the page's title.", optional(line(&p.Sidebar, atMost(maxTitle)))},
		field{"badge", "", "A word next to the page's name in the documentation sidebar, such as New.", optional(line(&p.Badge, atMost(maxBadge)))},
		field{"icon", "", "The icon in front of the page's name in the documentation sidebar: the name of an icon, or the path of an SVG file on the site.", optional(noting(&p.IconPos, text(&p.Icon, isIcon())))},
		field{"layout", "", "The layout, which is the template that renders the page. Default: docs in documentation; elsewhere, home for the home page, post for articles in blog/, list for an index page with pages under it, and page for all other pages.", optional(noting(&p.LayoutPos, text(&p.Layout, isLayout())))},
		field{"openapi", "", "Only for pages with layout: api. The path of your API's OpenAPI description (version 3.0 or 3.1, in YAML or JSON), relative to the page's folder, or a list of such paths. The build generates a page for each tag and operation in the description.", optional(descriptions(&p.OpenAPI))},
		field{"diagnostics", "", "The levels of rules for this page: a map from the rules' codes to off, warning, or error.", optional(levels(&p.Diagnostics))},
		field{"translationOf", "", "The path of the page that this page translates. You need this key only if the two paths differ in more than the language tag.", optional(noting(&p.TranslationOf.Pos, text(&p.TranslationOf.Target, isPath())))},
		field{"sections", "", "The sections to show above the page's text, in order, such as a hero and a list of features.", optional(sections(&p.Sections))},
		field{"params", "", "Your own keys and values, for your own templates. A template reads the value of color as .Page.Params.color.", unlessNull(params(&p.Params))},
	)
}

func layoutName(s string) string {
	if !plainName(s) {
		return fmt.Sprintf("want a layout name with only a-z, 0-9, and -; found %q", s)
	}
	return ""
}

// aliases returns a reader for an old path of a page or a list of such paths.
func aliases(dst *[]site.Alias) reader {
	one := written(reader{
		read: func(r *report, v value) {
			s, ok := textOf(r, v)
			if !ok {
				return
			}
			rooted := s
			if scheme, _ := site.Scheme(s); !strings.HasPrefix(s, "/") && scheme == "" {
				rooted = "/" + s
			}
			path, problem := decodePath(rooted)
			if problem == "" && rooted != s {
				r.fix(r.warnf(v.Pos, "%s: %q is read as %q; add the slash", v.name, s, rooted), v.Pos, s, rooted)
			}
			switch {
			case problem != "":
				r.errorf(v.Pos, "%s: %s", v.name, problem)
			case site.Reserved(path):
				r.errorf(v.Pos, "%s: "+reservedText, v.name, path).Code = rule.WrongPath
			case ownAddress(path):
				r.errorf(v.Pos, "%s: every site already has the address %s; remove the alias", v.name, path).Code = rule.WrongPath
			default:
				*dst = append(*dst, site.Alias{Path: path, Pos: v.Pos})
			}
		},
		draw: func() shape.Shape { return shape.Shape{Kinds: []shape.Kind{shape.Text}, Pattern: aliasPattern} },
	})
	read := func(r *report, v value) {
		if v.Kind == tree.Text || v.Kind == tree.Number {
			one.read(r, v)
			return
		}
		list(one).read(r, v)
	}
	return reader{read, func() shape.Shape {
		s := list(one).draw()
		s.Kinds, s.Pattern = append(s.Kinds, shape.Text, shape.Number), aliasPattern
		return s
	}}
}

// reference returns a reader for the path or URL of an image. The reference is resolved after all pages are loaded.
func reference(dst *site.Reference) reader {
	read := func(r *report, v value) {
		if s, ok := textOf(r, v, isImageTarget()); ok {
			*dst = site.Reference{Target: s, Pos: v.Pos}
		}
	}
	return reader{read, func() shape.Shape { return drawText(shape.Image, []check{isImageTarget()}) }}
}

func oneWord(s string) string {
	if strings.ContainsAny(s, "\n\t") {
		return "want a path or a URL on one line"
	}
	return ""
}

func params(dst *map[string]any) reader {
	read := func(r *report, v value) {
		if v.Kind != tree.Map {
			r.errorf(v.Pos, "%s: want a map of keys and values, found %s", v.name, v.Describe())
			return
		}
		finite(r, v)
		*dst, _ = v.Plain().(map[string]any)
	}
	return reader{read, func() shape.Shape {
		return shape.Shape{Kinds: []shape.Kind{shape.Map}, Others: new(shape.Shape)}
	}}
}

// pageElsewhere maps other tools' names for front matter keys to Vitrine's keys.
func pageElsewhere() map[string]string {
	return map[string]string{
		"lastmod": "updated", "modified": "updated", "lastUpdated": "updated", "last_updated": "updated", "updatedDate": "updated", "last_modified_at": "updated", "published": "date", "publishDate": "date", "pubDate": "date",
		"publish_date": "date", "published_at": "date", "publishedAt": "date", "created": "date",
		"summary": "description", "excerpt": "description", "categories": "tags", "keywords": "tags",
		"authors": "author", "thumbnail": "image", "featured_image": "cover", "heroImage": "cover", "featuredImage": "cover", "weight": "order", "template": "layout",
		"permalink": "slug", "redirect_from": "aliases", "extra": "params",
		"sidebar_label": "sidebar", "linkTitle": "sidebar", "sidebar_position": "order", "nav_order": "order",
	}
}

// published reports whether m has the key "published" and a Boolean value instead of a date. In other tools, such a
// value is the opposite of draft.
func published(m *tree.Member) bool { return m.Key == "published" && m.Value.Kind == tree.Bool }

// refuseKey reports an unknown front matter key. If another tool uses the key, the message suggests Vitrine's
// equivalent. Otherwise, it suggests the nearest known key or, if no key is similar, params, which may contain any key.
func refuseKey(r *report, parent value, m tree.Member, known []string) {
	switch near := suggest.Nearest(m.Key, known); {
	case published(&m):
		r.errorf(m.Pos, "unknown key %q; a page is published unless it is a draft: remove the key, or write \"draft: true\"", m.Key).Code = rule.UnknownKey
	case pageElsewhere()[m.Key] != "":
		r.errorf(m.Pos, "unknown key %q; use %q instead", m.Key, pageElsewhere()[m.Key]).Code = rule.UnknownKey
	case near != "":
		r.errorf(m.Pos, "unknown key %q; did you mean %q?", m.Key, near).Code = rule.UnknownKey
	default:
		r.errorf(m.Pos, "unknown key %q; put custom keys under params, as in \"params: {%s: …}\"", m.Key, m.Key).Code = rule.UnknownKey
	}
}

// themePages is the folder of the theme's pages.
const themePages = "templates/pages/"

// ParsePage reads a page of the theme. name is the page's file, including the prefix templates/pages/, and path is its
// URL path. The page is nil if the file has an encoding fault or its front matter can't be parsed.
func ParsePage(name, path string, source []byte, config site.Config) (*site.Page, []site.Problem) {
	r := &report{path: name}
	if faults := tree.CheckText(source); faults != nil {
		r.faults(faults)
		return nil, r.problems
	}
	root, body, faults := splitFrontMatter(source)
	if r.faults(faults); faults != nil {
		return nil, r.problems
	}
	p := &site.Page{Source: name, Body: body, Text: source}
	setting := pageSetting{zone: config.Location, config: &config}
	setting.decode(r, p, strings.TrimPrefix(name, themePages), root)
	p.Path, p.Scheduled = path, false
	return p, r.problems
}
