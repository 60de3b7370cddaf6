package render

import (
	"net/url"
	"slices"

	"vitrine/internal/codec"
	"vitrine/internal/plan"
	"vitrine/internal/render/plaintext"
	"vitrine/internal/render/view"
	"vitrine/internal/site"
)

// versionViews returns the entries of the version switch on p. Each version links to the same page or, if the version
// doesn't contain the page, to the nearest page above it. versionViews omits versions that have neither page. It
// returns nil if p isn't in a version or if there is only one version.
func (r *Renderer) versionViews(p *site.Page) []view.PageVersion {
	config := &r.site.Config
	own := site.VersionOf(config, p)
	if own == nil || len(config.Versions) < 2 || plan.IsNotFound(p) {
		return nil
	}
	var views []view.PageVersion
	for i := range config.Versions {
		v := &config.Versions[i]
		there, _ := r.index.InVersion(config, p, v)
		if there == nil {
			continue
		}
		views = append(views, view.PageVersion{
			Label: v.Label, Path: site.RefTo(there.Path), Here: v == own, Latest: !site.IsOld(config, v),
			Unmaintained: v.Unmaintained, Language: r.foreignTag(there),
		})
	}
	return views
}

// old returns the data for the notice on p, a page in an old version of the documentation. It returns nil if p isn't in
// an old version.
func (r *Renderer) old(p *site.Page) *view.OldVersion {
	config := &r.site.Config
	own := site.VersionOf(config, p)
	if !site.IsOld(config, own) {
		return nil
	}
	latest := &config.Versions[0]
	v := &view.OldVersion{Label: own.Label, Unmaintained: own.Unmaintained, Latest: latest.Label}
	v.Search = r.siteView.Search + site.Ref("?version="+url.QueryEscape(own.Label))
	if there, same := r.index.InVersion(config, p, latest); there != nil {
		v.Path, v.Same, v.Language = site.RefTo(there.Path), same, r.foreignTag(there)
	}
	return v
}

// inCurrentVersion returns the page in the current version that corresponds to p, in p's language. It returns nil if
// there is no such page or if p isn't in an old version.
func (r *Renderer) inCurrentVersion(p *site.Page) *site.Page {
	config := &r.site.Config
	if !site.IsOld(config, site.VersionOf(config, p)) {
		return nil
	}
	there, _ := r.index.InVersion(config, p, &config.Versions[0])
	if there == nil || there.Language != p.Language {
		return nil
	}
	return there
}

// foreignTag returns the tag of p's language, or "" if that is the renderer's language.
func (r *Renderer) foreignTag(p *site.Page) string {
	if p.Language == r.site.Language {
		return ""
	}
	return r.in(p).site.Config.Language
}

// canonical returns the page that search engines should list for p. If p is in an old version of the documentation,
// this is the same page in the current version, if search engines may list both. Otherwise, it is p itself.
func (r *Renderer) canonical(p *site.Page) *site.Page {
	config := &r.site.Config
	own := site.VersionOf(config, p)
	// A page that excludes itself from search engines must not name another page as canonical: search engines would
	// follow only one of the two directives.
	if !site.IsOld(config, own) || own.NoIndex || p.Unlisted {
		return p
	}
	if there, same := r.index.InVersion(config, p, &config.Versions[0]); same && !r.hidden(there) {
		return there
	}
	return p
}

// hidden reports whether p asks search engines not to index it because p is unlisted or the settings exclude p's
// version.
func (r *Renderer) hidden(p *site.Page) bool {
	v := site.VersionOf(&r.site.Config, p)
	return p.Unlisted || v != nil && v.NoIndex
}

// indexed reports whether search engines may list p at p's own URL.
func (r *Renderer) indexed(p *site.Page) bool { return !r.hidden(p) && r.canonical(p) == p }

// versionSections returns a section for each version of the documentation, in the order of the settings. The section
// contains the listed pages of the version. versionSections omits versions without listed pages.
func (r *Renderer) versionSections() (all []linkSection) {
	config := &r.site.Config
	for i := range config.Versions {
		v := &config.Versions[i]
		folder := r.site.At(v.Path)
		root := r.lists.Pages[folder]
		section := linkSection{LinkSection: view.LinkSection{Title: v.Label}, slug: v.Path[1:], folder: folder, pages: r.lists.Descendants(folder)}
		if root != nil && !root.Unlisted {
			section.Title, section.pages = linkTitle(root.Title)+" ("+linkTitle(v.Label)+")", append([]*site.Page{root}, section.pages...)
		}
		if len(section.pages) == 0 {
			continue
		}
		if site.IsOld(config, v) {
			section.about = r.word(oldWord(v.Unmaintained), "version", v.Label, "current", config.Versions[0].Label)
		}
		section.overview = r.freePath(folder + plan.LLMsPath)
		all = append(all, section)
	}
	return distinct(all)
}

// oldWord returns the key of the theme's word for the notice on pages of an old version.
func oldWord(unmaintained bool) string {
	if unmaintained {
		return "oldVersionUnmaintained"
	}
	return "oldVersion"
}

// version returns the index in s.versions of the version in folder, or -1 if folder isn't the folder of a version.
func (s *sections) version(folder string) int {
	return slices.IndexFunc(s.versions, func(v linkSection) bool { return v.folder == folder })
}

// old returns the sections of all versions except the current version.
func (s *sections) old(c *site.Config) (old []linkSection) {
	for _, version := range s.versions {
		if version.slug != c.Versions[0].Path[1:] {
			old = append(old, version)
		}
	}
	return old
}

// versionOverviews returns a link to the llms.txt of each old version of the documentation.
func (r *Renderer) versionOverviews() (links []view.LinkLine) {
	config := &r.site.Config
	for _, section := range r.sections.old(config) {
		v := site.VersionAt(config, "/"+section.slug)
		line := view.LinkLine{Title: section.Title, URL: r.url(section.overview), Note: plaintext.Markdown(r.word("llmsVersionAbout", "version", v.Label))}
		if v.Unmaintained {
			line.Note += " (" + r.word("versionUnmaintained") + ")"
		}
		links = append(links, line)
	}
	return links
}

func writeVersions(w *codec.Writer, page *view.Page) {
	w.Text(string(page.Canonical))
	w.Uint(uint64(len(page.Versions)))
	for _, v := range page.Versions {
		w.Text(v.Label)
		w.Text(string(v.Path))
		w.Text(v.Language)
		w.Bool(v.Here)
		w.Bool(v.Latest)
		w.Bool(v.Unmaintained)
	}
	if w.Bool(page.Old != nil); page.Old != nil {
		w.Text(page.Old.Label)
		w.Text(page.Old.Latest)
		w.Text(string(page.Old.Path))
		w.Text(page.Old.Language)
		w.Text(string(page.Old.Search))
		w.Bool(page.Old.Unmaintained)
		w.Bool(page.Old.Same)
	}
}
