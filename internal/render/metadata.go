package render

import (
	"bytes"
	"html"
	"strings"
	"time"

	"golang.org/x/text/language"

	"vitrine/internal/markdown"
	"vitrine/internal/plan"
	"vitrine/internal/render/media"
	"vitrine/internal/render/plaintext"
	"vitrine/internal/render/view"
	"vitrine/internal/site"
)

// metadata contains the parts of <head> for search engines, sharing, and feed readers that are the same on every page.
// They are generated only once.
type metadata struct {
	// links contains the elements that link every page to the feeds.
	links []byte
	// sharing contains the Open Graph tags shared by all pages.
	sharing []byte
	graph   graph
}

func newMetadata(r *Renderer) metadata {
	links, sharing := tagWriter{new(bytes.Buffer)}, tagWriter{new(bytes.Buffer)}
	for _, f := range r.feeds() {
		links.link("alternate", site.RefTo(f.path), attribute{"type", mediaEssence(f.mediaType)}, attribute{"title", f.title})
	}
	sharing.meta("property", "og:site_name", r.site.Config.Title)
	sharing.meta("property", "og:locale", openGraphLocale(r.site.Config.Language))
	return metadata{links: links.Bytes(), sharing: sharing.Bytes(), graph: newGraph(r)}
}

// metadata writes the elements of <head> for search engines, sharing, and feed readers. It writes nothing for the 404
// page, which has no URL. asked contains the questions and answers on the page.
func (r *Renderer) metadata(out *bytes.Buffer, done *Rendered, asked []answered) error {
	p, page := done.Page, done.view.Page
	if plan.IsNotFound(p) {
		return nil
	}
	w := tagWriter{out}
	if turn := page.Pagination; turn != nil {
		if turn.Previous != nil {
			w.link("prev", turn.Previous.Path)
		}
		if turn.Next != nil {
			w.link("next", turn.Next.Path)
		}
	}
	if page.Feed != "" {
		w.link("alternate", page.Feed, attribute{"type", mediaEssence(media.Atom)}, attribute{"title", r.site.Config.Title + ": " + page.Title})
	}
	for _, l := range r.alternates(page.Languages) {
		w.link("alternate", l.url, attribute{"hreflang", l.tag})
	}
	w.Write(r.meta.links)
	w.link("describedby", page.LLMs, attribute{"type", "text/plain"}, attribute{"title", "llms.txt"})
	r.sharing(w, p, page)
	return r.meta.graph.write(out, r, done, asked)
}

// needs writes the elements that load the stylesheets and scripts of the components on a page. For a component called
// NAME, these are assets/NAME.css and assets/NAME.js, if they exist.
func (r *Renderer) needs(out *bytes.Buffer, doc *markdown.Document) {
	for _, name := range doc.Components() {
		if address, err := r.theme.Asset(name + ".css"); err == nil {
			out.WriteString(`<link rel="stylesheet" href="` + strings.ReplaceAll(address, `"`, "") + "\">\n")
		}
		if address, err := r.theme.Asset(name + ".js"); err == nil {
			out.WriteString(`<script src="` + strings.ReplaceAll(address, `"`, "") + "\" defer></script>\n")
		}
	}
}

// sharing writes the tags for Open Graph (ogp.me) and Twitter cards.
func (r *Renderer) sharing(w tagWriter, p *site.Page, page *view.Page) {
	image := string(r.absolute(page.Image))
	description := page.Description
	if description == "" && p.Local() == "/" {
		description = plaintext.OneLine(r.site.Config.Description)
	}
	kind := "website"
	if p.Layout == "post" {
		kind = "article"
	}
	w.meta("property", "og:type", kind)
	w.meta("property", "og:title", page.Title)
	w.meta("property", "og:description", description)
	w.meta("property", "og:url", string(page.Canonical))
	w.Write(r.meta.sharing)
	for _, l := range page.Languages {
		if l.Translated && !l.Current {
			w.meta("property", "og:locale:alternate", openGraphLocale(l.Tag))
		}
	}
	card := "summary"
	alt := ""
	if image != "" {
		card, alt = "summary_large_image", r.imageAlt(page.Title)
		if p.Image.Target == "" && p.Cover.Alt != "" && p.SharedImage().Target != "" {
			alt = p.Cover.Alt
		}
		w.meta("property", "og:image", image)
		if p.SharedImage().Target == "" {
			w.meta("property", "og:image:type", "image/png")
			w.meta("property", "og:image:width", "1200")
			w.meta("property", "og:image:height", "630")
		}
		w.meta("property", "og:image:alt", alt)
	}
	if kind == "article" {
		w.meta("property", "article:published_time", dateTime(p.Date))
		w.meta("property", "article:modified_time", dateTime(page.Updated))
		for _, tag := range p.Tags {
			w.meta("property", "article:tag", tag)
		}
	}
	w.meta("name", "twitter:card", card)
	w.meta("name", "twitter:title", page.Title)
	w.meta("name", "twitter:description", description)
	w.meta("name", "twitter:image", image)
	w.meta("name", "twitter:image:alt", alt)
}

// imageAlt returns the alternative text of a page's social image: the page's title and the site's title, or only one
// title if they are equal. A generated image shows both titles, and the content of other images is unknown.
func (r *Renderer) imageAlt(title string) string {
	if title == r.site.Config.Title {
		return title
	}
	return title + " · " + r.site.Config.Title
}

// openGraphLocale converts a language tag to Open Graph's format, such as "de_AT". It returns "" if the tag is invalid
// or has no country.
func openGraphLocale(tag string) string {
	parsed, err := language.Parse(tag)
	if err != nil {
		return ""
	}
	base, _ := parsed.Base()
	region, confidence := parsed.Region()
	if confidence != language.Exact {
		return ""
	}
	return base.String() + "_" + region.String()
}

// dateTime formats t as specified in RFC 3339, or returns "" for the zero time. At midnight, it returns only the date
// because the author probably wrote no time of day.
func dateTime(t time.Time) string {
	switch {
	case t.IsZero():
		return ""
	case t.Hour() == 0 && t.Minute() == 0 && t.Second() == 0:
		return t.Format(time.DateOnly)
	}
	return t.Format(time.RFC3339)
}

// mediaEssence returns a media type without its parameters.
func mediaEssence(mediaType string) string {
	essence, _, _ := strings.Cut(mediaType, ";")
	return essence
}

// A tagWriter writes elements of <head>, one per line.
type tagWriter struct {
	*bytes.Buffer
}

type attribute struct {
	name, value string
}

// meta writes a meta element, unless content is empty.
func (w tagWriter) meta(key, name, content string) {
	if content == "" {
		return
	}
	w.element("meta", attribute{key, name}, attribute{"content", content})
}

func (w tagWriter) link(relation string, target site.Ref, more ...attribute) {
	w.element("link", append([]attribute{{"rel", relation}, {"href", string(target)}}, more...)...)
}

func (w tagWriter) element(name string, attributes ...attribute) {
	w.WriteByte('<')
	w.WriteString(name)
	for _, a := range attributes {
		w.WriteByte(' ')
		w.WriteString(a.name)
		w.WriteString(`="`)
		w.WriteString(html.EscapeString(a.value))
		w.WriteByte('"')
	}
	w.WriteString(">\n")
}
