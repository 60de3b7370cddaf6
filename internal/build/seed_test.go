package build_test

import (
	"bytes"
	"context"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"vitrine/internal/build"
	"vitrine/internal/cache"
	"vitrine/internal/lab/rig"
	"vitrine/internal/site"
)

// Regression test: the preview of a site that has been built must not generate smaller copies of images again, which
// takes a second per photograph.
func TestPreviewReusesCopies(t *testing.T) {
	files := rig.TinySite("Tiny", "")
	files["content/first.md"] = "---\ntitle: First\ndescription: A photograph.\n---\n\n![A photograph](photo.png)\n"
	files["content/photo.png"] = photograph(t)
	root := rig.Site(t, files)
	source := build.Source{Root: root, NoSocialImages: true}
	output := build.Output{Out: filepath.Join(root, "build"), NoSync: true}
	if _, problems, err := build.Build(context.Background(), source, output, build.Observer{}); err != nil || site.HasErrors(problems) {
		t.Fatal(problems, err)
	}
	seed := filepath.Join(root, "build", "cache", "pictures")
	const mark = 77
	put(t, seed, mark)
	before := sizeOf(t, seed)

	out := filepath.Join(t.TempDir(), "build")
	preview := build.OpenPreview(source, build.Output{Out: out, NoSync: true, Private: true, Seed: output.Out})
	for range 2 {
		if _, problems, err := preview.Build(context.Background()); err != nil || site.HasErrors(problems) {
			t.Fatal(problems, err)
		}
	}
	own := filepath.Join(out, "cache", "pictures")
	if after := sizeOf(t, own); after != before {
		t.Errorf("the preview's cache has %d bytes after its builds, and the build's cache %d", after, before)
	}
	kept, err := cache.Open(own)
	if err != nil {
		t.Fatal(err)
	}
	defer kept.Close()
	if _, ok := kept.Get(mark); !ok {
		t.Error("the preview doesn't have the build's entries")
	}
}

// photograph returns a PNG image that is large enough to have smaller copies.
func photograph(t *testing.T) string {
	t.Helper()
	photo := image.NewRGBA(image.Rect(0, 0, 640, 400))
	for y := range 400 {
		for x := range 640 {
			photo.Set(x, y, color.RGBA{uint8(x/3 + x*y*7%23), uint8(y / 2), uint8(x ^ y), 255})
		}
	}
	var data bytes.Buffer
	if err := png.Encode(&data, photo); err != nil {
		t.Fatal(err)
	}
	return data.String()
}

func put(t *testing.T, path string, key uint64) {
	t.Helper()
	kept, err := cache.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	kept.Put(key, []byte("a mark"))
	if err := kept.Close(); err != nil {
		t.Fatal(err)
	}
}

func sizeOf(t *testing.T, path string) int64 {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if info.Size() < 2_000 {
		t.Fatalf("%s has %d bytes; want copies of the photograph", path, info.Size())
	}
	return info.Size()
}
