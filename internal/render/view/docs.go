package view

import (
	htmltemplate "html/template"

	"vitrine/internal/site"
)

// Section is a section of documentation as templates see it.
type Section struct {
	Title string   // the documentation's name in the sidebar
	Path  site.Ref // its first page
	Tree  uint64   // a hash of the sidebar's content; not for display
}

// SidebarEntry is an entry of a sidebar. All entries of a tree are in one list, so that a template needs no recursion: a
// group starts a nested list, and Ends has an element for each list that ends after the entry.
type SidebarEntry struct {
	Label   string            // the page's short name, or its title
	Path    site.Ref          // its path on the site, a link's target, or empty for a group with only a label
	Badge   string            // a word next to the label, or empty
	Icon    htmltemplate.HTML // the icon in front of the label, or empty
	Image   site.Ref          // an SVG file in front of the label, or empty
	Outside bool              // whether it links to another site
	Level   int               // its depth: 0 for the first page of the documentation
	Beside  bool              // whether it is a sibling of the current page
	Current bool              // whether it is the current page
	Group   bool              // whether its child entries follow
	Open    bool              // whether the current page is this entry or is under it
	// More is the number of siblings omitted here, in a large section. The entry links to the page that lists them.
	More int
	Ends []struct{} // one element for each list that ends after it
}

// PageVersion is a version of the documentation, seen from a page.
type PageVersion struct {
	Label        string   // its label for readers
	Path         site.Ref // the page in it, or the nearest one above it
	Here         bool     // whether the current page is in it
	Latest       bool     // whether it is the current version
	Unmaintained bool     // whether it no longer gets fixes
	Language     string   // the language of that page as a BCP 47 tag if it differs, or empty
}

// OldVersion is the data for the notice on a page in an old version of the documentation.
type OldVersion struct {
	Label        string   // the version's label
	Unmaintained bool     // whether it no longer gets fixes
	Latest       string   // the current version's label
	Path         site.Ref // the page in the current version, or the nearest one above it
	Same         bool     // whether `.Path` is the same page in that version
	Language     string   // the language of that page as a BCP 47 tag if it differs, or empty
	Search       site.Ref // the search page, set to the old version
}
