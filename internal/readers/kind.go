package readers

import (
	"path"
	"strings"
)

// Representation is the kind of representation sent in a response.
type Representation string

// The kinds of representations.
const (
	HTML     Representation = "html"
	Markdown Representation = "markdown"
	// Page is HTML or Markdown, if the log doesn't distinguish them.
	Page  Representation = "page"
	JSON  Representation = "json"
	LLMs  Representation = "llms"
	Feed  Representation = "feed"
	CLI   Representation = "tool"
	Asset Representation = "asset"
	Rest  Representation = "rest"
)

// Representations lists the representations in display order.
func Representations() []Representation {
	return []Representation{HTML, Page, Markdown, LLMs, JSON, Feed, CLI, Asset, Rest}
}

// KindOf returns the kind of representation at a path of a Vitrine site, or Page if the path is
// negotiated.
func KindOf(name string) Representation {
	base := path.Base(name)
	switch base {
	case "llms.txt", "llms-full.txt":
		return LLMs
	case "feed.xml", "feed.json", "changes.xml", "changes.json":
		return Feed
	}
	switch extension := path.Ext(base); {
	case extension == ".md":
		return Markdown
	case strings.HasPrefix(name, "/cli/") && extension != "":
		return CLI
	case name == "/api" || strings.HasPrefix(name, "/api/") || extension == ".json":
		return JSON
	case extension == "" || extension == ".":
		return Page
	case strings.HasPrefix(name, "/assets/"), strings.Contains(" .css .js .mjs .svg .png .jpg .jpeg .gif .webp .avif .ico .woff2 .mp4 .webm ", " "+extension+" "):
		return Asset
	}
	return Rest
}
