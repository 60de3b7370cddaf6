package image

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/cespare/xxhash/v2"

	"vitrine/internal/image/file"
	"vitrine/internal/site"
)

// folder is where copies are published.
const folder = "/assets/images/"

// published is a copy as it is published. Its name has the hash of its bytes, so
// that caches may keep it for ever.
type published struct {
	Path   string
	Format file.Format
	Width  int
	Hash   uint64
}

// copies returns the copies of an image, from the cache or made now.
func (g *Gallery) copies(f site.File, l inspected) ([]published, error) {
	var list []published
	if g.kept(g.listKey(f, l), &list) {
		return named(list, f), nil
	}
	made, err := g.make(f, l)
	if err != nil {
		return nil, err
	}
	list = make([]published, len(made))
	for i, c := range made {
		list[i] = published{Format: c.Format, Width: c.Width, Hash: xxhash.Sum64(c.Data)}
		g.cache.Put(g.copyKey(l, list[i]), c.Data)
	}
	g.keep(g.listKey(f, l), list)
	return named(list, f), nil
}

// fewestBytes are those of a file that has copies in other formats: what has fewer
// comes in a packet or two, whatever its format.
const fewestBytes = 4 << 10

// others are the formats that an image has copies in besides its own, the one first that a
// browser is to take last.
func (g *Gallery) others(f site.File) []file.Format {
	var all []file.Format
	if f.Size < fewestBytes {
		return nil
	}
	if !g.config.NoWebP {
		all = append(all, file.WebP)
	}
	if g.config.AVIF {
		all = append(all, file.AVIF)
	}
	return all
}

// Published is a file's bytes as a site publishes them: an image's without what it
// says of its making, unless the site wants that.
func Published(data []byte, config site.Images) []byte {
	if config.KeepMetadata {
		return data
	}
	return file.WithoutMetadata(data)
}

// listKey is the key of the list of an image's copies, copyKey that of one of them.
// Which of them are worth having depends on how many bytes the image is published
// with, and on the formats.
func (g *Gallery) listKey(f site.File, l inspected) uint64 {
	part := listPart
	for _, format := range g.others(f) {
		part |= 1 << (24 + int(format))
	}
	return keyOf(l.hash, g.partOf(part))
}

func (g *Gallery) copyKey(l inspected, p published) uint64 {
	return keyOf(l.hash, g.partOf(p.Width|int(p.Format)<<24))
}

func (g *Gallery) partOf(part int) int {
	if g.config.KeepMetadata {
		part |= 1 << 20
	}
	return part
}

// make decodes the image and makes its copies, when there are a processor and room for that.
func (g *Gallery) make(f site.File, l inspected) ([]file.Copy, error) {
	g.workers <- struct{}{}
	defer func() { <-g.workers }()
	if err := g.canceled(); err != nil {
		return nil, err
	}
	data, err := g.read(f)
	if err != nil {
		return nil, err
	}
	if xxhash.Sum64(data) != l.hash {
		return nil, fmt.Errorf("%s was changed while the site was built; build again", f.Source)
	}
	// Copies are worth having against what is published.
	data = Published(data, g.config)
	// What was kept is not all that the header says.
	info, err := file.Inspect(data)
	if err != nil {
		return nil, saveAgain(err)
	}
	defer g.decoder.take(info.Memory(g.others(f)))()
	made, err := file.Copies(data, info, g.others(f), g.canceled)
	if canceled := g.canceled(); canceled != nil {
		return nil, canceled
	}
	if err != nil {
		return nil, saveAgain(err)
	}
	return made, nil
}

// named gives copies their paths: equal images of two names have two.
func named(list []published, f site.File) []published {
	for i, p := range list {
		list[i].Path = fmt.Sprintf("%s%s-%d.%016x%s", folder, stem(f.Path), p.Width, p.Hash, extensionOf(p.Format))
	}
	return list
}

// stem is a file's name without its extension, in characters that stand for
// themselves in a URL and in a list of them.
func stem(name string) string {
	name = strings.TrimSuffix(path.Base(name), path.Ext(name))
	name = strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9', r == '-', r == '_':
			return r
		case r >= 'A' && r <= 'Z':
			return r + 'a' - 'A'
		}
		return '-'
	}, name)
	return name[:min(len(name), 64)]
}

// Copies are the copies of one image.
type Copies struct {
	gallery *Gallery
	image   *imageFile
	list    []published
}

// Published returns the copies of all images that pages show, in the order of
// the images' paths. It is called when every page was rendered.
func (g *Gallery) Published() []Copies {
	var all []Copies
	taken := make(map[string]bool)
	for _, name := range g.paths() {
		i := g.images[name]
		if !i.used.Load() {
			continue
		}
		c := Copies{gallery: g, image: i}
		for _, p := range i.shown().copies {
			// Equal images of one name in two folders share their copies.
			if !taken[p.Path] {
				taken[p.Path] = true
				c.list = append(c.list, p)
			}
		}
		if len(c.list) > 0 {
			all = append(all, c)
		}
	}
	return all
}

func (g *Gallery) paths() []string {
	paths := make([]string, 0, len(g.images))
	for name := range g.images {
		paths = append(paths, name)
	}
	slices.Sort(paths)
	return paths
}

// Each hands the path and the bytes of every copy to one. What the cache does
// not have any more is made again.
func (c Copies) Each(one func(path string, data []byte)) error {
	var made []file.Copy
	for _, p := range c.list {
		data, ok := c.gallery.cache.Get(c.gallery.copyKey(c.image.look(), p))
		if !ok {
			var err error
			if made == nil {
				if made, err = c.gallery.make(c.image.File, c.image.look()); err != nil {
					return fmt.Errorf("making the copies of %s again: %w", c.image.Source, err)
				}
			}
			if i := slices.IndexFunc(made, func(m file.Copy) bool { return m.Format == p.Format && m.Width == p.Width }); i >= 0 {
				data = made[i].Data
			}
		}
		if xxhash.Sum64(data) != p.Hash {
			return fmt.Errorf("a copy of %s has changed; delete the build's cache folder and build again", c.image.Source)
		}
		one(p.Path, data)
	}
	return nil
}
