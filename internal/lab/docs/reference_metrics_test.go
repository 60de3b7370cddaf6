package docs_test

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"net/http"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"vitrine/internal/lab/rig"
)

// metricsPage returns the reference page for the metrics, as described by a running server.
func metricsPage(t *testing.T, vitrined, out string) string {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	addr, admin := fmt.Sprintf("127.0.0.1:%d", freePort(t)), fmt.Sprintf("127.0.0.1:%d", freePort(t))
	server := exec.CommandContext(ctx, vitrined, "-dir", out, "-addr", addr, "-admin", admin)
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { cancel(); _ = server.Wait() }()
	rig.Listens(t, admin)
	get := func(url string) string {
		response, err := http.Get(url)
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close()
		text, err := io.ReadAll(response.Body)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	get("http://" + addr + "/")
	families := metricFamilies(get("http://" + admin + "/metrics"))
	if len(families) < 40 {
		t.Errorf("%d families of metrics", len(families))
	}
	var b strings.Builder
	b.WriteString(page("Metrics", "Every metric of vitrined at /metrics on its admin address, in the Prometheus text format.", "Metrics", 10))
	b.WriteString("`vitrined` serves these metrics at `/metrics` on its admin address. For example, with the flag `--admin 127.0.0.1:9090`, the metrics are at\n" +
		"`http://127.0.0.1:9090/metrics`. [Monitor a site](../guides/monitor.md) provides ready-made alerts and a dashboard.\n")
	for _, part := range [][3]string{
		{"vitrine_", "Site and server", "[Values of labels](#values-of-labels) explains the labels `class`, `reason`, `reader`, and `representation`.\n\n"},
		{"process_", "Process", "The metrics for memory and file descriptors are available only on Linux.\n\n"},
		{"go_", "Go runtime", ""},
	} {
		fmt.Fprintf(&b, "\n## %s\n\n%s| Metric | Type | Labels | Meaning |\n|---|---|---|---|\n", part[1], part[2])
		for _, f := range families {
			if strings.HasPrefix(f.name, part[0]) {
				labels := strings.Join(f.labels, "`, `")
				if labels != "" {
					labels = "`" + labels + "`"
				}
				fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", f.name, f.kind, cmp.Or(labels, "–"), withoutValues.ReplaceAllString(f.help, ""))
			}
		}
		if part[0] == "vitrine_" {
			b.WriteString(labelValues)
		}
	}
	return b.String()
}

// withoutValues matches the list of a label's values in a description. The page has a table of all values instead.
var withoutValues = regexp.MustCompile(" \\(`[^)]*`\\)")

// labelValues is the section about the labels' values.
const labelValues = "\n### Values of labels\n\n" +
	"| Label | Value | Meaning |\n|---|---|---|\n" +
	"| `class` | `page` | a page, as HTML or Markdown |\n" +
	"| `class` | `file` | another file, or a page's `.md` address |\n" +
	"| `class` | `operation` | the JSON API, `/api/v1/marketing`, which returns the facts about the product |\n" +
	"| `class` | `redirect` | an old address of a page |\n" +
	"| `class` | `none` | an address that does not exist on the site |\n" +
	"| `reason` | `ok`, `not-modified`, `redirect`, `options` | a successful response |\n" +
	"| `reason` | `probe` | a response to a health check |\n" +
	"| `reason` | the name of a problem, such as `not-found` | an error; the site's page `/problems` lists and explains the problems |\n" +
	"| `reader` | `people` | a browser, or a program that claims to be one |\n" +
	"| `reader` | `search` | a search engine |\n" +
	"| `reader` | `ai-search` | a program that builds the index of an AI assistant |\n" +
	"| `reader` | `ai-user` | an AI assistant that reads a page for a user |\n" +
	"| `reader` | `ai-training` | a program that collects text to train models |\n" +
	"| `reader` | `feeds` | a feed reader |\n" +
	"| `reader` | `tool` | the site's command-line tool |\n" +
	"| `reader` | `other` | any other program, such as a monitor |\n" +
	"| `representation` | `html`, `markdown` | a page in one of these formats |\n" +
	"| `representation` | `llms` | `llms.txt` or `llms-full.txt` |\n" +
	"| `representation` | `json` | the JSON API, or a file whose name ends in `.json` |\n" +
	"| `representation` | `feed` | a feed of articles or of changes |\n" +
	"| `representation` | `tool` | the site's command-line tool |\n" +
	"| `representation` | `asset` | a stylesheet, a script, a picture, a font, or a video |\n" +
	"| `representation` | `page` | any other address without a file extension |\n" +
	"| `representation` | `rest` | any other file, such as `sitemap.xml` |\n"

// metricFamily is a metric family as described by the server.
type metricFamily struct {
	name, kind, help string
	labels           []string
}

// metricFamilies parses metric families in the Prometheus text format.
func metricFamilies(text string) []*metricFamily {
	var all []*metricFamily
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if rest, ok := strings.CutPrefix(line, "# HELP "); ok {
			name, help, _ := strings.Cut(rest, " ")
			all = append(all, &metricFamily{name: name, help: help})
			continue
		}
		f := all[len(all)-1]
		if rest, ok := strings.CutPrefix(line, "# TYPE "); ok {
			_, f.kind, _ = strings.Cut(rest, " ")
			continue
		}
		for _, l := range regexp.MustCompile(`([a-z_]+)="`).FindAllStringSubmatch(line, -1) {
			if l[1] != "le" && !slices.Contains(f.labels, l[1]) {
				f.labels = append(f.labels, l[1])
			}
		}
	}
	return all
}
