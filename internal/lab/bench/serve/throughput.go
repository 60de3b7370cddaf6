package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// exchange is a kind of request that all servers answer.
type exchange struct {
	name string
	path string // for vitrined
	file string // for those that serve files
	// coding is the Accept-Encoding; conditional asks with the ETag.
	coding      string
	conditional bool
	status      int
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

// sample is what one round of one server gave.
type sample struct {
	rate float64       // answers a second
	cpu  time.Duration // of the server, for an answer
}

// ask plays one round of an exchange against a server with wrk on the second
// core.
func (s *settings) ask(ctx context.Context, to *server, e exchange, fields http.Header) (sample, error) {
	path := e.path
	if to.html {
		path = e.file
	}
	arguments := []string{"-t", "1", "-c", strconv.Itoa(s.connections), "-d", fmt.Sprintf("%ds", max(1, int(s.length/time.Second)))}
	for name, values := range fields {
		arguments = append(arguments, "-H", name+": "+values[0])
	}
	before := cpuTime(to.cmd.Process.Pid)
	out, err := s.pinned(ctx, clientCore, "wrk", append(arguments, to.base+path)...).Output()
	if err != nil {
		return sample{}, fmt.Errorf("wrk: %w", err)
	}
	used := cpuTime(to.cmd.Process.Pid) - before
	var r sample
	answers := 1.0
	for line := range strings.Lines(string(out)) {
		words := strings.Fields(line)
		switch {
		case len(words) == 2 && words[0] == "Requests/sec:":
			r.rate, err = strconv.ParseFloat(words[1], 64)
		case len(words) > 3 && words[1] == "requests":
			answers, err = strconv.ParseFloat(words[0], 64)
		case strings.Contains(line, "Socket errors"):
			return r, fmt.Errorf("%s: %s", to.name, strings.TrimSpace(line))
		}
		if err != nil {
			return r, err
		}
	}
	r.cpu = time.Duration(float64(used) / answers)
	return r, nil
}

// cpuTime is what a process and its children have used so far.
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

// children are the processes that a process started.
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

// fieldsFor returns the request fields of an exchange for a server, after
// asking once to see that the answer is what it should be.
func fieldsFor(to *server, e exchange) (http.Header, error) {
	fields := make(http.Header)
	if e.coding != "" {
		fields.Set("Accept-Encoding", e.coding)
	}
	path := e.path
	if to.html {
		path = e.file
	}
	_, etag, err := fetch(to.base+path, fields)
	if err != nil {
		return nil, err
	}
	if e.conditional {
		fields.Set("If-None-Match", etag)
	}
	status, _, err := fetch(to.base+path, fields)
	if err == nil && status != e.status {
		err = fmt.Errorf("%s answers %s with %d", to.name, e.name, status)
	}
	return fields, err
}

// throughput plays every exchange against every server, in turns, and prints
// the ratios.
func (s *settings) throughput(ctx context.Context, servers []*server) error {
	fmt.Println("Answers a second of the fast engine and of each peer, and CPU time of the server for an answer. Ratios are medians (least–greatest) of")
	fmt.Println("paired rounds; \"by CPU\" is nginx's CPU time ÷ ours, which other work on the machine disturbs less.")
	fmt.Printf("\n| | ours | nginx | ÷ nginx | ÷ nginx by CPU | ÷ Caddy | ÷ net/http, ready body | ÷ our net/http engine |\n|---|---|---|---|---|---|---|---|\n")
	for _, e := range exchanges() {
		if !s.only.MatchString(e.name) {
			continue
		}
		samples, err := s.play(ctx, servers, e)
		if err != nil {
			return err
		}
		ours, peers := samples["vitrined fast"], samples
		with, without := peers["nginx, sendfile on"], peers["nginx, sendfile off"]
		nginx, thrifty := better(with, without, rate), better(with, without, thrift)
		fmt.Printf("| %s | %s | %s | %s | %s | %s | %s | %s |\n", e.name, show(ours), show(nginx), ratio(ours, nginx, rate), ratio(ours, thrifty, thrift),
			ratio(ours, peers["Caddy"], rate), ratio(ours, peers["net/http, ready body"], rate), ratio(ours, peers["vitrined net/http"], rate))
	}
	return nil
}

func (s *settings) play(ctx context.Context, servers []*server, e exchange) (map[string][]sample, error) {
	samples := make(map[string][]sample)
	fields := make(map[string]http.Header)
	for _, to := range servers {
		var err error
		if fields[to.name], err = fieldsFor(to, e); err != nil {
			return nil, err
		}
	}
	for range s.rounds {
		for _, to := range servers {
			r, err := s.ask(ctx, to, e, fields[to.name])
			if err != nil {
				return nil, err
			}
			samples[to.name] = append(samples[to.name], r)
		}
	}
	return samples, nil
}

// refused compares 429 with JSON 200.
func (s *settings) refused(ctx context.Context, free *server, site string) error {
	spent, err := s.launchVitrined(ctx, "fast", site, "1/24h")
	if err != nil {
		return err
	}
	defer spent.stop()
	if _, _, err := fetch(spent.base+"/api/v1/marketing", nil); err != nil {
		return err
	}
	spent.name = "429"
	e := exchanges()[0]
	var refused, answered []sample
	for range s.rounds {
		r, err := s.ask(ctx, spent, e, nil)
		if err != nil {
			return err
		}
		a, err := s.ask(ctx, free, e, nil)
		if err != nil {
			return err
		}
		refused, answered = append(refused, r), append(answered, a)
	}
	fmt.Printf("\n429 ÷ JSON 200: %s, by CPU %s (%s against %s)\n", ratio(refused, answered, rate), ratio(refused, answered, thrift), show(refused), show(answered))
	return nil
}

// rate and thrift are what samples are compared by: the more the better.
func rate(s sample) float64   { return s.rate }
func thrift(s sample) float64 { return float64(time.Second) / float64(max(s.cpu, 1)) }

// better returns the samples with the greater median.
func better(a, b []sample, by func(sample) float64) []sample {
	if median(values(a, by)) >= median(values(b, by)) {
		return a
	}
	return b
}

func values(all []sample, by func(sample) float64) []float64 {
	var v []float64
	for _, s := range all {
		v = append(v, by(s))
	}
	return v
}

func median(all []float64) float64 {
	if len(all) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(all))
	return sorted[len(sorted)/2]
}

// ratio shows the ratios of paired rounds: the median, the least and the
// greatest.
func ratio(a, b []sample, by func(sample) float64) string {
	if len(b) == 0 {
		return "–"
	}
	var all []float64
	for i := range a {
		all = append(all, by(a[i])/by(b[i]))
	}
	return fmt.Sprintf("**%.2f** (%.2f–%.2f)", median(all), slices.Min(all), slices.Max(all))
}

// show shows the median rate, and the median CPU time of an answer.
func show(all []sample) string {
	return fmt.Sprintf("%.0f, %.1f µs", median(values(all, rate)), 1e6/median(values(all, thrift)))
}
