//go:build linux

package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"vitrine/internal/lab/bench/paired"
)

// exchange is a kind of request that all servers support, with the status that its response must have.
type exchange struct {
	name string
	path string // path on vitrined
	file string // path on file servers
	// coding is the value of Accept-Encoding, or "" to omit it.
	coding string
	// conditional reports whether requests contain If-None-Match.
	conditional bool
	// status is the required status of the responses.
	status int
}

func exchanges() []exchange {
	const operation, file = "/api/v1/marketing", "/api/v1/marketing.json"
	return []exchange{
		{name: "JSON 200", path: operation, file: file, status: 200},
		{name: "JSON 304", path: operation, file: file, conditional: true, status: 304},
		{name: "Markdown 200", path: "/page-0.md", file: "/page-0.md", status: 200},
		{name: "HTML 20 KB", path: "/page-0", file: "/page-0.html", status: 200},
		{name: "HTML 20 KB, gzip", path: "/page-0", file: "/page-0.html", coding: "gzip", status: 200},
	}
}

// connections is the number of concurrent clients.
const connections = 64

// ask runs one round of an exchange against a server, with wrk on the client's cores, and returns the wall time and the
// server's CPU time per response.
func (s *settings) ask(ctx context.Context, to *server, e exchange, fields http.Header) (sample paired.Sample, err error) {
	threads := strconv.Itoa(1 + strings.Count(s.clientCores, ","))
	arguments := []string{"-t", threads, "-c", strconv.Itoa(connections), "-d", fmt.Sprintf("%ds", max(1, int(s.length/time.Second)))}
	for name, values := range fields {
		arguments = append(arguments, "-H", name+": "+values[0])
	}
	before := cpuTime(to.cmd.Process.Pid)
	out, err := pinned(ctx, s.clientCores, "wrk", append(arguments, to.url(e))...).Output()
	if err != nil {
		return sample, fmt.Errorf("wrk: %w", err)
	}
	used := cpuTime(to.cmd.Process.Pid) - before
	rate, answers := 1.0, 1.0
	for line := range strings.Lines(string(out)) {
		words := strings.Fields(line)
		switch {
		case len(words) == 2 && words[0] == "Requests/sec:":
			rate, err = strconv.ParseFloat(words[1], 64)
		case len(words) > 3 && words[1] == "requests":
			answers, err = strconv.ParseFloat(words[0], 64)
		case strings.Contains(line, "Socket errors"):
			return sample, fmt.Errorf("%s: %s", to.name, strings.TrimSpace(line))
		}
		if err != nil {
			return sample, err
		}
	}
	if rate == 0 || answers == 0 {
		return sample, fmt.Errorf("%s did not respond in a round: the machine is too busy to measure", to.name)
	}
	return paired.Sample{Wall: time.Duration(float64(time.Second) / rate), CPU: time.Duration(float64(used) / answers)}, nil
}

// cpuTime returns the CPU time used so far by a process and its children.
func cpuTime(pid int) time.Duration {
	const tick = 10 * time.Millisecond // USER_HZ is 100 on every Linux
	var total time.Duration
	for _, p := range append(children(pid), pid) {
		data, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(p), "stat"))
		if err != nil {
			continue
		}
		_, rest, _ := strings.Cut(string(data), ") ")
		fields := strings.Fields(rest)
		if len(fields) < 13 {
			continue
		}
		for _, f := range fields[11:13] {
			n, _ := strconv.Atoi(f)
			total += time.Duration(n) * tick
		}
	}
	return total
}

// children returns the IDs of a process's children.
func children(pid int) []int {
	data, _ := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/children", pid, pid))
	var all []int
	for _, f := range strings.Fields(string(data)) {
		if n, err := strconv.Atoi(f); err == nil {
			all = append(all, n)
		}
	}
	return all
}

// url returns the URL of e on the server.
func (to *server) url(e exchange) string {
	if to.html {
		return to.base + e.file
	}
	return to.base + e.path
}

// fieldsFor returns the header fields of requests for an exchange with a server. It returns an error if the response to
// such a request doesn't have the required status.
func fieldsFor(to *server, e exchange) (http.Header, error) {
	fields := make(http.Header)
	if e.coding != "" {
		fields.Set("Accept-Encoding", e.coding)
	}
	_, etag, err := fetch(to.url(e), fields)
	if err != nil {
		return nil, err
	}
	if e.conditional {
		fields.Set("If-None-Match", etag)
	}
	status, _, err := fetch(to.url(e), fields)
	if err == nil && status != e.status {
		err = fmt.Errorf("%s responds to %q with status %d, want %d", to.name, e.name, status, e.status)
	}
	return fields, err
}

// throughput runs every exchange against every server, in alternating order, and prints the ratios.
func (s *settings) throughput(ctx context.Context, servers []*server) error {
	fmt.Printf("\n#### Plain HTTP/1.1 on one core\n\n")
	fmt.Println("Responses per second of the fast engine and of each peer, and the server's CPU time per response. Ratios are medians (least–greatest) of")
	fmt.Println("paired rounds; \"by CPU\" is nginx's CPU time ÷ ours, which is less affected by other work on the machine.")
	fmt.Printf("\n| | bar of ÷ nginx | ours | nginx | ÷ nginx | ÷ nginx by CPU | ÷ h2o | ÷ Caddy | ÷ net/http, ready body | ÷ our net/http engine |\n|---|---|---|---|---|---|---|---|---|---|\n")
	for _, e := range exchanges() {
		if !s.only.MatchString(e.name) {
			continue
		}
		results, err := s.play(ctx, e, servers...)
		if err != nil {
			return err
		}
		// Compare with the better of the two nginx servers, which may differ by wall time and by CPU time.
		nginx, thrifty := quicker(results, paired.Wall), quicker(results, paired.CPU)
		wall := func(peer string) paired.Ratio { return results.Ratio(peer, fast, paired.Wall) }
		fmt.Printf("| %s | %s | %s | %s | %s | %s | %s | %s | %s | %s |\n", e.name, atLeast(1, wall(nginx)), show(results, fast), show(results, nginx), wall(nginx),
			results.Ratio(thrifty, fast, paired.CPU), wall(h2o), wall(caddy), wall(ready), wall(plain))
	}
	return nil
}

// play runs an exchange against the servers in alternating rounds.
func (s *settings) play(ctx context.Context, e exchange, servers ...*server) (paired.Results, error) {
	match := paired.Match{Rounds: s.rounds}
	for _, to := range servers {
		fields, err := fieldsFor(to, e)
		if err != nil {
			return nil, err
		}
		match.Contestants = append(match.Contestants, paired.Contestant{Name: to.name, Run: func(ctx context.Context, _ int) (paired.Sample, error) {
			return s.ask(ctx, to, e, fields)
		}})
	}
	return match.Run(ctx)
}

// refused compares 429 and 200 responses of the JSON API.
func (s *settings) refused(ctx context.Context, free *server, site string) error {
	spent, err := s.launchVitrined(ctx, "fast", site, "1/24h")
	if err != nil {
		return err
	}
	defer spent.stop()
	e := exchanges()[0]
	if _, _, err := fetch(spent.url(e), nil); err != nil {
		return err
	}
	spent.name = "429"
	match := paired.Match{Rounds: s.rounds, Contestants: []paired.Contestant{
		{Name: spent.name, Run: func(ctx context.Context, _ int) (paired.Sample, error) { return s.ask(ctx, spent, e, nil) }},
		{Name: free.name, Run: func(ctx context.Context, _ int) (paired.Sample, error) { return s.ask(ctx, free, e, nil) }},
	}}
	results, err := match.Run(ctx)
	if err != nil {
		return err
	}
	fmt.Printf("\nResponses with 429 per second ÷ responses with JSON per second: %s, by CPU time %s (%s and %s)\n", results.Ratio(free.name, spent.name, paired.Wall),
		results.Ratio(free.name, spent.name, paired.CPU), show(results, spent.name), show(results, free.name))
	return nil
}

// quicker returns the name of the nginx server with the lower median cost.
func quicker(results paired.Results, by func(paired.Sample) float64) string {
	if results.Median(nginxNamed+"on", by) <= results.Median(nginxNamed+"off", by) {
		return nginxNamed + "on"
	}
	return nginxNamed + "off"
}

// atLeast and atMost format a bar and whether a ratio meets it.
func atLeast(bar float64, r paired.Ratio) string { return shown("≥", bar, r.Median >= bar) }
func atMost(bar float64, r paired.Ratio) string  { return shown("≤", bar, r.Median <= bar) }

func shown(sign string, bar float64, met bool) string {
	if met {
		return fmt.Sprintf("%s %g: met", sign, bar)
	}
	return fmt.Sprintf("%s %g: missed", sign, bar)
}

// show formats a server's median rate and median CPU time per response, or returns a dash if there are no samples.
func show(results paired.Results, name string) string {
	if len(results[name]) == 0 {
		return "–"
	}
	return fmt.Sprintf("%.0f, %.1f µs", 1/results.Median(name, paired.Wall), 1e6*results.Median(name, paired.CPU))
}
