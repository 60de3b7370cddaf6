package edge_test

import (
	"encoding/json"
	"errors"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"vitrine/internal/artifact"
	"vitrine/internal/edge"
	"vitrine/internal/lab/rig"
	"vitrine/internal/render"
)

// outputs returns the platforms' files for the hostile site with one more stylesheet, keyed by name.
func outputs(t *testing.T, path, cacheControl string) map[string]string {
	t.Helper()
	extra := variant(path[1:], "text/css; charset=utf-8", field("Vary", "Accept-Encoding"), field("Cache-Control", cacheControl))
	return outputsWith(t, artifact.Resource{Path: path, Kind: artifact.KindFile, Variants: []artifact.Variant{extra}})
}

// outputsWith returns the platforms' files for the hostile site with more resources, keyed by name.
func outputsWith(t *testing.T, more ...artifact.Resource) map[string]string {
	t.Helper()
	built := site(t, append(hostileResources(), more))
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

// Identical sites have identical platform files in every run.
func TestOutputsAreDeterministic(t *testing.T) {
	first := outputs(t, "/assets/a.css", artifact.AssetCacheControl)
	second := outputs(t, "/assets/a.css", artifact.AssetCacheControl)
	for name, body := range first {
		if second[name] != body {
			t.Errorf("%s differs between two builds of one site", name)
		}
	}
}

// The files contain the name of their build, and the Worker is named after the site's host.
func TestOutputsNameTheirBuild(t *testing.T) {
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

// The module contains the same table as the JSON, even with characters that end or escape a JavaScript string.
func TestModuleEqualsJSON(t *testing.T) {
	quoted := variant("it's.txt", "text/plain", field("X-Quotes", `'one' "two" \three <\/four>`), field("X-Lines", "a\u2028b"))
	built := site(t, append(hostileResources(), []artifact.Resource{{Path: "/it's.txt", Kind: artifact.KindFile, Variants: []artifact.Variant{quoted}}}))
	files, err := edge.Outputs(built.Manifest, built.Read)
	if err != nil {
		t.Fatal(err)
	}
	manifest, err := edge.NewManifest(built.Manifest, built.Read)
	if err != nil {
		t.Fatal(err)
	}
	want, err := manifest.JSON()
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "manifest.mjs")
	for _, f := range files {
		if f.Name != "netlify/vitrine/manifest.mjs" {
			continue
		}
		if err := os.WriteFile(name, f.Body, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	read := exec.Command(rig.Node(t), "--input-type=module", "--eval",
		"import(process.argv[1]).then(m => process.stdout.write(JSON.stringify(m.default)))", (&url.URL{Scheme: "file", Path: name}).String())
	got, err := read.Output()
	if err != nil {
		t.Fatal(err)
	}
	var expected, found any
	if err := errors.Join(json.Unmarshal(want, &expected), json.Unmarshal(got, &found)); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(expected, found) {
		t.Errorf("the module is %.2000s, want %.2000s", got, want)
	}
}

// The netlify.toml files of this repository and of a new site contain everything that a build recommends.
func TestNetlifyConfigs(t *testing.T) {
	sample := outputsWith(t, render.Asset("/assets/style.fedcba9876543210.css", []byte("a{}")))["netlify/netlify.toml"]
	if !strings.Contains(sample, "excludedPath") {
		t.Errorf("the sample leaves hashed assets to the function:\n%s", sample)
	}
	for _, name := range []string{"../../netlify.toml", "../scaffold/site/netlify.toml"} {
		data, err := os.ReadFile(filepath.FromSlash(name))
		if err != nil {
			t.Fatal(err)
		}
		// The new site's file is a template: its strings contain double brackets.
		text := strings.NewReplacer(`[[ "`, "", `" ]]`, "").Replace(string(data))
		lines := map[string]bool{}
		for line := range strings.Lines(text) {
			lines[strings.TrimSpace(line)] = true
		}
		for line := range strings.Lines(sample) {
			if line = strings.TrimSpace(line); !strings.HasPrefix(line, "#") && !lines[line] {
				t.Errorf("%s lacks the line %s", name, line)
			}
		}
	}
}

// SVG assets have a Content-Security-Policy that other assets don't have, so only the rule for SVG files sets it.
func TestHeadersOfDrawings(t *testing.T) {
	headers := outputsWith(t,
		render.Asset("/assets/icon.fedcba9876543210.svg", []byte("<svg/>")),
		render.Asset("/assets/style.fedcba9876543210.css", []byte("a{}")),
	)["public/_headers"]
	shared, own, _ := strings.Cut(headers, "/assets/*.css\n")
	if !strings.Contains(shared, "Cross-Origin-Resource-Policy") || strings.Contains(shared, "Content-Security-Policy") {
		t.Errorf("the rule for all assets is\n%s", shared)
	}
	style, drawing, _ := strings.Cut(own, "/assets/*.svg\n")
	if strings.Contains(style, "Content-Security-Policy") || !strings.Contains(drawing, "Content-Security-Policy: default-src 'none'") {
		t.Errorf("the rules by extension are\n%s", own)
	}
}

// If a file under /assets/ has no hashed name, the platforms' configurations contain no rule for the whole folder,
// because such a rule would cache this file for a year.
func TestFunctionServesUnhashedAssets(t *testing.T) {
	sample := outputs(t, "/assets/plain.css", artifact.PageCacheControl)["netlify/netlify.toml"]
	if strings.Contains(sample, "excludedPath") || strings.Contains(sample, "immutable") {
		t.Errorf("the sample excludes assets that are not hashed:\n%s", sample)
	}
	files := outputs(t, "/assets/plain.css", artifact.PageCacheControl)
	if config := files["cloudflare/wrangler.jsonc"]; files["public/_headers"] != "" || !strings.Contains(config, `"run_worker_first": true`) {
		t.Errorf("Cloudflare answers for assets that are not hashed:\n%s\n%s", config, files["public/_headers"])
	}
}

// On Cloudflare, the Worker handles every file except hashed assets, and every path that the platform would redirect.
// The platform's direct responses have the fields that the build specifies.
func TestHashedAssetsBypassWorker(t *testing.T) {
	files := outputs(t, "/assets/style.fedcba9876543210.css", artifact.AssetCacheControl)
	_, list, _ := strings.Cut(files["cloudflare/wrangler.jsonc"], `"run_worker_first": `)
	var first []string
	if err := json.NewDecoder(strings.NewReader(list)).Decode(&first); err != nil {
		t.Fatalf("%v in %s", err, list)
	}
	// worker reports whether the rules send a path to the Worker. As on Cloudflare, a star matches any characters.
	worker := func(path string) bool {
		return slices.ContainsFunc(first, func(rule string) bool {
			return regexp.MustCompile("^" + strings.ReplaceAll(regexp.QuoteMeta(rule), `\*`, ".*") + "$").MatchString(path)
		})
	}
	built := site(t, hostileResources())
	asked := 0
	for v := range artifact.VariantIndex(built.Manifest.VariantCount()) {
		name := built.Manifest.File(v)
		if name == "" || strings.HasPrefix(name, "assets/") {
			continue
		}
		asked++
		if path := (&url.URL{Path: "/" + name}).EscapedPath(); !worker(path) {
			t.Errorf("%s is handled without the Worker by %q", path, first)
		}
	}
	for _, path := range []string{"/%61ssets/style.fedcba9876543210.css", "//assets/style.fedcba9876543210.css", "/assets//style.fedcba9876543210.css"} {
		if !worker(path) {
			t.Errorf("%s would be redirected", path)
		}
	}
	if asked == 0 || worker("/assets/style.fedcba9876543210.css") {
		t.Errorf("%d files, and %q has the asset", asked, first)
	}
	want := "/assets/*\n  X-Content-Type-Options: nosniff\n  Vary: Accept-Encoding\n  Cache-Control: " + artifact.AssetCacheControl + "\n/assets/*.css\n  Content-Type: text/css; charset=utf-8\n"
	if got := files["public/_headers"]; got != want {
		t.Errorf("_headers is\n%s, want\n%s", got, want)
	}
	// A site's _headers file stays unchanged.
	if own := outputs(t, "/_headers", artifact.AssetCacheControl); own["public/_headers"] != "" {
		t.Errorf("the site's own _headers is replaced by %s", own["public/_headers"])
	}
}
