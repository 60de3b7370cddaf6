package memo

import "path"

// Changes returns the files that are not what they were at the last look; ok is
// false where anything was added, removed or made something else than it was,
// or where there was no last look.
func (t *Tree) Changes() (names []string, ok bool) {
	if !t.listed {
		return nil, false
	}
	for _, f := range t.folders {
		for i := range f.entries {
			if e := &f.entries[i]; e.state != unchanged && !t.settle(f, e) {
				names = append(names, path.Join(f.name, e.name))
			}
		}
	}
	return names, true
}
