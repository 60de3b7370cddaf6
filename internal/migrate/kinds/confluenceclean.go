package kinds

import (
	"net/url"
	"path"
	"slices"
	"strings"
	"unicode"

	"vitrine/internal/lazyregexp"
	"vitrine/internal/migrate/convert"
	"vitrine/internal/migrate/source"

	"golang.org/x/net/html"
)

// clean sets the body of p to its content as plain HTML. It converts macros to equivalent elements, and removes the
// elements of Confluence's user interface. If the page has no content element, clean adds a note.
func (x *confluence) clean(p *confluencePage) {
	main := byID(p.root, "main-content")
	if content := byID(p.root, "content"); main == nil && content != nil && wordsIn(content) == "" {
		// Confluence exports a folder of pages as a page without a content element.
		return
	} else if main == nil {
		x.Note(convert.Note{File: p.Source, What: "the page's content", Why: "the file has no element with the ID main-content", Do: "write the content of the page"})
		return
	}
	x.noteOutside(p, main)
	dropChrome(main)
	for _, n := range all(main, func(n *html.Node) bool { return confluenceMacro(n) != nil }) {
		confluenceMacro(n)(n)
	}
	for _, n := range slices.Collect(elementsOf(main, "img")) {
		x.picture(n)
	}
	for _, n := range slices.Collect(elementsOf(main, "a")) {
		x.link(p, n)
	}
	x.headings(p, main)
	tidy(main)
	var b strings.Builder
	for child := range main.ChildNodes() {
		if err := html.Render(&b, child); err != nil {
			x.Failed(p.Source, "the page", err)
		}
	}
	p.Body = b.String()
}

// noteOutside adds notes about a page's comments, and about attached files that the page doesn't show.
func (x *confluence) noteOutside(p *confluencePage, main *html.Node) {
	shown := map[string]bool{}
	for d := range main.Descendants() {
		if d.Type == html.ElementNode {
			for _, key := range []string{"href", "src", "data-image-src"} {
				file, _, _ := strings.Cut(attr(d, key), "?")
				shown[x.file(file)] = true
			}
		}
	}
	var hidden []string
	for a := range elementsOf(p.root, "a") {
		name := wordsIn(a)
		if file := x.hrefFile(a); strings.HasPrefix(attr(a, "href"), "attachments/") && !shown[file] && !strings.HasPrefix(name, "~") && x.Src.Has(file) {
			shown[file] = true
			hidden = append(hidden, name)
		}
	}
	if len(hidden) > 0 {
		x.Note(convert.Note{File: p.Source, What: "attached files that the page does not show", Why: "Confluence lists them below the page",
			Do: "link to the files that readers need; the files are in attachments/" + p.id, Source: source.OneLine(strings.Join(hidden, ", "), 300)})
	}
	for h := range p.root.Descendants() {
		if h.Type == html.ElementNode && attr(h, "id") == "comments" {
			x.Note(convert.Note{File: p.Source, What: "the comments on the page", Why: "pages have no comments", Do: "move important comments into the text of the page"})
		}
	}
}

// dropChrome removes elements added by Confluence, such as tables of contents, icons, forms, and styles. It replaces
// mentions and links to missing pages with their text.
func dropChrome(main *html.Node) {
	for _, n := range all(main, func(n *html.Node) bool {
		switch n.Data {
		case "style", "script", "form", "fieldset", "input", "colgroup":
			return true
		}
		return hasClass(n, "toc-macro", "hidden", "issue-placeholder", "aui-icon", "expand-control-icon", "confluence-information-macro-icon", "plugin_pagetree", "TOCOutline",
			"attachment-buttons", "label-list", "labels-content", "blank-search", "show-hidden-contributors", "waiting-image", "more-link-container", "plugin_attachments_upload_container")
	}) {
		remove(n)
	}
	for _, n := range all(main, func(n *html.Node) bool { return hasClass(n, "createlink", "user-mention", "confluence-userlink") }) {
		unwrap(n)
	}
}

// picture sets the source of an image to its full-size file in the export, and removes images that are icons of
// Confluence. It also removes alt text and titles that only repeat the file's name.
func (x *confluence) picture(n *html.Node) {
	src, _, _ := strings.Cut(attr(n, "src"), "?")
	full, _, _ := strings.Cut(attr(n, "data-image-src"), "?")
	has := func(s string) bool { return s != "" && x.Src.Has(path.Join(x.Base, source.Unescape(s))) }
	switch {
	case strings.HasPrefix(src, "images/icons/"), hasClass(n, "icon", "expand-control-image", "userLogo"):
		remove(n)
		return
	case has(full):
		src = full
	case !has(src):
		if strings.Contains(src, "://") {
			src = attr(n, "src") // including the query
		}
		src = source.Fallback(x.attachment(n), src)
	}
	setAttr(n, "src", src)
	if alt := attr(n, "alt"); alt == attr(n, "data-linked-resource-default-alias") {
		// The name of the file doesn't help readers.
		setAttr(n, "alt", "")
	}
	if attr(n, "title") == attr(n, "data-linked-resource-default-alias") {
		setAttr(n, "title", "")
	}
}

// attachment returns the path within the export of the attached file that n shows, or "" if there is none.
func (x *confluence) attachment(n *html.Node) string {
	id, page := attr(n, "data-linked-resource-id"), attr(n, "data-linked-resource-container-id")
	if id == "" || page == "" {
		return ""
	}
	stem := path.Join(x.Base, "attachments", page, id)
	for _, name := range x.Src.Below(path.Dir(stem)) {
		if strings.TrimSuffix(name, path.Ext(name)) == stem {
			return strings.TrimPrefix(name, strings.TrimPrefix(x.Base+"/", "./"))
		}
	}
	return ""
}

// pageAddress matches the address of a page in Confluence and captures the page's identifier.
var pageAddress = lazyregexp.New(`(?:[?&]pageId=|/pages/)(\d{4,})(?:[/?&#]|$)`)

// link replaces the address of a link to a page with the page's file in the export, and removes the page's title from
// the fragment. It removes a link that has no text, no image, and no anchor.
func (x *confluence) link(p *confluencePage, n *html.Node) {
	href := attr(n, "href")
	if href == "" {
		return
	}
	if wordsIn(n) == "" && first(n, "img") == nil {
		// A link without text is only an anchor.
		if attr(n, "id") == "" && attr(n, "name") == "" {
			remove(n)
		}
		return
	}
	before, fragment, _ := strings.Cut(href, "#")
	if m := pageAddress.FindStringSubmatch(before); m != nil {
		if to := x.byID[m[1]]; to != nil {
			before = url.PathEscape(path.Base(to.Source))
		}
	}
	to := p
	if before != "" {
		to = x.pages[x.file(before)]
	}
	if to == nil {
		return
	}
	fragment = strings.TrimPrefix(source.Unescape(fragment), to.prefix)
	if before == "" && fragment == "" {
		return
	}
	if before != "" {
		before = url.PathEscape(path.Base(to.Source))
	}
	if fragment != "" {
		before += "#" + fragment
	}
	setAttr(n, "href", before)
}

// headings removes the attributes of headings, because Vitrine derives a heading's anchor from its text. If the page
// has an h1 heading, headings moves all headings except h6 down one level, because the title is the page's h1 heading.
// It also removes the page's title from the identifiers of other elements, and bold type from headings and column
// headers.
func (x *confluence) headings(p *confluencePage, main *html.Node) {
	down := first(main, "h1") != nil
	for _, n := range all(main, func(n *html.Node) bool {
		return len(n.Data) == 2 && n.Data[0] == 'h' && n.Data[1] >= '1' && n.Data[1] <= '6'
	}) {
		if down && n.Data != "h6" {
			n.Data = "h" + string(n.Data[1]+1)
			n.DataAtom = 0
		}
		n.Attr = nil
	}
	// Headings and column headers are always bold.
	for _, n := range all(main, func(n *html.Node) bool {
		return (n.Data == "strong" || n.Data == "b") && slices.ContainsFunc([]string{"h1", "h2", "h3", "h4", "h5", "h6", "th"}, func(name string) bool { return isWithin(n, name) })
	}) {
		unwrap(n)
	}
	for _, n := range all(main, func(n *html.Node) bool { return attr(n, "id") != "" }) {
		setAttr(n, "id", strings.TrimPrefix(attr(n, "id"), p.prefix))
	}
}

// tidy fixes common flaws in edited text: empty, nested, or split emphasis, emphasis that ends with punctuation before
// a word, and line breaks at the edges of blocks.
func tidy(main *html.Node) {
	for _, n := range all(main, isEmphasis) {
		switch {
		case n.Parent == nil:
		case strings.TrimSpace(allText(n)) == "" && first(n, "img") == nil, isWithin(n, n.Data):
			unwrap(n)
		default:
			joinEmphasis(n)
		}
	}
	for _, n := range all(main, isEmphasis) {
		freePunctuation(n)
	}
	for _, n := range slices.Collect(elementsOf(main, "br")) {
		if edge(n.NextSibling, true) || edge(n.PrevSibling, false) {
			n.Parent.InsertBefore(textElement(" "), n)
			remove(n)
		}
	}
}

func isEmphasis(n *html.Node) bool {
	switch n.Data {
	case "strong", "b", "em", "i":
		return true
	}
	return false
}

// isWithin reports whether an element is inside an element with the given name.
func isWithin(n *html.Node, name string) bool {
	for up := range n.Ancestors() {
		if up.Type == html.ElementNode && up.Data == name {
			return true
		}
	}
	return false
}

// joinEmphasis merges emphasis of the same kind that directly follows n into n.
func joinEmphasis(n *html.Node) {
	for next := n.NextSibling; next != nil && next.Type == html.ElementNode && next.Data == n.Data; next = n.NextSibling {
		moveChildren(next, n)
		remove(next)
	}
}

// freePunctuation moves the punctuation at the end of emphasis out of the emphasis if a word follows. In Markdown,
// emphasis can't end between punctuation and a letter.
func freePunctuation(n *html.Node) {
	last, next := n.LastChild, n.NextSibling
	if last == nil || last.Type != html.TextNode || next == nil || n.Parent == nil {
		return
	}
	after := []rune(allText(next))
	core := strings.TrimRightFunc(last.Data, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsSpace(r) })
	if len(after) == 0 || !unicode.IsLetter(after[0]) && !unicode.IsDigit(after[0]) || core == last.Data || strings.TrimSpace(core) == "" {
		return
	}
	n.Parent.InsertBefore(textElement(last.Data[len(core):]), next)
	last.Data = core
}

// edge reports whether only blank text lies between n, inclusive, and the next block or the edge of the enclosing
// element. It searches forward from n if forward is true, and backward otherwise. n may be nil.
func edge(n *html.Node, forward bool) bool {
	for ; n != nil; n = sibling(n, forward) {
		if n.Type == html.TextNode && strings.TrimSpace(strings.ReplaceAll(n.Data, "\u00A0", " ")) == "" {
			continue
		}
		// A block ends the line.
		return n.Type == html.ElementNode && source.HasWord("p ul ol table div pre aside details h1 h2 h3 h4 h5 h6 hr blockquote", n.Data)
	}
	return true
}

func sibling(n *html.Node, forward bool) *html.Node {
	if forward {
		return n.NextSibling
	}
	return n.PrevSibling
}
