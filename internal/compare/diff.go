package compare

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"vitrine/internal/verify/visit"
)

// Diff is the difference between an older and a newer state of a site. Changes to a page's Markdown are reported as
// changes to the page, not to the Markdown's own URL.
type Diff struct {
	// Base is the site's base URL in the older state, under which caches have stored responses. If the older state has
	// no base URL, Base is the base URL of the newer state.
	Base string `json:"base"`
	// Partial reports whether either state came from a live site, which may have resources that its snapshot lacks.
	Partial bool     `json:"partial,omitempty"`
	Added   []string `json:"added"`
	Changed []Change `json:"changed"`
	// Moved lists URLs in both states that redirect only in the newer state.
	Moved []Move `json:"moved"`
	// Removed lists URLs in the older state that have neither a response nor a redirect in the newer state.
	Removed []string `json:"removed"`
	// NewAssets lists added files with hashed names. Each version of such a file has its own URL.
	NewAssets []string `json:"newAssets"`
	// OldAssets lists removed files with hashed names. Pages no longer link to these files.
	OldAssets []string `json:"oldAssets"`
	// Purge lists the paths for which a shared cache may have an outdated response. These paths include the other
	// spellings of a page's path, which redirect to the page.
	Purge []string `json:"purge"`
}

// Change is a URL whose response changed.
type Change struct {
	Path string `json:"path"`
	// What lists the changed parts, such as "HTML", "Markdown header fields", or "text/css removed".
	What []string `json:"what"`
}

// Move is a URL that redirects only in the newer state.
type Move struct {
	Path     string `json:"path"`
	Location string `json:"location"`
}

// Empty reports whether nothing changed.
func (d *Diff) Empty() bool {
	return len(d.Added)+len(d.Changed)+len(d.Moved)+len(d.Removed)+len(d.NewAssets)+len(d.OldAssets) == 0
}

// Between returns the difference between an older and a newer state of a site.
func Between(old, new *Snapshot) *Diff {
	d := &Diff{
		Base: old.Base, Partial: old.Partial || new.Partial,
		Added: []string{}, Changed: []Change{}, Moved: []Move{}, Removed: []string{}, NewAssets: []string{}, OldAssets: []string{}, Purge: []string{},
	}
	if d.Base == "" {
		d.Base = new.Base
	}
	for _, r := range new.Resources {
		if _, known := old.find(r.Path); !known {
			d.add(r, new)
		}
	}
	for _, was := range old.Resources {
		is, still := new.find(was.Path)
		switch {
		case !still:
			d.remove(was, old)
		case is.Location != "" && was.Location == "":
			d.Moved = append(d.Moved, Move{was.Path, is.Location})
		default:
			if what := changes(was, is); len(what) > 0 && !d.reported(was.Path, old, new) {
				d.Changed = append(d.Changed, Change{was.Path, what})
			}
		}
	}
	for _, path := range old.addresses() {
		was, answered := old.answer(path)
		is, still := new.answer(path)
		if answered && stale(was, is, still) {
			d.Purge = append(d.Purge, path)
		}
	}
	return d
}

// add records r as added, unless r is the Markdown of a page and is therefore reported with the page.
func (d *Diff) add(r Resource, s *Snapshot) {
	if _, twin := s.twinOf(r.Path); twin {
		return
	}
	if r.asset() {
		d.NewAssets = append(d.NewAssets, r.Path)
		return
	}
	d.Added = append(d.Added, r.Path)
}

// remove records r as removed, unless r is the Markdown of a page and is therefore reported with the page.
func (d *Diff) remove(r Resource, s *Snapshot) {
	if _, twin := s.twinOf(r.Path); twin {
		return
	}
	if r.asset() {
		d.OldAssets = append(d.OldAssets, r.Path)
		return
	}
	d.Removed = append(d.Removed, r.Path)
}

// reported reports whether the change at path is already reported with a page, because path is the page's Markdown.
func (d *Diff) reported(path string, old, new *Snapshot) bool {
	was, ok := old.twinOf(path)
	if !ok {
		return false
	}
	is, ok := new.find(was.Path)
	return ok && slices.Contains(changes(was, is), "Markdown")
}

// changes describes the differences between two states of a resource, in the form of Change.What. It returns nil if the
// states are equal.
func changes(was, is Resource) []string {
	if was.Location != is.Location {
		if is.Location == "" {
			return []string{"no longer a redirect"}
		}
		return []string{"redirect to " + is.Location}
	}
	var what []string
	for _, v := range is.Variants {
		old, ok := was.variant(v.Type)
		switch {
		case !ok:
			what = append(what, name(v.Type)+" added")
		case old.Hash != v.Hash:
			what = append(what, name(v.Type))
		case old.Header != v.Header && old.Header != "" && v.Header != "":
			what = append(what, name(v.Type)+" header fields")
		}
	}
	for _, v := range was.Variants {
		if _, ok := is.variant(v.Type); !ok {
			what = append(what, name(v.Type)+" removed")
		}
	}
	return what
}

// variant returns r's representation with the given media type, and reports whether there is one.
func (r Resource) variant(mediaType string) (Variant, bool) {
	for _, v := range r.Variants {
		if v.Type == mediaType {
			return v, true
		}
	}
	return Variant{}, false
}

// name returns "HTML", "Markdown", or the media type without parameters.
func name(mediaType string) string {
	essence, _, _ := strings.Cut(mediaType, ";")
	switch essence {
	case "text/html":
		return "HTML"
	case "text/markdown":
		return "Markdown"
	}
	return essence
}

// stale reports whether a shared cache may have an outdated response to a path. was and is are the responses in the
// older and the newer state; still reports whether there is a response in the newer state. Immutable responses, and
// responses that a shared cache must not store, are never outdated.
func stale(was, is Resource, still bool) bool {
	if still && len(changes(was, is)) == 0 {
		return false
	}
	return was.Location != "" || slices.ContainsFunc(was.Variants, func(v Variant) bool { return v.kept() && !v.immutable() })
}

// WriteText writes the difference as text.
func (d *Diff) WriteText(w io.Writer) error {
	out := bufio.NewWriter(w)
	group := func(title string, n int, line func(i int) string) {
		if n == 0 {
			return
		}
		fmt.Fprintf(out, "%s: %d\n", title, n)
		for i := range n {
			fmt.Fprintf(out, "  %s\n", visit.Plain(line(i)))
		}
	}
	if d.Empty() {
		fmt.Fprintln(out, "nothing changed")
	}
	group("added", len(d.Added), func(i int) string { return d.Added[i] })
	group("changed", len(d.Changed), func(i int) string {
		return fmt.Sprintf("%s  (%s)", d.Changed[i].Path, strings.Join(d.Changed[i].What, ", "))
	})
	group("moved", len(d.Moved), func(i int) string { return d.Moved[i].Path + "  → " + d.Moved[i].Location })
	group("new assets", len(d.NewAssets), func(i int) string { return d.NewAssets[i] })
	group("old assets removed", len(d.OldAssets), func(i int) string { return d.OldAssets[i] })
	group("removed without a redirect", len(d.Removed), func(i int) string { return d.Removed[i] })
	if d.Partial {
		fmt.Fprintln(out, "note: a live site shows only the addresses it lists and the requested ones; removed unlisted files are not detected")
	}
	return out.Flush()
}

// WriteJSON writes the difference as JSON.
func (d *Diff) WriteJSON(w io.Writer) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(d)
}
