// Package site defines Vitrine's data model: a Site with its Config, its Product, and its Pages, and the Problems in
// them. All paths in a loaded site are valid, lists are in display order, and the site is immutable. The package
// imports no other package of Vitrine except codec and suggest.
package site

import (
	"time"
)

// Site is the validated content of a site's folder, except the bodies of pages. Rendering reads the bodies one page at
// a time.
type Site struct {
	Config  Config
	Product Product
	// Pages are the pages to publish, sorted by Path. They don't include drafts or scheduled pages unless the load
	// requested drafts.
	Pages []*Page
	// Files are the images and other files to publish, sorted by Path.
	Files []File
	// Withheld are the drafts and scheduled pages omitted from this load. No output may contain any part of these
	// pages. The check reports a link to such a page as a link to an unpublished page.
	Withheld []*Page
	// Sidebars are the _sidebar.yaml files, which set the order of documentation pages.
	Sidebars []*Sidebar
	// Questions are the questions in questions.yaml that the site must answer, in the order written.
	Questions []Question
	// Authors are the people in authors.yaml, in the order written.
	Authors []*Author
	// Now is the time of the load. A page with a later date is a scheduled page.
	Now time.Time
	// Languages are the views of the site in each of its languages, the default language first. A view contains the
	// settings, the facts, and the pages in its language. Languages is empty in the views themselves and if the site
	// has only one language.
	Languages []*Site
	// Language is the tag of the language if this is a view in a language other than the site's default, or "".
	Language string
	// Original is the product in the site's default language if this is a view in another language. Otherwise, it is
	// nil. Original and Product have the same structure, and pages may use the names of plans from either.
	Original *Product
	// OwnLanguage is the tag of the site's default language if this is a view in another language, or "".
	OwnLanguage string
	// FactLinks contains the strings in product.yaml that are URLs on the site.
	FactLinks []FactText
	// Untranslated contains the strings of Original that product.TAG.yaml doesn't translate. It is empty if Original is
	// nil.
	Untranslated []FactText
}

// FactText is a string in product.yaml, with its position.
type FactText struct {
	// Path is the path of the fact, such as "pricing.plans.Tree.note".
	Path string
	Text string
	Pos  Pos
}

// NextDue returns the earliest date of a scheduled page, at which the site must be rebuilt. It returns the zero time if
// no page is scheduled.
func (s *Site) NextDue() time.Time {
	var next time.Time
	for _, p := range s.Withheld {
		if p.Scheduled && !p.Draft && (next.IsZero() || p.Date.Before(next)) {
			next = p.Date
		}
	}
	return next
}

// File is an image or another file of an author. The build publishes it unchanged, but removes the metadata of images.
type File struct {
	// Source is the file's name relative to the site's root, with forward slashes.
	Source string
	// Path is the file's URL path, decoded.
	Path string
	// Size is the file's size in bytes.
	Size int64
	// OnLink reports whether the file is published only if a page or the navigation links to it. A file without such a
	// link may be a private note or the source of another file.
	OnLink bool
}
