package markdown

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/util"

	"vitrine/internal/rule"
	"vitrine/internal/site"
)

// Link is a link, an image, or an autolink.
type Link struct {
	// Destination is the destination in the page, with Markdown's escapes and character references resolved. A bare
	// address gets the scheme that it lacks: "mailto:" or "http://".
	Destination string
	// Image reports whether the link embeds an image, as in ![image](…), instead of linking, as in [link](…).
	Image bool
	// Alt is the plain text of a link, or of an image's description.
	Alt string
	// Pos is the start of the link.
	Pos site.Pos
	// Target is the URL in the outputs. Its initial value is Destination, or "#" if the page must not link to
	// Destination. WriteMarkdown adds its base before a Target that starts with exactly one "/".
	Target string
	// Picture contains an image's properties for HTML. It is zero until a caller sets it.
	Picture site.Picture

	offset int
	title  []byte
	// width and height are the size in pixels that an <img> sets, or 0 if unset.
	width, height int
}

// sized reports whether an <img> sets the width or the height of the image.
func (l *Link) sized() bool { return l.width > 0 || l.height > 0 }

// sizes returns the width and height attributes that an <img> sets.
func (l *Link) sizes() []attribute {
	var list []attribute
	if l.width > 0 {
		list = append(list, attribute{name: "width", value: strconv.Itoa(l.width)})
	}
	if l.height > 0 {
		list = append(list, attribute{name: "height", value: strconv.Itoa(l.height)})
	}
	return list
}

// picture returns the image's properties with the size that an <img> sets. If only one side is set, it derives the
// other side from the image's proportions.
func (l *Link) picture() site.Picture {
	p := l.Picture
	if !l.sized() {
		return p
	}
	width, height := l.width, l.height
	switch {
	case p.Width == 0 || p.Height == 0:
	case height == 0:
		height = max(1, width*p.Height/p.Width)
	case width == 0:
		width = max(1, height*p.Width/p.Height)
	}
	if p.Width, p.Height = width, height; p.Set != "" && width > 0 {
		p.Sizes = strconv.Itoa(width) + "px"
	}
	return p
}

// link records a link or an image, and reports an empty destination. destination and title are the source text, and
// reference reports whether they are in a link reference definition.
func (n *normalizer) link(node ast.Node, destination, title []byte, reference, image bool) {
	target, ok := n.expandTarget(destination, node.Pos(), reference)
	if !ok {
		target = []byte("#")
	}
	l := &Link{
		Destination: string(target),
		Image:       image,
		Alt:         n.d.plain(node),
		offset:      node.Pos(),
	}
	if len(title) > 0 {
		target, _ = n.expandTarget(title, node.Pos(), reference)
		l.title = oneLine(bytes.Clone(target))
	}
	n.addLink(node, l)
	if i, ok := node.(*ast.Image); ok && image {
		n.notAnImage(i, l)
	}
	if strings.TrimSpace(l.Destination) == "" {
		what := "link"
		if image {
			what = "image"
		}
		n.d.problem(l.offset, warningSeverity, rule.EmptyLink, "this "+what+" has no destination; write it between the parentheses")
	}
}

// reference adds the size of a reference link's destination and title to the page's total, because a short page can
// repeat them many times. If the total exceeds the limit, it reports the first excess, replaces the destination with
// "#", and removes the title.
func (n *normalizer) reference(ref *ast.ReferenceLink, destination, title *[]byte, at ast.Node) {
	if ref == nil {
		return
	}
	n.expanded += len(*destination) + len(*title)
	if n.expanded > maxExpansion+len(n.d.body) {
		if !n.expandedTooFar {
			n.expandedTooFar = true
			n.d.problem(at.Pos(), errorSeverity, rule.TooMuch, "the page's reference links expand to too much text; shorten their definitions")
		}
		*destination, *title = []byte("#"), nil
	}
}

// brokenAddress returns a message about an absolute address that can't work, for example because it has no host. It
// returns "" for all other addresses.
func brokenAddress(address string) string {
	scheme, rest, _ := strings.Cut(address, ":")
	switch scheme = strings.ToLower(scheme); {
	case strings.HasPrefix(address, "//") && !strings.ContainsAny(hostOf(address[2:]), ".:["):
		return fmt.Sprintf("%q refers to the host %q, not a page; begin the path of a page with a single slash", address, hostOf(address[2:]))
	case scheme == "mailto" && strings.TrimSpace(rest) == "" && strings.Contains(address, ":"):
		return "mailto: has no address; write one, as in mailto:hello@acorn.example"
	case scheme != "http" && scheme != "https" || !strings.Contains(address, ":"):
		return ""
	case !strings.HasPrefix(rest, "//"):
		return fmt.Sprintf("%q has no host; write %s:// and the host", address, scheme)
	}
	switch strings.ToLower(strings.TrimSuffix(hostOf(rest[2:]), ":")) {
	case "":
		return fmt.Sprintf("%q has no host; write it after %s://", address, scheme)
	case "http", "https":
		return fmt.Sprintf("%q has two schemes; remove one", address)
	}
	return ""
}

// hostOf returns the host and port at the start of address, which must not contain a scheme.
func hostOf(address string) string {
	if end := strings.IndexAny(address, "/?#"); end >= 0 {
		return address[:end]
	}
	return address
}

// autoLink records an autolink.
func (n *normalizer) autoLink(node *ast.AutoLink) {
	label := node.Label(n.d.body)
	l := &Link{Destination: string(node.URL(n.d.body)), Alt: string(label), offset: node.Pos()}
	if node.AutoLinkType == ast.AutoLinkEmail {
		l.Destination = "mailto:" + l.Destination
	}
	n.addLink(node, l)
}

// addLink records a link, and reports an unsafe or broken address. node is nil for a link in an attribute.
func (n *normalizer) addLink(node ast.Node, l *Link) {
	l.Target = l.Destination
	if scheme := unsafeScheme(l.Destination, l.Image); scheme != "" {
		l.Target = "#"
		n.d.problem(l.offset, errorSeverity, rule.UnsafeLink, unsafeText(scheme, l.Image))
	} else if text := brokenAddress(l.Destination); text != "" {
		n.d.problem(l.offset, errorSeverity, rule.DeadLink, text)
	}
	if n.d.linkOf == nil {
		n.d.linkOf = make(map[ast.Node]*Link)
	}
	if node != nil {
		n.d.linkOf[node] = l
	}
	n.d.links = append(n.d.links, l)
}

// unsafeText returns the message for an unsafe scheme of a link or an image.
func unsafeText(scheme string, image bool) string {
	if image {
		return "images with \"" + scheme + ":\" addresses are not allowed; use a file, or an address with https: or http:"
	}
	return "links to \"" + scheme + ":\" are not allowed; link to a page, a file, or an address with " + site.LinkSchemes
}

// oneLine replaces the line feeds in text with spaces, in place, and returns text.
func oneLine(text []byte) []byte {
	for i, c := range text {
		if c == '\n' {
			text[i] = ' '
		}
	}
	return text
}

// unsafeScheme returns the scheme of destination if a page must not use that scheme, or "" if destination is allowed.
// An image may have a web or relative address, or be a data URL in a raster format.
func unsafeScheme(destination string, image bool) string {
	scheme, rest := site.Scheme(destination)
	switch {
	case scheme == "", site.IsWebScheme(scheme), !image && site.IsLinkScheme(scheme), image && scheme == "data" && rasterData(rest):
		return ""
	}
	return scheme
}

// rasterData reports whether rest, the text after "data:", is in an image format that can't contain scripts.
func rasterData(rest string) bool {
	rest = strings.ToLower(rest[:min(len(rest), 16)])
	for _, t := range [...]string{"image/png", "image/gif", "image/jpeg", "image/webp"} {
		if after, ok := strings.CutPrefix(rest, t); ok && (strings.HasPrefix(after, ";") || strings.HasPrefix(after, ",")) {
			return true
		}
	}
	return false
}

// href returns a link's target for output, percent-encoded if necessary. It returns "#" for a target with an unsafe
// scheme and for an image without a target. The result may share memory with dst.
func (l *Link) href(dst []byte) []byte {
	target := l.Target
	if unsafeScheme(target, l.Image) != "" || target == "" && l.Image {
		target = "#"
	}
	return util.URLEscape(append(dst[:0], target...), false)
}

// Ref returns the link's target as it appears in the output; see href.
func (l *Link) Ref() site.Ref { return site.Ref(l.href(nil)) }

// Shown returns the image's properties for HTML, with the size that an <img> in the page sets.
func (l *Link) Shown() site.Picture { return l.picture() }
