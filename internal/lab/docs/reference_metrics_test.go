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
	b.WriteString("`vitrined --admin 127.0.0.1:9090` serves these metrics at `/metrics`. [Monitor a site](../guides/monitor.md) provides ready-made alerts and a dashboard. The *operation* returns the facts about the product as JSON.\n\n| Metric | Type | Labels | Meaning |\n|---|---|---|---|\n")
	for _, f := range families {
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", f.name, f.kind, cmp.Or(strings.Join(f.labels, ", "), "–"), f.help)
	}
	b.WriteString("\nReasons are `ok`, `not-modified`, `redirect`, `options`, `probe`, and the names of the [problems](http.md) in responses. The route class `none` is a path without a resource. The metrics for the memory and file descriptors of the process are available only on Linux.\n" +
		"\n`vitrine_reads_total` has these representations:\n\n" +
		"- `html` and `markdown`: a page in one of these formats\n" +
		"- `llms`: `llms.txt` or `llms-full.txt`\n" +
		"- `json`: the operation, or a file whose name ends in `.json`\n" +
		"- `feed`: a feed of articles or of changes\n" +
		"- `tool`: the site's command-line tool, which is also a kind of reader\n" +
		"- `asset`: a stylesheet, a script, a picture, a font, or a video\n" +
		"- `page`: another address without a file extension\n" +
		"- `rest`: any other file, such as `sitemap.xml`\n")
	return b.String()
}

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
