package artifact

import "slices"

// Copier copies resources from an earlier build to a new manifest. The new manifest has the same bytes as if
// ManifestWriter.Add had added the resources. Copying is much faster, because a Copier translates the index of a class
// instead of looking up the strings of the class.
type Copier struct {
	to   *ManifestWriter
	from *Manifest
	// classes maps each old class to its new index plus 1, or to 0 if the class hasn't been copied.
	classes []uint32
	copied  []bool
}

// Copied counts the resources that one call to Copier.Add copied.
type Copied struct {
	// Pages is the number of negotiated pages, and Files is the number of public files.
	Pages, Files int
	// Bytes is the size of the public files in bytes.
	Bytes int64
}

// NewCopier returns a Copier for resources from an earlier build.
func NewCopier(to *ManifestWriter, from *Manifest) *Copier {
	// Reserve memory for a manifest of the same size, because most builds are about as large as the previous build.
	to.earlier = make([]uint32, from.routes.count)
	to.routes = slices.Grow(to.routes, from.routes.count+16)
	to.variants = slices.Grow(to.variants, len(from.variants.data)+1<<10)
	to.bodies = slices.Grow(to.bodies, len(from.bodies.data)+1<<10)
	to.text = slices.Grow(to.text, len(from.text)+1<<12)
	return &Copier{to: to, from: from, classes: make([]uint32, from.classes.count), copied: make([]bool, from.routes.count)}
}

// Add copies the routes at the given table positions of the earlier build. These must be the routes that one call to
// ManifestWriter.Add added, in the same order. Add calls place for every body in a pack. place must return the body's
// offset in the new pack, whose name is pack.
func (c *Copier) Add(routes []uint32, pack string, place func(Body) (int64, error)) (Copied, error) {
	var sum Copied
	// moves lists the bodies copied by this call. The list is short, because only a page's Markdown variant and the
	// page's Markdown twin share bodies.
	type move struct {
		old   BodyIndex
		first uint32
	}
	var moved [8]move
	moves := moved[:0]
	for _, index := range routes {
		if int(index) >= c.from.routes.count {
			return sum, ErrManifest
		}
		r := Route{c.from, c.from.routes.record(int(index))}
		path := r.Path()
		text := c.to.append(path)
		first := uint32(len(c.to.variants) / variantSize)
		for i := range r.Variants() {
			record := c.from.variant(r.Variant(i))
			bodies, count := c.from.Bodies(r.Variant(i))
			class, argument := ClassIndex(u32(record, 8)), u32(record, 4)
			index := c.class(class)
			at := -1
			for j, m := range moves {
				if m.old == bodies && count > 0 {
					at = j
				}
			}
			if at < 0 {
				at = len(moves)
				moves = append(moves, move{bodies, uint32(len(c.to.bodies) / bodySize)})
				if err := c.bodies(bodies, count, pack, place); err != nil {
					return sum, err
				}
				if count > 0 && c.from.classFile(class) != "" {
					_, size := c.from.Digest(bodies)
					sum.Files++
					sum.Bytes += size
				}
			}
			c.to.variant(text, argument, index, bodyRange{moves[at].first, uint32(count)})
		}
		if r.Kind() == KindPage {
			sum.Pages++
		}
		c.copied[index] = true
		c.to.earlier[index] = uint32(len(c.to.routes)) + 1
		hash := u32(r.record, 0)
		c.to.route(routeRecord{hash: hash, path: path, text: text, target: first}, r.Location(), uint32(r.Variants()), r.Kind())
	}
	return sum, nil
}

func (c *Copier) bodies(first BodyIndex, count int, pack string, place func(Body) (int64, error)) error {
	for i := range count {
		b := c.from.Body(first + BodyIndex(i))
		if b.Pack != "" {
			offset, err := place(b)
			if err != nil {
				return err
			}
			b.Offset, b.Pack = offset, pack
		}
		c.to.body(b)
	}
	return nil
}

// class returns the new index of the class old. The first call for a class copies it.
func (c *Copier) class(old ClassIndex) uint32 {
	if int(old) >= len(c.classes) {
		return 0
	}
	if c.classes[old] == 0 {
		c.classes[old] = c.to.class(c.from.Class(old)) + 1
	}
	return c.classes[old] - 1
}

// Left returns the table positions of the earlier build's routes that Add hasn't copied.
func (c *Copier) Left() []uint32 {
	var left []uint32
	for i, copied := range c.copied {
		if !copied {
			left = append(left, uint32(i))
		}
	}
	return left
}

// Added returns the number of resources that have been added to w.
func (w *ManifestWriter) Added() int { return len(w.routes) }

// Places returns the table position of each resource, in the order in which the resources were added. It must be called
// after Bytes, which sorts the table.
func (w *ManifestWriter) Places() []uint32 {
	places := make([]uint32, len(w.routes))
	for i := range w.routes {
		places[w.routes[i].turn] = uint32(i)
	}
	return places
}
