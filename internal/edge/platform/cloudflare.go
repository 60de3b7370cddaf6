package platform

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"unicode/utf8"

	"vitrine/internal/artifact"
)

// cloudflare describes Cloudflare Workers.
func cloudflare() Platform {
	return Platform{
		Name: "cloudflare", Title: "Cloudflare", Needs: "The Worker for Cloudflare and its configuration",
		Adapter: "cloudflare.mjs", Entry: "worker.mjs",
		Configure: func(in Input) []File {
			var first []string
			var headers []byte
			if in.Shared != nil {
				first, headers = assetServer(in.Manifest, in.Shared)
			}
			files := []File{{"cloudflare/wrangler.jsonc", wranglerConfig(in.Name, first)}}
			if headers != nil {
				files = append(files, File{headersFile, headers})
			}
			return files
		},
		Deploy: func(build string) Deploy {
			return Deploy{Command: []string{"npx", "--yes", "wrangler@4", "deploy", "--config", filepath.Join(build, "cloudflare", "wrangler.jsonc")}}
		},
		Preview: pagesPreview,
		Marks:   []Mark{{Field: "Cf-Ray"}, {Field: "Server", Word: "cloudflare"}},
	}
}

// pagesPreview returns the URL of the preview that Cloudflare Pages is building, or "" for a build of the production
// branch or outside of Cloudflare Pages. Cloudflare Pages doesn't report the name of the production branch, so
// pagesPreview assumes main unless VITRINE_PRODUCTION_BRANCH is set. Cloudflare's builds of Workers don't report a
// preview's URL.
func pagesPreview(environment func(string) string) string {
	if environment("CF_PAGES") == "1" && environment("CF_PAGES_BRANCH") != cmp.Or(environment("VITRINE_PRODUCTION_BRANCH"), "main") {
		return environment("CF_PAGES_URL")
	}
	return ""
}

// compatibilityDate is the version of the Workers runtime with which the contract is tested.
const compatibilityDate = "2026-06-01"

// wranglerConfig returns the configuration of the Worker. With this configuration, the platform doesn't rewrite paths
// to files. first lists the paths whose requests go to the Worker before the platform looks for a file; nil means all
// paths.
func wranglerConfig(name string, first []string) []byte {
	worker := "true"
	if first != nil {
		// Encoding can't fail, because the list contains only strings.
		list, _ := json.Marshal(first)
		worker = string(list)
	}
	return fmt.Appendf(nil, `// Deploys the build: npx wrangler deploy --config build/cloudflare/wrangler.jsonc
// Written by vitrine build. To change it, use your own file with another name, or options such as --name and --route.
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

// headersFile is the file from which Workers read the header fields of files that the platform serves itself.
const headersFile = artifact.PublicDir + "/_headers"

// workerRules is the maximum number of paths in a Worker's configuration.
const workerRules = 100

// assetServer returns the settings with which a Worker's platform serves hashed assets without the Worker. first lists
// the paths that go to the Worker, and headers are the header fields of all other paths. The platform serves the file
// at an unlisted path if there is one, and otherwise calls the Worker, so first contains the prefixes of all files
// except hashed assets. A rule that excludes the folder of the assets wouldn't work: the platform would also respond to
// requests for missing assets, with an empty 404 that caches store for a year. first is nil if all requests go to the
// Worker: for a site with its own _headers file, with more prefixes than may be listed, or with assets whose fields no
// rule can distinguish.
func assetServer(m *artifact.Manifest, shared []artifact.Field) (first []string, headers []byte) {
	// The platform redirects paths with escapes or superfluous slashes.
	first = []string{"/*%*", "//*", "/*//*"}
	begun := make(map[string]bool)
	own := make(map[string][]artifact.Field)
	// A site has a hashed asset for every page. Assets in the same class have the same fields, so one asset for each
	// extension suffices.
	type kind struct {
		class     artifact.ClassIndex
		extension string
	}
	seen := make(map[kind]bool)
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
			class, _, _ := m.ClassOf(v)
			extension := path.Ext(string(name))
			if seen[kind{class, extension}] {
				continue
			}
			seen[kind{class, extension}] = true
			fields := slices.DeleteFunc(m.Fields(v), func(f artifact.Field) bool { return slices.Contains(shared, f) })
			if was, known := own[extension]; extension == "" || known && !slices.Equal(was, fields) {
				return nil, nil // no rule can distinguish these assets by their extension
			}
			own[extension] = fields
		}
	}
	for _, begin := range slices.Sorted(maps.Keys(begun)) {
		first = append(first, begin+"*")
	}
	if len(first) > workerRules {
		return nil, nil
	}
	headers = appendRule(headers, assetsPrefix+"*", shared)
	for _, extension := range slices.Sorted(maps.Keys(own)) {
		headers = appendRule(headers, assetsPrefix+"*"+extension, own[extension])
	}
	return first, headers
}

// appendRule appends a rule of _headers that sets fields for all files at path, which may contain a wildcard.
func appendRule(headers []byte, path string, fields []artifact.Field) []byte {
	headers = fmt.Appendf(headers, "%s\n", path)
	for _, f := range fields {
		headers = fmt.Appendf(headers, "  %s: %s\n", f.Name, f.Value)
	}
	return headers
}
