//go:build proof

package config_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the capability table")

// checkTable compares the published capability table with the results.
func checkTable(t *testing.T, found []*outcome) {
	t.Helper()
	data, err := json.MarshalIndent(found, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	compare(t, "testdata/capabilities.json", append(data, '\n'))
	compare(t, filepath.Join(module, "docs/project/capabilities-servers.md"), []byte(tableText(found)))
}

func compare(t *testing.T, name string, want []byte) {
	t.Helper()
	if *update {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, want, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	got, err := os.ReadFile(name)
	if err != nil {
		t.Fatalf("%v; run go test -tags proof ./internal/edge/config -update", err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s is not what the suite proves; run go test -tags proof ./internal/edge/config -update and read the difference", name)
	}
}

// tableText returns the table in Markdown.
func tableText(found []*outcome) string {
	var b strings.Builder
	b.WriteString("<!-- ---\ndescription: \"Which parts of the contract nginx, Caddy, Varnish, Apache, and h2o support, as proven by tests.\"\nsidebar: Servers, compared\norder: 8\naliases: [/capabilities-servers]\n--- -->\n\n" +
		"# Web server support <a id=\"support-by-web-servers\"></a>\n\n" +
		"Look up how closely each web server follows [the contract](contract.md), which specifies a site's HTTP responses. The columns of the\n" +
		"table are the configurations from `vitrine config`. With *files*, the server sends the build's files itself. With *proxy*, it\n" +
		"forwards every request to `vitrined`, Vitrine's own server. With *cache*, it also caches responses of `vitrined`.\n" +
		"`go test -tags proof ./internal/edge/config -update` runs the contract's tests against each configuration and writes this page.\n" +
		"\n" +
		"- **exact**: every response matches the contract.\n" +
		"- **approximate**: responses differ from the contract only as the numbered notes describe.\n" +
		"- **absent**: the server lacks this behavior. With *files*, a server doesn't count requests. To a malformed request, every\n" +
		"  server sends its own error response.\n" +
		"- **–**: doesn't apply, because the configuration doesn't cache.\n" +
		"\n")
	b.WriteString("These behaviors are exact with every configuration:\n\n")
	for _, row := range behaviors() {
		if exactEverywhere(found, row.File) {
			fmt.Fprintf(&b, "- %s\n", row.Title)
		}
	}
	b.WriteString("\nThis table shows the other behaviors:\n\n| Behavior |")
	for _, o := range found {
		fmt.Fprintf(&b, " %s |", o.Title)
	}
	b.WriteString("\n|---|" + strings.Repeat("---|", len(found)) + "\n")
	var notes []string
	for _, row := range behaviors() {
		if exactEverywhere(found, row.File) {
			continue
		}
		fmt.Fprintf(&b, "| %s |", row.Title)
		for _, o := range found {
			r := o.Behaviors[row.File]
			b.WriteString(" " + r.Level)
			var named []int
			for _, d := range r.Differences {
				i := slices.Index(notes, d)
				if i < 0 {
					notes = append(notes, d)
					i = len(notes) - 1
				}
				named = append(named, i)
			}
			slices.Sort(named)
			for _, i := range named {
				fmt.Fprintf(&b, " (%d)", i+1)
			}
			b.WriteString(" |")
		}
		b.WriteString("\n")
	}
	b.WriteString("\n")
	for i, n := range notes {
		fmt.Fprintf(&b, "%d. %s\n", i+1, n)
	}
	b.WriteString("\nRandomized tests (`make edges-differential`) also found these differences from `vitrined`:\n\n")
	for _, d := range random(found) {
		fmt.Fprintf(&b, "- %s: %s\n", strings.Join(d.titles, "; "), d.why)
	}
	return b.String()
}

// exactEverywhere reports whether a behavior is exact with all configurations.
func exactEverywhere(found []*outcome, file string) bool {
	return !slices.ContainsFunc(found, func(o *outcome) bool { return o.Behaviors[file].Level != "exact" })
}

// shared is a difference, and the titles of the configurations that have it.
type shared struct {
	why    string
	titles []string
}

// random returns the differences that only random requests show, each once.
func random(found []*outcome) []*shared {
	var all []*shared
	for _, o := range found {
		for _, why := range o.Random {
			i := slices.IndexFunc(all, func(d *shared) bool { return d.why == why })
			if i < 0 {
				all = append(all, &shared{why: why})
				i = len(all) - 1
			}
			all[i].titles = append(all[i].titles, o.Title)
		}
	}
	return all
}
