package image

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"runtime"
	"strings"
	"testing"

	"github.com/cespare/xxhash/v2"
)

// portrait returns a photograph that needs fewer bytes in other formats.
func portrait(t *testing.T, width, height int) []byte {
	t.Helper()
	m := image.NewNRGBA(image.Rect(0, 0, width, height))
	noise := uint32(1)
	for y := range height {
		for x := range width {
			noise = noise*1664525 + 1013904223
			m.SetNRGBA(x, y, color.NRGBA{uint8(120 + 60*x/width + int(noise>>30)), 90, uint8(255 * y / height), 255})
		}
	}
	var out bytes.Buffer
	if err := jpeg.Encode(&out, m, &jpeg.Options{Quality: 95}); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// Show also lists the copies in the other formats that the site selects. These copies are published with the copies in
// the image's own format.
func TestFormats(t *testing.T) {
	t.Parallel()
	s, root := siteOf(map[string][]byte{"/a.jpg": portrait(t, 1000, 300), "/small.jpg": portrait(t, 300, 200), "/flat.png": flat(t)})
	cache := newMemory()
	s.Config.Images.AVIF = true
	shown, _ := New(root, s, cache).Show("/a.jpg")
	for format, set := range map[string]string{"webp": shown.WebP, "avif": shown.AVIF} {
		candidates := strings.Split(set, ", ")
		if len(candidates) != 3 {
			t.Fatalf("%s: got %q", format, set)
		}
		for i, width := range []int{480, 960, 1000} {
			if !strings.HasPrefix(candidates[i], fmt.Sprintf("/assets/images/a-%d.", width)) || !strings.HasSuffix(candidates[i], fmt.Sprintf(".%s %dw", format, width)) {
				t.Errorf("%s: got %q", format, candidates[i])
			}
		}
	}
	if !strings.HasSuffix(shown.Set, "/a.jpg 1000w") || shown.Sizes == "" || shown.Err != nil {
		t.Errorf("got %+v", shown)
	}
	// A small image's only copy in each format has no width descriptor, so it is shown at the width of the image.
	small, _ := New(root, s, cache).Show("/small.jpg")
	if small.Set != "" || small.Sizes != "" || !strings.HasSuffix(small.WebP, ".webp") || !strings.HasSuffix(small.AVIF, ".avif") {
		t.Errorf("a small image: got %+v", small)
	}
	if tiny, _ := New(root, s, cache).Show("/flat.png"); tiny.WebP != "" || tiny.Err != nil {
		t.Errorf("a file of a packet: got %+v", tiny)
	}
	puts := cache.puts
	g := New(root, s, cache)
	if again, _ := g.Show("/a.jpg"); again.Picture != shown.Picture || cache.puts != puts {
		t.Errorf("the second build made them again: %+v", again)
	}
	if paths := publishedPaths(t, g); len(paths) != 8 {
		t.Errorf("got %q", paths)
	}
	s.Config.Images.AVIF = false
	if got, _ := New(root, s, cache).Show("/a.jpg"); got.AVIF != "" || got.WebP != shown.WebP {
		t.Errorf("without AVIF: got %+v", got)
	}
	s.Config.Images.NoWebP = true
	if got, _ := New(root, s, cache).Show("/a.jpg"); got.AVIF != "" || got.WebP != "" || got.Set != shown.Set {
		t.Errorf("without both: got %+v", got)
	}
	if got, _ := New(root, s, cache).Show("/small.jpg"); got.Picture.Width != 300 || got.WebP != "" || got.Sizes != "" {
		t.Errorf("a small image without both: got %+v", got)
	}
}

// The copies of an image don't depend on which images are processed at the same time, or in which order.
func TestFormatsWithManyWorkers(t *testing.T) {
	files := make(map[string][]byte)
	for i := range 6 {
		files[fmt.Sprintf("/%d.jpg", i)] = portrait(t, 490+i, 100)
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	var want map[string]uint64
	for _, workers := range []int{1, 4} {
		runtime.GOMAXPROCS(workers)
		s, root := siteOf(files)
		g := New(root, s, newMemory())
		for i := range len(files) {
			g.Prepare(fmt.Sprintf("/%d.jpg", len(files)-1-i))
		}
		for path := range files {
			if shown, _ := g.Show(path); shown.Err != nil || shown.WebP == "" {
				t.Errorf("%s: got %+v", path, shown)
			}
		}
		got := make(map[string]uint64)
		for _, c := range g.Published() {
			if err := c.Each(func(path string, data []byte) { got[path] = xxhash.Sum64(data) }); err != nil {
				t.Fatal(err)
			}
		}
		if want == nil {
			want = got
		}
		if len(got) != 15 || fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%d workers: got %v, want %v", workers, got, want)
		}
	}
}

// Results of a canceled build are not cached.
func TestCanceledBuildIsNotCached(t *testing.T) {
	t.Parallel()
	s, root := siteOf(map[string][]byte{"/a.jpg": portrait(t, 700, 300)})
	cache := newMemory()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	g := New(root, s, cache)
	g.Canceled = ctx.Err
	if shown, _ := g.Show("/a.jpg"); !errors.Is(shown.Err, context.Canceled) || shown.Set != "" {
		t.Errorf("got %+v", shown)
	}
	if shown, _ := New(root, s, cache).Show("/a.jpg"); shown.Err != nil || shown.WebP == "" {
		t.Errorf("the next build: got %+v", shown)
	}
}
