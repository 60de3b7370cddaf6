// Package rooms checks that each package imports only the packages that this file allows. It contains only tests.
package rooms_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"vitrine/internal/lab/rig"
)

// rooms lists the packages of this module that each package of the product may import directly. An empty list means
// that it may import none.
const rooms = `
artifact         :
codec            :
lazyregexp       :
load/shape       :
load/suggest     :
markdown/highlight :
markdown/mathml  :
markup           :
ordered          :
stencil          :
contract         : markup lazyregexp
search           : codec markup
cache            :
history          :
locale           :
image/card       :
image/encode     :
templates        :
readers          : artifact
site             : codec load/suggest
folder           : codec
record           : site artifact codec folder

facts            : site locale load/suggest lazyregexp
image/file       : image/encode lazyregexp
fix              : site
cut              : build check fix folder load record rule site lazyregexp
rule             : site
load/tree        : site lazyregexp
load             : site codec facts folder rule load/suggest load/shape load/tree locale lazyregexp
words            : site locale rule load/suggest load/tree
brand            : site rule load/suggest image/file
image            : site rule ordered image/file
markdown         : site record facts markdown/highlight markdown/mathml rule load/suggest lazyregexp
plan             : site artifact rule stencil load/suggest
check            : site artifact rule codec record markdown markup load/suggest image check/drift
check/drift      : site facts load/suggest locale markdown rule lazyregexp
check/outside    : site rule
check/deployed   : site artifact load/tree rule lazyregexp
openapi          : site artifact
apidoc           : site rule load/tree lazyregexp
render/media     :
render/plaintext :
render/view      : site artifact openapi plan stencil
render/theme     : site brand facts locale artifact markdown image image/card plan stencil words render/media render/plaintext render/view rule load/suggest lazyregexp
render           : site record codec facts locale artifact markdown markup openapi image plan readers stencil search render/media render/plaintext render/theme render/view rule lazyregexp ordered
publish          : artifact codec folder
schema           : site artifact rule load load/shape
scaffold         : schema lazyregexp
build            : site record codec apidoc artifact cache check check/deployed edge facts folder history image load markdown ordered plan publish render render/theme rule schema templates locale
migrate/source   : folder load/tree lazyregexp
migrate/convert  : load/tree migrate/source lazyregexp
migrate/liquid   : migrate/source migrate/convert lazyregexp
migrate/oldsite  : load/tree migrate/source migrate/convert lazyregexp
migrate/kinds    : load/tree migrate/source migrate/convert migrate/liquid migrate/oldsite lazyregexp
migrate          : site build folder image/file load/tree markdown migrate/source migrate/convert migrate/oldsite migrate/kinds rule lazyregexp
lsp              : site record build check facts fix folder load load/shape load/tree rule

serve/field      :
serve/decide     : artifact serve/field
serve/socket     :
serve            : artifact serve/decide serve/field serve/socket
metrics          :
serve/http1      : artifact serve serve/decide serve/field serve/socket
serve/http2      : artifact serve serve/decide serve/field serve/socket
edge             : artifact edge/platform lazyregexp
edge/config      : artifact lazyregexp
edge/hosts       : contract
edge/platform    : artifact
edge/runtimes    :
preview          : site artifact build folder serve serve/decide
contract/contracttest : contract
verify           : artifact contract edge/hosts edge/platform verify/visit lazyregexp
verify/visit     : artifact contract edge/platform lazyregexp
compare          : artifact verify/visit lazyregexp
bucket           : artifact
deploy           : artifact bucket cache edge edge/platform publish record verify
report           : readers load/suggest

cmd/vitrine      : artifact bucket build check check/outside compare cut deploy edge edge/config edge/hosts edge/platform folder load load/suggest markdown preview rule scaffold schema serve serve/decide site templates verify verify/visit fix migrate lsp report
cmd/vitrined     : artifact metrics readers serve serve/decide serve/http1 serve/http2
`

// listed is the output of `go list -json` for a package.
type listed struct {
	ImportPath    string
	Imports, Deps []string
}

// packages returns all packages of this module, keyed by short name.
func packages(t *testing.T) map[string]listed {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", "list", "-json=ImportPath,Imports,Deps", "./...")
	cmd.Dir = rig.Root(t)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	all := make(map[string]listed)
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listed
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return all
		} else if err != nil {
			t.Fatal(err)
		}
		all[short(p.ImportPath)] = p
	}
}

func short(path string) string {
	return strings.TrimPrefix(strings.TrimPrefix(path, "vitrine/"), "internal/")
}

// lab reports whether a package is only for Vitrine's developers.
func lab(path string) bool { return strings.HasPrefix(short(path), "lab/") }

// Each package imports only packages allowed by the table, and every package is in the table.
func TestPackageImports(t *testing.T) {
	all := packages(t)
	rules := make(map[string][]string)
	for line := range strings.Lines(rooms) {
		if room, may, found := strings.Cut(line, ":"); found {
			rules[strings.TrimSpace(room)] = strings.Fields(may)
		}
	}
	for name, p := range all {
		may, found := rules[name]
		if delete(rules, name); lab(p.ImportPath) {
			continue
		}
		if !found {
			t.Errorf("%s is not in the table; add it with the packages that it may import", name)
		}
		for _, other := range p.Imports {
			if strings.HasPrefix(other, "vitrine/") && !slices.Contains(may, short(other)) {
				t.Errorf("%s imports %s", name, short(other))
			}
		}
	}
	for name := range rules {
		t.Errorf("%s is in the table but is not a package", name)
	}
}

// The product doesn't depend on its tests and tools.
func TestProductLinksNoLab(t *testing.T) {
	for name, p := range packages(t) {
		if i := slices.IndexFunc(p.Deps, lab); i >= 0 && !lab(p.ImportPath) {
			t.Errorf("%s links %s", name, p.Deps[i])
		}
	}
}

// The production server contains no code for reading YAML, Markdown, or templates, or for highlighting code, because
// absent code can't fail.
func TestServerLinksNoBuildCode(t *testing.T) {
	for _, d := range packages(t)["cmd/vitrined"].Deps {
		for _, banned := range []string{
			"goldmark", "minio", "frontmatter", "yaml", "toml", "chroma", "brotli", "text/template", "html/template", "gen2brain", "wazero",
			"vitrine/internal/site", "vitrine/internal/load", "vitrine/internal/markdown", "vitrine/internal/render",
			"vitrine/internal/publish", "vitrine/internal/check", "vitrine/internal/build", "vitrine/internal/image", "vitrine/templates",
			"golocales", "golang.org/x/text/message", "vitrine/internal/locale",
		} {
			if strings.Contains(d, banned) {
				t.Errorf("vitrined links %s", d)
			}
		}
	}
}

// The image encoders would use purego to look for system libraries. vitrine links a replacement for purego, so a
// build's bytes don't depend on installed libraries.
func TestNoLibraryOfTheSystem(t *testing.T) {
	cmd := exec.CommandContext(t.Context(), "go", "list", "-deps", "-f", "{{with .Module}}{{.Path}} {{with .Replace}}{{.Path}}{{end}}{{end}}", "./cmd/vitrine")
	cmd.Dir = rig.Root(t)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	for line := range strings.Lines(string(out)) {
		if module, instead, _ := strings.Cut(strings.TrimSpace(line), " "); strings.Contains(module, "purego") && instead != "./internal/image/encode/nolibrary" {
			t.Errorf("%s is linked instead of its replacement", module)
		}
	}
}

// Package artifact is the only package of this module that both the renderer and the server depend on.
func TestRendererAndServerShareOnlyArtifact(t *testing.T) {
	all := packages(t)
	var shared []string
	for _, d := range all["serve"].Deps {
		if strings.HasPrefix(d, "vitrine/") && slices.Contains(all["render"].Deps, d) {
			shared = append(shared, short(d))
		}
	}
	if !slices.Equal(shared, []string{"artifact"}) {
		t.Errorf("both halves import %v", shared)
	}
}
