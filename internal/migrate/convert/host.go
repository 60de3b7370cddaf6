package convert

import (
	"strings"

	"vitrine/internal/load/tree"
	"vitrine/internal/migrate/source"
)

// Site contains the data about the old site that the conversion of a page may need.
type Site struct {
	Src *source.Folder
	// Base is the site's folder in the source, or "." for the source itself.
	Base string
	// ContentDirs lists the folders that a link that starts with "/" may be relative to.
	ContentDirs     []string
	Title, Language string
	// BasePath is the path prefix of all old addresses, such as "/docs", or "" if there is none.
	BasePath string
	Config   *tree.Node
	// Data contains data specific to the kind of site, such as *kinds.HugoSite.
	Data any
	// Components are the handlers of components that all kinds of sites have in common, keyed by name.
	Components map[string]Handler
	// Map contains the handlers of components in the user's component map, keyed by lower-case name. They take
	// precedence over all other handlers.
	Map map[string]Handler
	// Wanted is the set of anchors that links on any page point to.
	Wanted map[string]bool
	Notes  []Note
	// Math is true if the site renders TeX between dollar signs.
	Math bool
}

// Document is an unconverted page.
type Document struct {
	// Source is the file of the page, relative to the source folder.
	Source string
	// Text is the complete file. Body is the text after the front matter.
	Text, Body string
	Front      *tree.Node
	// Address is the URL path of the page on the old site. It starts with "/" and keeps a trailing slash or ".html".
	Address, Title string
	// Given are the parameters that the page inherits, in order of precedence.
	Given []*tree.Node
}

// Syntax describes the page syntax of a kind of site, in addition to Markdown.
type Syntax struct {
	// Expand replaces the site's templates before Markdown is read, even in code. Lines converts syntax that occupies
	// whole lines.
	Expand, Lines func(c *Converter, text string) string
	// Tags contains the handlers of components and elements, keyed by name.
	Tags map[string]Handler
	// Anchors returns the anchor that the old generator derives from a heading's text. If Anchors is nil, the old site
	// has the same anchors as Vitrine.
	Anchors func(text string) string
	// Mdx and Vue allow components in the text. MarkdownInHTML allows Markdown inside HTML. Attrs allows lists of
	// attributes in braces. HtmlBlocks disables indented code in HTML blocks.
	Mdx, Vue, MarkdownInHTML, Attrs, HtmlBlocks bool
	// Math enables math between dollar signs, as in GitHub and MyST. MathBlocks enables math only between double dollar
	// signs, as in kramdown. Both apply regardless of the site's settings.
	Math, MathBlocks bool
	// Document is true if pages are HTML without Markdown.
	Document bool
	// Unseen removes syntax that readers don't see. It is called before the words of the source are counted.
	Unseen func(text string) string
}

// Strip returns an address without the site's base path, or unchanged if the address is outside that path.
func (h *Site) Strip(address string) string {
	if rest, ok := strings.CutPrefix(address, h.BasePath); ok && h.BasePath != "" && (rest == "" || rest[0] == '/') {
		return "/" + strings.TrimPrefix(rest, "/")
	}
	return address
}

// Anchor returns the anchor that this kind of site derives from a heading's text.
func (k *Syntax) Anchor(text string) string {
	if k.Anchors != nil {
		return k.Anchors(text)
	}
	return source.Slug(text)
}
