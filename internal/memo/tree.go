package memo

import (
	"io/fs"

	"vitrine/internal/record"
	"vitrine/internal/stamp"
)

// Write writes the tree for the next look.
func (t *Tree) Write(w *record.Writer) {
	w.Uint(uint64(len(t.folders)))
	for _, f := range t.folders {
		w.Text(f.name)
		w.Uint(uint64(len(f.entries)))
		for i := range f.entries {
			e := &f.entries[i]
			w.Text(e.name)
			w.Uint(uint64(e.stamp.Mode))
			w.Int(e.stamp.Size)
			w.Hash(uint64(e.stamp.Modified))
			w.Hash(uint64(e.stamp.Changed))
			w.Uint(e.stamp.Inode)
			w.Hash(e.digest)
			w.Bool(e.hashed)
			w.Bool(e.fresh && e.state == unchanged || e.stamp.Fresh(t.looked))
		}
		for _, place := range f.sorted {
			w.Uint(uint64(place))
		}
	}
}

// ReadTree reads what Write wrote; nil where it is no tree.
func ReadTree(r *record.Reader) *Tree {
	t := &Tree{byName: make(map[string]*folder)}
	for range r.Count() {
		f := &folder{name: r.Text()}
		f.entries = make([]Entry, r.Count())
		for i := range f.entries {
			f.entries[i] = Entry{
				name: r.Text(),
				stamp: stamp.Stamp{
					Mode: fs.FileMode(r.Uint()), Size: r.Int(),
					Modified: int64(r.Hash()), Changed: int64(r.Hash()), Inode: r.Uint(),
				},
				digest: r.Hash(), hashed: r.Bool(), fresh: r.Bool(),
			}
		}
		f.sorted = make([]uint32, len(f.entries))
		for i := range f.sorted {
			if f.sorted[i] = uint32(r.Uint()); int(f.sorted[i]) >= len(f.entries) {
				return nil
			}
		}
		t.folders = append(t.folders, f)
		t.byName[f.name] = f
	}
	if !r.OK() {
		return nil
	}
	return t
}
