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
	Path  string
	Width int
	Hash  uint64
}

// copies returns the copies of an image, from the cache or made now.
func (g *Gallery) copies(f site.File, l inspected) ([]published, error) {
	var list []published
	if g.kept(g.copyKey(l, listPart), &list) {
		return named(list, f, l.info.Format), nil
	}
	made, err := g.make(f, l)
	if err != nil {
		return nil, err
	}
	list = make([]published, len(made))
	for i, c := range made {
		list[i] = published{Width: c.Width, Hash: xxhash.Sum64(c.Data)}
		g.cache.Put(g.copyKey(l, c.Width), c.Data)
	}
	g.keep(g.copyKey(l, listPart), list)
	return named(list, f, l.info.Format), nil
}

// Published is a file's bytes as a site publishes them: an image's without what it
// says of its making, unless the site wants that.
func Published(data []byte, config site.Images) []byte {
	if config.KeepMetadata {
		return data
	}
	return file.WithoutMetadata(data)
}

// copyKey is the key of a part of what copies are made of. Which of them are worth
// having depends on how many bytes the image is published with.
func (g *Gallery) copyKey(l inspected, part int) uint64 {
	if g.config.KeepMetadata {
		part += 1 << 20
	}
	return keyOf(l.hash, part)
}

// make decodes the image and makes its copies, when there is room for that.
func (g *Gallery) make(f site.File, l inspected) ([]file.Copy, error) {
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
	defer g.decoder.take(info.Memory())()
	made, err := file.Copies(data, info)
	if err != nil {
		return nil, saveAgain(err)
	}
	return made, nil
}

// named gives copies their paths: equal images of two names have two.
func named(list []published, f site.File, format file.Format) []published {
	extension := ".png"
	if format == file.JPEG {
		extension = ".jpg"
	}
	for i := range list {
		list[i].Path = fmt.Sprintf("%s%s-%d.%016x%s", folder, stem(f.Path), list[i].Width, list[i].Hash, extension)
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
		data, ok := c.gallery.cache.Get(c.gallery.copyKey(c.image.look(), p.Width))
		if !ok {
			var err error
			if made == nil {
				if made, err = c.gallery.make(c.image.File, c.image.look()); err != nil {
					return fmt.Errorf("making the copies of %s again: %w", c.image.Source, err)
				}
			}
			if i := slices.IndexFunc(made, func(m file.Copy) bool { return m.Width == p.Width }); i >= 0 {
				data = made[i].Data
			}
		}
		if xxhash.Sum64(data) != p.Hash {
			return fmt.Errorf("a copy of %s is not what it was; delete the build's cache folder and build again", c.image.Source)
		}
		one(p.Path, data)
	}
	return nil
}
