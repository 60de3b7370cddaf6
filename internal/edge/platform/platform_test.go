package platform_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"vitrine/internal/artifact"
	"vitrine/internal/edge/hosts"
	"vitrine/internal/edge/platform"
)

// Every platform has a script, a configuration in its own folder, a tool, and an entry in the table of differences.
func TestPlatformsAreComplete(t *testing.T) {
	for _, p := range platform.All() {
		if found, ok := platform.ByName(p.Name); !ok || found.Title != p.Title {
			t.Errorf("%s is not found by its name", p.Name)
		}
		if _, err := os.Stat(filepath.Join("..", "js", p.Adapter)); err != nil {
			t.Errorf("%s: %v", p.Name, err)
		}
		if h := hosts.ByName(p.Name); h == nil || h.Title != p.Title {
			t.Errorf("%s has no row of differences in edge/hosts", p.Name)
		}
		if command := p.Deploy("/build").Command; len(command) < 3 {
			t.Errorf("%s is deployed by %q", p.Name, command)
		}
		if len(p.Marks) == 0 || p.Needs == "" || p.Preview(func(string) string { return "" }) != "" {
			t.Errorf("%s has no marks, no purpose of its folder, or a preview elsewhere", p.Name)
		}
		files := p.Configure(platform.Input{Manifest: new(artifact.Manifest), Name: "acorn"})
		if !slices.ContainsFunc(files, func(f platform.File) bool { return strings.HasPrefix(f.Name, p.Name+"/") && len(f.Body) > 0 }) {
			t.Errorf("%s has no configuration in its folder", p.Name)
		}
	}
}

func TestPreviewAddresses(t *testing.T) {
	for name, c := range map[string]struct {
		platform, want string
		environment    map[string]string
	}{
		"netlify preview":       {"netlify", "https://p.example", map[string]string{"NETLIFY": "true", "CONTEXT": "deploy-preview", "DEPLOY_PRIME_URL": "https://p.example"}},
		"netlify production":    {"netlify", "", map[string]string{"NETLIFY": "true", "CONTEXT": "production", "DEPLOY_PRIME_URL": "https://p.example"}},
		"cloudflare preview":    {"cloudflare", "https://p.example", map[string]string{"CF_PAGES": "1", "CF_PAGES_BRANCH": "x", "CF_PAGES_URL": "https://p.example"}},
		"cloudflare production": {"cloudflare", "", map[string]string{"CF_PAGES": "1", "CF_PAGES_BRANCH": "main", "CF_PAGES_URL": "https://p.example"}},
		"named branch":          {"cloudflare", "", map[string]string{"CF_PAGES": "1", "CF_PAGES_BRANCH": "live", "VITRINE_PRODUCTION_BRANCH": "live", "CF_PAGES_URL": "https://p.example"}},
	} {
		p, _ := platform.ByName(c.platform)
		if got := p.Preview(func(key string) string { return c.environment[key] }); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// The product reads the table. A platform's name is a literal in few files, so that adding a platform changes at most
// five.
func TestPlatformIsNamedInFewFiles(t *testing.T) {
	// The table, the differences between responses, and the formats of purge requests, which caches share.
	allowed := []string{"internal/edge/platform/cloudflare.go", "internal/edge/platform/netlify.go", "internal/edge/hosts/table.go", "internal/compare/purge.go"}
	root := filepath.Join("..", "..", "..")
	checked := 0
	for _, top := range []string{"cmd", "internal"} {
		err := filepath.WalkDir(filepath.Join(root, top), func(name string, entry fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if entry.IsDir() && entry.Name() == "lab" {
				return filepath.SkipDir
			}
			if filepath.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") {
				return nil
			}
			checked++
			source, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			short, err := filepath.Rel(root, name)
			if err != nil {
				return err
			}
			for _, p := range platform.Names() {
				if strings.Contains(string(source), `"`+p+`"`) && !slices.Contains(allowed, filepath.ToSlash(short)) {
					t.Errorf("%s names %s; read the table instead", short, p)
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if checked < 300 {
		t.Errorf("%d files were checked", checked)
	}
}
