package edge_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"vitrine/internal/artifact"
	"vitrine/internal/edge"
)

// outputs returns the files for platforms of a site with one more file, by name.
func outputs(t *testing.T, path, cacheControl string) map[string]string {
	t.Helper()
	extra := variant(path[1:], "text/css; charset=utf-8", field("Vary", "Accept-Encoding"), field("Cache-Control", cacheControl))
	built := site(t, append(hostileResources(), []artifact.Resource{{Path: path, Kind: artifact.KindFile, Variants: []artifact.Variant{extra}}}))
	files, err := edge.Outputs(built.Manifest, built.Read)
	if err != nil {
		t.Fatal(err)
	}
	bodies := map[string]string{}
	for _, f := range files {
		bodies[f.Name] = string(f.Body)
	}
	return bodies
}

// Equal sites have equal files for platforms, on any run.
func TestOutputsAreDeterministic(t *testing.T) {
	first := outputs(t, "/assets/a.css", artifact.AssetCacheControl)
	second := outputs(t, "/assets/a.css", artifact.AssetCacheControl)
	for name, body := range first {
		if second[name] != body {
			t.Errorf("%s differs between two builds of one site", name)
		}
	}
}

// The files name the build that they are of, and the Worker is named after the
// site's host.
func TestOutputsAreOfTheBuild(t *testing.T) {
	built := hostileSite(t)
	files, err := edge.Outputs(built.Manifest, built.Read)
	if err != nil {
		t.Fatal(err)
	}
	manifest, err := edge.NewManifest(built.Manifest, built.Read)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		"netlify/vitrine/manifest.mjs":    manifest.Build,
		"cloudflare/vitrine/manifest.mjs": manifest.Build,
		"cloudflare/wrangler.jsonc":       `"name": "stra-e-example"`,
	}
	for _, f := range files {
		if part := want[f.Name]; part != "" && !strings.Contains(string(f.Body), part) {
			t.Errorf("%s lacks %s", f.Name, part)
		}
		delete(want, f.Name)
	}
	if len(want) > 0 {
		t.Errorf("there are no files %v", want)
	}
}

// This repository's netlify.toml says all that a build says a site's should.
func TestNetlifyConfigOfThisRepository(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("..", "..", "netlify.toml"))
	if err != nil {
		t.Fatal(err)
	}
	lines := map[string]bool{}
	for line := range strings.Lines(string(data)) {
		lines[strings.TrimSpace(line)] = true
	}
	sample := outputs(t, "/assets/style.fedcba9876543210.css", artifact.AssetCacheControl)["netlify/netlify.toml"]
	if !strings.Contains(sample, "excludedPath") {
		t.Errorf("the sample leaves hashed assets to the function:\n%s", sample)
	}
	for line := range strings.Lines(sample) {
		if line = strings.TrimSpace(line); !strings.HasPrefix(line, "#") && !lines[line] {
			t.Errorf("netlify.toml lacks the line %s", line)
		}
	}
}

// A file below /assets/ whose name is not hashed must not be kept for a year,
// so that a rule for all files there is out of the question.
func TestUnhashedAssetsAreLeftToTheFunction(t *testing.T) {
	sample := outputs(t, "/assets/plain.css", artifact.PageCacheControl)["netlify/netlify.toml"]
	if strings.Contains(sample, "excludedPath") || strings.Contains(sample, "immutable") {
		t.Errorf("the sample excludes assets that are not hashed:\n%s", sample)
	}
}
