package facts

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/cespare/xxhash/v2"

	"vitrine/internal/site"
)

// Change is a changed fact. Old is nil for an added fact, and New is nil for a removed fact.
type Change struct {
	When time.Time
	// Path is the fact's path in expressions. For an item of a list without names, Path is the list's path.
	Path     string
	Old, New *site.Fact
}

// ID returns a permanent ID for use in URLs, derived from the change's time, path, and values.
func (c Change) ID() string {
	// Writing to a hash never fails.
	h := xxhash.New()
	_, _ = fmt.Fprintf(h, "%d %q %s %s", c.When.Unix(), c.Path, c.Old.JSON(), c.New.JSON())
	return fmt.Sprintf("c%s-%08x", c.When.UTC().Format("20060102"), uint32(h.Sum64()))
}

// UpdatedMember is the key of the date on which the facts last changed. The date itself isn't a fact.
const UpdatedMember = "updated"

// Compare returns the changes between two versions of the facts, in the order of the new version, with removed facts at
// the end of their map or list. It pairs named items by name, regardless of their order.
func Compare(from, to *site.Fact) []Change {
	var c comparer
	c.compare("", from, to)
	return slices.DeleteFunc(c.changes, func(c Change) bool { return c.Path == UpdatedMember })
}

type comparer struct{ changes []Change }

func (c *comparer) add(path string, from, to *site.Fact) {
	c.changes = append(c.changes, Change{Path: path, Old: from, New: to})
}

func (c *comparer) compare(path string, from, to *site.Fact) {
	switch {
	case from.Equal(to):
	case from.Kind == site.MapFact && to.Kind == site.MapFact:
		c.maps(path, from, to)
	case from.Kind == site.ListFact && to.Kind == site.ListFact && named(from) && named(to):
		c.named(path, from, to)
	case from.Kind == site.ListFact && to.Kind == site.ListFact:
		c.list(path, from, to)
	default:
		c.add(path, from, to)
	}
}

func (c *comparer) maps(path string, from, to *site.Fact) {
	for i, key := range to.Keys {
		if was := from.Member(key); was != nil {
			c.compare(Join(path, key), was, to.Items[i])
		} else {
			c.add(Join(path, key), nil, to.Items[i])
		}
	}
	for i, key := range from.Keys {
		if to.Member(key) == nil {
			c.add(Join(path, key), from.Items[i], nil)
		}
	}
}

// named reports whether every item of a list has a name, and the names are unique.
func named(list *site.Fact) bool {
	seen := make(map[string]bool)
	for _, item := range list.Items {
		name := nameOf(item)
		if name == "" || seen[name] {
			return false
		}
		seen[name] = true
	}
	return true
}

// named compares lists of named items, such as the plans, and records the changes. It treats an item with a new name as
// renamed if it shares at least half of its members with the item that was previously at its position.
func (c *comparer) named(path string, from, to *site.Fact) {
	find := func(list *site.Fact, name string) int {
		return slices.IndexFunc(list.Items, func(item *site.Fact) bool { return nameOf(item) == name })
	}
	renamed := make(map[int]bool)
	for i, item := range to.Items {
		name := nameOf(item)
		if at := find(from, name); at >= 0 {
			c.compare(Join(path, name), from.Items[at], item)
			continue
		}
		if i < len(from.Items) && find(to, nameOf(from.Items[i])) < 0 && alike(from.Items[i], item) {
			renamed[i] = true
			c.compare(Join(path, name), from.Items[i], item)
			continue
		}
		c.add(Join(path, name), nil, item)
	}
	for i, item := range from.Items {
		if name := nameOf(item); !renamed[i] && find(to, name) < 0 {
			c.add(Join(path, name), item, nil)
		}
	}
}

// alike reports whether two maps share at least half of their members.
func alike(a, b *site.Fact) bool {
	same := 0
	for i, key := range a.Keys {
		if a.Items[i].Equal(b.Member(key)) {
			same++
		}
	}
	return 2*same >= max(len(a.Keys), len(b.Keys))
}

// list compares lists of unnamed items regardless of their positions. It pairs removed items with added items, in
// order, and records each pair as a change. If only the order has changed, it records one change of the complete list.
func (c *comparer) list(path string, from, to *site.Fact) {
	gone, added := without(from.Items, to.Items), without(to.Items, from.Items)
	if len(gone)+len(added) == 0 {
		c.add(path, from, to)
		return
	}
	for i := range max(len(gone), len(added)) {
		var was, is *site.Fact
		if i < len(gone) {
			was = gone[i]
		}
		if i < len(added) {
			is = added[i]
		}
		c.add(path, was, is)
	}
}

// without returns the items that aren't in others. Each item in others matches at most one item in items.
func without(items, others []*site.Fact) (rest []*site.Fact) {
	others = slices.Clone(others)
	for _, item := range items {
		if at := slices.IndexFunc(others, item.Equal); at >= 0 {
			others = slices.Delete(others, at, at+1)
		} else {
			rest = append(rest, item)
		}
	}
	return rest
}

// History is the known history of the facts.
type History struct {
	// Since is the time of the oldest known version of the facts, or zero if there is none.
	Since time.Time
	// Changes are the most recent changes, newest first. Simultaneous changes are in the order of the facts.
	Changes []Change
	// More reports whether Changes omits older changes.
	More bool
	// Shallow reports whether the Git clone contains only part of the history.
	Shallow bool
	// Forgotten is the time of the newest change of a fact after the most recent change of "updated" in product.yaml,
	// or zero if there is none.
	Forgotten time.Time
}

// State is a version of the facts, with the time from which it applies.
type State struct {
	When  time.Time
	Facts *site.Fact
}

// Limits of a History: the maximum number of changes, and the maximum total size in bytes of their values as JSON.
const (
	mostChanges = 200
	mostBytes   = 128 << 10
)

// NewHistory derives a history from states, which are versions of the facts, sorted oldest first. cut reports whether
// states omits older versions.
func NewHistory(states []State, cut bool) History {
	var h History
	if len(states) == 0 {
		return h
	}
	h.Since, h.More = states[0].When, cut
	// settled is true if "updated" is missing, or if "updated" changed in the same version as the newest change of a
	// fact or in a later version.
	settled := states[len(states)-1].Facts.Member(UpdatedMember) == nil
	seen := make(map[string]bool)
	size := 0
	for i := len(states) - 1; i > 0; i-- {
		was, is := states[i-1], states[i]
		changes := Compare(was.Facts, is.Facts)
		said := is.Facts.Member(UpdatedMember)
		if h.Forgotten.IsZero() && !settled && said != nil {
			settled = !said.Equal(was.Facts.Member(UpdatedMember))
			if !settled && len(changes) > 0 {
				h.Forgotten = is.When
			}
		}
		for _, change := range changes {
			change.When = is.When
			id := change.ID()
			size += len(change.Old.JSON()) + len(change.New.JSON())
			switch {
			case seen[id]:
			case len(h.Changes) == mostChanges || size > mostBytes:
				h.More = true
			default:
				seen[id] = true
				h.Changes = append(h.Changes, change)
			}
		}
	}
	// Sort the changes, because feeds require sorted dates, and versions may be out of order if clocks differ.
	slices.SortStableFunc(h.Changes, func(a, b Change) int { return cmp.Compare(b.When.Unix(), a.When.Unix()) })
	return h
}
