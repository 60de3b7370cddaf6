package report

import (
	"cmp"
	"slices"
)

// most is the maximum number of names in a tally. If there are more, the tally drops the names with the lowest counts.
const most = 20_000

// tally counts names in bounded memory, with the lossy counting algorithm (Manku and Motwani 2002).
type tally struct {
	counts map[string]int64
	// floor is the highest count at which names are dropped. The floor rises each time the tally is full.
	floor int64
}

func (t *tally) add(name string, n int64) {
	if t.counts == nil {
		t.counts = make(map[string]int64)
	}
	if c, ok := t.counts[name]; ok {
		t.counts[name] = c + n
		return
	}
	for len(t.counts) >= most {
		t.floor++
		for name, c := range t.counts {
			if c <= t.floor {
				delete(t.counts, name)
			}
		}
	}
	// Copy the name because a substring would keep the entire line in memory.
	t.counts[string([]byte(name))] = n
}

// merge adds the counts of other to t.
func (t *tally) merge(other *tally) {
	for name, n := range other.counts {
		t.add(name, n)
	}
	t.floor = max(t.floor, other.floor)
}

// Count is a name, such as a path, with the number of requests for that name.
type Count struct {
	Name  string `json:"name"`
	Count int64  `json:"count"`
}

// top returns the n names with the highest counts, sorted by decreasing count.
func (t *tally) top(n int) []Count {
	all := make([]Count, 0, len(t.counts))
	for name, count := range t.counts {
		all = append(all, Count{name, count})
	}
	slices.SortFunc(all, func(a, b Count) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Name, b.Name))
	})
	return all[:min(n, len(all))]
}
