package soak

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// server is a running vitrined.
type server struct {
	cmd *exec.Cmd
	// addr is the address of the site, and admin is the address for metrics and health checks.
	addr, admin string
	secure      bool
	ended       chan error
	// again is the maximum number of times that a load client retries a request after losing its connection.
	again int
	// logged counts the lines of the server's request log.
	logged lines

	mu sync.Mutex
	// problems contains the most recent log lines that aren't JSON or whose level isn't INFO.
	problems []string
}

// start runs vitrined on free ports of 127.0.0.1 and waits until it serves.
func (b *Bench) start(ctx context.Context, arguments ...string) (*server, error) {
	s := &server{ended: make(chan error, 1)}
	s.cmd = exec.CommandContext(ctx, b.vitrined, append([]string{"--addr", "127.0.0.1:0", "--admin", "127.0.0.1:0"}, arguments...)...)
	s.cmd.Stdout = &s.logged
	stderr, err := s.cmd.StderrPipe()
	if err != nil {
		return nil, err
	}
	if err := s.cmd.Start(); err != nil {
		return nil, fmt.Errorf("starting vitrined: %w", err)
	}
	serving := make(chan struct{})
	go func() {
		s.read(stderr, serving)
		s.ended <- s.cmd.Wait()
	}()
	select {
	case <-serving:
		return s, nil
	case err := <-s.ended:
		return nil, fmt.Errorf("vitrined exited immediately: %w\n%s", err, s.output())
	case <-time.After(time.Minute):
		s.kill()
		return nil, fmt.Errorf("vitrined did not start serving within a minute\n%s", s.output())
	}
}

// lines is a writer that counts lines.
type lines struct{ atomic.Int64 }

func (l *lines) Write(p []byte) (int, error) {
	l.Add(int64(bytes.Count(p, []byte("\n"))))
	return len(p), nil
}

// read reads the log to its end. It closes serving when vitrined logs that it has started to serve.
func (s *server) read(log io.Reader, serving chan struct{}) {
	for scanner := bufio.NewScanner(log); scanner.Scan(); {
		var line struct {
			Msg, Level, Address string
			TLS                 bool
		}
		if json.Unmarshal(scanner.Bytes(), &line) != nil || line.Level != "INFO" {
			s.mu.Lock()
			s.problems = append(s.problems[max(0, len(s.problems)-20):], scanner.Text())
			s.mu.Unlock()
		}
		switch line.Msg {
		case "admin":
			s.admin = line.Address
		case "serving":
			s.addr, s.secure = line.Address, line.TLS
			close(serving)
		}
	}
}

// output returns the problems in the log.
func (s *server) output() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return strings.Join(s.problems, "\n")
}

func (s *server) signal(sig os.Signal) error { return s.cmd.Process.Signal(sig) }

// kill ends the server immediately.
func (s *server) kill() { _ = s.cmd.Process.Kill() }

// stop sends SIGTERM to the server and returns an error if the server doesn't exit cleanly within a minute.
func (s *server) stop() error {
	if err := s.signal(syscall.SIGTERM); err != nil {
		return err
	}
	return s.wait(time.Minute)
}

// wait waits until the server has ended. It returns an error if the server fails. If the server doesn't exit within
// limit, wait kills it and returns an error.
func (s *server) wait(limit time.Duration) error {
	select {
	case err := <-s.ended:
		if err != nil {
			return fmt.Errorf("vitrined failed: %w\n%s", err, s.output())
		}
		return nil
	case <-time.After(limit):
		s.kill()
		return fmt.Errorf("vitrined did not exit within %s", limit)
	}
}

// peak returns the server's peak memory in bytes: its peak resident set on Linux, or 0 on other systems.
func (s *server) peak() int64 { return s.memory("VmHWM:") }

// resident returns the server's current memory in bytes, or 0 on systems other than Linux.
func (s *server) resident() int64 { return s.memory("VmRSS:") }

func (s *server) memory(field string) int64 {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.cmd.Process.Pid))
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(status)) {
		if value, ok := strings.CutPrefix(line, field); ok {
			kib, _ := strconv.ParseInt(strings.Fields(value)[0], 10, 64)
			return kib << 10
		}
	}
	return 0
}

// adminPage returns the page at path on the admin address.
func (s *server) adminPage(path string) (string, error) {
	client := http.Client{Timeout: time.Minute, Transport: &http.Transport{DisableKeepAlives: true}}
	response, err := client.Get("http://" + s.admin + path)
	if err != nil {
		return "", err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	return string(text), err
}

// metric reads the named metric from the admin address.
func (s *server) metric(name string) (int, error) {
	text, err := s.adminPage("/metrics")
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(text) {
		if value, ok := strings.CutPrefix(line, name+" "); ok {
			n, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
			return int(n), err
		}
	}
	return 0, errors.New("no metric " + name)
}

// until waits until wanted returns true for the value of the named metric. It returns an error after a minute.
func (s *server) until(ctx context.Context, name string, wanted func(int) bool) error {
	deadline := time.Now().Add(time.Minute)
	for {
		n, err := s.metric(name)
		if err == nil && wanted(n) {
			return nil
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("the metric %s is still %d after a minute: %w", name, n, errors.Join(err, errors.New(s.output())))
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(10 * time.Millisecond):
		}
	}
}
