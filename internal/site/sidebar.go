package site

import "path"

// Sidebar is the content of a _sidebar.yaml file, which sets the order and the groups of the pages in a folder of
// documentation.
type Sidebar struct {
	// Source is the name of the file, relative to the site's root.
	Source string
	Items  []SidebarItem
}

// Folder returns the folder of the pages in the sidebar, relative to the site's root.
func (s *Sidebar) Folder() string { return path.Dir(s.Source) }

// SidebarItem is an entry of a sidebar: a page, a group of entries, or a link.
type SidebarItem struct {
	// Page is the name of a page's file without the extension, relative to the sidebar's folder, such as "install" or
	// "parts/hub". It is "" for a group or a link.
	Page string
	// Group is the label of a group, or "" for a page or a link.
	Group string
	// Items contains the entries of a group, or is nil for a page or a link.
	Items []SidebarItem
	// Label and URL are the text and the target of a link, or "" for a page or a group.
	Label, URL string
	Pos        Pos
}
