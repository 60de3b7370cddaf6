package migrate

import (
	"strings"
	"vitrine/internal/load/tree"
)

// hostData is what the text of a page may need of its site.
type hostData struct {
	src *source
	// base is the folder of the site in the source, "." for the source itself.
	base string
	// contentDirs are the folders that links with "/" may begin in.
	contentDirs     []string
	title, language string
	// basePath is what every old address begins with.
	basePath string
	config   *tree.Node
	// data is for what the kind keeps.
	data any
	// components are the components that every kind knows, by their names.
	components map[string]handler
	// wanted are the anchors that some link asks for.
	wanted map[string]bool
	notes  []Note
}

// document is a page as it was written.
type document struct {
	// source is its file, below the source.
	source string
	// text is the whole file, body what follows the front matter.
	text, body string
	front      *tree.Node
	// address is the old one: a path that begins with "/", with the trailing slash
	// or ".html" that it had.
	address, title string
	// given are parameters that the page was handed down.
	given []*tree.Node
}

// syntax is what the pages of a kind of site say beyond Markdown.
type syntax struct {
	// expand resolves what the site's templates replace before Markdown is read, in
	// code too. lines turns signs of its own that stand on lines.
	expand, lines func(c *conv, text string) string
	// tags writes components by name.
	tags map[string]handler
	// anchors makes a heading's anchor as the kind does.
	anchors func(text string) string
	// mdx, vue: components in the text; markdownInHTML: Markdown is read there; attrs:
	// lists of attributes in braces.
	// htmlBlocks: no code by indentation in a block of HTML.
	mdx, vue, markdownInHTML, attrs, htmlBlocks bool
	// unseen takes signs off a text that no reader sees, when words are counted.
	unseen func(text string) string
}

// strip takes the site's base path off an address.
func (h *hostData) strip(address string) string {
	if rest, ok := strings.CutPrefix(address, h.basePath); ok && h.basePath != "" && (rest == "" || rest[0] == '/') {
		return "/" + strings.TrimPrefix(rest, "/")
	}
	return address
}

// anchor makes a heading's anchor as the kind does.
func (k *syntax) anchor(text string) string {
	if k.anchors != nil {
		return k.anchors(text)
	}
	return slug(text)
}
