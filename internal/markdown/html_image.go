package markdown

import (
	"strconv"

	"vitrine/internal/site"
)

// picture writes what a browser needs to know of an image before it loads it:
// its size, so that the page does not jump, its copies, and that it may wait
// until it is near. The first image of a page does not wait: it is likely to be
// in sight at once.
func (h *htmlWriter) picture(p site.Picture) {
	if p.Set != "" {
		h.w.WriteString(` srcset="`)
		h.escape([]byte(p.Set))
		h.w.WriteString(`" sizes="`)
		h.escape([]byte(p.Sizes))
		h.w.WriteByte('"')
	}
	if p.Width > 0 && p.Height > 0 {
		h.w.WriteString(` width="`)
		h.w.Write(strconv.AppendInt(h.w.AvailableBuffer(), int64(p.Width), 10))
		h.w.WriteString(`" height="`)
		h.w.Write(strconv.AppendInt(h.w.AvailableBuffer(), int64(p.Height), 10))
		h.w.WriteByte('"')
	}
	if h.images++; h.images > 1 {
		h.w.WriteString(` loading="lazy" decoding="async"`)
	}
}
