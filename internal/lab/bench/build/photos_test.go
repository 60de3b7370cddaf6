//go:build linux

package main

import (
	"context"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"vitrine/internal/image/encode"
	"vitrine/internal/image/file"
	"vitrine/internal/lab/bench/corpus"
	"vitrine/internal/lab/bench/paired"
	"vitrine/internal/lab/bench/photo"
)

// writeCopies writes vitrine's copies of one photograph under another program's file names and returns the comparison
// they belong to.
func writeCopies(t *testing.T) (p *photographs, out string) {
	t.Helper()
	p, out = &photographs{count: 1, folder: t.TempDir(), made: make(map[string]copies)}, t.TempDir()
	set := photo.NewSet(seed)
	if err := p.takeOne(set, 0); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(p.folder, corpus.PhotoName(0)))
	if err != nil {
		t.Fatal(err)
	}
	info, err := file.Inspect(data)
	if err != nil {
		t.Fatal(err)
	}
	made, err := file.Copies(data, info, []file.Format{file.WebP}, func() error { return nil })
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range made {
		if err := os.WriteFile(filepath.Join(out, strings.Repeat("x", i)+"-photo-00000_hu"), c.Data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return p, out
}

// Copies are identified by their content, and a size and likeness are measured for each format.
func TestInspectCopies(t *testing.T) {
	t.Parallel()
	p, out := writeCopies(t)
	made, err := p.inspect(t.Context(), out)
	if err != nil {
		t.Fatal(err)
	}
	for format, q := range made {
		if q.bytes < 50_000 || q.PSNR < 30 || q.PSNR > 50 || q.SSIM < 0.9 || q.SSIM > 1 {
			t.Errorf("%s: %+v", format, q)
		}
	}
	if len(made) != 2 {
		t.Errorf("the formats are %v", slices.Sorted(maps.Keys(made)))
	}
}

func TestInspectRejectsMissingCopies(t *testing.T) {
	t.Parallel()
	p := &photographs{count: 1, folder: t.TempDir()}
	if _, err := p.inspect(t.Context(), t.TempDir()); err == nil {
		t.Error("no copies were accepted")
	}
}

// Other programs use one quality for both formats, as vitrine does.
func TestOneQualityForBothFormats(t *testing.T) {
	if encode.Quality != file.Quality {
		t.Errorf("WebP has quality %d, and JPEG has quality %d", encode.Quality, file.Quality)
	}
}

func TestPhotoTable(t *testing.T) {
	sample := func(wall, cpu int) []paired.Sample {
		return []paired.Sample{{Wall: time.Duration(wall) * time.Second, CPU: time.Duration(cpu) * time.Second}}
	}
	likeness := photo.Likeness{PSNR: 38.1, SSIM: 0.96}
	p := &photographs{count: 10, made: map[string]copies{
		"vitrine": {"webp": {1e6, likeness}, "jpeg": {2e6, likeness}},
	}}
	got := p.table([]*maker{{name: "vitrine"}, {name: "peer"}}, paired.Results{"vitrine": sample(2, 3), "peer": sample(4, 6)}).String()
	for _, want := range []string{
		"10 photographs, 60 copies",
		"| vitrine | 1 | 1 | 1 | 2s | 50.0 ms | 1.50 | 2.00 MB, 1.00 MB | 38.10, 38.10 | 0.9600, 0.9600 |",
		"| peer | **2.00** (2.00–2.00) | **2.00** (2.00–2.00) | 1 | 4s | 100.0 ms | 1.50 |  |  |  |",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("the table is\n%s\nwithout\n%s", got, want)
		}
	}
}

// The error for a missing program contains the command that installs it.
func TestMissingPhotoPrograms(t *testing.T) {
	script := filepath.Join(t.TempDir(), "copies.mjs")
	if err := os.WriteFile(script, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", t.TempDir())
	for _, c := range []struct{ want, hugo, sharp string }{
		{"Hugo", "", script},
		{"sharp", "hugo", script + "x"},
		{"ImageMagick", "hugo", script},
	} {
		p := &photographs{suite: &suite{hugoProgram: c.hugo, sharpScript: c.sharp}}
		if _, err := p.photoPrograms(); err == nil || !strings.Contains(err.Error(), "require "+c.want+`; run "make bench-tools"`) {
			t.Errorf("without %s, the error is %v", c.want, err)
		}
	}
}

// Regression test: Hugo took the copies of later rounds from a shared cache, because the user's cache folder didn't
// exist.
func TestBuildStartsWithAnEmptyCache(t *testing.T) {
	g := generator{command: func(ctx context.Context, _ *suite, _, _ string) *exec.Cmd {
		return exec.CommandContext(ctx, "sh", "-c", `test -d "$XDG_CACHE_HOME" && test -z "$(ls "$XDG_CACHE_HOME")"`)
	}}
	if _, err := new(suite).build(t.Context(), g, "", filepath.Join(t.TempDir(), "out")); err != nil {
		t.Error(err)
	}
}
