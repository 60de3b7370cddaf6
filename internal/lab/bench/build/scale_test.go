//go:build linux

package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"vitrine/internal/lab/bench/corpus"
	"vitrine/internal/lab/bench/paired"
)

// Each file of a build is counted in the right category.
func TestCountsOfScale(t *testing.T) {
	out := t.TempDir()
	for name, size := range map[string]int{
		"manifest": 5, "coded/1.pack": 7, "cache/last": 11, "cloudflare/worker.mjs": 13, "netlify/edge.mjs": 1,
		"public/index.html": 1, "public/index.md": 1, "public/blog/post-00000.html": 1, "public/blog/page/2.html": 3, "public/blog/page/2.md": 1,
		"public/tags/one.html": 3, "public/tags/one/page/2.html": 3,
		"public/sitemap.xml": 1, "public/sitemap-1.xml": 4, "public/sitemap.md": 1,
		"public/llms.txt": 1, "public/llms-full.txt": 2, "public/llms/blog-full.md": 4, "public/blog/llms.txt": 8, "public/llms/blog/2.md": 16,
		"public/assets/search.0a.bin": 9, "public/assets/search.0b.js": 1,
	} {
		path := filepath.Join(out, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, make([]byte, size), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	var m sized
	if err := m.count(out); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		got          extent
		files, bytes int64
	}{
		"all": {m.all, 22, 97}, "public": {m.public, 17, 60}, "coded": {m.coded, 1, 7}, "cache": {m.cache, 1, 11},
		"manifest": {m.manifest, 1, 5}, "table": {m.table, 1, 13}, "lists": {m.lists, 3, 9},
		"sitemaps": {m.sitemaps, 2, 5}, "llms": {m.llms, 5, 31}, "index": {m.index, 1, 9},
	} {
		if c.got.files != c.files || c.got.bytes != c.bytes {
			t.Errorf("%s: %d files with %d bytes, want %d with %d", name, c.got.files, c.got.bytes, c.files, c.bytes)
		}
	}
	if m.pages != 5 {
		t.Errorf("%d pages, want 5", m.pages)
	}
}

// If a cost doubles for ten times the pages, the cost per page falls to a fifth. A missing measurement has no ratio.
func TestTablesOfScale(t *testing.T) {
	all := []sized{
		{shape: corpus.Blog(), posts: 1000, pages: 1200, cold: paired.Sample{CPU: time.Second, Wall: time.Second, Peak: 1e8}, manifest: extent{1, 500_000, 0}},
		{shape: corpus.Blog(), posts: 10000, pages: 12000, cold: paired.Sample{CPU: 2 * time.Second, Wall: 10 * time.Second, Peak: 1e8}, manifest: extent{1, 5_000_000, 0}},
	}
	got := scaleTables(all)
	for _, want := range []string{
		"Figures by size, a blog", "|  | 1,000 posts | 10,000 posts |", "| pages of HTML | 1,200 | 12,000 |", "| cold build, CPU | 1s | 2s |",
		"| cold build, CPU | **0.200** (0.200–0.200) |", "| cold build, wall | **1.00** (1.00–1.00) |", "| cold build, peak memory | **0.100** (0.100–0.100) |",
		"| manifest, bytes | 500.0 KB | 5.0 MB |", "| manifest, bytes | **1.00** (1.00–1.00) |", "| one search loads, bytes | – |",
	} {
		if !strings.Contains(got, want+"\n") {
			t.Errorf("there is no line %s in\n%s", want, got)
		}
	}
	if strings.Contains(scaleTables(all[:1]), "Growth") {
		t.Error("one size has grown")
	}
}

// Only the parts that take long must be requested, and roomFor rejects a disk that is too small for "scale".
func TestRequestedParts(t *testing.T) {
	var asked []string
	for _, p := range parts() {
		if p.asked {
			asked = append(asked, p.name)
		}
	}
	if !slices.Equal(asked, []string{"flat", "scale", "photos"}) {
		t.Errorf("parts that must be requested: %v", asked)
	}
	if err := roomFor(t.TempDir(), 1<<40); err == nil {
		t.Error("a disk has room for everything")
	}
}
