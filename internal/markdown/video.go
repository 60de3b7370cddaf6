package markdown

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/util"

	"vitrine/internal/rule"
	"vitrine/internal/site"
)

// A video is either a file of the site, or a linked picture that represents a video on an external service.

// video converts a <video> to a component.
func (n *normalizer) video(e *element) ast.Node {
	c := &component{directive: directive{name: "video"}, colons: 2, closed: true}
	c.SetPos(e.at)
	set := func(name, value string) {
		if value != "" {
			c.attributes = addAttribute(c.attributes, attribute{name: name, value: value, at: e.at})
		}
	}
	for _, name := range [...]string{"id", "src", "poster"} {
		value, _ := attributeOf(e.attributes, name)
		set(name, value)
	}
	for _, name := range [...]string{"width", "height"} {
		if value, ok := attributeOf(e.attributes, name); ok {
			if size := n.pixels(e, name, value); size > 0 {
				set(name, strconv.Itoa(size))
			}
		}
	}
	for _, kid := range e.kids {
		inner, ok := kid.(*element)
		if !ok {
			continue
		}
		src, _ := attributeOf(inner.attributes, "src")
		switch inner.tag {
		case "source":
			if _, known := attributeOf(c.attributes, "src"); !known {
				set("src", src)
			}
		case "track":
			set("captions", src)
		}
	}
	for _, name := range [...]string{"title", "aria-label"} {
		if title, ok := attributeOf(e.attributes, name); ok && labelOf(c) == nil {
			l := newLabel()
			l.SetPos(e.at)
			if n.fill(l, []ast.Node{plainString(title, e.at)}) {
				c.AppendChild(c, l)
			}
		}
	}
	return c
}

// service replaces a video's id or url attribute with the video's URL on the service, which is more useful in the twin.
// It reports an invalid ID or address and uses the ID 0 instead.
func (n *normalizer) service(c *directive, at int) {
	for i, a := range c.attributes {
		if a.name != "id" && a.name != "url" {
			continue
		}
		id := a.value
		if a.name == "url" {
			id = videoID(c.name, a.value)
		}
		if !isVideoID(c.name, id) {
			n.d.problem(a.at, errorSeverity, rule.Directive, fmt.Sprintf("%q is not a %s video ID; set id= to the end of the video's address", a.value, c.name))
			id = "0"
		}
		prefix := "https://www.youtube.com/watch?v="
		if c.name == "vimeo" {
			prefix = "https://vimeo.com/"
		}
		c.attributes = slices.Clone(c.attributes)
		c.attributes[i] = attribute{name: "url", value: prefix + id, at: a.at}
		return
	}
}

// videoID returns the video ID in an address on the service, or "" if there is none.
func videoID(service, address string) string {
	if scheme, rest := site.Scheme(address); scheme == "https" || scheme == "http" {
		address = rest
	}
	address = strings.TrimPrefix(strings.TrimPrefix(address, "//"), "www.")
	var prefixes []string
	switch service {
	case "youtube":
		prefixes = []string{"youtube.com/watch?v=", "youtube.com/embed/", "youtube-nocookie.com/embed/", "youtube.com/shorts/", "youtu.be/"}
	case "vimeo":
		prefixes = []string{"vimeo.com/", "player.vimeo.com/video/"}
	}
	for _, prefix := range prefixes {
		if id, ok := strings.CutPrefix(address, prefix); ok {
			if end := strings.IndexAny(id, "?&#/"); end >= 0 {
				id = id[:end]
			}
			if isVideoID(service, id) {
				return id
			}
		}
	}
	return ""
}

// isVideoID reports whether id has the form of the service's video IDs.
func isVideoID(service, id string) bool {
	for _, c := range []byte(id) {
		if !util.IsNumeric(c) && (service == "vimeo" || !isLetter(c) && c != '-' && c != '_') {
			return false
		}
	}
	return len(id) >= 3 && len(id) <= 20
}

// embedded returns the end of the message about an element that embeds another site: what to write instead.
func embedded(e *element) string {
	src, _ := attributeOf(e.attributes, "src")
	for _, service := range [...]string{"youtube", "vimeo"} {
		if id := videoID(service, src); id != "" {
			return fmt.Sprintf("write ::%s[description]{id=%s} on its own line", service, id)
		}
	}
	return "link to it instead, as [description](https://…)"
}
