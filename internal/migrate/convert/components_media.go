package convert

import (
	"strings"

	"vitrine/internal/migrate/source"
)

func video(c *Converter, n *Node) Piece {
	t := n.Tag
	name := strings.TrimPrefix(strings.ToLower(t.Name), "{")
	src := t.Argument(0, "src", "url", "href", "file")
	id, title := source.Fallback(t.Get("id", "videoId", "youtubeId"), src), t.Get("title", "caption", "alt")
	if p, ok := Film(src, title); ok {
		return p
	}
	switch {
	case id == "":
		return c.unknown(n)
	case strings.Contains(name, "youtube"):
		return youtube(id, title)
	case name == "vimeo":
		return vimeo(id, title)
	case src == "":
		return c.unknown(n)
	}
	return leaf("video", source.Fallback(title, source.Stem(src)), Attributes("src", src, "poster", t.Get("poster")))
}

func imageComponent(c *Converter, n *Node) Piece {
	t := *n.Tag
	if t.Get("src") == "" {
		for _, a := range t.Attrs {
			// The path may be in an expression. For example, Docusaurus uses sources={{light: …, dark: …}}.
			if m := quotedPath.FindStringSubmatch(a.Value); a.code && m != nil {
				t.Attrs = append(t.Attrs, Attr{Name: "src", Value: m[1]})
				break
			}
		}
	}
	return c.image(&t)
}

func figureComponent(c *Converter, n *Node) Piece {
	t := n.Tag
	src := t.Argument(0, "src", "link", "file")
	caption := t.Get("caption", "title")
	body := c.Inner(n)
	if src == "" {
		if body == "" {
			return c.unknown(n)
		}
	} else {
		picture := c.image(&Tag{Raw: t.Raw, Attrs: append([]Attr{{Name: "src", Value: src}}, t.Attrs...)}).Text
		if link := t.Get("link", "href"); link != "" && t.Get("src") != "" {
			picture = "[" + picture + "](" + Destination(link) + ")"
		}
		body = strings.TrimSpace(picture + "\n\n" + body)
	}
	if attribution := t.Get("attr"); attribution != "" {
		if link := t.Get("attrlink"); link != "" {
			attribution = "[" + attribution + "](" + Destination(link) + ")"
		}
		caption = strings.TrimSpace(caption + " " + attribution)
	}
	if c.oneLine {
		return Piece{Text: strings.TrimSpace(flat(body) + " " + caption)}
	}
	if caption == "" {
		return Piece{body, true}
	}
	return Container("figure", caption, "", body)
}

func codeComponent(c *Converter, n *Node) Piece {
	t := n.Tag
	code := t.Get("code", "children")
	if code == "" {
		if code = Dedent(bareExpressions(c, n)); code == "" {
			return c.unknown(n)
		}
	}
	title := t.Get("title", "filename", "file")
	p := Piece{CodeFence(source.Fallback(t.Get("language", "lang", "className"), languageOf(t.Get("class"))), code), true}
	if title != "" {
		p.Text = "`" + title + "`\n\n" + p.Text
	}
	return p
}

// bareExpressions returns the content of a component as code: its text, the values of its constant expressions, and its
// tags verbatim.
func bareExpressions(c *Converter, n *Node) string {
	var b strings.Builder
	for _, child := range n.children {
		switch {
		case child.Tag == nil:
			b.WriteString(child.text)
		case child.Tag.Form == expression:
			s, _ := c.Constant(child.Tag.inner)
			b.WriteString(s)
		default:
			b.WriteString(child.Tag.Raw)
		}
	}
	return b.String()
}
