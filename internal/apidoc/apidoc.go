// Package apidoc generates the reference pages of an API from its OpenAPI description, 3.0 or 3.1, in YAML or JSON: a
// page for each tag and a page for each operation. The pages are Markdown, like all pages, so their HTML, their twins,
// search, and llms.txt come from the same source.
package apidoc

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/cespare/xxhash/v2"

	"vitrine/internal/rule"
	"vitrine/internal/site"
)

// Source is a page for which Pages generates reference pages from OpenAPI descriptions.
type Source struct {
	Page *site.Page
	// Files are the page's OpenAPI descriptions.
	Files []File
	// Word returns the theme's string for key in the page's language. values contains the name and the value of each
	// placeholder in the string, in turn.
	Word func(key string, values ...any) string
	// Read reads a file referenced by a description, given its path from the site's root. If Read is nil, descriptions
	// can't reference other files.
	Read func(name string) ([]byte, error)
}

// File is a file with an OpenAPI description.
type File struct {
	// Name is the path of the file, relative to the site's root. Path is its published URL path, or "" if the file
	// isn't published.
	Name, Path string
	Text       []byte
}

// Pages returns the reference pages generated from source, in sidebar order, and the problems in its descriptions.
func Pages(source Source) (pages []*site.Page, problems []site.Problem) {
	taken := make(map[string]bool)
	for _, f := range source.Files {
		doc, wrong := read(f, source.Read)
		if problems = append(problems, wrong...); doc == nil {
			continue
		}
		r := &reference{doc: doc, file: f, root: source.Page, word: source.Word, taken: taken, order: len(pages)}
		pages = append(pages, r.pages()...)
	}
	return pages, problems
}

// reference generates the pages of one description.
type reference struct {
	doc  *description
	file File
	root *site.Page
	word func(key string, values ...any) string
	// taken is the set of URL paths in use. All OpenAPI descriptions of the source page share it.
	taken map[string]bool
	// order is the number of reference pages created so far. It is also the sidebar position of the most recent page.
	order int
	// lists is the number of lists of members on the current page.
	lists int
}

// operation is an API operation with the data for its page.
type operation struct {
	*definition
	method, path string
	// at is the URL path of the operation's page.
	at string
}

// title returns the title of the operation's page: the first sentence of the summary. If the summary is empty or too
// long for a title, title returns the operation ID or, if there is none, the method and the path.
func (o *operation) title() string {
	if title := firstSentence(o.summary); title != "" && !o.hasLongSummary() {
		return title
	}
	if o.id != "" {
		return o.id
	}
	return o.method + " " + o.path
}

// hasLongSummary reports whether the summary is longer than 100 bytes, which is too long for a title.
func (o *operation) hasLongSummary() bool {
	const longest = 100
	return len(oneLine(o.summary)) > longest
}

// text returns the description, preceded by the summary if the summary is too long for a title.
func (o *operation) text() string {
	if !o.hasLongSummary() {
		return o.description
	}
	return strings.TrimSpace(o.summary + "\n\n" + o.description)
}

// about returns the description of an operation's page: the first sentence of the text, or the method and the path.
func (o *operation) about() string {
	if about := firstSentence(o.text()); about != "" {
		return about
	}
	return o.method + " " + o.path
}

// rest returns the text of an operation without its first sentence, because the page shows that sentence as its
// description. It returns the complete text if the description differs from the first sentence, because the sentence is
// too long or contains markup or a line break.
func (o *operation) rest() string {
	text := strings.TrimSpace(o.text())
	if rest, ok := strings.CutPrefix(text, o.about()); ok && strings.TrimLeft(rest, " \n") != rest || rest == "" {
		return strings.TrimSpace(rest)
	}
	return text
}

// tag is an OpenAPI tag with its operations.
type tag struct {
	name, description string
	// title is the display name of the tag.
	title      string
	operations []*operation
}

// about returns the description of a tag's page: the first sentence of the tag's description, or the titles of the
// first operations if the tag has no description.
func (t *tag) about() string {
	if text := firstSentence(t.description); text != "" {
		return text
	}
	const most = 150
	about := ""
	for i, o := range t.operations {
		switch {
		case i == 0:
			about = o.title()
		case len(about)+len(o.title()) > most:
			return about + ", …"
		default:
			about += ", " + o.title()
		}
	}
	return about
}

// untagged is the name of the tag for operations without a tag. Pages show the theme's string apiOperations instead.
const untagged = "Operations"

// methods contains the HTTP methods in the order in which the pages list the operations of a path.
var methods = []string{"GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "TRACE"}

// tags groups the operations by their first tag. Tags that the API description declares come first, in the order of
// their declarations. Other tags follow in the order in which the paths use them. Tags without operations are omitted.
func (r *reference) tags() []*tag {
	var tags []*tag
	byName := make(map[string]*tag)
	get := func(name, description string) *tag {
		t := byName[name]
		if t == nil {
			t = &tag{name: name, title: name, description: description}
			if name == untagged {
				t.title = r.word("apiOperations")
			}
			byName[name] = t
			tags = append(tags, t)
		}
		return t
	}
	for _, t := range r.doc.tags {
		get(t.name, t.description)
	}
	for _, item := range r.doc.paths {
		for _, method := range methods {
			o := item.operations[method]
			if o == nil {
				continue
			}
			name := untagged
			if len(o.tags) > 0 {
				name = o.tags[0]
			}
			t := get(name, "")
			t.operations = append(t.operations, &operation{definition: o, method: method, path: item.path})
		}
	}
	return slices.DeleteFunc(tags, func(t *tag) bool { return len(t.operations) == 0 })
}

// pages returns the pages of all tags and operations.
func (r *reference) pages() (pages []*site.Page) {
	tags := r.tags()
	for _, t := range tags {
		at := r.free(path.Join(r.root.Path, slug(t.name)))
		for _, o := range t.operations {
			name := o.id
			if name == "" {
				name = o.method + "-" + o.path
			}
			o.at = r.free(path.Join(at, slug(name)))
		}
		page := r.page(at, t.title, t.about(), r.tagText(t))
		pages = append(pages, page)
		for _, o := range t.operations {
			page := r.page(o.at, o.title(), o.about(), r.operationText(o))
			page.Badge, page.Operation = o.method, o.method
			pages = append(pages, page)
		}
	}
	return pages
}

// page returns a reference page with the URL path at, and places it after the previous page in the sidebar.
func (r *reference) page(at, title, description, text string) *site.Page {
	r.order++
	return &site.Page{
		Source: r.file.Name, Path: at, Title: title, Description: description, Layout: r.root.Layout, Language: r.root.Language,
		Order: r.order, Text: []byte(text), Digest: xxhash.Sum64String(text), Diagnostics: quiet(),
	}
}

// quiet returns levels that turn off the rules about writing, because problems would have positions in the generated
// Markdown, which the author of the OpenAPI description can't edit.
func quiet() map[site.Code]site.Level {
	levels := make(map[site.Code]site.Level)
	for _, code := range []site.Code{
		rule.NoAlt, rule.HeadingJump, rule.EmptyLink, rule.Footnote, rule.Orphan, rule.NoDescription, rule.LongDescription, rule.SameTitle, rule.LostHTML,
		rule.UnknownAlert, rule.Foreign, rule.OpenEmphasis, rule.LooseLink, rule.LooseHeading, rule.SecondTitle, rule.FactOpen,
		rule.OpenCode, rule.LooseBlock, rule.LostCell, rule.CodeLanguage,
	} {
		levels[code] = site.LevelOff
	}
	return levels
}

// free reserves and returns an unused URL path: at, or at with a suffix such as "-2" if at is taken.
func (r *reference) free(at string) string {
	for n, own := 2, at; ; n++ {
		if !r.taken[own] {
			r.taken[own] = true
			return own
		}
		own = fmt.Sprintf("%s-%d", at, n)
	}
}

// slug converts name to a path segment: getUser becomes get-user, and "Billing & plans" becomes billing-plans. A name
// without letters or digits becomes operation.
func slug(name string) string {
	var b strings.Builder
	lower := false
	for _, c := range name {
		switch {
		case c >= 'A' && c <= 'Z':
			if lower {
				b.WriteByte('-')
			}
			b.WriteRune(c - 'A' + 'a')
			lower = false
		case c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c > 127:
			b.WriteRune(c)
			lower = true
		default:
			b.WriteByte('-')
			lower = false
		}
	}
	parts := strings.FieldsFunc(b.String(), func(c rune) bool { return c == '-' })
	if len(parts) == 0 {
		return "operation"
	}
	return strings.Join(parts, "-")
}
