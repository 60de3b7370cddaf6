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

// tableText returns the page in Markdown.
func tableText(found []*outcome) string {
	var b strings.Builder
	b.WriteString("<!-- ---\ndescription: \"Which parts of the contract nginx, Caddy, Varnish, Apache, and h2o support, as proven by tests.\"\nsidebar: Servers, compared\norder: 8\naliases: [/capabilities-servers]\n--- -->\n\n" +
		"# Web server support <a id=\"support-by-web-servers\"></a>\n\n" +
		"[The contract](contract.md) specifies a site's HTTP responses. With the configurations from `vitrine config`, the web servers on this\n" +
		"page fulfill most of it. Visitors notice only one difference: a link with an invalid escape, such as `/%zz`, shows a 400 error instead\n" +
		"of the site's 404 page.\n\n" +
		"With every server, these behaviors match the contract:\n\n")
	for _, row := range behaviors() {
		if everywhere(found, row.File, "exact") {
			fmt.Fprintf(&b, "- %s\n", row.Title)
		}
	}
	b.WriteString("\nA configuration cannot change these behaviors, so they differ from server to server:\n\n")
	for _, row := range behaviors() {
		if everywhere(found, row.File, "absent") {
			fmt.Fprintf(&b, "- %s\n", row.Title)
		}
	}
	b.WriteString("\nThis table shows the other behaviors. Each column is a configuration:\n\n" +
		"- **files**: the server sends the build's files itself.\n" +
		"- **proxy**: the server forwards every request to `vitrined`, Vitrine's own server.\n" +
		"- **cache**: the server forwards requests to `vitrined` and caches the responses.\n\n" +
		"Behavior")
	for _, o := range found {
		fmt.Fprintf(&b, " | %s", o.Title)
	}
	b.WriteString("\n---" + strings.Repeat("|---", len(found)) + "\n")
	var levels []string
	for _, row := range behaviors() {
		if everywhere(found, row.File, "exact") || everywhere(found, row.File, "absent") {
			continue
		}
		b.WriteString(row.Title)
		for _, o := range found {
			level := o.Behaviors[row.File].Level
			levels = append(levels, level)
			fmt.Fprintf(&b, " | %s", level)
		}
		b.WriteString("\n")
	}
	b.WriteString("\n")
	for _, l := range [][2]string{
		{"exact", "every response matches the contract."},
		{"approximate", "some responses differ, as [Differences](#differences) describes."},
		{"absent", "the server lacks this behavior because it does not count requests."},
		{"–", "the behavior does not apply to this configuration."},
	} {
		if slices.Contains(levels, l[0]) {
			fmt.Fprintf(&b, "- **%s**: %s\n", l[0], l[1])
		}
	}
	b.WriteString("\n## Differences\n\nThe contract's tests and randomized tests (`make edges-differential`) found these differences from `vitrined`. Most of\n" +
		"them concern malformed or rare requests.\n")
	var differences []*shared
	for _, o := range found {
		for _, row := range behaviors() {
			for _, why := range o.Behaviors[row.File].Differences {
				differences = share(differences, why, o.Title)
			}
		}
		for _, why := range o.Random {
			differences = share(differences, why, o.Title)
		}
	}
	writeShared(&b, differences)
	return b.String()
}

// everywhere reports whether a behavior has the same level with all configurations.
func everywhere(found []*outcome, file, level string) bool {
	return !slices.ContainsFunc(found, func(o *outcome) bool { return o.Behaviors[file].Level != level })
}

// shared is a difference, and the configurations of a server that have it, such as "nginx, files and cache".
type shared struct{ why, titles string }

// share adds the difference why of the configuration called title to all, and returns the result. If another
// configuration of the same server has the difference, share adds title to that entry.
func share(all []*shared, why, title string) []*shared {
	server, use, _ := strings.Cut(title, ", ")
	i := slices.IndexFunc(all, func(d *shared) bool { return d.why == why && strings.HasPrefix(d.titles, server+", ") })
	switch {
	case i < 0:
		all = append(all, &shared{why, title})
	case all[i].titles != title && !strings.HasSuffix(all[i].titles, " and "+use):
		all[i].titles += " and " + use
	}
	return all
}

// writeShared writes a list of differences for each set of configurations, in Markdown.
func writeShared(b *strings.Builder, all []*shared) {
	var sets []string
	for _, d := range all {
		if !slices.Contains(sets, d.titles) {
			sets = append(sets, d.titles)
		}
	}
	for _, titles := range sets {
		fmt.Fprintf(b, "\n### %s\n\n", titles)
		for _, d := range all {
			if d.titles == titles {
				fmt.Fprintf(b, "- %s\n", d.why)
			}
		}
	}
}
