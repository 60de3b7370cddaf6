package contract

import (
	"context"
	"encoding/xml"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"
)

// learn returns the values of the site: those that the target gives, and those
// that its sitemap and its home page give. What neither gives stays unknown.
func learn(ctx context.Context, t *Target, s *sender) (map[string]string, error) {
	known := map[string]string{"BASE": strings.TrimSuffix(t.Base, "/"), "HOST": s.host}
	for name, value := range t.Values {
		known[name] = value
	}
	if known["BASE"] == "" || known["PAGE"] == "" || known["ARTICLE"] == "" {
		if err := learnPaths(ctx, s, known); err != nil {
			return nil, fmt.Errorf("learning from the sitemap: %w", err)
		}
	}
	if known["STYLESHEET"] == "" {
		if err := learnStylesheet(ctx, s, known); err != nil {
			return nil, fmt.Errorf("learning from the home page: %w", err)
		}
	}
	for name, value := range known {
		if value == "" {
			delete(known, name)
		}
	}
	return known, nil
}

// learnPaths learns the base URL and the paths of a page and of an article.
func learnPaths(ctx context.Context, s *sender, known map[string]string) error {
	locations, err := sitemap(ctx, s, "/sitemap.xml")
	if err != nil {
		return err
	}
	for _, l := range locations {
		u, err := url.Parse(l)
		if err != nil {
			continue
		}
		if known["BASE"] == "" {
			known["BASE"] = u.Scheme + "://" + u.Host
		}
		switch path := u.EscapedPath(); {
		case path == "/" || path == "/blog":
		case strings.HasPrefix(path, "/blog/") && known["ARTICLE"] == "":
			known["ARTICLE"] = path
		case !strings.HasPrefix(path, "/blog/") && known["PAGE"] == "":
			known["PAGE"] = path
		}
	}
	return nil
}

// sitemap returns the locations that a sitemap lists, or of the first sitemap
// that an index lists.
func sitemap(ctx context.Context, s *sender, path string) ([]string, error) {
	a, err := s.send(ctx, &outgoing{method: "GET", target: path, fields: http.Header{}})
	if err != nil || a.Status != http.StatusOK {
		return nil, err
	}
	var found struct {
		Maps []string `xml:"sitemap>loc"`
		URLs []string `xml:"url>loc"`
	}
	if err := xml.Unmarshal(a.Body, &found); err != nil {
		return nil, nil // the exchanges about the sitemap will fail
	}
	if len(found.Maps) > 0 && path == "/sitemap.xml" {
		if u, err := url.Parse(found.Maps[0]); err == nil && u.Path != path {
			return sitemap(ctx, s, u.EscapedPath())
		}
	}
	return found.URLs, nil
}

var stylesheet = regexp.MustCompile(`<link[^>]*\brel="?stylesheet"?[^>]*>`)
var href = regexp.MustCompile(`\bhref="?(/[^"\s>]+)`)

// learnStylesheet learns the path of the home page's first stylesheet.
func learnStylesheet(ctx context.Context, s *sender, known map[string]string) error {
	a, err := s.send(ctx, &outgoing{method: "GET", target: "/", fields: http.Header{}})
	if err != nil {
		return err
	}
	if m := href.FindSubmatch(stylesheet.Find(a.Body)); m != nil {
		known["STYLESHEET"] = string(m[1])
	}
	return nil
}
