package load

import (
	"fmt"
	"strings"
	"time"

	"github.com/cespare/xxhash/v2"

	"vitrine/internal/load/suggest"
	"vitrine/internal/load/tree"
	"vitrine/internal/site"
)

// maxPage is the size of a page, in bytes, beyond which it is refused.
const maxPage = 8 << 20

// pageSetting is what the pages of one load have in common.
type pageSetting struct {
	zone    *time.Location
	now     time.Time
	titleOf func(path string, source []byte, body int) string
}

// readPage reads a page's source: its front matter and its place on the site.
// The page is nil where its name cannot be a path. A page with errors is
// returned all the same, so that links to it are not reported too.
func (s pageSetting) readPage(r *report, source []byte) *site.Page {
	name := strings.TrimPrefix(r.path, contentDir+"/")
	if problem := nameProblem(name); problem != "" {
		r.errorf(site.Pos{}, "the file's name cannot become a path: %s; rename the file", problem)
		return nil
	}
	p := &site.Page{Source: r.path, Digest: xxhash.Sum64(source)}
	if faults := tree.CheckText(source); faults != nil {
		p.Path, _ = pagePath(name)
		p.Body = len(source)
		r.faults(faults)
		return p
	}
	root, body, faults := splitFrontMatter(source)
	p.Body = body
	if r.faults(faults); faults != nil {
		p.Path, _ = pagePath(name)
		return p
	}
	s.decode(r, p, name, root)
	if absent(root, "title") && s.titleOf != nil {
		p.Title = s.titleOf(r.path, source, body)
	}
	if p.Title == "" && absent(root, "title") {
		r.errorf(placeOf(root, "title"), `the page has no title; write "title: …" in its front matter, or begin the text with a heading such as "# Pricing"`)
	}
	return p
}

// decode reads front matter into the page.
func (s pageSetting) decode(r *report, p *site.Page, name string, root *tree.Node) {
	var slug string
	object(refuseKey, pageFields(p, &slug, s.zone)...)(r, value{root, "", root.Pos})
	path, index := pagePath(name)
	if slug != "" {
		path = s.slugged(r, path, slug, root)
	}
	p.Path = path
	p.Scheduled = p.Date.After(s.now)
	if p.Layout == "" {
		p.Layout = defaultLayout(p, index)
	}
	if reserved(p.Path) {
		r.errorf(placeOf(root, "slug"), reservedText, p.Path)
	}
	if strings.HasSuffix(p.Path, ".md") {
		r.errorf(placeOf(root, "slug"), "the page's path would be %s, which is the Markdown form of another; rename the file", p.Path)
	}
	if p.IsPost() && absent(root, "date") {
		r.errorf(placeOf(root, "date"), `an article below blog/ has a date; write "date: 2026-03-14" in its front matter`)
	}
}

// absent reports whether front matter says nothing for a key.
func absent(root *tree.Node, key string) bool {
	m := root.Get(key)
	return m == nil || m.Value.Kind == tree.Null
}

// placeOf returns the place of a key, or that of the front matter without it.
func placeOf(root *tree.Node, key string) site.Pos {
	if m := root.Get(key); m != nil {
		return m.Pos
	}
	return root.Pos
}

func (s pageSetting) slugged(r *report, path, slug string, root *tree.Node) string {
	if path == "/" {
		r.errorf(root.Get("slug").Pos, "slug: the home page is at / and has no slug; take it out")
		return path
	}
	return withSlug(path, slug)
}

func defaultLayout(p *site.Page, index bool) string {
	switch {
	case p.Path == "/":
		return "home"
	case p.IsPost():
		return "post"
	case index:
		return "list"
	default:
		return "page"
	}
}

func pageFields(p *site.Page, slug *string, zone *time.Location) []field {
	return []field{
		{"title", "", unlessNull(line(&p.Title))},
		{"description", "", optional(line(&p.Description))},
		{"date", "", unlessNull(moment(&p.Date, zone))},
		{"updated", "", unlessNull(moment(&p.Updated, zone))},
		{"draft", "", truth(&p.Draft)},
		{"unlisted", "", truth(&p.Unlisted)},
		{"slug", "", optional(text(slug, slugProblem))},
		{"aliases", "", optional(aliases(&p.Aliases))},
		{"tags", "", optional(lines(&p.Tags))},
		{"author", "", optional(line(&p.Author))},
		{"image", "", optional(reference(&p.Image))},
		{"order", "", unlessNull(order(&p.Order))},
		{"layout", "", optional(layout(p))},
		{"params", "", unlessNull(params(&p.Params))},
	}
}

func unlessNull(read reader) reader {
	return func(r *report, v value) {
		if v.Kind != tree.Null {
			read(r, v)
		}
	}
}

func layout(p *site.Page) reader {
	read := text(&p.Layout, layoutName)
	return func(r *report, v value) {
		p.LayoutPos = v.Pos
		read(r, v)
	}
}

func layoutName(s string) string {
	if !plainName(s) {
		return fmt.Sprintf("want the name of a layout, which has nothing but a-z, 0-9 and -, found %q", s)
	}
	return ""
}

// aliases reads a list of old paths, or a single one.
func aliases(dst *[]site.Alias) reader {
	one := func(r *report, v value) {
		s, ok := textOf(r, v)
		if !ok {
			return
		}
		path, problem := decodePath(s)
		switch {
		case problem != "":
			r.errorf(v.Pos, "%s: %s", v.name, problem)
		case reserved(path):
			r.errorf(v.Pos, "%s: "+reservedText, v.name, path)
		default:
			*dst = append(*dst, site.Alias{Path: path, Pos: v.Pos})
		}
	}
	return func(r *report, v value) {
		if v.Kind == tree.Text {
			one(r, v)
			return
		}
		list(one)(r, v)
	}
}

// reference reads a path or URL, which is resolved once all pages are known.
func reference(dst *site.Reference) reader {
	return func(r *report, v value) {
		if s, ok := textOf(r, v, oneWord); ok {
			*dst = site.Reference{Target: s, Pos: v.Pos}
		}
	}
}

func oneWord(s string) string {
	if strings.ContainsAny(s, "\n\t") {
		return "want a path or a URL on one line"
	}
	return ""
}

func params(dst *map[string]any) reader {
	return func(r *report, v value) {
		if v.Kind != tree.Map {
			r.errorf(v.Pos, "%s: want a map of keys and values, found %s", v.name, v.Describe())
			return
		}
		finite(r, v)
		*dst, _ = v.Plain().(map[string]any)
	}
}

// refuseKey reports an unknown key of front matter. Names that other tools use
// are told by what they are called here.
func refuseKey(r *report, parent value, m tree.Member, known []string) {
	here := map[string]string{
		"lastmod": "updated", "modified": "updated", "published": "date", "publishDate": "date",
		"summary": "description", "excerpt": "description", "categories": "tags", "keywords": "tags",
		"authors": "author", "cover": "image", "weight": "order", "template": "layout",
		"permalink": "slug", "redirect_from": "aliases", "extra": "params",
	}
	if name, ok := here[m.Key]; ok {
		r.errorf(m.Pos, "unknown key %q; here it is called %q", m.Key, name)
		return
	}
	if near := suggest.Nearest(m.Key, known); near != "" {
		r.errorf(m.Pos, "unknown key %q; did you mean %q?", m.Key, near)
		return
	}
	r.errorf(m.Pos, "unknown key %q; what is your own belongs below params, as in \"params: {%s: …}\"", m.Key, m.Key)
}
