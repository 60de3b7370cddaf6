package render

import (
	"path"
	"slices"
	"strings"

	"vitrine/internal/artifact"
	"vitrine/internal/plan"
	"vitrine/internal/site"
)

// siteView is the site as templates see it: the settings of site.yaml, and data derived from settings and pages.
type siteView struct {
	*site.Config
	places
	Look       *lookView        // files and colors of `theme`
	Navigation []navigationView // the main navigation, seen from the page
	Footer     []navigationView // links for people
	Languages  []languageView   // the site's languages with their home pages; empty if there is only one
	Notice     *noticeView      // the bar above every page
	Action     *navigationView  // the button in the header
	Helpers    []linkView       // the theme's pages about the JSON operation and the tool
	HasBlog    bool             // there are articles, at `/blog`
	HasSearch  bool             // there is a search, at `.Search`
	Feeds      []linkView       // the feeds of the blog
}

// places are the locations of a language's pages and files that every page may link to.
type places struct {
	Home         site.Ref // the home page of the page's language: `/`, or `/ja` in Japanese if the site's default is another language
	HomeMarkdown site.Ref // its Markdown
	Blog         site.Ref // the blog in the page's language
	Search       site.Ref // the search in the page's language
	LLMs         site.Ref // llms.txt in the page's language
	LLMsFull     site.Ref // llms-full.txt in the page's language
	Problems     site.Ref // the page about all problems of the JSON operation, in the page's language
}

func placesOf(s *site.Site) places {
	at := func(path string) site.Ref { return site.RefTo(s.At(path)) }
	home := &site.Page{Path: s.At("/")}
	return places{
		Home: at("/"), HomeMarkdown: site.RefTo(home.MarkdownPath()), Blog: at(plan.BlogPath), Search: at(plan.SearchPath),
		LLMs: at(plan.LLMsPath), LLMsFull: at(plan.LLMsFullPath),
		Problems: at(strings.TrimSuffix(artifact.ProblemsPath, "/")),
	}
}

// linkView is a link as templates see it.
type linkView struct {
	Title string   // its words
	Path  site.Ref // its target
}

// noticeView is the bar above every page. Path is "" if it has no link.
type noticeView struct {
	Text string   // its words
	Path site.Ref // its target, or empty
}

// navigationView is an entry of the navigation, seen from one page.
type navigationView struct {
	Label    string   // its words
	Path     site.Ref // its target
	Language string   // the tag of the label's language if it differs from the page's, or ""
	Current  bool     // it links to this page
	Within   bool     // it links to this page's section

	// page is the path of the entry's page, or "" if it links elsewhere.
	page string
}

// newSiteView returns the site for pages that aren't in the navigation.
func (r *Renderer) newSiteView() siteView {
	config := &r.site.Config
	v := siteView{Config: config, places: placesOf(r.site), Look: r.theme.look, HasBlog: r.lists.Pages[r.site.At(plan.BlogPath)] != nil, HasSearch: r.hasSearch()}
	for _, item := range plan.Navigation(r.site, r.lists) {
		v.Navigation = append(v.Navigation, r.navigationEntry(item))
	}
	for _, item := range config.Footer {
		v.Footer = append(v.Footer, r.navigationEntry(item))
	}
	if n := config.Notice; n != nil {
		v.Notice = &noticeView{Text: n.Text, Path: r.navigationEntry(site.NavigationItem{Path: n.Path}).Path}
	}
	if a := config.Action; a != nil {
		entry := r.navigationEntry(site.NavigationItem{Label: a.Label, Path: a.Path})
		v.Action = &entry
	}
	for _, p := range r.lists.Helpers {
		v.Helpers = append(v.Helpers, linkView{Title: p.Title, Path: site.RefTo(p.Path)})
	}
	home := r.lists.Pages[r.site.At("/")]
	if home == nil {
		home = &site.Page{Path: r.site.At("/"), Language: r.site.Language}
	}
	v.Languages = r.languageViews(home)
	for _, f := range r.feeds() {
		v.Feeds = append(v.Feeds, linkView{Title: f.title, Path: site.RefTo(f.path)})
	}
	return v
}

// navigationEntry returns an entry of the navigation. Editors may write its path escaped. A broken link stays
// unchanged: the check reports it.
func (r *Renderer) navigationEntry(item site.NavigationItem) navigationView {
	v := navigationView{Label: item.Label, Path: site.Ref(item.Path), Language: item.Language}
	if !strings.HasPrefix(item.Path, "/") {
		return v
	}
	target, err := r.index.Resolve(&site.Page{Path: r.site.At("/")}, item.Path)
	if err != nil {
		return v
	}
	if v.Path = target.URL; v.Path == site.RefTo(target.Path) {
		v.page = target.Path
	}
	return v
}

// current has the site's views for pages that the navigation links to.
type current struct {
	// at has the views by the paths of the entries' pages, and within by the paths of pages in their sections.
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
	// An entry that links to the first page of documentation represents all of it.
	for _, section := range lists.Sections() {
		root := section.Root.Page.Path
		if c.within[root] != nil || root == "/" || root == string(s.Home) {
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

// siteFor returns the site's view for one page, with the navigation entry marked that links to the page or to its
// section.
func (r *Renderer) siteFor(p *site.Page) *siteView {
	if v := r.current.at[p.Path]; v != nil {
		return v
	}
	return r.siteWithin(p)
}

// siteWithin is like siteFor, for a page that isn't in the navigation.
func (r *Renderer) siteWithin(p *site.Page) *siteView {
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
