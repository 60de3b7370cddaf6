// Package image manages the images of a site: their properties, their problems, and their published copies. It inspects
// each image once per build, on first use. It makes the copies of identical files only once. The memory for decoded
// images is limited, regardless of the number of pages rendered in parallel.
package image

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/cespare/xxhash/v2"

	"vitrine/internal/image/file"
	"vitrine/internal/site"
)

// Cache stores expensive results between builds, under the hash of their inputs. It must be safe for concurrent use and
// may drop results at any time.
type Cache interface {
	// Get returns the data stored under key, byte for byte.
	Get(key uint64) (data []byte, ok bool)
	// Put stores data under key if possible. It reports no errors, because the data can be computed again.
	Put(key uint64, data []byte)
}

// maxFile is the maximum size in bytes of a file that the gallery reads.
const maxFile = 64 << 20

// Gallery contains the images among the files of a site. Its methods are safe for concurrent use.
type Gallery struct {
	// documents are the site's files with the extension of an XML format other than SVG.
	documents []site.File
	// Digest returns the XXH64 of a file's bytes, or an error if the hash isn't known without reading the file. Digest
	// may be nil. It must be set before the gallery's methods are called, and it must be safe for concurrent use.
	Digest func(source string) (uint64, error)
	// Canceled returns an error if copies are no longer needed. It is called before an image's copies are made and
	// before each copy. Canceled may be nil. Like Digest, it must be set before the gallery's methods are called, and
	// it must be safe for concurrent use.
	Canceled func() error

	files  fs.FS
	config site.Images
	// cache is nil if the gallery makes no copies.
	cache   Cache
	images  map[string]*imageFile
	decoder *space
	// workers and ahead are semaphores. workers limits the number of images whose copies are being made, and ahead
	// limits the number of images being prepared; see Prepare.
	workers, ahead chan struct{}
	// made contains the paths of the copies, and hashes maps the paths of inspected files to their hashes.
	made, hashes sync.Map
}

// imageFile is an image file of the site. look inspects the file, and shown returns the result of Show. Both compute
// their result on the first call and remember it.
type imageFile struct {
	site.File
	look  func() inspected
	shown func() Image
	// used reports whether a page shows the image.
	used atomic.Bool
}

// inspected is the result of inspecting a file.
type inspected struct {
	hash uint64
	info file.Info
	err  error
}

// Image describes how pages show an image.
type Image struct {
	// Picture contains the image's properties for HTML.
	site.Picture
	// Err describes the problem with the image, or is nil if there is none. For example, the image can't be read, or
	// the file name's extension belongs to another format.
	Err error
	// Refused reports whether the image is too large to be published.
	Refused bool

	copies []published
}

// New returns the gallery of s. files is the site's root folder. The gallery makes copies only if cache isn't nil. A
// check passes nil because it publishes no files.
func New(files fs.FS, s *site.Site, cache Cache) *Gallery {
	g := &Gallery{files: files, config: s.Config.Images, cache: cache, images: make(map[string]*imageFile), decoder: newSpace()}
	g.workers, g.ahead = make(chan struct{}, runtime.GOMAXPROCS(0)), make(chan struct{}, runtime.GOMAXPROCS(0))
	for _, f := range s.Files {
		if isDocument(f.Path) {
			g.documents = append(g.documents, f)
		}
		if !isImage(f.Path) {
			continue
		}
		i := &imageFile{File: f}
		i.look = sync.OnceValue(func() inspected {
			l := g.inspect(f)
			g.hashes.Store(f.Path, l.hash)
			return l
		})
		i.shown = sync.OnceValue(func() Image { return g.show(f, i.look()) })
		g.images[f.Path] = i
	}
	return g
}

// isDocument reports whether name has the extension of an XML format other than SVG.
func isDocument(name string) bool {
	return slices.Contains([]string{".xml", ".xhtml", ".xht", ".xsl", ".xslt"}, strings.ToLower(path.Ext(name)))
}

// isImage reports whether name has the extension of an image format.
func isImage(name string) bool {
	return slices.Contains([]string{".png", ".jpg", ".jpeg", ".gif", ".webp", ".avif", ".svg"}, strings.ToLower(path.Ext(name)))
}

// Show returns the image at path, a decoded URL path, as a page shows it. The first call for an image makes its copies.
// ok is false if there is no image at path. A build that reuses a page must also call Show for the page's images
// because the copies of an image are published only if Show was called for it.
func (g *Gallery) Show(path string) (shown Image, ok bool) {
	if g == nil || g.images[path] == nil {
		return Image{}, false
	}
	i := g.images[path]
	i.used.Store(true)
	return i.shown(), true
}

// Prepare starts computing the result of Show for the image at path so that a page with several images doesn't wait for
// them one after the other. The caller must then call Show, which waits for the result. Prepare does nothing if there
// is no cache.
func (g *Gallery) Prepare(path string) {
	if g == nil || g.cache == nil || g.images[path] == nil {
		return
	}
	go func() {
		// Limit the number of files read at the same time.
		g.ahead <- struct{}{}
		defer func() { <-g.ahead }()
		g.images[path].shown()
	}()
}

func (g *Gallery) canceled() error {
	if g.Canceled == nil {
		return nil
	}
	return g.Canceled()
}

// Made reports whether path is the path of a copy that Show made or found in the cache.
func (g *Gallery) Made(path string) bool {
	_, ok := g.made.Load(path)
	return ok
}

// Pixels returns the size in pixels of the image at path without making copies of it. It returns zeros for an SVG,
// which doesn't consist of pixels, and if there is no image.
func (g *Gallery) Pixels(path string) (width, height int) {
	if g == nil || g.images[path] == nil {
		return 0, 0
	}
	if info := g.images[path].look().info; info.Format != file.SVG {
		return info.Width, info.Height
	}
	return 0, 0
}

// Fingerprint returns a hash of everything that affects the bytes and problems of a page that shows the image at path:
// the bytes of its file, the site's image settings, whether copies are made, and the version of the program that makes
// them. The key of a cached page must include the fingerprint of every image to which the page or its front matter
// links. The fingerprint is 0 if there is no image at path.
func (g *Gallery) Fingerprint(path string) uint64 {
	if g == nil || g.images[path] == nil {
		return 0
	}
	i := g.images[path]
	text := fmt.Sprintf("%s %d %016x %d %t %+v", path, i.Size, i.look().hash, file.Version, g.cache != nil, g.config)
	return xxhash.Sum64String(text)
}

// Hash returns the hash of the bytes of the image at path, or 0 if there is no readable image.
func (g *Gallery) Hash(path string) uint64 {
	if g == nil || g.images[path] == nil {
		return 0
	}
	return g.images[path].look().hash
}

// Hashes returns the hashes of the images inspected so far, keyed by path. The hash of an unreadable image is 0.
func (g *Gallery) Hashes() map[string]uint64 {
	all := make(map[string]uint64)
	g.hashes.Range(func(path, hash any) bool {
		all[path.(string)] = hash.(uint64)
		return true
	})
	return all
}

// inspect returns the properties of an image. It reads them from the cache if the cache contains the properties for the
// same bytes.
func (g *Gallery) inspect(f site.File) inspected {
	hash, data, err := g.digest(f)
	if err != nil {
		return inspected{err: err}
	}
	l := inspected{hash: hash}
	key := keyOf(hash, infoPart)
	if g.kept(key, &l.info) {
		return l
	}
	if data == nil {
		if data, l.err = g.read(f); l.err != nil {
			return l
		}
	}
	if l.info, l.err = file.Inspect(data); l.err != nil {
		l.err = saveAgain(l.err)
		return l
	}
	g.keep(key, l.info)
	return l
}

// digest returns the hash of a file's bytes, and the bytes themselves if it had to read the file.
func (g *Gallery) digest(f site.File) (hash uint64, data []byte, err error) {
	if g.Digest != nil {
		if hash, err = g.Digest(f.Source); err == nil {
			return hash, nil, nil
		}
	}
	if data, err = g.read(f); err != nil {
		return 0, nil, err
	}
	return xxhash.Sum64(data), data, nil
}

// kept decodes the cached value for key into the variable that into points to. It returns false if there is no cache or
// if the cache contains no readable value.
func (g *Gallery) kept(key uint64, into any) bool {
	if g.cache == nil {
		return false
	}
	data, ok := g.cache.Get(key)
	return ok && json.Unmarshal(data, into) == nil
}

// keep stores value under key in the cache, as JSON.
func (g *Gallery) keep(key uint64, value any) {
	if g.cache == nil {
		return
	}
	if data, err := json.Marshal(value); err == nil {
		g.cache.Put(key, data)
	}
}

func (g *Gallery) read(f site.File) ([]byte, error) {
	if f.Size > maxFile {
		return nil, fmt.Errorf("it is %d MiB, and the limit is %d MiB; make it smaller", f.Size>>20, maxFile>>20)
	}
	data, err := fs.ReadFile(g.files, f.Source)
	if err != nil {
		return nil, fmt.Errorf("reading an image: %w", err)
	}
	return data, nil
}

// saveAgain adds the advice to save the image again to the error of an unreadable image.
func saveAgain(err error) error { return fmt.Errorf("%w; save it again", err) }

// show returns the display properties of an inspected image.
func (g *Gallery) show(f site.File, l inspected) Image {
	if l.err != nil {
		return Image{Err: l.err}
	}
	shown := Image{Picture: site.Picture{Width: l.info.Width, Height: l.info.Height}}
	if shown.Err = l.info.TooLarge(); shown.Err != nil {
		shown.Refused = true
		return shown
	}
	if shown.Err = misnamed(f.Path, l.info.Format); shown.Err != nil || g.config.Single || g.cache == nil || !l.info.Copyable(g.others(f)) {
		return shown
	}
	if shown.copies, shown.Err = g.copies(f, l); len(shown.copies) == 0 {
		return shown
	}
	sets := make(map[file.Format][]string)
	widest := 0
	for _, c := range shown.copies {
		g.made.Store(c.Path, true)
		candidate := c.Path
		// A small image has at most one copy per format, at the image's own width, so it needs no width descriptors.
		if widths := file.Widths(); l.info.Width > widths[0] {
			candidate += fmt.Sprintf(" %dw", c.Width)
			shown.Sizes = g.config.SizesOrUsual()
		}
		sets[c.Format] = append(sets[c.Format], candidate)
		if c.Format == l.info.Format {
			widest = max(widest, c.Width)
		}
	}
	own := sets[l.info.Format]
	if widths := file.Widths(); len(own) > 0 && widest < widths[len(widths)-1] {
		// No copy has the largest width, so the image itself is a candidate too.
		own = append(own, fmt.Sprintf("%s %dw", site.RefTo(f.Path), l.info.Width))
	}
	shown.Set, shown.WebP, shown.AVIF = strings.Join(own, ", "), strings.Join(sets[file.WebP], ", "), strings.Join(sets[file.AVIF], ", ")
	return shown
}

// extensionOf returns the file name extension of a format, with its dot.
func extensionOf(format file.Format) string {
	if format == file.JPEG {
		return ".jpg"
	}
	return "." + strings.ToLower(format.String())
}

// misnamed returns an error if the file name's extension belongs to a format other than format, the format of the
// content. The name determines the media type, and not every program checks the content.
func misnamed(name string, format file.Format) error {
	extension := strings.ToLower(path.Ext(name))
	want := extensionOf(format)
	if extension == want || extension == ".jpeg" && format == file.JPEG {
		return nil
	}
	return fmt.Errorf("its format is %s; change the file extension to %s", format, want)
}

// Parts of cache keys; see keyOf. The part for a copy is computed from its width and format.
const (
	infoPart   = 1
	listPart   = 2
	scriptPart = 3
)

// keyOf returns the cache key of one result for an image. source is the hash of the image's bytes, and part identifies
// the result.
func keyOf(source uint64, part int) uint64 {
	key := binary.LittleEndian.AppendUint64(nil, source)
	key = binary.LittleEndian.AppendUint64(key, file.Version)
	key = binary.LittleEndian.AppendUint64(key, uint64(part))
	return xxhash.Sum64(key)
}

// decoded is the maximum memory in bytes for images being decoded at the same time. An image that needs more memory is
// decoded while no other image is being decoded.
const decoded = 384 << 20

// space is a weighted semaphore that limits the memory for decoded images.
type space struct {
	mu    sync.Mutex
	freed *sync.Cond
	bytes int64 // the number of free bytes
}

func newSpace() *space {
	s := &space{bytes: decoded}
	s.freed = sync.NewCond(&s.mu)
	return s
}

// take waits until enough bytes are free for an image and reserves them. An image that needs more than decoded waits
// until all bytes are free. The caller must call give to release the bytes.
func (s *space) take(bytes int64) (give func()) {
	bytes = min(bytes, decoded)
	s.mu.Lock()
	defer s.mu.Unlock()
	for s.bytes < bytes {
		s.freed.Wait()
	}
	s.bytes -= bytes
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.bytes += bytes
		s.freed.Broadcast()
	}
}
