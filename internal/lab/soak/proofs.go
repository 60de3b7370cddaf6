package soak

import (
	"context"
	"fmt"
	"strings"
	"time"
)

// proof tests one guarantee on one server.
type proof struct {
	name, server string
	arguments    []string
	run          func(context.Context, *Bench, *server, *Result) error
	// ends reports whether the proof stops the server itself.
	ends bool
}

// Names of the server configurations that proofs run on.
const (
	fast    = "fast"
	netHTTP = "net/http"
	overTLS = "HTTP/2, TLS"
)

// proofs returns every proof for each of its servers.
func (b *Bench) proofs() []proof {
	current := b.current()
	tls := []string{"--tls-cert", b.cert, "--tls-key", b.key}
	servers := map[string][]string{fast: {"--engine", "fast"}, netHTTP: {"--engine", "net/http"}, overTLS: tls}
	both, all := []string{fast, netHTTP}, []string{fast, netHTTP, overTLS}
	var proofs []proof
	add := func(name string, on []string, ends bool, run func(context.Context, *Bench, *server, *Result) error, arguments ...string) {
		for _, server := range on {
			dir := b.first
			if name == reloading {
				dir = current
			}
			proofs = append(proofs, proof{
				name: name, server: server, run: run, ends: ends,
				arguments: append(append([]string{"--dir", dir}, servers[server]...), arguments...),
			})
		}
	}
	add(reloading, all, false, reloads)
	add("SIGTERM during responses", both, true, shutdown, "--access-log=combined")
	add("idle connections", both, false, idle)
	add("header sections that never end", both, false, slowHeads)
	add("clients that do not read", both, false, slowReaders)
	add("flood beyond --connections", both, false, flood, "--connections", "500")
	add("pipelining", both, false, pipelining)
	add("header sections of a megabyte", both, false, bigHeads)
	add("broken requests", both, false, brokenRequests)
	add("out of file descriptors", both, false, outOfFiles)
	h2 := []string{overTLS}
	add("streams that are reset", h2, false, rapidReset)
	add("CONTINUATION without an end", h2, false, endlessHeads)
	add("SETTINGS with unread acknowledgements", h2, false, unreadAcknowledgements(func(f *framed) error { return f.WriteSettings() }, false))
	add("PING with unread acknowledgements", h2, false, unreadAcknowledgements(func(f *framed) error { return f.WritePing(false, [8]byte{}) }, true))
	add("windows that do not open", h2, false, shutWindows)
	add("streams that are not read", h2, false, unreadAnswers)
	for _, c := range crowds() {
		n := b.times(b.crowd)
		many := fmt.Sprint(n + besideCrowd)
		add(thousands(int64(n))+" connections, "+c.name, c.on, false, c.unbounded, "--connection-memory", "0", "--connections", many)
		if !strings.HasPrefix(c.name, "idle") { // an idle connection costs as much as a connection of the concurrent load
			bound := max(leastBound, b.times(crowdBound))
			add(c.name+", beyond the bound", c.on, false, c.bounded, "--connection-memory", fmt.Sprint(bound), "--connections", many)
		}
	}
	add("allowance of 120", all, false, allowance, "--allowance", fmt.Sprintf("120/%s", allowanceWindow))
	return proofs
}

// Run runs every proof and calls report with each result. It returns an error if any proof failed.
func (b *Bench) Run(ctx context.Context, report func(*Result)) error {
	failed := 0
	for _, p := range b.proofs() {
		if b.Only != nil && !b.Only.MatchString(p.name+", "+p.server) {
			continue
		}
		r := b.prove(ctx, p)
		report(r)
		if r.Err != nil {
			failed++
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	if failed > 0 {
		return fmt.Errorf("%d proofs failed", failed)
	}
	return nil
}

// prove runs one proof on a separate server.
func (b *Bench) prove(ctx context.Context, p proof) *Result {
	r := &Result{Proof: p.name, Server: p.server}
	begun := time.Now()
	defer func() { r.Took = time.Since(begun) }()
	if p.name == reloading {
		if r.Err = b.point(b.first); r.Err != nil {
			return r
		}
	}
	s, err := b.start(ctx, p.arguments...)
	if err != nil {
		r.Err = err
		return r
	}
	defer s.kill()
	if r.Err = p.run(ctx, b, s, r); r.Err != nil {
		return r
	}
	if !p.ends {
		r.Peak = s.peak()
		r.Err = s.stop()
	}
	return r
}

// Result is the outcome of a proof.
type Result struct {
	// Proof and Server are the names of the proof and its server configuration.
	Proof, Server string
	// Requests is the number of requests, and Failed is the number of requests without a complete and correct response.
	Requests, Failed int64
	// Connections is the number of connections opened. Away is the number of connections or requests that the server
	// correctly rejected.
	Connections, Away int64
	// Reloads is the number of reloads, and Refused is the number of correctly rejected reloads.
	Reloads, Refused int64
	// Peak is the server's peak memory in bytes, or 0 if unknown.
	Peak int64
	Took time.Duration
	// Err describes the violated guarantee, or is nil.
	Err error
}

// TableHead is the header of the results table, in Markdown.
const TableHead = "| proof | server | requests | failed | connections | turned away | reloads | refused | peak memory | time |\n" +
	"|---|---|---:|---:|---:|---:|---:|---:|---:|---:|"

// String returns the result as a row of the results table.
func (r *Result) String() string {
	memory := "–"
	if r.Peak > 0 {
		memory = fmt.Sprintf("%.1f MB", float64(r.Peak)/1e6)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "| %s | %s |", r.Proof, r.Server)
	for _, n := range []int64{r.Requests, r.Failed, r.Connections, r.Away, r.Reloads, r.Refused} {
		fmt.Fprintf(&b, " %s |", thousands(n))
	}
	fmt.Fprintf(&b, " %s | %.0f s |", memory, r.Took.Seconds())
	return b.String()
}

// thousands formats a number with commas between thousands.
func thousands(n int64) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
