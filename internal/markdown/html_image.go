package markdown

import (
	"strconv"

	"github.com/yuin/goldmark/ast"

	"vitrine/internal/site"
)

func (h *htmlWriter) image(n *ast.Image) {
	l := h.d.linkOf[n]
	if _, linked := n.Parent().(*ast.Link); h.inZoom && !linked {
		h.w.WriteString(`<a href="`)
		h.escape(h.href(l))
		h.w.WriteString(`">`)
		defer h.w.WriteString("</a>")
	}
	others := !h.oneFormat && (l.Picture.AVIF != "" || l.Picture.WebP != "")
	if others {
		h.w.WriteString("<picture>")
		h.source("avif", l.Picture.AVIF, l.Picture.Sizes)
		h.source("webp", l.Picture.WebP, l.Picture.Sizes)
	}
	h.w.WriteString(`<img src="`)
	h.escape(h.href(l))
	h.w.WriteString(`" alt="`)
	h.escape([]byte(l.Alt))
	h.titleAttribute(l)
	h.w.WriteByte('"')
	h.picture(l.picture(), l.sized())
	h.w.WriteByte('>')
	if others {
		h.w.WriteString("</picture>")
	}
}

// source writes a <source> element for browsers that support the given image format. set lists the copies of the image
// in that format. If set is empty, source writes nothing.
func (h *htmlWriter) source(format, set, sizes string) {
	if set == "" {
		return
	}
	h.w.WriteString(`<source type="image/`)
	h.w.WriteString(format)
	h.w.WriteByte('"')
	h.sourceSet(set, sizes)
	h.w.WriteByte('>')
}

// sourceSet writes the srcset attribute, from which browsers choose a copy by width, and the sizes attribute. A single
// copy has no width descriptor and needs no sizes attribute.
func (h *htmlWriter) sourceSet(set, sizes string) {
	h.w.WriteString(` srcset="`)
	h.escape([]byte(set))
	if sizes != "" {
		h.w.WriteString(`" sizes="`)
		h.escape([]byte(sizes))
	}
	h.w.WriteByte('"')
}

// picture writes the attributes that a browser needs before it loads an image: its copies, its size, and lazy loading.
// The size keeps the layout from shifting. The first image of a page loads immediately, because it is probably visible.
// sized reports whether the page sets the image's width or height.
func (h *htmlWriter) picture(p site.Picture, sized bool) {
	if p.Set != "" {
		h.sourceSet(p.Set, p.Sizes)
	}
	if p.Width > 0 && (p.Height > 0 || sized) {
		h.w.WriteString(` width="`)
		h.w.Write(strconv.AppendInt(h.w.AvailableBuffer(), int64(p.Width), 10))
		h.w.WriteByte('"')
	}
	if p.Height > 0 && (p.Width > 0 || sized) {
		h.w.WriteString(` height="`)
		h.w.Write(strconv.AppendInt(h.w.AvailableBuffer(), int64(p.Height), 10))
		h.w.WriteByte('"')
	}
	if h.images++; h.images > 1 {
		h.w.WriteString(` loading="lazy" decoding="async"`)
	}
}
