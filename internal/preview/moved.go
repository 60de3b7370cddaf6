package preview

import (
	"maps"

	"vitrine/internal/site"
)

// moved returns the new paths of pages that moved between two builds, keyed by their old paths. It matches a page that
// is missing in now with a new page from the same file or, if there is none, with the same content. If exactly one page
// is missing and one is new, it matches these two. The result includes the moves between earlier builds. It is nil if
// before is nil or not loaded.
func moved(before, now *served) map[string]string {
	if before == nil || before.unloaded() {
		return nil
	}
	gone, added := differing(before, now), differing(now, before)
	to := maps.Clone(before.moved)
	if to == nil && len(gone) > 0 {
		to = make(map[string]string)
	}
	for _, old := range gone {
		if next := successor(old, added); next != nil {
			to[before.mount+old.Path] = now.mount + next.Path
		} else if len(gone) == 1 && len(added) == 1 {
			to[before.mount+old.Path] = now.mount + added[0].Path
		}
	}
	return to
}

// differing returns the pages of s whose paths don't exist in other. It omits generated pages and the theme's pages.
func differing(s, other *served) (pages []*site.Page) {
	for path, p := range s.pages {
		if other.pages[path] == nil && p.Text == nil && p.Source != "" {
			pages = append(pages, p)
		}
	}
	return pages
}

// successor returns the page in added from the same file as old. If there is none, it returns a page in added with the
// same content, or nil if there is none either.
func successor(old *site.Page, added []*site.Page) (same *site.Page) {
	for _, p := range added {
		if p.Source == old.Source {
			return p
		}
		if p.Digest == old.Digest {
			same = p
		}
	}
	return same
}

// movedTo returns the current escaped path of the page that used to be at path, a requested path, or "" if there is
// none.
func (s *served) movedTo(path string) string {
	to := decodedPath(path)
	// Limit the steps, because renaming a page and renaming it back would cause an endless loop.
	for range len(s.moved) {
		next, known := s.moved[to]
		if !known {
			return ""
		}
		if to = next; s.pages[to] != nil {
			return escapedPath(to)
		}
	}
	return ""
}
