package render

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"time"

	"vitrine/internal/artifact"
	"vitrine/internal/markup"
	"vitrine/internal/plan"
	"vitrine/internal/render/media"
	"vitrine/internal/render/plaintext"
	"vitrine/internal/render/view"
	"vitrine/internal/site"
)

// feedEntries is the maximum number of articles in a feed.
const feedEntries = 50

// feed is one of the blog's two feeds: the Atom feed or the JSON Feed.
type feed struct {
	path, title, mediaType string
}

// feeds returns the feeds of the blog in the renderer's language, or nil if the blog has no articles.
func (r *Renderer) feeds() []feed {
	if len(r.lists.Posts) == 0 {
		return nil
	}
	return []feed{
		{r.site.At(plan.AtomPath), r.feedTitle() + " (Atom)", media.Atom},
		{r.site.At(plan.JSONFeedPath), r.feedTitle() + " (JSON Feed)", media.JSONFeed},
	}
}

// feedTitle returns the site's title, followed by the blog's title if the two differ.
func (r *Renderer) feedTitle() string {
	blog := r.lists.Pages[r.site.At(plan.BlogPath)]
	if blog == nil || blog.Title == r.site.Config.Title {
		return r.site.Config.Title
	}
	return r.site.Config.Title + ": " + blog.Title
}

// inFeed reports whether p is one of the articles in the blog's feeds.
func (r *Renderer) inFeed(p *site.Page) bool {
	place, ok := r.lists.Place[p.Path]
	return ok && place < feedEntries
}

// feedEntry is an article in a feed.
type feedEntry struct {
	page *site.Page
	// url is the article's URL, which is also its ID in the feed. It changes only if an author changes the article's
	// path.
	url, image         site.Ref
	summary            string
	published, updated time.Time
	authors            []view.Author
	// html is the article's text, with absolute links.
	html string
}

// entries returns the articles in the feeds, newest first.
func (r *Renderer) entries() ([]feedEntry, error) {
	var entries []feedEntry
	for _, p := range r.lists.Posts[:min(feedEntries, len(r.lists.Posts))] {
		e := r.entry(p)
		if given := r.articles[p.Path]; given != nil {
			texts, err := given()
			if err != nil {
				return nil, fmt.Errorf("reading the feed entry of %s: %w", p.Path, err)
			}
			e.html = texts.Article
		}
		entries = append(entries, e)
	}
	return entries, nil
}

// entry returns p's feed entry without the article's text.
func (r *Renderer) entry(p *site.Page) feedEntry {
	e := feedEntry{
		page: p, url: r.url(p.Path), summary: plaintext.OneLine(p.Description), image: r.image(p),
		published: p.Date, updated: r.modified(p, r.collected), authors: r.authors(p),
	}
	if e.updated.IsZero() {
		e.updated = e.published
	}
	return e
}

// newestUpdate returns the latest modification date of the entries, or the zero time if there are no entries.
func newestUpdate(entries []feedEntry) time.Time {
	var newest time.Time
	for _, e := range entries {
		if e.updated.After(newest) {
			newest = e.updated
		}
	}
	return newest
}

// feedFiles renders the blog's Atom feed and JSON Feed, or returns nil if the blog has no articles.
func (r *Renderer) feedFiles() ([]artifact.Resource, error) {
	if len(r.feeds()) == 0 {
		return nil, nil
	}
	entries, err := r.entries()
	if err != nil {
		return nil, err
	}
	atom, err := r.atom(entries)
	if err != nil {
		return nil, err
	}
	json, err := r.jsonFeed(entries)
	if err != nil {
		return nil, err
	}
	return []artifact.Resource{
		r.textFile(r.site.At(plan.AtomPath), media.Atom, atom),
		r.textFile(r.site.At(plan.JSONFeedPath), media.JSONFeed, json),
	}, nil
}

// atomFeed and the types below are the elements of an Atom feed (RFC 4287), with their fields in output order.

type atomFeed struct {
	XMLName  xml.Name    `xml:"http://www.w3.org/2005/Atom feed"`
	Language string      `xml:"xml:lang,attr"`
	Title    string      `xml:"title"`
	Subtitle string      `xml:"subtitle,omitempty"`
	ID       site.Ref    `xml:"id"`
	Updated  string      `xml:"updated"`
	Links    []atomLink  `xml:"link"`
	Icon     site.Ref    `xml:"icon,omitempty"`
	Author   *atomPerson `xml:"author"`
	Entries  []atomEntry `xml:"entry"`
}

type atomLink struct {
	Relation string   `xml:"rel,attr"`
	Type     string   `xml:"type,attr,omitempty"`
	Href     site.Ref `xml:"href,attr"`
}

type atomPerson struct {
	Name string   `xml:"name"`
	URI  site.Ref `xml:"uri,omitempty"`
}

type atomEntry struct {
	Title      string         `xml:"title"`
	ID         site.Ref       `xml:"id"`
	Published  string         `xml:"published,omitempty"`
	Updated    string         `xml:"updated"`
	Links      []atomLink     `xml:"link"`
	Authors    []atomPerson   `xml:"author"`
	Categories []atomCategory `xml:"category"`
	Summary    string         `xml:"summary,omitempty"`
	Content    *atomContent   `xml:"content"`
}

type atomCategory struct {
	Term string `xml:"term,attr"`
}

type atomContent struct {
	Type string `xml:"type,attr"`
	Text string `xml:",chardata"`
}

// atom renders the Atom feed. The IDs of the feed and its entries are their URLs (RFC 4287 §4.2.6).
func (r *Renderer) atom(entries []feedEntry) ([]byte, error) {
	f := r.newAtom(r.feedTitle(), r.site.Config.Description, r.site.At(plan.AtomPath), r.site.At(plan.BlogPath))
	f.Updated = atomTime(newestUpdate(entries))
	for _, e := range entries {
		f.Entries = append(f.Entries, r.atomEntry(e))
	}
	return writeAtom(&f)
}

// newAtom returns an Atom feed without entries. path is the feed's URL path, and page is the URL path of the page that
// lists the same entries.
func (r *Renderer) newAtom(title, about, path, page string) atomFeed {
	f := atomFeed{
		Language: r.site.Config.Language,
		Title:    title, Subtitle: plaintext.OneLine(about),
		ID: r.url(path),
		Links: []atomLink{
			{Relation: "self", Type: mediaEssence(media.Atom), Href: r.url(path)},
			{Relation: "alternate", Type: "text/html", Href: r.url(page)},
		},
		Author: &atomPerson{Name: r.site.Config.Title, URI: r.url(r.site.At("/"))},
	}
	if icon, err := r.theme.Asset("favicon.svg"); err == nil {
		f.Icon = r.url(icon)
	}
	return f
}

func writeAtom(f *atomFeed) ([]byte, error) {
	var body bytes.Buffer
	body.WriteString(xml.Header)
	encoder := xml.NewEncoder(&body)
	encoder.Indent("", "  ")
	if err := encoder.Encode(f); err != nil {
		return nil, fmt.Errorf("generating the Atom feed: %w", err)
	}
	body.WriteByte('\n')
	return body.Bytes(), nil
}

func (r *Renderer) atomEntry(e feedEntry) atomEntry {
	entry := atomEntry{
		Title: e.page.Title, ID: e.url, Published: atomTime(e.published), Updated: atomTime(e.updated),
		Links: []atomLink{
			{Relation: "alternate", Type: "text/html", Href: e.url},
			{Relation: "alternate", Type: "text/markdown", Href: r.url(e.page.MarkdownPath())},
		},
		Summary: e.summary,
		Content: &atomContent{Type: "html", Text: e.html},
	}
	for _, a := range e.authors {
		entry.Authors = append(entry.Authors, atomPerson{Name: a.Name, URI: r.authorURL(a)})
	}
	for _, tag := range e.page.Tags {
		entry.Categories = append(entry.Categories, atomCategory{plaintext.OneLine(tag)})
	}
	return entry
}

// atomTime formats t as specified in RFC 3339, or returns "" for the zero time.
func atomTime(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Format(time.RFC3339)
}

// The types below are the objects of a JSON Feed (jsonfeed.org, version 1.1), with their members in output order.

type jsonFeed struct {
	Version     string           `json:"version"`
	Title       string           `json:"title"`
	HomePage    site.Ref         `json:"home_page_url"`
	Feed        site.Ref         `json:"feed_url"`
	Description string           `json:"description,omitempty"`
	Icon        site.Ref         `json:"favicon,omitempty"`
	Authors     []jsonFeedAuthor `json:"authors"`
	Language    string           `json:"language"`
	History     *jsonHistory     `json:"_history,omitempty"`
	Items       []jsonFeedItem   `json:"items"`
}

type jsonFeedAuthor struct {
	Name   string   `json:"name"`
	URL    site.Ref `json:"url,omitempty"`
	Avatar site.Ref `json:"avatar,omitempty"`
}

type jsonFeedItem struct {
	ID        site.Ref         `json:"id"`
	URL       site.Ref         `json:"url"`
	Title     string           `json:"title"`
	Content   string           `json:"content_html"`
	Summary   string           `json:"summary,omitempty"`
	Image     site.Ref         `json:"image,omitempty"`
	Published string           `json:"date_published,omitempty"`
	Modified  string           `json:"date_modified,omitempty"`
	Authors   []jsonFeedAuthor `json:"authors,omitempty"`
	Tags      []string         `json:"tags,omitempty"`
	Change    *jsonChange      `json:"_fact,omitempty"`
}

// jsonFeed renders the JSON Feed, which has the same articles, IDs, and dates as the Atom feed.
func (r *Renderer) jsonFeed(entries []feedEntry) ([]byte, error) {
	f := r.newJSONFeed(r.feedTitle(), r.site.Config.Description, r.site.At(plan.JSONFeedPath), r.site.At(plan.BlogPath))
	for _, e := range entries {
		item := jsonFeedItem{
			ID: e.url, URL: e.url, Title: e.page.Title, Content: e.html, Summary: e.summary,
			Image:     r.absolute(e.image),
			Published: atomTime(e.published), Modified: atomTime(e.updated), Tags: e.page.Tags,
		}
		for _, a := range e.authors {
			author := jsonFeedAuthor{Name: a.Name, URL: r.authorURL(a)}
			if a.Picture != nil {
				author.Avatar = r.absolute(a.Picture.URL)
			}
			item.Authors = append(item.Authors, author)
		}
		f.Items = append(f.Items, item)
	}
	return writeJSONFeed(&f)
}

// newJSONFeed returns a feed without items; see newAtom for the parameters.
func (r *Renderer) newJSONFeed(title, about, path, page string) jsonFeed {
	f := jsonFeed{
		Version: "https://jsonfeed.org/version/1.1",
		Title:   title, Description: plaintext.OneLine(about),
		HomePage: r.url(page), Feed: r.url(path),
		Authors:  []jsonFeedAuthor{{Name: r.site.Config.Title, URL: r.url(r.site.At("/"))}},
		Language: r.site.Config.Language,
		Items:    []jsonFeedItem{},
	}
	if icon, err := r.theme.Asset("favicon.svg"); err == nil {
		f.Icon = r.url(icon)
	}
	return f
}

func writeJSONFeed(f *jsonFeed) ([]byte, error) {
	var body bytes.Buffer
	encoder := json.NewEncoder(&body)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(f); err != nil {
		return nil, fmt.Errorf("generating the JSON feed: %w", err)
	}
	return body.Bytes(), nil
}

// absoluteLinks returns html, the HTML of a page, with absolute links in place of paths and anchors on the site. Feed
// readers need absolute links.
func absoluteLinks(html []byte, baseURL string, pageURL site.Ref) []byte {
	return markup.Rewrite(make([]byte, 0, len(html)+len(html)/8), html, markup.HTML, func(out, address []byte) []byte {
		switch {
		case markup.IsPath(address):
			out = append(out, baseURL...)
		case address[0] == '#':
			out = append(out, pageURL...)
		}
		return append(out, address...)
	})
}
