package http2_test

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"net"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	xhttp2 "golang.org/x/net/http2"

	"vitrine/internal/lab/rig"
	"vitrine/internal/serve"
)

// floodedServer is the environment variable set in the server process started by BenchmarkFloods.
const floodedServer = "VITRINE_FLOODED_SERVER"

// BenchmarkFloods runs every flood on eight connections, each of which reconnects when the server closes it. It
// measures the server's processor use and the 99th percentile of another client's response times. Run it with
// -benchtime=3s on an idle machine.
func BenchmarkFloods(b *testing.B) {
	if runtime.GOOS != "linux" {
		b.Fatal("the benchmark reads processor times from /proc, which only Linux has")
	}
	all := floods()
	all["(none)"] = flood{}
	all["(connections that are closed at once)"] = flood{flood: func(*client, int) error { return io.EOF }}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		b.Run(name, func(b *testing.B) { measureFlood(b, all[name]) })
	}
}

// TestFloodedServer is the server of BenchmarkFloods.
func TestFloodedServer(t *testing.T) {
	if os.Getenv(floodedServer) == "" {
		return
	}
	s := start(t, runOurs, serve.NewHandler(rig.SmallSite(t), serve.HandlerOptions{}), 0, quiet())
	fmt.Println("address " + s.addr)
	_, _ = io.Copy(io.Discard, os.Stdin) // until the benchmark ends
}

// visit connects with a read buffer of the default size, as a browser does. dial's small buffer would make responses
// wait for TCP timers.
func (s *started) visit(b *testing.B) *client {
	c, err := net.Dial("tcp", s.addr)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = c.Close() })
	_ = c.SetDeadline(time.Now().Add(patience))
	return begin(b, c)
}

func measureFlood(b *testing.B, f flood) {
	cmd := exec.CommandContext(b.Context(), os.Args[0], "-test.run=^TestFloodedServer$")
	cmd.Env = append(os.Environ(), floodedServer+"=1")
	stdin, err := cmd.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	defer func() { _ = cmd.Wait() }()
	defer stdin.Close()
	line, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil {
		b.Fatal(err)
	}
	s := &started{addr: strings.TrimSpace(strings.TrimPrefix(line, "address "))}
	bystander := s.visit(b)
	served(b, bystander)
	var over atomic.Bool
	var connections atomic.Int64
	var attack sync.WaitGroup
	if f.flood != nil {
		for range 8 {
			attack.Go(func() {
				for !over.Load() {
					connections.Add(1)
					s.attack(f, &over)
				}
			})
		}
	}
	var took []time.Duration
	before, begun := processorTime(b, cmd.Process.Pid), time.Now()
	for b.Loop() {
		asked := time.Now()
		served(b, bystander)
		took = append(took, time.Since(asked))
		time.Sleep(2 * time.Millisecond)
	}
	wall := time.Since(begun)
	used := processorTime(b, cmd.Process.Pid) - before
	over.Store(true)
	attack.Wait()
	slices.Sort(took)
	b.ReportMetric(float64(used)/float64(wall), "cores")
	b.ReportMetric(float64(used)/1e6/float64(max(connections.Load(), 1)), "cpu-ms/connection")
	b.ReportMetric(float64(took[len(took)*99/100])/1e6, "p99-ms")
	b.ReportMetric(float64(connections.Load())/wall.Seconds(), "connections/s")
	b.ReportMetric(0, "ns/op")
}

// attack floods one connection until the server ends it or the measurement is over.
func (s *started) attack(f flood, over *atomic.Bool) {
	below, err := net.Dial("tcp", s.addr)
	if err != nil {
		return
	}
	defer below.Close()
	_ = below.SetDeadline(time.Now().Add(patience))
	c, err := greet(below, f.settings...)
	if err != nil {
		return
	}
	go func() {
		_, _ = io.Copy(io.Discard, c.Conn)
		_ = below.Close() // the server has ended it
	}()
	out := bufio.NewWriterSize(c.Conn, 16<<10)
	reader := c.Framer
	c.Framer = xhttp2.NewFramer(out, nil)
	c.AllowIllegalWrites = reader.AllowIllegalWrites
	for i := 0; !over.Load(); i++ {
		if f.flood(c, i) != nil {
			return
		}
	}
}

// processorTime returns a process's user and system time.
func processorTime(b *testing.B, pid int) time.Duration {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		b.Fatal(err)
	}
	var ticks int64
	// The user and system times are the twelfth and thirteenth fields after the name in parentheses (proc_pid_stat(5)).
	_, rest, _ := strings.Cut(string(stat), ") ")
	for _, field := range strings.Fields(rest)[11:13] {
		n, err := strconv.ParseInt(field, 10, 64)
		if err != nil {
			b.Fatal(err)
		}
		ticks += n
	}
	return time.Duration(ticks) * 10 * time.Millisecond
}
