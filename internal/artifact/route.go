package artifact

import (
	"iter"
	"slices"
	"strings"

	"github.com/cespare/xxhash/v2"
)

// Route is a resource in a manifest's table. The zero Route is invalid.
type Route struct {
	m      *Manifest
	record string
}

// pathHash returns the hash of a path. Routes are sorted by this hash, then by path.
func pathHash(path string) uint32 {
	return uint32(xxhash.Sum64String(path) >> 32)
}

// Lookup returns the resource at path. It returns false if there is no such resource.
func (m *Manifest) Lookup(path string) (Route, bool) {
	place, ok := m.Place(path)
	if !ok {
		return Route{}, false
	}
	return Route{m, m.routes.record(int(place))}, true
}

// Place returns the table position of the resource at path. ok is false if there is no such resource.
func (m *Manifest) Place(path string) (place uint32, ok bool) {
	hash := pathHash(path)
	low, high := 0, m.routes.count
	for low < high {
		middle := int(uint(low+high) >> 1)
		if u32(m.routes.data, middle*routeSize) < hash {
			low = middle + 1
		} else {
			high = middle
		}
	}
	for ; low < m.routes.count; low++ {
		r := Route{m, m.routes.record(low)}
		if u32(r.record, 0) != hash {
			break
		}
		if r.Path() == path {
			return uint32(low), true
		}
	}
	return 0, false
}

// Routes yields every resource in table order.
func (m *Manifest) Routes() iter.Seq[Route] {
	return func(yield func(Route) bool) {
		for i := range m.routes.count {
			if !yield(Route{m, m.routes.record(i)}) {
				return
			}
		}
	}
}

// RoutesAsAdded yields every resource in the order in which the build added it. A loop over a large table is several
// times faster in this order, because variants, bodies, and text are stored in the same order.
func (m *Manifest) RoutesAsAdded() iter.Seq[Route] {
	return func(yield func(Route) bool) {
		// Sort by the position of the path in the text section because a path is added together with its route.
		order := make([]uint64, m.routes.count)
		for i := range order {
			order[i] = uint64(u32(m.routes.data, i*routeSize+4))<<32 | uint64(i)
		}
		slices.Sort(order)
		for _, at := range order {
			if !yield(Route{m, m.routes.record(int(uint32(at)))}) {
				return
			}
		}
	}
}

// RouteAt returns the resource at table position i. It returns false if i is out of range.
func (m *Manifest) RouteAt(i uint32) (Route, bool) {
	if int(i) >= m.routes.count {
		return Route{}, false
	}
	return Route{m, m.routes.record(int(i))}, true
}

// RouteCount returns the number of resources in the table.
func (m *Manifest) RouteCount() int { return m.routes.count }

// Path returns the resource's URL path, or its name if it has no URL.
func (r Route) Path() string { return r.m.str(u32(r.record, 4)) }

// Below removes the base path from a request path. ok is false if the path is outside the site. If path is the base
// path itself, without a slash, below is a path that redirects to the home page.
func (m *Manifest) Below(path string) (below string, ok bool) {
	if m.Mount == "" {
		return path, true
	}
	below, ok = strings.CutPrefix(path, m.Mount)
	switch {
	case !ok || below != "" && below[0] != '/':
		return "", false
	case below == "":
		return homeSpelling, true
	}
	return below, true
}

// homeSpelling is a path that redirects to the home page; see Spellings.
const homeSpelling = "//"

// Location returns the target of a redirect, or the value stored in a fallback without a body, such as MountName. It
// returns "" for other resources.
func (r Route) Location() string {
	if r.Variants() > 0 {
		return ""
	}
	return r.m.str(u32(r.record, 8))
}

// Target returns the Location of a redirect. It removes the base path if the Location is a path of the site.
func (r Route) Target() string {
	if below, ok := strings.CutPrefix(r.Location(), r.m.Mount); ok && strings.HasPrefix(below, "/") {
		return below
	}
	return r.Location()
}

// Kind returns how the resource is served.
func (r Route) Kind() Kind { return Kind(u32(r.record, 12) & 0xff) }

// Variants returns the number of the resource's variants, one for each media type.
func (r Route) Variants() int { return int(u32(r.record, 12) >> 8) }

// Variant returns the index of the resource's i-th variant.
func (r Route) Variant(i int) VariantIndex {
	return VariantIndex(int(u32(r.record, 8)) + i)
}
