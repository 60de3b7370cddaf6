package platform

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"vitrine/internal/artifact"
)

// netlify describes Netlify.
func netlify() Platform {
	return Platform{
		Name: "netlify", Title: "Netlify", Needs: "The edge function for Netlify and settings for `netlify.toml`",
		Adapter: "netlify.mjs", Entry: "edge-functions/vitrine.mjs",
		Configure: func(in Input) []File { return []File{{"netlify/netlify.toml", netlifyConfig(in.Shared)}} },
		Deploy: func(build string) Deploy {
			return Deploy{
				Command: []string{"npx", "--yes", "netlify-cli@23", "deploy", "--prod", "--build"},
				Prepare: func(folder string) error { return prepareNetlify(folder, build) },
			}
		},
		Preview: func(environment func(string) string) string {
			if environment("NETLIFY") == "true" && environment("CONTEXT") != "" && environment("CONTEXT") != "production" {
				return environment("DEPLOY_PRIME_URL")
			}
			return ""
		},
		Marks: []Mark{{Field: "X-Nf-Request-Id"}, {Field: "Server", Word: "netlify"}},
	}
}

// prepareNetlify fills folder, in which Netlify's tool runs. It copies the build's netlify.toml into folder and links
// to the build under the name that netlify.toml uses. The tool also bundles the edge function in folder.
func prepareNetlify(folder, build string) error {
	config, err := os.ReadFile(filepath.Join(build, "netlify", "netlify.toml"))
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(folder, "netlify.toml"), config, 0o644); err != nil {
		return err
	}
	return os.Symlink(build, filepath.Join(folder, "build"))
}

// netlifyConfig returns the settings that a site's netlify.toml requires in addition to its build command. shared are
// the header fields of hashed assets, or nil if the function also serves hashed assets.
func netlifyConfig(shared []artifact.Field) []byte {
	var b strings.Builder
	b.WriteString(`# The settings that Vitrine needs in a site's own netlify.toml, at the root of its repository.
# Written by vitrine build, for build/ under that root.
[build]
  publish = "build/public"
  edge_functions = "build/netlify/edge-functions"

# The files are published as they were built.
[build.processing]
  skip_processing = true

# The edge function handles every path except hashed assets, for every method.
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
