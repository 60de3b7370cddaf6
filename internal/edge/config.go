package edge

import (
	"encoding/json"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"vitrine/internal/artifact"
)

// compatibilityDate is the version of the Workers runtime that the contract was
// played against.
const compatibilityDate = "2026-06-01"

// assetsPrefix is where the theme's files with hashed names are.
const assetsPrefix = "/assets/"

// wranglerConfig is the configuration of the Worker. No path is rewritten on the way to a file. first are the paths
// whose requests go to the Worker before a file is looked for; nil are all.
func wranglerConfig(name string, first []string) []byte {
	worker := "true"
	if first != nil {
		// The list is short, and of paths: nothing in it can fail.
		list, _ := json.Marshal(first)
		worker = string(list)
	}
	return fmt.Appendf(nil, `// Deploys the build: npx wrangler deploy --config build/cloudflare/wrangler.jsonc
// Written by vitrine build. Give your own with another name, or options such as --name and --route.
{
  "name": %q,
  "main": "worker.mjs",
  "compatibility_date": %q,
  "assets": {
    "directory": "../public",
    "binding": "ASSETS",
    "html_handling": "none",
    "not_found_handling": "none",
    "run_worker_first": %s
  }
}
`, name, compatibilityDate, worker)
}

// headersFile is where Workers look for the header fields of the files that they answer with by themselves.
const headersFile = artifact.PublicDir + "/_headers"

// workerRules is how many paths a Worker's configuration may name.
const workerRules = 100

// assetRules are how platforms answer for hashed assets by themselves.
type assetRules struct {
	// shared are the header fields of all of them; nil where a platform is to leave them to us.
	shared []artifact.Field
	// first and headers are as assetServer returns them.
	first   []string
	headers []byte
}

func newAssetRules(m *artifact.Manifest) *assetRules {
	r := new(assetRules)
	if m.Mount == "" {
		// Below a path, the files are not where they are asked for: the scripts find them.
		r.shared = hashedAssets(m)
	}
	if r.shared != nil {
		r.first, r.headers = assetServer(m, r.shared)
	}
	return r
}

// assetServer says how a Worker's platform answers for hashed assets without the Worker: the paths that go to the Worker, and the
// header fields of what does not. A request whose path is not listed is answered with the file of that name, where there is one, and by
// the Worker otherwise, so the list has the beginnings of all files but hashed assets. What is not there is so left to the Worker: a rule against
// the assets' own path would have the platform answer for them too, with an empty 404 that is kept for a year.
// first is nil where everything goes to the Worker: a site that has a _headers of its own, or more beginnings than may be named.
func assetServer(m *artifact.Manifest, shared []artifact.Field) (first []string, headers []byte) {
	// The platform redirects what is spelled with escapes, or with slashes that say nothing.
	first = []string{"/*%*", "//*", "/*//*"}
	begun := make(map[string]bool)
	types := make(map[string]string)
	var name []byte
	for v := range artifact.VariantIndex(m.VariantCount()) {
		name = m.AppendFile(append(name[:0], '/'), v)
		if string(name) == "/_headers" {
			return nil, nil
		}
		at := 0
		for at < len(name) && at < len(assetsPrefix) && name[at] == assetsPrefix[at] {
			at++
		}
		if at < len(assetsPrefix) && at < len(name) && name[at] < utf8.RuneSelf {
			if begin := name[:at+1]; !begun[string(begin)] {
				begun[string(begin)] = true
			}
		} else if at == len(assetsPrefix) {
			extension, mediaType := path.Ext(string(name)), m.Field(v, "Content-Type")
			if was, known := types[extension]; extension == "" || known && was != mediaType {
				return nil, nil // no rule can tell them apart
			}
			types[extension] = mediaType
		}
	}
	for _, begin := range slices.Sorted(maps.Keys(begun)) {
		first = append(first, begin+"*")
	}
	if len(first) > workerRules {
		return nil, nil
	}
	rule := func(path string) { headers = fmt.Appendf(headers, "%s\n", path) }
	set := func(f artifact.Field) { headers = fmt.Appendf(headers, "  %s: %s\n", f.Name, f.Value) }
	rule(assetsPrefix + "*")
	for _, f := range shared {
		set(f)
	}
	for _, extension := range slices.Sorted(maps.Keys(types)) {
		rule(assetsPrefix + "*" + extension)
		set(artifact.Field{Name: "Content-Type", Value: types[extension]})
	}
	return first, headers
}

// netlifyConfig is what a site's netlify.toml needs beside its build command. shared are the header fields of hashed assets,
// nil where the function answers for those too.
func netlifyConfig(shared []artifact.Field) []byte {
	var b strings.Builder
	b.WriteString(`# What a site's own netlify.toml, at the root of its repository, needs of Vitrine.
# Written by vitrine build, for build/ below that root.
[build]
  publish = "build/public"
  edge_functions = "build/netlify/edge-functions"

# The files are published as they were built.
[build.processing]
  skip_processing = true

# Every path but hashed assets is answered by the edge function, whatever the method.
[[edge_functions]]
  function = "vitrine"
  path = "/*"
`)
	if shared == nil {
		return []byte(b.String())
	}
	fmt.Fprintf(&b, "  excludedPath = %q\n\n[[headers]]\n  for = %q\n  [headers.values]\n", assetsPrefix+"*", assetsPrefix+"*")
	for _, f := range shared {
		fmt.Fprintf(&b, "    %s = %q\n", f.Name, f.Value)
	}
	return []byte(b.String())
}

// hashedAssets returns the header fields that all files below assetsPrefix
// share; nil where there are none, or one of them has a name that is not hashed: a rule
// for all would have browsers keep it for a year.
func hashedAssets(m *artifact.Manifest) (shared []artifact.Field) {
	var first []artifact.Field
	for route := range m.Routes() {
		if !strings.HasPrefix(route.Path(), assetsPrefix) {
			continue
		}
		if route.Kind() != artifact.KindFile {
			return nil
		}
		if m.Field(route.Variant(0), "Cache-Control") != artifact.AssetCacheControl {
			return nil
		}
		if first == nil {
			first = m.Fields(route.Variant(0))
		}
	}
	for _, f := range first {
		if f.Name != "Content-Type" {
			shared = append(shared, f)
		}
	}
	return shared
}
