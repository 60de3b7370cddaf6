package render

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// The members of a JSON Feed (jsonfeed.org, version 1.1), in the order in
// which they are written.

type jsonFeed struct {
	Version     string           `json:"version"`
	Title       string           `json:"title"`
	HomePage    string           `json:"home_page_url"`
	Feed        string           `json:"feed_url"`
	Description string           `json:"description,omitempty"`
	Icon        string           `json:"favicon,omitempty"`
	Authors     []jsonFeedAuthor `json:"authors"`
	Language    string           `json:"language"`
	Items       []jsonFeedItem   `json:"items"`
}

type jsonFeedAuthor struct {
	Name string `json:"name"`
	URL  string `json:"url,omitempty"`
}

type jsonFeedItem struct {
	ID        string           `json:"id"`
	URL       string           `json:"url"`
	Title     string           `json:"title"`
	Content   string           `json:"content_html"`
	Summary   string           `json:"summary,omitempty"`
	Image     string           `json:"image,omitempty"`
	Published string           `json:"date_published,omitempty"`
	Modified  string           `json:"date_modified,omitempty"`
	Authors   []jsonFeedAuthor `json:"authors,omitempty"`
	Tags      []string         `json:"tags,omitempty"`
}

// jsonFeed renders the JSON Feed: the same articles, ids and dates as the Atom
// feed's.
func (r *Renderer) jsonFeed(entries []feedEntry) ([]byte, error) {
	f := jsonFeed{
		Version: "https://jsonfeed.org/version/1.1",
		Title:   r.feedTitle(), Description: oneLine(r.site.Config.Description),
		HomePage: r.url(blogPath), Feed: r.url(jsonFeedPath),
		Authors:  []jsonFeedAuthor{{Name: r.site.Config.Title, URL: r.url("/")}},
		Language: r.site.Config.Language,
		Items:    []jsonFeedItem{},
	}
	if icon, err := assetPath(r.theme.assets, "favicon.svg"); err == nil {
		f.Icon = r.url(icon)
	}
	for _, e := range entries {
		item := jsonFeedItem{
			ID: e.url, URL: e.url, Title: e.page.Title, Content: e.html, Summary: e.summary,
			Image:     absolute(r.site.Config.BaseURL, e.image),
			Published: atomTime(e.published), Modified: atomTime(e.updated), Tags: e.page.Tags,
		}
		if e.page.Author != "" {
			item.Authors = []jsonFeedAuthor{{Name: e.page.Author}}
		}
		f.Items = append(f.Items, item)
	}
	var body bytes.Buffer
	encoder := json.NewEncoder(&body)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(f); err != nil {
		return nil, fmt.Errorf("making the JSON feed: %w", err)
	}
	return body.Bytes(), nil
}
