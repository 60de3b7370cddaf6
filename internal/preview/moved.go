package preview

import (
	"maps"

	"vitrine/internal/site"
)

// moved is where the pages went that stood elsewhere in the build before: the page of
// the same file, else one with the same text, else the only one that is new where
// only one is gone. What earlier builds moved is known on.
func moved(before, now *served) map[string]string {
	if before == nil {
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

// differing are an editor's pages at paths where another build has none.
func differing(s, other *served) (pages []*site.Page) {
	for path, p := range s.pages {
		if other.pages[path] == nil && p.Text == nil && p.Source != "" {
			pages = append(pages, p)
		}
	}
	return pages
}

// successor is the page that an old one has become, nil where none is like it.
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

// movedTo is where the page is now that stood at a path, as it was requested, as a
// link has it; "" where that is not known.
func (s *served) movedTo(path string) string {
	to := decodedPath(path)
	// A page that was renamed there and back again ends the way.
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
