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
		"[The contract](contract.md) specifies a site's HTTP responses. This page shows which parts of it each web server fulfills with\n" +
		"the configuration from `vitrine config`.\n\n" +
		"With every server, these behaviors match the contract:\n\n")
	for _, row := range behaviors() {
		if everywhere(found, row.File, "exact") {
			fmt.Fprintf(&b, "- %s\n", row.Title)
		}
	}
	b.WriteString("\nEvery server itself determines these behaviors:\n\n")
	for _, row := range behaviors() {
		if everywhere(found, row.File, "absent") {
			fmt.Fprintf(&b, "- %s\n", row.Title)
		}
	}
	b.WriteString("\nThis table shows the other behaviors. Each column is a configuration:\n\n" +
		"- **files**: the server sends the build's files itself.\n" +
		"- **proxy**: the server forwards every request to `vitrined`, Vitrine's own server.\n" +
		"- **cache**: the server forwards requests to `vitrined`, and caches the responses.\n\n" +
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
		{"absent", "the server lacks this behavior, because it does not count requests."},
		{"–", "the behavior does not apply to this configuration."},
	} {
		if slices.Contains(levels, l[0]) {
			fmt.Fprintf(&b, "- **%s**: %s\n", l[0], l[1])
		}
	}
	b.WriteString("\n## Differences\n\nThe contract's tests found differences only for malformed or rare requests. Visitors notice at most a link with a wrong escape, such\n" +
		"as `/%zz`, which shows a 400 error instead of the site's page for missing pages:\n\n")
	var differences, random []*shared
	for _, o := range found {
		for _, row := range behaviors() {
			for _, why := range o.Behaviors[row.File].Differences {
				differences = share(differences, why, o.Title)
			}
		}
		for _, why := range o.Random {
			random = share(random, why, o.Title)
		}
	}
	writeShared(&b, differences)
	b.WriteString("\nRandomized tests (`make edges-differential`) also found these differences from `vitrined`:\n\n")
	writeShared(&b, random)
	b.WriteString("\nTo repeat the contract's tests and rewrite this page, run `go test -tags proof ./internal/edge/config -update`.\n")
	return b.String()
}

// everywhere reports whether a behavior has the same level with all configurations.
func everywhere(found []*outcome, file, level string) bool {
	return !slices.ContainsFunc(found, func(o *outcome) bool { return o.Behaviors[file].Level != level })
}

// shared is a difference, and the titles of the configurations that have it.
type shared struct {
	why    string
	titles []string
}

// share returns all with the difference why, which title's configuration has. It lists each difference once.
func share(all []*shared, why, title string) []*shared {
	i := slices.IndexFunc(all, func(d *shared) bool { return d.why == why })
	if i < 0 {
		i = len(all)
		all = append(all, &shared{why: why})
	}
	if !slices.Contains(all[i].titles, title) {
		all[i].titles = append(all[i].titles, title)
	}
	return all
}

// writeShared writes a table of differences in Markdown.
func writeShared(b *strings.Builder, all []*shared) {
	b.WriteString("Configurations | Difference\n---|---\n")
	for _, d := range all {
		fmt.Fprintf(b, "%s | %s\n", configurations(d.titles), d.why)
	}
}

// configurations joins titles of configurations, such as "nginx, files and cache; Apache, proxy".
func configurations(titles []string) string {
	var b strings.Builder
	last := ""
	for _, title := range titles {
		server, use, _ := strings.Cut(title, ", ")
		switch last {
		case server:
			b.WriteString(" and " + use)
		case "":
			b.WriteString(title)
		default:
			b.WriteString("; " + title)
		}
		last = server
	}
	return b.String()
}
