package main_test

import (
	"bufio"
	"encoding/json"
	"io"
	"net/http"
	"os/exec"
	"slices"
	"testing"
	"time"

	"vitrine/internal/lab/rig"
)

// program is the path of the vitrined executable.
type program string

// compiled returns the program, compiling it for the first test that needs it.
func compiled(t *testing.T) program {
	t.Helper()
	programs, err := rig.Compile()
	if err != nil {
		t.Fatal(err)
	}
	return program(programs.Vitrined)
}

// smallSite builds a site with a home page and an article.
func smallSite(t *testing.T) (dir string) {
	t.Helper()
	root, dir := t.TempDir(), t.TempDir()
	writeSite(t, root, "One", "")
	buildSite(t, root, dir)
	return dir
}

// writeSite writes the sources of a site with a home page and an article. settings are lines for site.yaml.
func writeSite(t *testing.T, root, title, settings string) {
	t.Helper()
	if err := rig.WriteFiles(root, rig.TinySite(title, settings)); err != nil {
		t.Fatal(err)
	}
}

// buildSite builds the site in root into dir, which a server may have open.
func buildSite(t *testing.T, root, dir string) {
	t.Helper()
	if err := rig.BuildSite(t.Context(), root, dir, rig.Options{}); err != nil {
		t.Fatal(err)
	}
}

// server is a running vitrined.
type server struct {
	cmd *exec.Cmd
	url string
	// admin is the admin address, or "" if there is none.
	admin string
	// client sends the requests of get, or is nil for http.DefaultClient.
	client *http.Client
	// lines receives the lines of the log.
	lines chan map[string]any
	// requests receives the lines of the request log.
	requests chan string
	// early contains the lines logged before the server was ready. One of them may report a certificate from the cache.
	early []map[string]any
	// warnings contains the messages of skipped warnings.
	warnings []string
}

// start runs vitrined on a free port and waits until it serves. The process is killed at the end of the test if it is
// still running.
func (p program) start(t *testing.T, arguments ...string) *server {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), string(p), append([]string{"--addr", "127.0.0.1:0"}, arguments...)...)
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	s := &server{cmd: cmd, lines: make(chan map[string]any, 1000), requests: make(chan string, 1000)}
	go s.read(stderr)
	go s.readRequests(stdout)
	t.Cleanup(func() {
		// Ignore the error: the process may have ended already.
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	serving, early := s.next(t, "serving")
	s.early = early
	if slices.Contains(arguments, "--admin") {
		s.admin = s.wait(t, "admin")["address"].(string)
	}
	s.url = map[bool]string{false: "http://", true: "https://"}[serving["tls"].(bool)] + serving["address"].(string)
	return s
}

func (s *server) readRequests(log io.Reader) {
	defer close(s.requests)
	for scanner := bufio.NewScanner(log); scanner.Scan(); {
		s.requests <- scanner.Text()
	}
}

// request returns the next line of the request log.
func (s *server) request(t *testing.T) string {
	t.Helper()
	select {
	case line := <-s.requests:
		return line
	case <-time.After(30 * time.Second):
		t.Fatal("no request was logged")
		return ""
	}
}

func (s *server) read(log io.Reader) {
	defer close(s.lines)
	for scanner := bufio.NewScanner(log); scanner.Scan(); {
		line := make(map[string]any)
		if err := json.Unmarshal(scanner.Bytes(), &line); err != nil {
			line["msg"] = scanner.Text()
		}
		s.lines <- line
	}
}

// wait returns the next line of the log with the given message. It also considers lines from before the server was
// ready.
func (s *server) wait(t *testing.T, message string) map[string]any {
	t.Helper()
	if i := slices.IndexFunc(s.early, func(line map[string]any) bool { return line["msg"] == message }); i >= 0 {
		line := s.early[i]
		s.early = slices.Delete(s.early, i, i+1)
		return line
	}
	line, _ := s.next(t, message)
	return line
}

// next returns the log's next line with the given message and the lines skipped before it.
func (s *server) next(t *testing.T, message string) (line map[string]any, others []map[string]any) {
	t.Helper()
	deadline := time.After(30 * time.Second)
	for {
		select {
		case line, ok := <-s.lines:
			if !ok {
				t.Fatalf("the server ended before it said %q, but said %v", message, others)
			}
			if line["msg"] == message {
				return line, others
			}
			others = append(others, line)
			if line["level"] == "WARN" {
				s.warnings = append(s.warnings, line["msg"].(string))
			}
		case <-deadline:
			t.Fatalf("the server did not say %q, but %v", message, others)
		}
	}
}

// get requests path and returns the status and the uncompressed body of the response.
func (s *server) get(t *testing.T, path string) (int, string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.url+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Accept-Encoding", "identity")
	client := s.client
	if client == nil {
		client = http.DefaultClient
	}
	response, err := client.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, string(body)
}
