package render

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"time"
)

// The elements of a feed (RFC 4287), in the order in which they are written.

type atomFeed struct {
	XMLName  xml.Name    `xml:"http://www.w3.org/2005/Atom feed"`
	Language string      `xml:"xml:lang,attr"`
	Title    string      `xml:"title"`
	Subtitle string      `xml:"subtitle,omitempty"`
	ID       string      `xml:"id"`
	Updated  string      `xml:"updated"`
	Links    []atomLink  `xml:"link"`
	Icon     string      `xml:"icon,omitempty"`
	Author   *atomPerson `xml:"author"`
	Entries  []atomEntry `xml:"entry"`
}

type atomLink struct {
	Relation string `xml:"rel,attr"`
	Type     string `xml:"type,attr,omitempty"`
	Href     string `xml:"href,attr"`
}

type atomPerson struct {
	Name string `xml:"name"`
	URI  string `xml:"uri,omitempty"`
}

type atomEntry struct {
	Title      string         `xml:"title"`
	ID         string         `xml:"id"`
	Published  string         `xml:"published,omitempty"`
	Updated    string         `xml:"updated"`
	Links      []atomLink     `xml:"link"`
	Author     *atomPerson    `xml:"author"`
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

// atom renders the Atom feed. Its id and those of its entries are their
// addresses (RFC 4287 §4.2.6), its date is that of its newest entry.
func (r *Renderer) atom(entries []feedEntry) ([]byte, error) {
	f := atomFeed{
		Language: r.site.Config.Language,
		Title:    r.feedTitle(), Subtitle: oneLine(r.site.Config.Description),
		ID: r.url(atomPath), Updated: atomTime(newestUpdate(entries)),
		Links: []atomLink{
			{Relation: "self", Type: mediaEssence(typeAtom), Href: r.url(atomPath)},
			{Relation: "alternate", Type: "text/html", Href: r.url(blogPath)},
		},
		Author: &atomPerson{Name: r.site.Config.Title, URI: r.url("/")},
	}
	if icon, err := assetPath(r.theme.assets, "favicon.svg"); err == nil {
		f.Icon = r.url(icon)
	}
	for _, e := range entries {
		f.Entries = append(f.Entries, r.atomEntry(e))
	}
	var body bytes.Buffer
	body.WriteString(xml.Header)
	encoder := xml.NewEncoder(&body)
	encoder.Indent("", "  ")
	if err := encoder.Encode(f); err != nil {
		return nil, fmt.Errorf("making the Atom feed: %w", err)
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
	if e.page.Author != "" {
		entry.Author = &atomPerson{Name: e.page.Author}
	}
	for _, tag := range e.page.Tags {
		entry.Categories = append(entry.Categories, atomCategory{oneLine(tag)})
	}
	return entry
}

// atomTime is a moment as RFC 3339 writes it.
func atomTime(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Format(time.RFC3339)
}
