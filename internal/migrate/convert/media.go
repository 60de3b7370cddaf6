package convert

import (
	"net/url"
	"strings"

	"vitrine/internal/lazyregexp"
	"vitrine/internal/migrate/source"
)

var (
	youtubeAddress = lazyregexp.New(`(?:youtube(?:-nocookie)?\.com/(?:embed/|watch\?(?:.*&)?v=|shorts/|v/)|youtu\.be/)([A-Za-z0-9_-]{6,20})`)
	vimeoAddress   = lazyregexp.New(`vimeo\.com/(?:video/)?(\d{5,12})`)
)

// media converts videos, and frames from YouTube and Vimeo, to components. It converts audio elements and other frames
// to links.
func (c *Converter) media(n *Node) Piece {
	t := n.Tag
	src, title := t.Get("src", "data", "data-src"), t.Get("title", "aria-label")
	for _, child := range n.children {
		if child.Tag != nil && child.Tag.Name == "source" {
			src = source.Fallback(src, child.Tag.Get("src"))
		}
	}
	if src == "" {
		return c.lost(t, "<"+t.Name+">", "its address cannot be read", "add ::video or a link", "html")
	}
	p, ok := Film(src, title)
	switch {
	case ok:
	case t.Name == "video":
		p = leaf("video", source.Fallback(title, source.Stem(src)), Attributes("src", src, "poster", t.Get("poster"), "width", t.Get("width"), "height", t.Get("height")))
	case t.Name == "audio":
		p = Piece{"[" + source.Fallback(title, "Audio") + "](" + Destination(src) + ")", true}
	default:
		c.Note(t.Raw, "the frame <"+t.Name+">", "pages cannot embed other sites, so it was replaced with a link", "check whether the link is sufficient")
		p = Piece{"[" + source.Fallback(title, host(src)) + "](" + Destination(src) + ")", true}
	}
	if s := strings.TrimSpace(c.nodes(n.children, true)); s != "" {
		p.Text += "\n\n" + s
	}
	return p
}

// Film returns the component for a video on YouTube or Vimeo. ok is false for other addresses.
func Film(address, title string) (p Piece, ok bool) {
	if m := youtubeAddress.FindStringSubmatch(address); m != nil {
		return youtube(m[1], title), true
	}
	if m := vimeoAddress.FindStringSubmatch(address); m != nil {
		return vimeo(m[1], title), true
	}
	return Piece{}, false
}

func youtube(id, title string) Piece {
	return leaf("youtube", source.Fallback(title, "Video on YouTube"), Attributes("id", id))
}

func vimeo(id, title string) Piece {
	return leaf("vimeo", source.Fallback(title, "Video on Vimeo"), Attributes("id", id))
}

func host(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return address
	}
	return u.Host
}
