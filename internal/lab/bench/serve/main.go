//go:build linux

// Command serve compares the speed of vitrined, nginx, Caddy, and a Go net/http handler with prepared bodies. It runs
// the servers on this machine in short rounds, in alternating order, and compares them by the ratios within each round:
//
//	go run ./internal/lab/bench/serve
//
// One core serves, and another sends requests. The command needs Linux, taskset, wrk, and nginx, and h2load for the
// secure part. It skips Caddy and h2o if they are missing. All except Caddy are in Debian; the command prints how to
// install Caddy. It prints Markdown tables and takes several minutes; -rounds and -for shorten a run.
package main

import (
	"context"
	"debug/buildinfo"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"vitrine/internal/lab/bench/paired"
)

// settings contains the flag values and the state that prepare sets up.
type settings struct {
	rounds int
	length time.Duration
	caddy  string
	only   *regexp.Regexp
	parts  string
	// dir contains all generated files and is removed at the end.
	dir string
	// vitrined is the path of the measured program, and self is the path of this program.
	vitrined, self string
	// serverCores and clientCores are the cores of servers and clients, such as "0,1".
	serverCores, clientCores string
}

func main() {
	s := settings{serverCores: "0", clientCores: "1"}
	ready := flag.String("ready", "", "only serve ready bodies on an `address`, for the comparison with net/http")
	flag.IntVar(&s.rounds, "rounds", 5, "the `number` of rounds of each case")
	flag.DurationVar(&s.length, "for", time.Second, "the `duration` of one server's round, in whole seconds")
	flag.StringVar(&s.caddy, "caddy", ".tools/bin/caddy", "the Caddy `program`; without it, Caddy is skipped")
	only := flag.String("only", "", "a regular `expression`: cases whose name does not match are skipped")
	flag.StringVar(&s.parts, "parts", "secure,throughput,cores,latency,start,memory", "the parts to measure, separated by commas")
	flag.Parse()
	if *ready != "" {
		fail(serveReady(*ready))
		return
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	s.only = regexp.MustCompile(*only)
	fail(s.prepare(ctx))
	err := s.measure(ctx)
	_ = os.RemoveAll(s.dir)
	fail(err)
}

func fail(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// prepare checks that the required tools exist, creates a folder, and compiles the program to measure.
func (s *settings) prepare(ctx context.Context) error {
	for _, name := range []string{"taskset", "wrk", "nginx"} {
		if _, err := exec.LookPath(name); err != nil {
			return fmt.Errorf("%w; install it with apt-get install util-linux wrk nginx-light", err)
		}
	}
	if _, err := os.Stat(s.caddy); err != nil {
		fmt.Fprintf(os.Stderr, "bench: skipping Caddy, because %s is missing; install it with "+
			"GOBIN=$PWD/.tools/bin go install github.com/caddyserver/caddy/v2/cmd/caddy@v2.11.9\n", s.caddy)
		s.caddy = ""
	}
	var err error
	if s.self, err = os.Executable(); err != nil {
		return err
	}
	if s.dir, err = os.MkdirTemp("", "vitrine-bench-"); err != nil {
		return err
	}
	s.vitrined = filepath.Join(s.dir, "vitrined")
	out, err := exec.CommandContext(ctx, "go", "build", "-o", s.vitrined, "vitrine/cmd/vitrined").CombinedOutput()
	if err != nil {
		return fmt.Errorf("building vitrined: %w\n%s", err, out)
	}
	return nil
}

// measure runs every requested part.
func (s *settings) measure(ctx context.Context) error {
	versions := []string{paired.Said(ctx, "nginx", "-v"), paired.Said(ctx, "wrk", "-v")}
	if _, err := exec.LookPath(h2o); err == nil {
		versions = append(versions, paired.Said(ctx, h2o, "-v"))
	}
	if info, err := buildinfo.ReadFile(s.caddy); err == nil {
		versions = append(versions, "Caddy "+info.Main.Version)
	}
	fmt.Printf("%s\n\n", paired.Machine(ctx, s.dir, versions...))
	site := filepath.Join(s.dir, "site")
	if err := writeSite(ctx, site, 10, htmlSize); err != nil {
		return err
	}
	if strings.Contains(s.parts, "secure") {
		if err := s.secure(ctx, site); err != nil {
			return err
		}
	}
	if strings.Contains(s.parts, "throughput") || strings.Contains(s.parts, "latency") {
		if err := s.measureLoad(ctx, site); err != nil {
			return err
		}
	}
	if strings.Contains(s.parts, "cores") {
		if err := s.cores(ctx, site); err != nil {
			return err
		}
	}
	if strings.Contains(s.parts, "start") || strings.Contains(s.parts, "memory") {
		fmt.Printf("\n#### Start and memory\n")
	}
	if strings.Contains(s.parts, "start") {
		if err := s.start(ctx, site); err != nil {
			return err
		}
	}
	if strings.Contains(s.parts, "memory") {
		return s.memory(ctx)
	}
	return nil
}

func (s *settings) measureLoad(ctx context.Context, site string) error {
	if err := s.copyForPeers(ctx, site); err != nil {
		return err
	}
	servers, err := s.launchAll(ctx, site)
	if err != nil {
		return err
	}
	defer func() {
		for _, server := range servers {
			server.stop()
		}
	}()
	if strings.Contains(s.parts, "throughput") {
		if err := s.throughput(ctx, servers); err != nil {
			return err
		}
		if err := s.refused(ctx, servers[0], site); err != nil {
			return err
		}
	}
	if strings.Contains(s.parts, "latency") {
		return s.latency(ctx, servers)
	}
	return nil
}

// copyForPeers writes the files of all exchanges and, next to them, vitrined's gzip files, for file servers that can
// serve both.
func (s *settings) copyForPeers(ctx context.Context, site string) error {
	server, err := s.launchVitrined(ctx, "fast", site, "0")
	if err != nil {
		return err
	}
	defer server.stop()
	for _, e := range exchanges() {
		for suffix, coding := range map[string]string{"": "identity", ".gz": "gzip"} {
			body, err := fetchBody(server.base+e.path, coding)
			if err != nil {
				return err
			}
			name := filepath.Join(s.peerDir(), filepath.FromSlash(e.file+suffix))
			if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
				return err
			}
			if err := os.WriteFile(name, body, 0o666); err != nil {
				return err
			}
		}
	}
	return nil
}

// peerDir returns the folder that file servers serve.
func (s *settings) peerDir() string { return filepath.Join(s.dir, "peers") }
