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

// folder is the URL folder of published copies.
const folder = "/assets/images/"

// published describes a published copy of an image. Its name contains the hash of its bytes so that caches can store it
// indefinitely.
type published struct {
	Path   string
	Format file.Format
	Width  int
	Hash   uint64
}

// copies returns the copies of an image. It makes them if they aren't in the cache.
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

// fewestBytes is the size in bytes under which a file gets no copies in other formats, because such a file takes only a
// packet or two in any format.
const fewestBytes = 4 << 10

// others returns the formats of an image's copies, except the image's own format, in ascending order of preference. It
// returns nil for a small file.
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

// Published returns a file's bytes as a site publishes them: an image without its metadata, unless the site keeps
// metadata.
func Published(data []byte, config site.Images) []byte {
	if config.KeepMetadata {
		return data
	}
	return file.WithoutMetadata(data)
}

// listKey returns the cache key for the list of an image's copies. The list depends on the formats and on whether the
// image is published with its metadata, because copies must have fewer bytes than the published image.
func (g *Gallery) listKey(f site.File, l inspected) uint64 {
	part := listPart
	for _, format := range g.others(f) {
		part |= 1 << (24 + int(format))
	}
	return keyOf(l.hash, g.partOf(part))
}

// copyKey returns the cache key for one copy.
func (g *Gallery) copyKey(l inspected, p published) uint64 {
	return keyOf(l.hash, g.partOf(p.Width|int(p.Format)<<24))
}

func (g *Gallery) partOf(part int) int {
	if g.config.KeepMetadata {
		part |= 1 << 20
	}
	return part
}

// make decodes the image and makes its copies. It waits for a free worker and for memory.
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
		return nil, fmt.Errorf("%s was changed during the build; build again", f.Source)
	}
	// Copies must have fewer bytes than the published image.
	data = Published(data, g.config)
	// The cache stores only the exported fields of Info, so the header is read again.
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

// named sets the paths of the copies in list, and returns list. Copies of identical images with different names get
// different paths.
func named(list []published, f site.File) []published {
	for i, p := range list {
		list[i].Path = fmt.Sprintf("%s%s-%d.%016x%s", folder, stem(f.Path), p.Width, p.Hash, extensionOf(p.Format))
	}
	return list
}

// stem returns a file's name without its extension, reduced to characters that need no escaping in a URL or in a
// srcset.
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

// Copies lists the published copies of one image.
type Copies struct {
	gallery *Gallery
	image   *imageFile
	list    []published
}

// Published returns the copies of all images that pages show, in the order of the images' paths. It must be called
// after all pages are rendered.
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
			// Identical images with the same name in two folders share their copies.
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

// Paths returns the paths of the copies.
func (c Copies) Paths() []string {
	paths := make([]string, len(c.list))
	for i, p := range c.list {
		paths[i] = p.Path
	}
	return paths
}

// Each calls one with the path and the bytes of every copy. If the cache has dropped copies, Each recreates them. It
// returns an error if a copy differs from the published copy.
func (c Copies) Each(one func(path string, data []byte)) error {
	var made []file.Copy
	for _, p := range c.list {
		data, ok := c.gallery.cache.Get(c.gallery.copyKey(c.image.look(), p))
		if !ok {
			var err error
			if made == nil {
				if made, err = c.gallery.make(c.image.File, c.image.look()); err != nil {
					return fmt.Errorf("recreating the copies of %s: %w", c.image.Source, err)
				}
			}
			if i := slices.IndexFunc(made, func(m file.Copy) bool { return m.Format == p.Format && m.Width == p.Width }); i >= 0 {
				data = made[i].Data
			}
		}
		if xxhash.Sum64(data) != p.Hash {
			return fmt.Errorf("a copy of %s has changed; delete the build cache folder and build again", c.image.Source)
		}
		one(p.Path, data)
	}
	return nil
}
