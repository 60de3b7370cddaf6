package markdown

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
)

// folderDrawing and fileDrawing are the icons before the names of folders and files in a file tree.
const (
	folderDrawing = `<svg viewBox="0 0 24 24" aria-hidden="true"><path d="M3 7a2 2 0 0 1 2-2h4l2 2.5h8a2 2 0 0 1 2 2V17a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2Z"/></svg>`
	fileDrawing   = `<svg viewBox="0 0 24 24" aria-hidden="true"><path d="M14 3H7a2 2 0 0 0-2 2v14a2 2 0 0 0 2 2h10a2 2 0 0 0 2-2V8Zm0 0v5h5"/></svg>`
)

// files writes a list as a file tree. An item with a nested list or a name that ends in "/" is a folder. Text after the
// name describes the file.
func (h *htmlWriter) files(b *ast.List) {
	h.w.WriteString("<ul>\n")
	for item := b.FirstChild(); item != nil; item = item.NextSibling() {
		name, rest := item.FirstChild(), ast.Node(nil)
		if _, list := name.(*ast.List); !list && name != nil {
			rest = name.NextSibling()
		} else {
			name, rest = nil, name
		}
		if rest == nil {
			h.w.WriteString(`<li class="file">`)
			h.fileName(name)
			h.w.WriteString("</li>\n")
			continue
		}
		h.w.WriteString("<li><details open><summary>")
		h.fileName(name)
		h.w.WriteString("</summary>\n")
		for ; rest != nil; rest = rest.NextSibling() {
			h.block(rest)
		}
		h.w.WriteString("</details></li>\n")
	}
	h.w.WriteString("</ul>\n")
}

// fileName writes the icon, name, and description of a file or folder. If n is nil, it writes only a folder's icon.
func (h *htmlWriter) fileName(n ast.Node) {
	if n == nil {
		h.w.WriteString(folderDrawing)
		return
	}
	text := h.d.plain(n)
	if n.NextSibling() != nil || len(text) > 0 && text[len(text)-1] == '/' {
		h.w.WriteString(folderDrawing)
	} else {
		h.w.WriteString(fileDrawing)
	}
	if _, ok := n.FirstChild().(*ast.Text); !ok {
		h.inlines(n)
		return
	}
	// The parser splits text at characters such as a dot, so a name can span several text nodes.
	c := n.FirstChild()
	for ; c != nil; c = c.NextSibling() {
		t, ok := c.(*ast.Text)
		if !ok {
			break
		}
		name, about, more := bytes.Cut(h.fileText(t), []byte(" "))
		h.escape(decode(nil, name))
		if more {
			h.w.WriteString(" <small>")
			h.escape(decode(nil, about))
			h.fileAbout(t.NextSibling())
			return
		}
	}
	if c != nil {
		h.w.WriteString(" <small>")
		h.fileAbout(c)
	}
}

// fileText returns the text of t, which is part of a file's name. If t is the first part, fileText removes the spaces
// before the name.
func (h *htmlWriter) fileText(t *ast.Text) []byte {
	text := t.Segment.Value(h.d.body)
	if t.PreviousSibling() == nil {
		text = bytes.TrimLeft(text, " ")
	}
	return text
}

// fileAbout writes the rest of a file's description, starting with node n, and the description's end tag.
func (h *htmlWriter) fileAbout(n ast.Node) {
	for ; n != nil; n = n.NextSibling() {
		h.inline(n)
	}
	h.w.WriteString("</small>")
}
