package render

import (
	"cmp"
	"encoding/json"
	"html"
	"strings"
	"time"

	"github.com/cespare/xxhash/v2"

	"vitrine/internal/artifact"
	"vitrine/internal/facts"
	"vitrine/internal/plan"
	"vitrine/internal/render/media"
	"vitrine/internal/render/plaintext"
	"vitrine/internal/render/view"
	"vitrine/internal/site"
)

func (r *Renderer) changesView() *view.Changes {
	known := r.dates.Changes
	v := &view.Changes{
		Updated: r.dates.Facts, Since: known.Since, Known: !known.Since.IsZero(), More: known.More,
		Feeds: []view.Link{
			{Title: "Atom", Path: site.RefTo(plan.ChangesAtomPath)},
			{Title: "JSON Feed", Path: site.RefTo(plan.ChangesJSONPath)},
		},
	}
	if r.site.Language != "" {
		v.Language = r.own.site.Config.Language
	}
	for _, c := range known.Changes {
		date := c.When.In(r.site.Config.Location)
		if n := len(v.Days); n == 0 || v.Days[n-1].Date.Format(time.DateOnly) != date.Format(time.DateOnly) {
			v.Days = append(v.Days, view.ChangedDay{Date: date})
		}
		day := &v.Days[len(v.Days)-1]
		day.Changes = append(day.Changes, view.Change{ID: c.ID(), Fact: c.Path, Old: view.PastText(r.shownFact(c.Old)), New: view.PastText(r.shownFact(c.New))})
	}
	return v
}

// changesKey returns a hash of the dates and of the IDs of the changes in v. The hash doesn't cover the words or the
// format of numbers, which come from the theme.
func changesKey(v *view.Changes) uint64 {
	// A digest's Write never fails.
	h := xxhash.New()
	_, _ = h.WriteString(atomTime(v.Updated) + " " + atomTime(v.Since))
	if v.More {
		_, _ = h.WriteString(" and more")
	}
	for _, day := range v.Days {
		for _, c := range day.Changes {
			_, _ = h.WriteString("\n" + c.ID)
		}
	}
	return h.Sum64()
}

// shownFact formats f on one line, or returns "" for nil. It omits the currency of a price because f may be an old
// value, and the product's currency may have changed.
func (r *Renderer) shownFact(f *site.Fact) string {
	if f == nil {
		return ""
	}
	var parts []string
	switch f.Kind {
	case site.NumberFact:
		if text, err := r.theme.Locale().Decimal(f.Text); err == nil {
			return text
		}
	case site.ListFact, site.MapFact:
		for i, item := range f.Items {
			part := r.shownFact(item)
			if f.Kind == site.MapFact {
				part = f.Keys[i] + ": " + part
			}
			parts = append(parts, part)
		}
		if len(parts) > 0 {
			return strings.Join(parts, "; ")
		}
	}
	if text := plaintext.OneLine(f.Text); text != "" {
		return text
	}
	return f.JSON()
}

// changeEntry is an entry for one change in the feeds of changed facts. If the facts have no history, the feeds have
// one entry with the date in product.yaml, or no entries if that date isn't set.
type changeEntry struct {
	id, title, html string
	url             site.Ref
	when            time.Time
	fact            *jsonChange
}

// jsonChange is the machine-readable form of a change in the JSON Feed. Old and New have the same format as in the JSON
// API. An added fact has no Old, and a removed fact has no New.
type jsonChange struct {
	Path string          `json:"path"`
	Old  json.RawMessage `json:"old,omitempty"`
	New  json.RawMessage `json:"new,omitempty"`
}

// jsonHistory describes how much of the facts' history the JSON Feed contains.
type jsonHistory struct {
	// Complete reports whether the feed contains every change to the facts since their first version.
	Complete bool   `json:"complete"`
	Since    string `json:"since,omitempty"`
	Updated  string `json:"updated,omitempty"`
}

func (r *Renderer) changeEntries() []changeEntry {
	page := r.url(plan.ChangesPath)
	if updated := r.site.Product.Updated; r.dates.Changes.Since.IsZero() && !updated.IsZero() {
		date := updated.Format(time.DateOnly)
		said := r.word("changesLast", "date", r.theme.Locale().Date(updated))
		return []changeEntry{{id: string(page) + "#" + date, url: page, title: said, html: "<p>" + html.EscapeString(said) + "</p>", when: updated}}
	}
	var entries []changeEntry
	for _, c := range r.dates.Changes.Changes {
		entries = append(entries, r.changeEntry(page, c))
	}
	return entries
}

func (r *Renderer) changeEntry(page site.Ref, c facts.Change) changeEntry {
	const none, longest = "–", 80
	e := changeEntry{id: string(page) + "#" + c.ID(), url: page + site.Ref("#"+c.ID()), when: r.inZone(c.When), title: c.Path}
	was, is := r.shownFact(c.Old), r.shownFact(c.New)
	if len(was)+len(is) <= longest {
		e.title += ": " + cmp.Or(was, none) + " → " + cmp.Or(is, none)
	}
	e.html = "<p><code>" + html.EscapeString(c.Path) + "</code></p><p>" + html.EscapeString(r.word("changesOld")+": "+cmp.Or(was, none)) +
		"</p><p>" + html.EscapeString(r.word("changesNew")+": "+cmp.Or(is, none)) + "</p>"
	e.fact = &jsonChange{Path: c.Path, Old: rawFact(c.Old), New: rawFact(c.New)}
	return e
}

// inZone converts t to the site's time zone unless t is zero.
func (r *Renderer) inZone(t time.Time) time.Time {
	if t.IsZero() {
		return t
	}
	return t.In(r.site.Config.Location)
}

// rawFact returns f as JSON, or nil if f is nil.
func rawFact(f *site.Fact) json.RawMessage {
	if f == nil {
		return nil
	}
	return json.RawMessage(f.JSON())
}

// changeFeeds renders the feeds of changed facts (wire contract §5).
func (r *Renderer) changeFeeds() ([]artifact.Resource, error) {
	if r.site.Config.Machines.NoChanges {
		return nil, nil
	}
	known, entries := r.dates.Changes, r.changeEntries()
	title := r.site.Config.Title + ": " + r.word("changes")
	about := r.word("changesAbout", "product", plaintext.OneLine(r.site.Product.Name))
	if known.Since.IsZero() {
		about += " " + r.word("changesUnknown")
	}
	atom := r.newAtom(title, about, plan.ChangesAtomPath, plan.ChangesPath)
	feed := r.newJSONFeed(title, about, plan.ChangesJSONPath, plan.ChangesPath)
	since, updated := r.inZone(known.Since), r.dates.Facts
	if r.site.Product.Updated.IsZero() {
		// Convert a date from Git to the site's time zone. A date in product.yaml stays unchanged: it is only a day, or
		// has its own zone.
		updated = r.inZone(updated)
	}
	feed.History = &jsonHistory{Complete: !known.Since.IsZero() && !known.More, Since: atomTime(since), Updated: atomTime(updated)}
	newest := later(since, updated)
	for _, e := range entries {
		newest = later(newest, e.when)
		atom.Entries = append(atom.Entries, atomEntry{
			Title: e.title, ID: site.Ref(e.id), Published: atomTime(e.when), Updated: atomTime(e.when),
			Links:   []atomLink{{Relation: "alternate", Type: "text/html", Href: e.url}},
			Content: &atomContent{Type: "html", Text: e.html},
		})
		feed.Items = append(feed.Items, jsonFeedItem{
			ID: site.Ref(e.id), URL: e.url, Title: e.title, Content: e.html, Published: atomTime(e.when), Change: e.fact,
		})
	}
	if newest.IsZero() {
		// An Atom feed requires a date even if it has no entries (RFC 4287 §4.1.1).
		newest = time.Unix(0, 0).UTC()
	}
	atom.Updated = atomTime(newest)
	xml, err := writeAtom(&atom)
	if err != nil {
		return nil, err
	}
	text, err := writeJSONFeed(&feed)
	if err != nil {
		return nil, err
	}
	return []artifact.Resource{
		r.textFile(plan.ChangesAtomPath, media.Atom, xml),
		r.textFile(plan.ChangesJSONPath, media.JSONFeed, text),
	}, nil
}
