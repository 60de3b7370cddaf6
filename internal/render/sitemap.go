package render

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"slices"
	"time"

	"vitrine/internal/artifact"
	"vitrine/internal/plan"
	"vitrine/internal/render/media"
	"vitrine/internal/site"
)

// Limits of one sitemap file (sitemaps.org 0.9).
const (
	sitemapURLs  = 50_000
	sitemapBytes = 50 << 20
)

const sitemapNamespace = "http://www.sitemaps.org/schemas/sitemap/0.9"

// sitemapEntry is a url element in a sitemap or a sitemap element in an index. sitemapDocument writes it without
// encoding/xml. The struct tags are only for tests, which read entries with that package.
type sitemapEntry struct {
	Location site.Ref `xml:"loc"`
	// Modified is the date of the page's last change, or "" if unknown.
	Modified string `xml:"lastmod,omitempty"`
	// Alternates are the URLs of the page in its languages, or nil; see Renderer.alternates.
	Alternates []alternate `xml:"-"`
}

// sitemap renders a sitemap of all pages that search engines may index. If one file would be too large, it renders
// several files and an index.
func (r *Renderer) sitemap() ([]artifact.Resource, error) {
	var entries []sitemapEntry
	for _, p := range r.whole.Pages {
		if in := r.in(p); in.indexed(p) {
			entries = append(entries, sitemapEntry{r.url(p.Path), in.lastModified(p), in.alternates(in.languageViews(p))})
		}
	}
	parts, err := sitemapParts(entries, sitemapURLs, sitemapBytes)
	if err != nil {
		return nil, fmt.Errorf("generating the sitemap: %w", err)
	}
	if len(parts) == 1 {
		return []artifact.Resource{sitemapFile(plan.SitemapPath, parts[0])}, nil
	}
	var resources []artifact.Resource
	var index []sitemapEntry
	for i, part := range parts {
		path := fmt.Sprintf("/sitemap-%d.xml", i+1)
		resources = append(resources, sitemapFile(path, part))
		index = append(index, sitemapEntry{Location: r.url(path)})
	}
	body, err := sitemapDocument("sitemapindex", "sitemap", index)
	if err != nil {
		return nil, fmt.Errorf("generating the sitemap index: %w", err)
	}
	return append(resources, sitemapFile(plan.SitemapPath, body)), nil
}

// lastModified returns p's modification date in the sitemap's format, or "" if the date is unknown. At midnight, it
// returns only the date, because the time of day is probably unknown.
func (r *Renderer) lastModified(p *site.Page) string {
	t := r.modified(p, r.collected)
	switch {
	case t.IsZero():
		return ""
	case t.Hour() == 0 && t.Minute() == 0 && t.Second() == 0:
		return t.Format(time.DateOnly)
	}
	return t.Format(time.RFC3339)
}

// sitemapParts divides entries into sitemap documents of at most urls entries and size bytes. A document with only one
// entry may be larger.
func sitemapParts(entries []sitemapEntry, urls, size int) ([][]byte, error) {
	var parts [][]byte
	for first := true; first || len(entries) > 0; first = false {
		n := min(len(entries), urls)
		body, err := sitemapDocument("urlset", "url", entries[:n])
		if err != nil {
			return nil, err
		}
		for len(body) > size && n > 1 {
			n /= 2
			if body, err = sitemapDocument("urlset", "url", entries[:n]); err != nil {
				return nil, err
			}
		}
		parts, entries = append(parts, body), entries[n:]
	}
	return parts, nil
}

// sitemapDocument returns the document with the given root element, which contains an element for each entry. It
// doesn't use an xml.Encoder, which would be slow on a large site while no other work can run in parallel.
func sitemapDocument(root, element string, entries []sitemapEntry) ([]byte, error) {
	var body bytes.Buffer
	body.WriteString(xml.Header + `<` + root + ` xmlns="` + sitemapNamespace + `"`)
	if slices.ContainsFunc(entries, func(e sitemapEntry) bool { return e.Alternates != nil }) {
		body.WriteString(` xmlns:xhtml="http://www.w3.org/1999/xhtml"`)
	}
	body.WriteByte('>')
	for _, e := range entries {
		body.WriteString("\n  <" + element + ">\n    <loc>")
		if err := xml.EscapeText(&body, []byte(e.Location)); err != nil {
			return nil, err
		}
		body.WriteString("</loc>\n")
		if e.Modified != "" {
			body.WriteString("    <lastmod>" + e.Modified + "</lastmod>\n")
		}
		for _, a := range e.Alternates {
			body.WriteString(`    <xhtml:link rel="alternate" hreflang="` + a.tag + `" href="`)
			if err := xml.EscapeText(&body, []byte(a.url)); err != nil {
				return nil, err
			}
			body.WriteString("\"/>\n")
		}
		body.WriteString("  </" + element + ">")
	}
	if len(entries) > 0 {
		body.WriteByte('\n')
	}
	body.WriteString("</" + root + ">\n")
	return body.Bytes(), nil
}

func sitemapFile(path string, body []byte) artifact.Resource {
	return artifact.Resource{Path: path, Kind: artifact.KindFile, Variants: []artifact.Variant{{
		File: path[1:], Fields: publicFields(media.XML, varyCoding), Body: body,
	}}}
}
