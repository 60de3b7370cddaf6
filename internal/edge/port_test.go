package edge_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"vitrine/internal/edge"
	"vitrine/internal/lab/rig"
)

// port is a Node.js process that runs the decisions' JavaScript port; see testdata/port.mjs.
type port struct {
	in      io.WriteCloser
	out     *bufio.Reader
	answers []string // by id
}

// startPort starts the port and sends it a manifest.
func startPort(t *testing.T, manifest []byte) *port {
	t.Helper()
	cmd := exec.Command(rig.Node(t), "testdata/port.mjs") // ends when its input does
	cmd.Stderr = testWriter{t}
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = in.Close()
		if err := cmd.Wait(); err != nil {
			t.Errorf("the port: %v", err)
		}
	})
	p := &port{in: in, out: bufio.NewReaderSize(out, 1<<20)}
	if err := p.send(manifest); err != nil {
		t.Fatal(err)
	}
	return p
}

// testWriter writes a process's output to its test's log.
type testWriter struct{ t *testing.T }

func (w testWriter) Write(p []byte) (int, error) {
	w.t.Logf("%s", p)
	return len(p), nil
}

func (p *port) send(message []byte) error {
	_, err := fmt.Fprintf(p.in, "%d\n%s", len(message), message)
	return err
}

// ask returns the port's responses to requests, in the format of subject.answer.
func (p *port) ask(questions []question) ([]string, error) {
	message := []byte("[")
	for i := range questions {
		if i > 0 {
			message = append(message, ',')
		}
		message = questions[i].appendJSON(message)
	}
	if err := p.send(append(message, ']')); err != nil {
		return nil, fmt.Errorf("asking the port: %w", err)
	}
	line, err := p.out.ReadString('\n')
	if err != nil {
		return nil, fmt.Errorf("reading the port's answers: %w", err)
	}
	length, err := strconv.Atoi(line[:len(line)-1])
	if err != nil {
		return nil, fmt.Errorf("reading the port's answers: %w", err)
	}
	data := make([]byte, length)
	if _, err := io.ReadFull(p.out, data); err != nil {
		return nil, fmt.Errorf("reading the port's answers: %w", err)
	}
	var reply struct {
		Answers []int    `json:"answers"`
		Fresh   []string `json:"fresh"`
	}
	if err := json.Unmarshal(data, &reply); err != nil {
		return nil, fmt.Errorf("reading the port's answers: %w", err)
	}
	for _, text := range reply.Fresh {
		p.answers = append(p.answers, bytesOf(text))
	}
	texts := make([]string, len(reply.Answers))
	for i, id := range reply.Answers {
		texts[i] = p.answers[id]
	}
	return texts, nil
}

// bytesOf returns the bytes that text contains, in the form of one character for each byte.
func bytesOf(text string) string {
	b := make([]byte, 0, len(text))
	for _, r := range text {
		b = append(b, byte(r))
	}
	return string(b)
}

// The engine requests files from the platform, sends only files of the build, and sets every field itself; see
// testdata/engine.test.mjs.
func TestEngine(t *testing.T) {
	built := hostileSite(t)
	manifest, err := edge.NewManifest(built.Manifest, built.Read)
	if err != nil {
		t.Fatal(err)
	}
	data, err := manifest.JSON()
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "manifest.json")
	if err := os.WriteFile(file, data, 0o666); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(rig.Node(t), "--test", "--test-reporter=tap", "testdata/engine.test.mjs")
	cmd.Env = append(os.Environ(), "MANIFEST="+file)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
