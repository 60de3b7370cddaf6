package docs_test

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"vitrine/internal/lab/rig"
)

// metricMeanings describes each metric.
func metricMeanings() map[string]string {
	return map[string]string{
		"vitrine_requests_total":                       "Responses, by route class (`page`, `file`, `operation`, `redirect`, `none`), status and reason",
		"vitrine_reads_total":                          "Responses with status 200 and 304, by reader (`people`, `search`, `ai-search`, `ai-user`, `ai-training`, `feeds`, `tool`, `other`) and representation (`html`, `markdown`, `llms`, `json`, `feed`, `tool`, `asset`, `page`, `rest`)",
		"vitrine_allowance_limit":                      "Requests allowed in a window",
		"vitrine_allowance_window_seconds":             "The length of the window",
		"vitrine_allowance_remaining":                  "Requests left in the current window",
		"vitrine_build_info":                           "Always 1; `build` names the build being served",
		"vitrine_program_info":                         "Always 1; version, revision, and Go release of the server",
		"vitrine_build_damaged":                        "1 if the build in the folder was damaged when the server started",
		"vitrine_build_fallback":                       "1 if the previous build is served instead",
		"vitrine_reloads_total":                        "Reloads of the build, by result: `ok` or `refused`",
		"vitrine_certificate_reloads_total":            "Reloads of the certificate, by result",
		"vitrine_connections":                          "Open connections",
		"vitrine_connections_limit":                    "Maximum number of open connections",
		"vitrine_connections_refused_total":            "Connections closed because there were too many",
		"vitrine_connections_handed_over_total":        "Connections passed to net/http, for requests that the fast engine does not support",
		"vitrine_connections_memory_bytes":             "Memory of all connections, as accounted by the server",
		"vitrine_connections_memory_limit_bytes":       "Maximum memory of all connections",
		"vitrine_connections_closed_for_memory_total":  "Connections closed because all connections used too much memory",
		"vitrine_next_due_timestamp_seconds":           "When the next scheduled page is due, in Unix seconds; 0 if no page is scheduled",
		"vitrine_access_log_dropped_total":             "Lines of the request log that were dropped because no reader took them",
		"vitrine_http2_errors_total":                   "Streams reset and connections ended because of client errors, by HTTP/2 error code",
		"vitrine_certificate_expiry_timestamp_seconds": "Expiry of the certificate in use, in Unix seconds; only with HTTPS",
	}
}

// metricsPage requests the metrics of a running server.
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
	meanings := metricMeanings()
	// Metrics that need https, or a client's mistake, are absent here.
	names := map[string]string{"vitrine_http2_errors_total": "error", "vitrine_certificate_expiry_timestamp_seconds": ""}
	process := 0
	for _, m := range regexp.MustCompile(`(?m)^([a-z_0-9]+)(?:\{(.*)\})? `).FindAllStringSubmatch(get("http://"+admin+"/metrics"), -1) {
		if strings.HasPrefix(m[1], "process_") {
			process++
			continue
		}
		var labels []string
		for _, l := range regexp.MustCompile(`([a-z_]+)="`).FindAllStringSubmatch(m[2], -1) {
			labels = append(labels, l[1])
		}
		names[m[1]] = strings.Join(labels, ", ")
	}
	if process == 0 {
		t.Error("the metrics of the process are missing")
	}
	var b strings.Builder
	b.WriteString(page("Metrics", "Every metric of vitrined at /metrics on its admin address, in the Prometheus text format.", "Metrics", 10))
	b.WriteString("`vitrined --admin 127.0.0.1:9090` serves these at `/metrics`. [Monitor a site](../guides/monitor.md) has alerts that use them.\n\n| Metric | Labels | Meaning |\n|---|---|---|\n")
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if strings.HasPrefix(name, "vitrine_") && meanings[name] == "" {
			t.Errorf("%s has no description", name)
		}
		if strings.HasPrefix(name, "vitrine_") {
			fmt.Fprintf(&b, "| `%s` | %s | %s |\n", name, cmp.Or(names[name], "–"), meanings[name])
		}
	}
	for name := range meanings {
		if _, ok := names[name]; !ok {
			t.Errorf("unknown metric %s", name)
		}
	}
	b.WriteString("| `process_…` | – | Memory, CPU time, and file descriptors of the process |\n\nReasons are `ok`, `not-modified`, `redirect`, `options`, and the names of the [problems](http.md) in responses. The `go_…` metrics describe the Go runtime.\n")
	return b.String()
}
