package plan

import "vitrine/internal/site"

// versions finds the documentation version that contains a page, for the pages in one language.
type versions struct {
	config   *site.Config
	language string
}

func versionsOf(s *site.Site) versions { return versions{&s.Config, s.Language} }

// of returns the version of the documentation that contains the page at path, or nil if no version contains it.
func (v versions) of(path string) *site.Version {
	return site.VersionOf(v.config, &site.Page{Path: path, Language: v.language})
}

// split reports whether the page at path above is in a version of the documentation that doesn't contain p. p must be a
// page under above.
func (v versions) split(above string, p *site.Page) bool {
	if len(v.config.Versions) == 0 {
		return false
	}
	of := v.of(above)
	return of != nil && of != v.of(p.Path)
}

// Current returns pages without the pages in old versions of the documentation.
func (l *Lists) Current(pages []*site.Page) []*site.Page { return l.versions.current(pages) }

// begins reports whether p is the index page of a version of the documentation.
func (v versions) begins(p *site.Page) bool {
	of := v.of(p.Path)
	return of != nil && site.At(v.language, of.Path) == p.Path
}

// current is Lists.Current.
func (v versions) current(pages []*site.Page) []*site.Page {
	if len(v.config.Versions) == 0 {
		return pages
	}
	var current []*site.Page
	for _, p := range pages {
		if !site.IsOld(v.config, v.of(p.Path)) {
			current = append(current, p)
		}
	}
	return current
}
