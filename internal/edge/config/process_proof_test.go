//go:build proof

package config_test

import (
	"bytes"
	"cmp"
	"context"
	"net"
	"net/http"
	"os"
	"os/exec"
	"sync"
	"syscall"
	"testing"
	"time"

	"vitrine/internal/lab/rig"
)

// tool returns the path of a program that the tests run.
func tool(t *testing.T, name string) string {
	t.Helper()
	return rig.Tool(t, name, ".tools/bin/"+name, "/usr/sbin/"+name)
}

// until waits until holds returns true. After 15 seconds, it fails the test.
func until(t *testing.T, what string, holds func() bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 15*time.Second)
	defer cancel()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for !holds() {
		select {
		case <-ctx.Done():
			t.Errorf("it did not come to pass that %s", what)
			return
		case <-tick.C:
		}
	}
}

// freePort returns an address on 127.0.0.1 with an unused port.
func freePort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// process is a program started by a test.
type process struct {
	cmd *exec.Cmd
	out *syncBuffer
	end sync.Once
	// gone is closed when the program has ended.
	gone chan struct{}
}

// start starts a program and waits until it listens on the address. The program is stopped when the test ends.
func start(t *testing.T, address string, arguments ...string) *process {
	t.Helper()
	p := newProcess(t, arguments...)
	p.run(t, address)
	return p
}

func newProcess(t *testing.T, arguments ...string) *process {
	t.Helper()
	p := &process{cmd: exec.Command(arguments[0], arguments[1:]...), out: &syncBuffer{}, gone: make(chan struct{})}
	p.cmd.Stdout, p.cmd.Stderr = p.out, p.out
	p.cmd.Env = append(os.Environ(), "HOME="+t.TempDir())
	return p
}

// run starts the program and waits until it listens.
func (p *process) run(t *testing.T, address string) {
	t.Helper()
	if err := p.cmd.Start(); err != nil {
		t.Fatalf("starting %s: %v", p.cmd.Path, err)
	}
	go func() {
		_ = p.cmd.Wait() // it was stopped on purpose
		close(p.gone)
	}()
	t.Cleanup(p.stop)
	p.await(t, address)
}

// await waits until the program listens on an address.
func (p *process) await(t *testing.T, address string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for {
		if c, err := net.Dial("tcp", address); err == nil {
			c.Close()
			return
		}
		select {
		case <-p.gone:
			t.Fatalf("%s ended before it listened:\n%s", p.cmd.Path, p.out)
		case <-ctx.Done():
			t.Fatalf("%s does not listen on %s:\n%s", p.cmd.Path, address, p.out)
		case <-tick.C:
		}
	}
}

// stop interrupts the program, and kills it if it doesn't exit.
func (p *process) stop() {
	p.end.Do(func() {
		_ = p.cmd.Process.Signal(os.Interrupt) // it may have exited already
		select {
		case <-p.gone:
		case <-time.After(10 * time.Second):
			_ = p.cmd.Process.Kill()
			<-p.gone
		}
	})
}

// syncBuffer is a buffer that a program can write to while a test reads from it.
type syncBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *syncBuffer) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *syncBuffer) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

// backend is a vitrined server that a test can restart at the same address.
type backend struct {
	address string
	// dir is the folder of the build that vitrined serves, or "" for the sample site.
	dir string
	// flags are additional flags of vitrined.
	flags   []string
	running *process
}

// build returns the folder of the build that vitrined serves.
func (b *backend) build() string { return cmp.Or(b.dir, sample) }

// reload makes vitrined serve the build in its folder.
func (b *backend) reload(t *testing.T) {
	t.Helper()
	before := tags(t, "http://"+b.address)
	if err := b.running.cmd.Process.Signal(syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	until(t, "vitrined serves the new build", func() bool { return tags(t, "http://"+b.address) != before })
}

// fresh restarts vitrined with an unused allowance.
func (b *backend) fresh(t *testing.T) {
	t.Helper()
	if b.running != nil {
		b.running.stop()
	}
	b.running = start(t, b.address, append([]string{programs.Vitrined, "-dir", b.build(), "-addr", b.address}, b.flags...)...)
}

// ask sends a request, and returns the response and its body.
func ask(t *testing.T, method, url string, fields ...string) (*http.Response, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(fields); i += 2 {
		r.Header.Set(fields[i], fields[i+1])
	}
	resp, err := (&http.Transport{DisableCompression: true, DisableKeepAlives: true}).RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	var body bytes.Buffer
	if _, err := body.ReadFrom(resp.Body); err != nil {
		t.Fatal(err)
	}
	return resp, body.String()
}
