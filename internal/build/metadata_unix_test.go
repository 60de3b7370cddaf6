//go:build unix

package build

import (
	"bytes"
	"image"
	"image/jpeg"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Unless the site keeps metadata, no file in a build contains the place where a photograph was taken. The photograph
// may be on a page, in content/static, or in the theme. If the setting changes, the next build applies it.
func TestMetadataIsNotPublished(t *testing.T) {
	root, write := draftSite(t)
	var photo bytes.Buffer
	if err := jpeg.Encode(&photo, image.NewGray(image.Rect(0, 0, 600, 400)), nil); err != nil {
		t.Fatal(err)
	}
	exif := "Exif\x00\x00II*\x00\x08\x00\x00\x00\x00\x00\x00\x00\x00\x00" + secret
	text := "\xff\xd8\xff\xe1\x00" + string(rune(len(exif)+2)) + exif + photo.String()[2:]
	for _, name := range []string{"content/photo.jpg", "content/static/press/photo.jpg", "templates/assets/photo.jpg"} {
		write(name, text)
	}
	write("content/shown.md", "---\ntitle: Shown\n---\n![A photo](photo.jpg)\n")
	out := t.TempDir()
	config, err := os.ReadFile(filepath.Join(root, "content/site.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	published := func() (with, bare int) {
		names, _ := buildAgain(t, root, out)
		for _, name := range names {
			data, err := os.ReadFile(filepath.Join(out, "public", filepath.FromSlash(name)))
			if err != nil {
				t.Fatal(err)
			}
			if strings.Contains(string(data), secret) {
				with++
			}
			if bytes.Equal(data, photo.Bytes()) {
				bare++
			}
		}
		return with, bare
	}
	for _, setting := range []string{"no", "yes", "no"} {
		write("content/site.yaml", string(config)+"\nimages: {keepMetadata: "+setting+"}\n")
		wantWith, wantBare := 0, 3
		if setting == "yes" {
			wantWith, wantBare = 3, 0
		}
		if with, bare := published(); with != wantWith || bare != wantBare {
			t.Errorf("keepMetadata: %s: %d files have what it says, and %d the photo alone", setting, with, bare)
		}
	}
}
