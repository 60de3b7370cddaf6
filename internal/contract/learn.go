package contract

import (
	"context"
	"encoding/xml"
	"fmt"
	"html"
	"net/http"
	"net/url"
	"strings"

	"vitrine/internal/markup"
)

// learn returns the values of the site, keyed by name. If the target doesn't provide a value, it comes from the site's
// sitemap, from its home page, or from the wire contract's defaults. learn omits values that no source provides.
func learn(ctx context.Context, t *Target, s *sender) (map[string]string, error) {
	known := map[string]string{
		"BASE": strings.TrimSuffix(t.Base, "/"), "HOST": s.host,
		// The wire contract's defaults, for a site that doesn't set other values.
		"LIMIT": "120", "WINDOW": "60", "PAGEVARY": "Accept, Accept-Encoding",
	}
	for name, value := range t.Values {
		known[name] = value
	}
	if known["BASE"] == "" || known["PAGE"] == "" || known["ARTICLE"] == "" || known["LANGUAGE"] == "" {
		if err := learnPaths(ctx, s, known); err != nil {
			return nil, fmt.Errorf("reading the list of pages from the sitemap: %w", err)
		}
	}
	if known["STYLESHEET"] == "" {
		if err := learnStylesheet(ctx, s, known); err != nil {
			return nil, fmt.Errorf("reading the path of a stylesheet from the home page: %w", err)
		}
	}
	for name, value := range known {
		if value == "" {
			delete(known, name)
		}
	}
	return known, nil
}

// learnPaths sets BASE, PAGE, ARTICLE, and the language values from the sitemap, except values that are already known.
func learnPaths(ctx context.Context, s *sender, known map[string]string) error {
	locations, err := sitemap(ctx, s, "/sitemap.xml")
	if err != nil {
		return err
	}
	for _, l := range locations {
		u, err := url.Parse(l.Location)
		if err != nil {
			continue
		}
		if known["BASE"] == "" {
			known["BASE"] = u.Scheme + "://" + u.Host + s.mount.Path
		}
		switch path := s.mount.Local(u.EscapedPath()); {
		case path == "/" || path == "/blog" || l.isTranslation():
		case strings.HasPrefix(path, "/blog/") && known["ARTICLE"] == "":
			known["ARTICLE"] = path
		case !strings.HasPrefix(path, "/blog/") && known["PAGE"] == "":
			known["PAGE"] = path
		}
		learnLanguage(s.mount, l, known)
	}
	return nil
}

// learnLanguage sets LANGUAGE, TRANSLATED, and ORIGINAL for the first page in a language other than the site's default,
// if LANGUAGE isn't known yet.
func learnLanguage(m Mount, l location, known map[string]string) {
	own, tag := "", ""
	for _, a := range l.Alternates {
		switch {
		case a.Language == "x-default":
			own = a.URL
		case a.URL == l.Location:
			tag = a.Language
		}
	}
	if known["LANGUAGE"] != "" || own == "" || tag == "" || own == l.Location {
		return
	}
	here, err := url.Parse(l.Location)
	original, otherwise := url.Parse(own)
	if err != nil || otherwise != nil {
		return
	}
	translated, path := m.Local(here.EscapedPath()), m.Local(original.EscapedPath())
	// Skip home pages, because not every site has their Markdown at the path with ".md" appended.
	if strings.HasPrefix(translated, "/"+tag+"/") && path != "/" {
		known["LANGUAGE"], known["TRANSLATED"], known["ORIGINAL"] = tag, translated, path
	}
}

// isTranslation reports whether the page at l is in a language other than the site's default.
func (l location) isTranslation() bool {
	for _, a := range l.Alternates {
		if a.Language == "x-default" && a.URL != l.Location {
			return true
		}
	}
	return false
}

// location is a page in a sitemap. Alternates lists the page's versions in all languages, including its own.
type location struct {
	Location   string `xml:"loc"`
	Alternates []struct {
		Language string `xml:"hreflang,attr"`
		URL      string `xml:"href,attr"`
	} `xml:"link"`
}

// sitemap returns the locations in a sitemap, or in the first sitemap of an index. It returns nil if the sitemap is
// missing or invalid.
func sitemap(ctx context.Context, s *sender, path string) ([]location, error) {
	a, err := s.send(ctx, &outgoing{method: "GET", target: path, fields: http.Header{}})
	if err != nil || a.Status != http.StatusOK {
		return nil, err
	}
	var found struct {
		Maps []string   `xml:"sitemap>loc"`
		URLs []location `xml:"url"`
	}
	if err := xml.Unmarshal(a.Body, &found); err != nil {
		return nil, nil // not an error, because the exchanges about the sitemap report it
	}
	if len(found.Maps) > 0 && path == "/sitemap.xml" {
		if u, err := url.Parse(found.Maps[0]); err == nil && s.mount.Local(u.Path) != path {
			return sitemap(ctx, s, s.mount.Local(u.EscapedPath()))
		}
	}
	return found.URLs, nil
}

// learnStylesheet sets STYLESHEET to the path of the first stylesheet that the home page links to, if there is one.
func learnStylesheet(ctx context.Context, s *sender, known map[string]string) error {
	a, err := s.send(ctx, &outgoing{method: "GET", target: "/", fields: http.Header{}})
	if err != nil {
		return err
	}
	if path := stylesheet(a.Body); path != "" {
		known["STYLESHEET"] = s.mount.Local(path)
	}
	return nil
}

// stylesheet returns the path of the first stylesheet on the site's host that a page links to, or "" if there is none.
func stylesheet(page []byte) (path string) {
	link, rel, href := 0, "", ""
	markup.Each(page, func(a *markup.Attr) {
		if string(a.Tag) != "link" || path != "" {
			return
		}
		if link != a.Start {
			link, rel, href = a.Start, "", ""
		}
		switch string(a.Name) {
		case "rel":
			rel = strings.ToLower(string(a.Value))
		case "href":
			href = html.UnescapeString(string(a.Value))
		}
		if rel == "stylesheet" && markup.IsPath([]byte(href)) {
			path = href
		}
	})
	return path
}
