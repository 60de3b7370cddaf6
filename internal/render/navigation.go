package render

import (
	"path"
	"slices"
	"strings"

	"vitrine/internal/plan"
	"vitrine/internal/render/view"
	"vitrine/internal/site"
)

// newSiteView returns the site's view for pages outside the navigation. It also sets r.entryPages.
func (r *Renderer) newSiteView() view.Site {
	config := &r.site.Config
	v := *view.NewSite(r.site, r.theme.Look())
	v.HasBlog, v.HasSearch = r.lists.Pages[r.site.At(plan.BlogPath)] != nil, r.hasSearch()
	for _, item := range plan.Navigation(r.site, r.lists) {
		entry, page := r.navigationEntry(item)
		v.Navigation, r.entryPages = append(v.Navigation, entry), append(r.entryPages, page)
	}
	for _, item := range config.Footer {
		entry, _ := r.navigationEntry(item)
		v.Footer = append(v.Footer, entry)
	}
	if n := config.Notice; n != nil {
		entry, _ := r.navigationEntry(site.NavigationItem{Path: n.Path})
		v.Notice = &view.Notice{Text: n.Text, Path: entry.Path}
	}
	if a := config.Action; a != nil {
		entry, _ := r.navigationEntry(site.NavigationItem{Label: a.Label, Path: a.Path})
		v.Action = &entry
	}
	for _, p := range r.lists.Helpers {
		v.Helpers = append(v.Helpers, view.Link{Title: p.Title, Path: site.RefTo(p.Path)})
	}
	home := r.lists.Pages[r.site.At("/")]
	if home == nil {
		home = &site.Page{Path: r.site.At("/"), Language: r.site.Language}
	}
	v.Languages = r.languageViews(home)
	for _, f := range r.feeds() {
		v.Feeds = append(v.Feeds, view.Link{Title: f.title, Path: site.RefTo(f.path)})
	}
	return v
}

// navigationEntry returns the view of item, whose path may be percent-encoded. page is the path of the page that the
// entry links to, or "" if the link is broken or points to another site or to an anchor. A broken link stays unchanged
// in the view because the check reports it.
func (r *Renderer) navigationEntry(item site.NavigationItem) (v view.NavigationEntry, page string) {
	v = view.NavigationEntry{Label: item.Label, Path: site.Ref(item.Path), Language: item.Language}
	if !strings.HasPrefix(item.Path, "/") {
		return v, ""
	}
	target, err := r.index.Resolve(&site.Page{Path: r.site.At("/")}, item.Path)
	if err != nil {
		return v, ""
	}
	if v.Path = target.URL; v.Path == site.RefTo(target.Path) {
		page = target.Path
	}
	return v, page
}

// current contains the site's views in which a navigation entry is marked as current.
type current struct {
	// at maps the path of an entry's page to the site's view for that page, and within maps the path to the site's view
	// for the pages under that page. within also contains the root pages of documentation.
	at, within map[string]*view.Site
}

// newCurrent returns copies of s for each page in pages, with the navigation entries for the page marked as current.
// pages contains the path of each navigation entry's page, or "" for an entry that links to something else.
func newCurrent(s *view.Site, pages []string, lists *plan.Lists) current {
	c := current{make(map[string]*view.Site), make(map[string]*view.Site)}
	for _, page := range pages {
		if page == "" {
			continue
		}
		at, within := *s, *s
		at.Navigation, within.Navigation = slices.Clone(s.Navigation), slices.Clone(s.Navigation)
		for i := range s.Navigation {
			same := pages[i] == page
			at.Navigation[i].Current, within.Navigation[i].Within = same, same
		}
		c.at[page], c.within[page] = &at, &within
	}
	// If no entry links to the root page of a documentation section, mark the first entry that links to a page under
	// the root.
	for _, section := range lists.Sections() {
		root := section.Root.Page.Path
		if c.within[root] != nil || root == "/" || root == string(s.Home) {
			continue
		}
		for _, page := range pages {
			if strings.HasPrefix(page, root+"/") {
				c.within[root] = c.within[page]
				break
			}
		}
	}
	return c
}

// siteFor returns the site's view for p's templates. In its navigation, the entry for p is marked as current or, if
// there is none, the entry for the section that contains p.
func (r *Renderer) siteFor(p *site.Page) *view.Site {
	if v := r.current.at[p.Path]; v != nil {
		return v
	}
	return r.siteWithin(p)
}

// siteWithin implements siteFor for a page without its own navigation entry.
func (r *Renderer) siteWithin(p *site.Page) *view.Site {
	home := string(r.siteView.Home)
	for at := p.Path; at != home && at != "/" && at != "."; {
		if at = path.Dir(at); at != home && at != "/" && r.current.within[at] != nil {
			return r.current.within[at]
		}
	}
	if v := r.current.within[p.Path]; v != nil {
		return v
	}
	if there := r.inCurrentVersion(p); there != nil {
		return r.siteWithin(there)
	}
	return &r.siteView
}
