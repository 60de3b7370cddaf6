package render

import (
	"slices"
	"time"

	"github.com/cespare/xxhash/v2"

	"vitrine/internal/codec"
	"vitrine/internal/facts"
	"vitrine/internal/markdown"
	"vitrine/internal/render/theme"
	"vitrine/internal/site"
)

// Dates contains the dates that determine when a page last changed, and the history of the facts.
type Dates struct {
	// Source returns the date of a page's source, or the zero time if the source has no date.
	Source func(*site.Page) time.Time
	// Facts is the date of the facts' last change, or the zero time if it is unknown.
	Facts time.Time
	// Changes is the history of the facts.
	Changes facts.History
}

// showsFacts reports whether p shows facts in its text, in a section with plans, in its JSON-LD, or through its layout.
// doc is p's parsed text.
func (r *Renderer) showsFacts(p *site.Page, doc *markdown.Document) bool {
	return p.ShowsFacts || r.layoutShows(p).Facts || r.describesProduct(p) || len(doc.Facts()) > 0 ||
		slices.ContainsFunc(p.Sections, func(s site.Section) bool { return s.Kind == site.Plans })
}

func (r *Renderer) layoutShows(p *site.Page) theme.Shown {
	if l := r.layouts.HTML(p.Layout); l != nil {
		return l.Shown()
	}
	return theme.Shown{}
}

// modified returns the date of p's last change. It is the latest of the date of p's source, the dates of the pages that
// p lists, and the date of the facts if p or one of these pages shows them (wire contract §3). facts reports whether a
// page shows the facts.
func (r *Renderer) modified(p *site.Page, facts func(*site.Page) bool) time.Time {
	newest := r.ownModified(p, facts(p))
	for _, entry := range r.listedOn(p) {
		if entry.List != nil && entry != p {
			// A tag's page and the list of tags change if one of the tag's articles changes.
			newest = later(newest, r.modified(entry, facts))
			continue
		}
		newest = later(newest, r.ownModified(entry, facts(entry)))
	}
	return newest
}

// listedOn returns the pages that p's layout lists, such as the newest articles on the home page.
func (r *Renderer) listedOn(p *site.Page) (listed []*site.Page) {
	layout := r.layoutShows(p)
	if layout.Children {
		listed = r.lists.Below(p)
	}
	if layout.Posts && p.Local() == "/" {
		listed = append(slices.Clip(listed), r.newestPosts()...)
	}
	return listed
}

// Redated reports whether a date on p may have changed since the previous build. changed reports whether the date of a
// page's source has changed since that build.
func (r *Renderer) Redated(p *site.Page, changed func(*site.Page) bool) bool {
	return r.in(p).redated(p, changed)
}

func (r *Renderer) redated(p *site.Page, changed func(*site.Page) bool) bool {
	return changed(p) || slices.ContainsFunc(r.listedOn(p), func(entry *site.Page) bool {
		if entry.List != nil && entry != p {
			return r.redated(entry, changed)
		}
		return changed(entry)
	})
}

// datesKey returns a hash of the source dates of pages without a date in front matter. The feeds don't depend on this
// hash, because articles always have a date in front matter.
func (r *Renderer) datesKey() uint64 {
	var w codec.Writer
	for _, p := range r.whole.Pages {
		if p.Modified().IsZero() {
			w.Int(r.dates.Source(p).Unix())
		}
	}
	return xxhash.Sum64(w.Data)
}

// ownModified returns the date of p's source or, if p shows the facts, the later of that date and the date of the
// facts. facts reports whether p shows the facts.
func (r *Renderer) ownModified(p *site.Page, facts bool) time.Time {
	if facts {
		return later(r.dates.Source(p), r.dates.Facts)
	}
	return r.dates.Source(p)
}

// collected reports whether p, a page passed to Collect or Restore, shows the facts.
func (r *Renderer) collected(p *site.Page) bool { return r.factual[p] }

// updated returns the date of last change that readers see on p. Outside the documentation, updated returns the zero
// time unless the front matter sets updated or the page changed after its date of publication. facts reports whether p
// shows the facts.
func (r *Renderer) updated(p *site.Page, facts bool) time.Time {
	if r.lists.Node(p) != nil {
		// Always show the date in documentation, because readers want to know how old it is.
		return r.ownModified(p, facts)
	}
	newest := r.shownModified(p, facts)
	if !p.Updated.IsZero() || !p.Date.IsZero() && newest.After(p.Date) {
		return newest
	}
	return time.Time{}
}

// shownModified is like modified, for a page p that is being rendered and isn't yet in r.factual. facts reports whether
// p shows the facts.
func (r *Renderer) shownModified(p *site.Page, facts bool) time.Time {
	return r.modified(p, func(other *site.Page) bool {
		return other == p && facts || other.ShowsFacts || r.layoutShows(other).Facts || r.describesProduct(other)
	})
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}
