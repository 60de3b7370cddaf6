package convert

import (
	"strings"

	"vitrine/internal/load/tree"
	"vitrine/internal/migrate/source"
)

// Site contains the data of a site that the conversion of its pages may need.
type Site struct {
	Src *source.Folder
	// Base is the folder of the site in the source, or "." for the source itself.
	Base string
	// ContentDirs are the folders to which links that start with "/" may be relative.
	ContentDirs     []string
	Title, Language string
	// BasePath is the prefix of every old address.
	BasePath string
	Config   *tree.Node
	// Data contains the data of the kind of site, such as *kinds.HugoSite.
	Data any
	// Components are the handlers of the components that are the same in every kind of site, by name.
	Components map[string]Handler
	// Map contains the handlers of components that the user has mapped, by name in lower case. They take precedence
	// over all others.
	Map map[string]Handler
	// Wanted contains the anchors that links point to.
	Wanted map[string]bool
	Notes  []Note
	// Math reports whether the site reads TeX between dollar signs.
	Math bool
}

// Document is an unconverted page.
type Document struct {
	// Source is the file of the page, relative to the source folder.
	Source string
	// Text is the complete file. Body is the text after the front matter.
	Text, Body string
	Front      *tree.Node
	// Address is the old address: a path that starts with "/" and keeps its trailing slash or ".html".
	Address, Title string
	// Given are parameters that the page inherits.
	Given []*tree.Node
}

// Syntax describes the page syntax of a kind of site, in addition to Markdown.
type Syntax struct {
	// Expand replaces the site's templates before Markdown is read, even in code. Lines converts syntax that occupies
	// whole lines.
	Expand, Lines func(c *Converter, text string) string
	// Tags contains the handlers of components and elements, by name.
	Tags map[string]Handler
	// Anchors returns a heading's anchor as the old generator does. If nil, anchors follow Vitrine's rules.
	Anchors func(text string) string
	// Mdx and Vue allow components in the text. MarkdownInHTML reads Markdown inside HTML. Attrs allows lists of attributes in
	// braces. HtmlBlocks disables indented code in HTML blocks.
	Mdx, Vue, MarkdownInHTML, Attrs, HtmlBlocks bool
	// Math reads text between dollar signs as math, as GitHub and MyST do. MathBlocks does so only for double dollar signs, as
	// kramdown does. Both apply regardless of the site's settings.
	Math, MathBlocks bool
	// Document reads a page as HTML, without any Markdown.
	Document bool
	// Unseen removes syntax that readers don't see, before words are counted.
	Unseen func(text string) string
}

// Strip removes the site's base path from an address. It returns an address outside of that path unchanged.
func (h *Site) Strip(address string) string {
	if rest, ok := strings.CutPrefix(address, h.BasePath); ok && h.BasePath != "" && (rest == "" || rest[0] == '/') {
		return "/" + strings.TrimPrefix(rest, "/")
	}
	return address
}

// Anchor returns a heading's anchor by the rules of the kind.
func (k *Syntax) Anchor(text string) string {
	if k.Anchors != nil {
		return k.Anchors(text)
	}
	return source.Slug(text)
}
