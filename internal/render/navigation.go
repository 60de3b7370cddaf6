package render

import (
	"path"
	"slices"
	"strings"

	"vitrine/internal/plan"
	"vitrine/internal/site"
)

// siteView is the site as templates see it.
type siteView struct {
	*site.Config
	// Look is how it looks by its settings.
	Look       *lookView
	Navigation []navigationView
	// Footer are the links for people at the foot of every page.
	Footer []navigationView
	// Notice is the bar above every page; nil where there is none.
	Notice *noticeView
	// Helpers are the theme's own pages about the JSON operation and the tool.
	Helpers []linkView
	HasBlog bool
	// HasSearch says that there is a page for the search.
	HasSearch bool
	// Feeds are those of the blog, none where it has no articles.
	Feeds []linkView
}

// linkView is a link as templates see it.
type linkView struct {
	Title string
	Path  site.Ref
}

// noticeView is the bar above every page. Path is "" where it leads nowhere.
type noticeView struct {
	Text string
	Path site.Ref
}

// navigationView is an entry of the navigation, seen from one page.
type navigationView struct {
	Label string
	Path  site.Ref
	// Current says that the entry leads to the page that shows it, Within that it leads to the section that the
	// page is in.
	Current, Within bool

	// page is the path of the page that the entry leads to, "" where it leads elsewhere.
	page string
}

// newSiteView is the site as pages see it that no entry of the navigation leads to.
func (r *Renderer) newSiteView() siteView {
	config := &r.site.Config
	v := siteView{Config: config, Look: r.theme.look, HasBlog: r.lists.Pages[plan.BlogPath] != nil, HasSearch: r.hasSearch()}
	for _, item := range plan.Navigation(r.site, r.lists) {
		v.Navigation = append(v.Navigation, r.navigationEntry(item))
	}
	for _, item := range config.Footer {
		v.Footer = append(v.Footer, r.navigationEntry(item))
	}
	if n := config.Notice; n != nil {
		v.Notice = &noticeView{Text: n.Text, Path: r.navigationEntry(site.NavigationItem{Path: n.Path}).Path}
	}
	for _, p := range r.lists.Helpers {
		v.Helpers = append(v.Helpers, linkView{Title: p.Title, Path: site.RefTo(p.Path)})
	}
	for _, f := range r.feeds() {
		v.Feeds = append(v.Feeds, linkView{Title: f.title, Path: site.RefTo(f.path)})
	}
	return v
}

// navigationEntry is an entry of the navigation, whose path an editor writes escaped or not. One that leads
// nowhere stays as it is: the check reports it.
func (r *Renderer) navigationEntry(item site.NavigationItem) navigationView {
	v := navigationView{Label: item.Label, Path: site.Ref(item.Path)}
	if !strings.HasPrefix(item.Path, "/") {
		return v
	}
	target, err := r.index.Resolve(&site.Page{Path: "/"}, item.Path)
	if err != nil {
		return v
	}
	if v.Path = target.URL; v.Path == site.RefTo(target.Path) {
		v.page = target.Path
	}
	return v
}

// current has the site as pages see it that an entry of the navigation is about.
type current struct {
	// at is by the paths of the pages that the entries lead to, within likewise, for the pages of their sections.
	at, within map[string]*siteView
}

func newCurrent(s *siteView, lists *plan.Lists) current {
	c := current{make(map[string]*siteView), make(map[string]*siteView)}
	for _, entry := range s.Navigation {
		if entry.page == "" {
			continue
		}
		at, within := *s, *s
		at.Navigation, within.Navigation = slices.Clone(s.Navigation), slices.Clone(s.Navigation)
		for i := range s.Navigation {
			same := s.Navigation[i].page == entry.page
			at.Navigation[i].Current, within.Navigation[i].Within = same, same
		}
		c.at[entry.page], c.within[entry.page] = &at, &within
	}
	// An entry that leads to the first page of documentation is about all of it.
	for _, section := range lists.Sections() {
		root := section.Root.Page.Path
		if c.within[root] != nil || root == "/" {
			continue
		}
		for _, entry := range s.Navigation {
			if strings.HasPrefix(entry.page, root+"/") {
				c.within[root] = c.within[entry.page]
				break
			}
		}
	}
	return c
}

// siteFor is the site as one page sees it: with the entry of the navigation that leads to it or to its section
// marked.
func (r *Renderer) siteFor(p *site.Page) *siteView {
	if v := r.current.at[p.Path]; v != nil {
		return v
	}
	for at := p.Path; at != "/" && at != "."; {
		if at = path.Dir(at); at != "/" && r.current.within[at] != nil {
			return r.current.within[at]
		}
	}
	if v := r.current.within[p.Path]; v != nil {
		return v
	}
	return &r.siteView
}
