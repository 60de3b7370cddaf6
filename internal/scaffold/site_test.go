package scaffold_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"vitrine/internal/load"
	"vitrine/internal/load/tree"
	"vitrine/internal/scaffold"
)

// siteOf returns the files of a new site by name. It fails the test if two files have the same name.
func siteOf(t *testing.T, start string) map[string]string {
	t.Helper()
	files, err := scaffold.Site(start, "Acorn", time.Unix(0, 0).UTC(), scaffold.Release{Repository: "a/b", Version: "1.2.3"})
	if err != nil {
		t.Fatal(err)
	}
	bodies := make(map[string]string)
	for _, f := range files {
		if _, ok := bodies[f.Name]; ok {
			t.Errorf("start %q has %s twice", start, f.Name)
		}
		bodies[f.Name] = string(f.Body)
	}
	return bodies
}

// An example replaces pages and facts of the plain site, and keeps its deploy files and editor settings.
func TestStartReplacesContentOnly(t *testing.T) {
	plain := siteOf(t, "")
	for _, start := range scaffold.Starts() {
		own := siteOf(t, start)
		for name, body := range plain {
			if replaced := own[name] != body; replaced && !strings.HasPrefix(name, "content/") {
				t.Errorf("start %s has another %s", start, name)
			}
		}
		for _, name := range []string{"content/index.md", "content/product.yaml", "content/site.yaml", "content/pricing.md"} {
			if own[name] == plain[name] || own[name] == "" {
				t.Errorf("start %s has no %s of its own", start, name)
			}
		}
		if !strings.Contains(own["content/index.md"], "\nsections:\n") {
			t.Errorf("start %s has a home page without sections", start)
		}
	}
}

// The facts of an example are invented, so vitrine check must report them and vitrine deploy must reject them.
func TestFactsOfStartsArePlaceholders(t *testing.T) {
	for _, start := range append(scaffold.Starts(), "") {
		root, faults := tree.YAML([]byte(siteOf(t, start)["content/product.yaml"]), 1)
		if faults != nil {
			t.Fatalf("start %s: %v", start, faults)
		}
		for _, key := range []string{"url", "description", "contact"} {
			if text := root.Get(key).Value.Text; !load.Placeholder(text) {
				t.Errorf("start %s: the %s %q is no placeholder", start, key, text)
			}
		}
		for _, item := range root.Get("audience").Value.Items {
			if !load.Placeholder(item.Text) {
				t.Errorf("start %s: the audience %q is no placeholder", start, item.Text)
			}
		}
		if !slices.ContainsFunc(root.Get("capabilities").Value.Items, func(n *tree.Node) bool { return load.Placeholder(n.Text) }) {
			t.Errorf("start %s: no capability is a placeholder", start)
		}
	}
}

// The examples' pictures must be SVG files with a size, so that pages don't shift while loading, and must not contain
// links or scripts.
func TestPicturesOfStarts(t *testing.T) {
	active := regexp.MustCompile(`(?i)<script|<style|href|\son[a-z]+=|data:`)
	for _, start := range scaffold.Starts() {
		drawn := 0
		for name, body := range siteOf(t, start) {
			if !strings.HasSuffix(name, ".svg") {
				continue
			}
			drawn++
			if !strings.Contains(body, " viewBox=") || !strings.Contains(body, " width=") || active.MatchString(body) || len(body) > 8<<10 {
				t.Errorf("start %s: %s has no size, is active, or is large (%d bytes)", start, name, len(body))
			}
		}
		if drawn < 3 {
			t.Errorf("start %s has %d pictures", start, drawn)
		}
	}
}
