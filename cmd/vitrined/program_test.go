package main_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"
)

// binaries are the two programs, built for the tests.
type binaries struct{ dir, vitrine, vitrined string }

// built are the programs of this run of the tests, made when first asked for.
var built = sync.OnceValues(func() (binaries, error) {
	dir, err := os.MkdirTemp("", "vitrined-test")
	if err != nil {
		return binaries{}, err
	}
	out, err := exec.Command("go", "build", "-o", dir+string(filepath.Separator), "vitrine/cmd/vitrine", "vitrine/cmd/vitrined").CombinedOutput()
	if err != nil {
		err = fmt.Errorf("building the programs: %w\n%s", err, out)
	}
	return binaries{dir, filepath.Join(dir, "vitrine"), filepath.Join(dir, "vitrined")}, err
})

func TestMain(m *testing.M) {
	code := m.Run()
	if b, err := built(); err == nil {
		_ = os.RemoveAll(b.dir)
	}
	os.Exit(code)
}

func buildBinaries(t *testing.T) binaries {
	t.Helper()
	b, err := built()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// buildSite builds the site in root into dir.
func (b binaries) buildSite(t *testing.T, root, dir string) {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), b.vitrine, "build", "--root", root, "--out", dir).CombinedOutput()
	if err != nil {
		t.Fatalf("building the site: %v\n%s", err, out)
	}
}

// server is a running vitrined.
type server struct {
	cmd *exec.Cmd
	url string
	// admin is the address of health and metrics, where there is one.
	admin string
	// client sends the requests of get; nil is the default one.
	client *http.Client
	// lines are those of its log, as they come; requests those of its request
	// log.
	lines    chan map[string]any
	requests chan string
}

// start runs vitrined on a free port and waits until it serves. It is killed
// at the end of the test, unless it has ended.
func (b binaries) start(t *testing.T, arguments ...string) *server {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), b.vitrined, append([]string{"--addr", "127.0.0.1:0"}, arguments...)...)
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
		// It may have ended already.
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	if slices.Contains(arguments, "--admin") {
		s.admin = s.wait(t, "admin")["address"].(string)
	}
	serving := s.wait(t, "serving")
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

// wait returns the next line of the log with a message.
func (s *server) wait(t *testing.T, message string) map[string]any {
	t.Helper()
	deadline := time.After(30 * time.Second)
	var others []map[string]any
	for {
		select {
		case line, ok := <-s.lines:
			if !ok {
				t.Fatalf("the server ended before it said %q, but said %v", message, others)
			}
			if line["msg"] == message {
				return line
			}
			others = append(others, line)
		case <-deadline:
			t.Fatalf("the server did not say %q, but %v", message, others)
		}
	}
}

// get returns the body at a path, without a content coding.
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

// writeSite writes a site with a home page and an article.
func writeSite(t *testing.T, root, title, settings string) {
	t.Helper()
	files := map[string]string{
		"content/product.yaml": `name: Tiny
url: https://tiny.example
description: A small product.
audience: [Everyone]
capabilities: [Being small]
pricing:
  currency: EUR
  billingPeriod: month
  creditDefinition: One credit is one thing.
  unlimitedReps: true
  unlimitedTeams: true
  plans: [{name: Only, monthlyPrice: 9, includedCredits: 1}]
  url: https://tiny.example/pricing
contact: hello@tiny.example
links: {}
`,
		"content/site.yaml":     "baseURL: https://tiny.example\ntitle: Tiny\n" + settings,
		"content/index.md":      "# " + title + "\n\nText.\n",
		"content/pricing.md":    "---\ntitle: Pricing\nlayout: pricing\n---\n",
		"content/blog/first.md": "---\ntitle: First\ndate: 2026-01-01\n---\n\nText.\n",
	}
	for name, text := range files {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}
