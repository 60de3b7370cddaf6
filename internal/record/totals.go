package record

import (
	"maps"
	"slices"
	"strings"

	"vitrine/internal/codec"
	"vitrine/internal/site"
)

// Totals aggregates the findings on all pages of a site. After an edit, Put replaces only the findings on the edited
// pages. The order of the calls of Put doesn't matter.
type Totals struct {
	// paths maps each path to which pages link to the numbers of these pages.
	paths map[string]linked
	// pictures maps the path of each image to the number of pages that show it.
	pictures map[string]int32
	// anchorLinks contains the links to anchors on each page. This map omits pages without such links. In the same way,
	// dead omits pages without broken links, and problems omits pages without problems.
	anchorLinks map[ID][]Link
	// dead contains the broken links in the representations of each page.
	dead map[ID][]Dead
	// problems contains the problems on each page.
	problems map[ID][]site.Problem
	// unset is the number of pages that weren't rendered in their layouts.
	unset int32
}

// A linked counts the pages that link to a path. shown is the number of pages with any link, and followed is the number
// of pages with a link that readers can follow.
type linked struct{ shown, followed int32 }

// NewTotals returns the totals of a site without pages.
func NewTotals() *Totals {
	return &Totals{
		paths: make(map[string]linked), pictures: make(map[string]int32),
		anchorLinks: make(map[ID][]Link), dead: make(map[ID][]Dead), problems: make(map[ID][]site.Problem),
	}
}

// Put replaces the findings in was, the old record of a page, with the findings in is, the new record. was is nil for a
// new page, and is is nil for a removed page. changed reports whether the result of Unset, or the result of Found for
// any path, may have changed.
func (t *Totals) Put(was, is *Page) (changed bool) {
	// Count the new record first. Otherwise, the count of a path to which both records link could be zero for a moment,
	// which would look like a change.
	if is != nil {
		changed = t.count(is, 1)
	}
	if was != nil {
		changed = t.count(was, -1) || changed
		delete(t.anchorLinks, was.ID)
		delete(t.dead, was.ID)
		delete(t.problems, was.ID)
	}
	if is == nil {
		return changed
	}
	if anchorLinks := is.anchorLinks(); len(anchorLinks) > 0 {
		t.anchorLinks[is.ID] = anchorLinks
	}
	if len(is.Dead) > 0 {
		t.dead[is.ID] = is.Dead
	}
	if len(is.Problems) > 0 {
		t.problems[is.ID] = is.Problems
	}
	return changed
}

// anchorLinks returns the links to anchors on pages in the source of p.
func (p *Page) anchorLinks() []Link {
	var anchorLinks []Link
	for i := range p.Links {
		if l := &p.Links[i]; l.Kind == ToPage && l.Anchor != "" {
			anchorLinks = append(anchorLinks, *l)
		}
	}
	return anchorLinks
}

// count adds n, which may be negative, to the counts to which p contributes. changed has the same meaning as for Put.
func (t *Totals) count(p *Page, n int32) (changed bool) {
	if !p.Set {
		t.unset += n
		changed = true
	}
	for i := range p.Targets {
		more := linked{shown: n}
		if p.Targets[i].Follow {
			more.followed = n
		}
		changed = t.addLinks(p.Targets[i].Path, more) || changed
	}
	for _, path := range p.Files {
		t.addLinks(path, linked{shown: n})
	}
	for _, path := range p.Pictures {
		t.addPicture(path, n)
	}
	return changed
}

// addLinks adds more to the page counts of path, and deletes path if both counts become zero. It reports whether the
// result of Found changes for path.
func (t *Totals) addLinks(path string, more linked) (changed bool) {
	now := t.paths[path]
	found := now.followed > 0
	now.shown, now.followed = now.shown+more.shown, now.followed+more.followed
	if t.paths[path] = now; now == (linked{}) {
		delete(t.paths, path)
	}
	return found != (now.followed > 0)
}

// addPicture adds n to the number of pages that show the image at path, and deletes path if the number becomes zero.
func (t *Totals) addPicture(path string, n int32) {
	if t.pictures[path] += n; t.pictures[path] == 0 {
		delete(t.pictures, path)
	}
}

// Merge adds the totals of other pages of the same site. t and other must have no page in common.
func (t *Totals) Merge(other *Totals) {
	if len(t.paths) == 0 {
		t.paths = maps.Clone(other.paths)
	} else {
		for path, more := range other.paths {
			t.addLinks(path, more)
		}
	}
	for path, n := range other.pictures {
		t.addPicture(path, n)
	}
	maps.Copy(t.anchorLinks, other.anchorLinks)
	maps.Copy(t.dead, other.dead)
	maps.Copy(t.problems, other.problems)
	t.unset += other.unset
}

// Found reports whether any page has a link to path that readers can follow. It ignores links from a page to itself.
func (t *Totals) Found(path string) bool { return t.paths[path].followed > 0 }

// Shown reports whether any page links to path, even if readers can't follow the link.
func (t *Totals) Shown(path string) bool { return t.paths[path].shown > 0 }

// Pictures returns the sorted paths of all images on pages.
func (t *Totals) Pictures() []string { return slices.Sorted(maps.Keys(t.pictures)) }

// Unset reports whether any page wasn't rendered in its layout. If so, some links on the site are unknown.
func (t *Totals) Unset() bool { return t.unset > 0 }

// Problems returns the problems on the pages, sorted by page ID.
func (t *Totals) Problems() []site.Problem {
	var all []site.Problem
	for _, id := range sorted(t.problems) {
		all = append(all, t.problems[id]...)
	}
	return all
}

// An AnchorLink is a link to an anchor on a page.
type AnchorLink struct {
	// Source is the file that contains the link.
	Source string
	Link
}

// AnchorLinks returns the links to anchors on pages, sorted by the IDs of the pages that contain the links.
func (t *Totals) AnchorLinks() []AnchorLink {
	var all []AnchorLink
	for _, id := range sorted(t.anchorLinks) {
		for _, l := range t.anchorLinks[id] {
			all = append(all, AnchorLink{id.Source, l})
		}
	}
	return all
}

// A DeadLink is a broken link in a representation. Source is the source of the page that has the representation.
type DeadLink struct {
	Source string
	Dead
}

// Dead returns the broken links in representations. If several pages contain the same broken link, Dead returns it only
// for the first page, because a mistake in a layout appears on every page.
func (t *Totals) Dead() []DeadLink {
	var all []DeadLink
	seen := make(map[string]bool)
	for _, id := range sorted(t.dead) {
		for _, d := range t.dead[id] {
			if !seen[d.Link] {
				seen[d.Link] = true
				all = append(all, DeadLink{id.Source, d})
			}
		}
	}
	return all
}

func sorted[T any](of map[ID]T) []ID {
	return slices.SortedFunc(maps.Keys(of), compareIDs)
}

func compareIDs(a, b ID) int {
	if by := strings.Compare(a.Path, b.Path); by != 0 {
		return by
	}
	return strings.Compare(a.Source, b.Source)
}

// Record writes or reads the totals. It doesn't sort the paths, because a site may have so many paths that sorting
// takes long. As a result, equal totals may be written as different bytes.
func (t *Totals) Record(c codec.Coder) {
	t.recordPaths(c)
	if codec.Map(c, &t.pictures, c.Text, func(n *int32) { count(c, n) }); t.pictures == nil {
		t.pictures = make(map[string]int32)
	}
	recordByID(c, &t.anchorLinks, func(l *Link) { l.record(c) })
	recordByID(c, &t.dead, func(d *Dead) { d.record(c) })
	recordByID(c, &t.problems, func(p *site.Problem) { p.Record(c) })
	count(c, &t.unset)
}

func (t *Totals) recordPaths(c codec.Coder) {
	type path struct {
		name string
		linked
	}
	var all []path
	if !c.Reading() {
		all = make([]path, 0, len(t.paths))
		for name, n := range t.paths {
			all = append(all, path{name, n})
		}
	}
	codec.List(c, &all, func(p *path) {
		c.Text(&p.name)
		count(c, &p.shown)
		count(c, &p.followed)
	})
	if c.Reading() {
		t.paths = make(map[string]linked, len(all))
		for _, p := range all {
			t.paths[p.name] = p.linked
		}
	}
}

func count(c codec.Coder, n *int32) {
	wide := int(*n)
	codec.Uint(c, &wide)
	*n = int32(wide)
}

// recordByID writes or reads lists keyed by page ID. It writes them sorted by ID, so that equal lists have equal bytes.
func recordByID[T any](c codec.Coder, lists *map[ID][]T, element func(*T)) {
	type pair struct {
		id   ID
		list []T
	}
	var all []pair
	if !c.Reading() {
		for _, id := range sorted(*lists) {
			all = append(all, pair{id, (*lists)[id]})
		}
	}
	codec.List(c, &all, func(p *pair) {
		c.Text(&p.id.Path)
		c.Text(&p.id.Source)
		codec.List(c, &p.list, element)
	})
	if c.Reading() {
		*lists = make(map[ID][]T, len(all))
		for _, p := range all {
			(*lists)[p.id] = p.list
		}
	}
}
