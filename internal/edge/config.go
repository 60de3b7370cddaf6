package edge

import (
	"fmt"
	"strings"

	"vitrine/internal/artifact"
)

// compatibilityDate is the version of the Workers runtime that the contract was
// played against.
const compatibilityDate = "2026-06-01"

// assetsPrefix is where the theme's files with hashed names are.
const assetsPrefix = "/assets/"

// wranglerConfig is the configuration of the Worker. Every request goes to the
// Worker, and no path is rewritten on the way to a file.
func wranglerConfig(name string) []byte {
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
    "run_worker_first": true
  }
}
`, name, compatibilityDate)
}

// netlifyConfig is what a site's netlify.toml needs beside its build command.
func netlifyConfig(m *artifact.Manifest) []byte {
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
	fields, ok := hashedAssets(m)
	if !ok {
		return []byte(b.String())
	}
	fmt.Fprintf(&b, "  excludedPath = %q\n\n[[headers]]\n  for = %q\n  [headers.values]\n", assetsPrefix+"*", assetsPrefix+"*")
	for _, f := range fields {
		fmt.Fprintf(&b, "    %s = %q\n", f.Name, f.Value)
	}
	return []byte(b.String())
}

// hashedAssets returns the header fields that all files below assetsPrefix
// share. It is not ok where one of them has a name that is not hashed: a rule
// for all would have browsers keep it for a year.
func hashedAssets(m *artifact.Manifest) (shared []artifact.Field, ok bool) {
	var first []artifact.Field
	for route := range m.Routes() {
		if !strings.HasPrefix(route.Path(), assetsPrefix) {
			continue
		}
		if route.Kind() != artifact.KindFile {
			return nil, false
		}
		fields := m.Fields(route.Variant(0))
		if valueOf(fields, "Cache-Control") != artifact.AssetCacheControl {
			return nil, false
		}
		if first == nil {
			first = fields
		}
	}
	for _, f := range first {
		if f.Name != "Content-Type" {
			shared = append(shared, f)
		}
	}
	return shared, first != nil
}

func valueOf(fields []artifact.Field, name string) string {
	for _, f := range fields {
		if f.Name == name {
			return f.Value
		}
	}
	return ""
}
