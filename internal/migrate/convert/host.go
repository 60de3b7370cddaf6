package convert

import (
	"strings"
	"vitrine/internal/load/tree"
	"vitrine/internal/migrate/source"
)

// Site is what the text of a page may need of its site.
type Site struct {
	Src *source.Folder
	// Base is the folder of the site in the source, "." for the source itself.
	Base string
	// ContentDirs are the folders that links with "/" may begin in.
	ContentDirs     []string
	Title, Language string
	// BasePath is what every old address begins with.
	BasePath string
	Config   *tree.Node
	// Data is for what the kind keeps.
	Data any
	// Components are the components that every kind knows, by their names.
	Components map[string]Handler
	// Map are the components that the person who imports has decided on, by their names
	// in lower case. It comes before all others.
	Map map[string]Handler
	// Wanted are the anchors that some link asks for.
	Wanted map[string]bool
	Notes  []Note
}

// Document is a page as it was written.
type Document struct {
	// Source is its file, below the source.
	Source string
	// Text is the whole file, body what follows the front matter.
	Text, Body string
	Front      *tree.Node
	// Address is the old one: a path that begins with "/", with the trailing slash
	// or ".html" that it had.
	Address, Title string
	// Given are parameters that the page was handed down.
	Given []*tree.Node
}

// Syntax is what the pages of a kind of site say beyond Markdown.
type Syntax struct {
	// Expand resolves what the site's templates replace before Markdown is read, in
	// code too. lines turns signs of its own that stand on lines.
	Expand, Lines func(c *Converter, text string) string
	// Tags writes components by name.
	Tags map[string]Handler
	// Anchors makes a heading's anchor as the kind does.
	Anchors func(text string) string
	// Mdx, vue: components in the text; markdownInHTML: Markdown is read there; attrs:
	// lists of attributes in braces.
	// htmlBlocks: no code by indentation in a block of HTML.
	Mdx, Vue, MarkdownInHTML, Attrs, HtmlBlocks bool
	// Unseen takes signs off a text that no reader sees, when words are counted.
	Unseen func(text string) string
}

// Strip takes the site's base path off an address.
func (h *Site) Strip(address string) string {
	if rest, ok := strings.CutPrefix(address, h.BasePath); ok && h.BasePath != "" && (rest == "" || rest[0] == '/') {
		return "/" + strings.TrimPrefix(rest, "/")
	}
	return address
}

// Anchor makes a heading's anchor as the kind does.
func (k *Syntax) Anchor(text string) string {
	if k.Anchors != nil {
		return k.Anchors(text)
	}
	return source.Slug(text)
}
