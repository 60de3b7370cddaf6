package image

import (
	"bytes"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"io/fs"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/cespare/xxhash/v2"

	"vitrine/internal/site"
)

// memory is a cache that counts the calls to Put.
type memory struct {
	mu   sync.Mutex
	kept map[uint64][]byte
	puts int
}

func (m *memory) Get(key uint64) ([]byte, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	data, ok := m.kept[key]
	return data, ok
}

func (m *memory) Put(key uint64, data []byte) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.puts++
	m.kept[key] = bytes.Clone(data)
}

func newMemory() *memory { return &memory{kept: make(map[uint64][]byte)} }

// counting counts how often each file is opened.
type counting struct {
	fstest.MapFS
	mu     sync.Mutex
	opened map[string]int
}

func (c *counting) Open(name string) (fs.File, error) {
	c.mu.Lock()
	c.opened[name]++
	c.mu.Unlock()
	return c.MapFS.Open(name)
}

func (c *counting) ReadFile(name string) ([]byte, error) {
	c.mu.Lock()
	c.opened[name]++
	c.mu.Unlock()
	return c.MapFS.ReadFile(name)
}

func photo(t *testing.T, width, height int) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := jpeg.Encode(&out, noise(width, height), nil); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func noise(width, height int) *image.NRGBA {
	m := image.NewNRGBA(image.Rect(0, 0, width, height))
	n := uint32(1)
	for i := range m.Pix {
		n = n*1664525 + 1013904223
		m.Pix[i] = uint8(n >> 26)
	}
	for i := 3; i < len(m.Pix); i += 4 {
		m.Pix[i] = 255
	}
	return m
}

func flat(t *testing.T) []byte {
	t.Helper()
	var out bytes.Buffer
	m := image.NewPaletted(image.Rect(0, 0, 40, 30), color.Palette{color.Black})
	if err := png.Encode(&out, m); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// siteOf returns a site with the given files, and a file system that contains them. The keys of files are URL paths.
func siteOf(files map[string][]byte) (*site.Site, *counting) {
	s := &site.Site{}
	root := &counting{MapFS: fstest.MapFS{}, opened: make(map[string]int)}
	for name, data := range files {
		root.MapFS["content"+name] = &fstest.MapFile{Data: data}
		s.Files = append(s.Files, site.File{Source: "content" + name, Path: name, Size: int64(len(data))})
	}
	return s, root
}

// Show describes how a page shows its image. The copies are published once for any number of pages, and images that no
// page shows have no copies.
func TestShow(t *testing.T) {
	s, root := siteOf(map[string][]byte{"/a b/Büro.jpg": photo(t, 1000, 600), "/other.jpg": photo(t, 1000, 500), "/flat.png": flat(t), "/notes.txt": []byte("x")})
	cache := newMemory()
	g := New(root, s, cache)
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() { g.Show("/a b/Büro.jpg") })
	}
	group.Wait()
	shown, ok := g.Show("/a b/Büro.jpg")
	if !ok || shown.Err != nil || shown.Width != 1000 || shown.Height != 600 || shown.Sizes != "(min-width: 48em) 45rem, 100vw" {
		t.Fatalf("got %+v, %t", shown, ok)
	}
	candidates := strings.Split(shown.Set, ", ")
	if len(candidates) != 3 || !strings.HasPrefix(candidates[0], "/assets/images/b-ro-480.") || !strings.HasSuffix(candidates[1], ".jpg 960w") ||
		candidates[2] != "/a%20b/B%C3%BCro.jpg 1000w" {
		t.Errorf("got %q", candidates)
	}
	if shown, ok = g.Show("/flat.png"); !ok || shown.Set != "" || shown.Width != 40 {
		t.Errorf("a small image: got %+v, %t", shown, ok)
	}
	for _, path := range []string{"/notes.txt", "/none.png", ""} {
		if shown, ok = g.Show(path); ok {
			t.Errorf("%s is an image: %+v", path, shown)
		}
	}
	paths := publishedPaths(t, g)
	if len(paths) != 2 || !strings.HasPrefix(candidates[0], paths[0]) || !strings.HasPrefix(candidates[1], paths[1]) {
		t.Errorf("got %q", paths)
	}
	// The file is read twice: to inspect it and to decode it. The cache has two copies, their list, and two headers.
	if root.opened["content/a b/Büro.jpg"] != 2 || root.opened["content/other.jpg"] != 0 || cache.puts != 5 {
		t.Errorf("opened %v, put %d", root.opened, cache.puts)
	}
	again := New(root, s, cache)
	if second, _ := again.Show("/a b/Büro.jpg"); second.Set != mustShow(t, g).Set || second.Picture != mustShow(t, g).Picture || cache.puts != 5 {
		t.Errorf("the second build made them again: %+v", second)
	}
	// If Digest returns the file's hash, the file isn't read.
	before := root.opened["content/a b/Büro.jpg"]
	again = New(root, s, cache)
	again.Digest = func(source string) (uint64, error) { return xxhash.Sum64(root.MapFS[source].Data), nil }
	if third, _ := again.Show("/a b/Büro.jpg"); third.Picture != mustShow(t, g).Picture || root.opened["content/a b/Büro.jpg"] != before {
		t.Errorf("the file was read for %+v", third)
	}
	if paths := publishedPaths(t, again); len(paths) != 2 || root.opened["content/a b/Büro.jpg"] != before {
		t.Errorf("the file was read to publish %q", paths)
	}
}

func mustShow(t *testing.T, g *Gallery) Image {
	t.Helper()
	shown, ok := g.Show("/a b/Büro.jpg")
	if !ok {
		t.Fatal("the image is not there")
	}
	return shown
}

func publishedPaths(t *testing.T, g *Gallery) []string {
	t.Helper()
	var paths []string
	for _, copies := range g.Published() {
		if err := copies.Each(func(path string, data []byte) { paths = append(paths, path) }); err != nil {
			t.Fatal(err)
		}
	}
	return paths
}

// If a cache loses entries, the copies are made again with the same paths.
func TestForgetfulCache(t *testing.T) {
	s, root := siteOf(map[string][]byte{"/a.jpg": photo(t, 1000, 600)})
	cache := newMemory()
	g := New(root, s, cache)
	g.Show("/a.jpg")
	before := publishedPaths(t, g)
	clear(cache.kept)
	if after := publishedPaths(t, g); len(after) != 2 || after[0] != before[0] || after[1] != before[1] {
		t.Errorf("got %q, want %q", after, before)
	}
	root.MapFS["content/a.jpg"].Data = photo(t, 1000, 601)
	for _, copies := range g.Published() {
		if err := copies.Each(func(string, []byte) {}); err == nil || !strings.Contains(err.Error(), "build again") {
			t.Errorf("a file that changed under the build: got %v", err)
		}
	}
}

// Identical images with the same name in two folders share their copies because they have the same address.
func TestEqualImages(t *testing.T) {
	data := photo(t, 500, 300)
	s, root := siteOf(map[string][]byte{"/a/x.jpg": data, "/b/x.jpg": data, "/b/y.jpg": data})
	g := New(root, s, newMemory())
	for _, f := range s.Files {
		g.Show(f.Path)
	}
	if paths := publishedPaths(t, g); len(paths) != 2 || strings.TrimPrefix(paths[0], "/assets/images/x") != strings.TrimPrefix(paths[1], "/assets/images/y") {
		t.Errorf("got %q", paths)
	}
}

// No copies are made if the site disables them or there is no cache.
func TestNoCopies(t *testing.T) {
	s, root := siteOf(map[string][]byte{"/a.jpg": photo(t, 1000, 600)})
	if shown, _ := New(root, s, nil).Show("/a.jpg"); shown.Set != "" || shown.Width != 1000 {
		t.Errorf("a check: got %+v", shown)
	}
	s.Config.Images.Single = true
	if shown, _ := New(root, s, newMemory()).Show("/a.jpg"); shown.Set != "" || shown.Width != 1000 {
		t.Errorf("a site without copies: got %+v", shown)
	}
	var none *Gallery
	if _, ok := none.Show("/a.jpg"); ok {
		t.Error("no gallery has an image")
	}
}

// Show returns an error for a truncated image, an unknown format, or an extension of another format.
func TestFaults(t *testing.T) {
	cut := photo(t, 600, 300)
	s, root := siteOf(map[string][]byte{
		"/a.png": photo(t, 600, 300), "/b.jpg": cut[:len(cut)/2], "/c.png": []byte("words"),
		"/d.jpeg": photo(t, 20, 10), "/e.svg": []byte("words"), "/f.PNG": flat(t),
	})
	g := New(root, s, newMemory())
	for path, want := range map[string]string{
		"/a.png": "its format is JPEG; change the file extension to .jpg", "/b.jpg": "the file is truncated; save it again",
		"/c.png": "browsers do not support its format; save it again", "/d.jpeg": "", "/e.svg": "browsers do not support its format; save it again", "/f.PNG": "",
	} {
		shown, ok := g.Show(path)
		if !ok || (shown.Err == nil) != (want == "") || shown.Err != nil && shown.Err.Error() != want || shown.Refused {
			t.Errorf("%s: got %+v, %t", path, shown, ok)
		}
	}
}

// An image's fingerprint changes with each of its inputs.
func TestFingerprint(t *testing.T) {
	files := map[string][]byte{"/a.jpg": photo(t, 600, 300)}
	s, root := siteOf(files)
	seen := map[uint64]string{0: "nothing"}
	note := func(what string, g *Gallery) {
		t.Helper()
		print := g.Fingerprint("/a.jpg")
		if other, ok := seen[print]; ok {
			t.Errorf("%s is the same as %s", what, other)
		}
		seen[print] = what
	}
	note("an image", New(root, s, newMemory()))
	first, second := New(root, s, newMemory()), New(root, s, newMemory())
	if first.Fingerprint("/a.jpg") != second.Fingerprint("/a.jpg") {
		t.Error("it is another in the next build")
	}
	note("a check", New(root, s, nil))
	s.Config.Images.Budget = 1
	note("another budget", New(root, s, newMemory()))
	s.Config.Images.Single = true
	note("no copies", New(root, s, newMemory()))
	s.Config.Images.NoWebP = true
	note("no WebP", New(root, s, newMemory()))
	s.Config.Images.AVIF = true
	note("AVIF", New(root, s, newMemory()))
	files["/a.jpg"] = photo(t, 600, 301)
	s, root = siteOf(files)
	note("other bytes", New(root, s, newMemory()))
	if New(root, s, nil).Fingerprint("/b.jpg") != 0 {
		t.Error("what is not there has one")
	}
}

// Every SVG is inspected, even if no page shows it. A clean SVG is inspected only once.
func TestVectors(t *testing.T) {
	s, root := siteOf(map[string][]byte{
		"/good.svg": []byte("<svg/>"), "/bad.svg": []byte("<svg>\n<script/></svg>"), "/broken.SVG": []byte("<svg>"), "/words.svg": []byte("words"),
	})
	cache := newMemory()
	for range 2 {
		problems, err := New(root, s, cache).Vectors(t.Context())
		var lines []string
		for _, p := range problems {
			lines = append(lines, p.String())
		}
		want := "content/bad.svg:2:1: error: the SVG contains the element <script>, which can run code; remove it [V039]\n" +
			"content/broken.SVG: error: the SVG cannot be checked for scripts: line 1 is not well formed: unexpected EOF [V039]"
		if got := strings.Join(lines, "\n"); err != nil || got != want {
			t.Errorf("%v, got\n%s\nwant\n%s", err, got, want)
		}
	}
	if cache.puts != 1 {
		t.Errorf("%d files were kept as clean", cache.puts)
	}
}

// Images wait until enough memory is free. An image that needs more than the total memory waits until no other image is
// decoded.
func TestSpace(t *testing.T) {
	s := newSpace()
	giveFirst := s.take(decoded * 3 / 4)
	order := make(chan string, 2)
	go func() {
		give := s.take(decoded * 10)
		give()
		order <- "large"
	}()
	giveSmall := s.take(decoded / 8)
	order <- "small"
	giveSmall()
	giveFirst()
	if first, second := <-order, <-order; first != "small" || second != "large" {
		t.Errorf("got %s before %s", first, second)
	}
	if s.bytes != decoded {
		t.Errorf("%d bytes are free in the end", s.bytes)
	}
}
