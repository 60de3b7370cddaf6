package rooms_test

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// deps returns the packages that a package is built from, direct or not.
func deps(t *testing.T, pkg string) []string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "go", "list", "-deps", pkg).Output()
	if err != nil {
		t.Fatalf("go list -deps %s: %v", pkg, err)
	}
	return strings.Fields(string(out))
}

// Each room imports the rooms that the architecture allows, and no other.
func TestRoomsImportOnlyWhatTheyMay(t *testing.T) {
	rules := map[string][]string{
		"site":          {"codec"},
		"codec":         {},
		"folder":        {"codec"},
		"ordered":       {},
		"history":       {},
		"cache":         {},
		"image/card":    {},
		"artifact":      {},
		"contract":      {},
		"facts":         {"site", "load/suggest"},
		"rule":          {"site"},
		"check/outside": {"site", "rule"},
		"markdown":      {"site", "facts", "rule", "load/suggest"},
		"load":          {"site", "facts", "rule", "load/suggest", "load/shape", "load/tree", "folder", "codec"},
		"stencil":       {},
		"image/file":    {},
		"image":         {"site", "rule", "ordered", "image/file"},
		"check/drift":   {"site", "markdown", "facts", "rule", "load/suggest"},
		"check":         {"check/drift", "site", "markdown", "facts", "rule", "load/suggest", "image", "ordered", "image/file", "folder", "codec"},
		"openapi":       {"site", "artifact"},
		"plan":          {"site", "artifact"},
		"render":        {"site", "plan", "markdown", "facts", "rule", "load/suggest", "artifact", "openapi", "image/card", "image", "ordered", "image/file", "codec", "stencil"},
		"publish":       {"artifact", "codec", "folder"},
		"serve":         {"artifact"},
		"schema":        {"site", "artifact", "facts", "rule", "load", "load/suggest", "load/shape", "load/tree", "folder", "codec"},
		"scaffold":      {"site", "artifact", "facts", "rule", "load", "load/suggest", "load/shape", "load/tree", "schema", "folder", "codec"},

		"serve/http1":  {"artifact", "serve"},
		"preview":      {"site", "artifact", "serve", "folder"},
		"edge":         {"artifact"},
		"lab/soak":     {"artifact"},
		"lab/faults":   {"artifact"},
		"lab/supply":   {},
		"edge/config":  {"artifact"},
		"verify":       {"artifact", "contract", "verify/visit"},
		"verify/visit": {"artifact"},
		"compare":      {"artifact", "verify/visit"},
	}
	for room, may := range rules {
		t.Run(room, func(t *testing.T) {
			for _, d := range deps(t, "vitrine/internal/"+room) {
				other, ours := strings.CutPrefix(d, "vitrine/")
				other = strings.TrimPrefix(other, "internal/")
				if ours && other != room && !slices.Contains(may, other) {
					t.Errorf("%s imports %s", room, other)
				}
			}
		})
	}
}

// The production server links nothing that reads YAML, Markdown or templates,
// or that colours code: what it need not contain cannot fail in it.
func TestServerLinksNoBuildCode(t *testing.T) {
	for _, d := range deps(t, "vitrine/cmd/vitrined") {
		for _, banned := range []string{
			"goldmark", "frontmatter", "yaml", "toml", "chroma", "brotli", "text/template", "html/template",
			"vitrine/internal/site", "vitrine/internal/load", "vitrine/internal/markdown", "vitrine/internal/render",
			"vitrine/internal/publish", "vitrine/internal/check", "vitrine/templates",
		} {
			if strings.Contains(d, banned) {
				t.Errorf("vitrined links %s", d)
			}
		}
	}
}

// The two halves meet in artifact alone.
func TestHalvesMeetInArtifact(t *testing.T) {
	var shared []string
	built := deps(t, "vitrine/internal/render")
	for _, d := range deps(t, "vitrine/internal/serve") {
		if strings.HasPrefix(d, "vitrine/") && slices.Contains(built, d) {
			shared = append(shared, d)
		}
	}
	if !slices.Equal(shared, []string{"vitrine/internal/artifact"}) {
		t.Errorf("both halves import %v", shared)
	}
}
