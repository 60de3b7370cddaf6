package publish

import (
	"maps"
	"slices"
	"sync"
)

// names is a set of file names. add is safe for concurrent use.
type names struct {
	mu  sync.Mutex
	all map[string]bool
}

// add adds a name, and reports whether the name is new in the set.
func (n *names) add(name string) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.all == nil {
		n.all = make(map[string]bool)
	}
	if n.all[name] {
		return false
	}
	n.all[name] = true
	return true
}

// sorted returns the names, sorted. It must not be called concurrently with add.
func (n *names) sorted() []string { return slices.Sorted(maps.Keys(n.all)) }
