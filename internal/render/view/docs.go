package view

import (
	htmltemplate "html/template"

	"vitrine/internal/site"
)

// Section is a section of documentation, which has its own sidebar.
type Section struct {
	Title string   // the documentation's name in the sidebar
	Path  site.Ref // the path of the section's first page
	Tree  uint64   // a hash of the sidebar's content, which Vitrine uses to detect changes
}

// SidebarEntry is an entry of the sidebar. `.Page.Sidebar` lists the entries of all levels in the order in which
// readers see them, so a template needs no recursion. An entry whose `.Group` is true opens a nested list. After an
// entry, close one list for each element of its `.Ends`:
//
//	<ul>
//	{{range .Page.Sidebar}}<li><a href="{{.Path}}">{{.Label}}</a>{{if .Group}}<ul>{{else}}</li>{{end}}{{range .Ends}}</ul></li>{{end}}
//	{{end}}</ul>
//
// In a large section, an entry whose `.More` isn't 0 stands for omitted pages and has no label.
type SidebarEntry struct {
	Label   string            // the page's short name, or its title
	Path    site.Ref          // the path of the page or the target of the link; empty for a group with only a label
	Badge   string            // a word next to the label, such as `GET`, or empty
	Icon    htmltemplate.HTML // the icon in front of the label, or empty
	Image   site.Ref          // an SVG file to show in front of the label, or empty
	Outside bool              // whether the entry links to another site
	Level   int               // the depth of the entry: 0 for the first page of the documentation
	Beside  bool              // whether the entry is a sibling of the current page
	Current bool              // whether the entry is the current page
	Group   bool              // whether the next entries are nested under this entry
	Open    bool              // whether the current page is this entry or is under it
	// More is the number of pages omitted here, or 0. If it isn't 0, `.Path` is the path of the page that lists them.
	More int
	Ends []struct{} // one element for each nested list that ends after this entry
}

// PageVersion is a version of the documentation, with the page in this version that corresponds to the current page.
type PageVersion struct {
	Label        string   // the version's name for readers
	Path         site.Ref // the path of the current page in this version, or of the nearest page above it
	Here         bool     // whether the current page is in this version
	Latest       bool     // whether this is the current version
	Unmaintained bool     // whether the version no longer gets fixes
	Language     string   // the language of the page at `.Path` as a BCP 47 tag if it differs from the current page's, or empty
}

// OldVersion is the data for the notice on a page in an old version of the documentation.
type OldVersion struct {
	Label        string   // the old version's name for readers
	Unmaintained bool     // whether the old version no longer gets fixes
	Latest       string   // the current version's name for readers
	Path         site.Ref // the path of the same page in the current version, or of the nearest page above it
	Same         bool     // whether `.Path` is the same page
	Language     string   // the language of the page at `.Path` as a BCP 47 tag if it differs from this page's, or empty
	Search       site.Ref // the address of the search page with the old version selected
}
