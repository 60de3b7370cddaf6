//go:build unix

package main_test

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"vitrine/internal/lab/rig"
)

// unread starts vitrined with a request log that is never read and sends enough requests to fill the log's pipe. extra
// contains additional arguments. If told isn't nil, it receives the server's log.
func unread(t *testing.T, told io.Writer, extra ...string) (cmd *exec.Cmd, addr string) {
	t.Helper()
	// Choose the address in advance because the test doesn't read the log that reports it.
	addr = freeAddress(t)
	cmd = exec.Command(string(compiled(t)), append([]string{"--dir", smallSite(t), "--addr", addr, "--access-log=combined", "--allowance=0"}, extra...)...)
	reader, writer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = reader.Close() })
	cmd.Stdout, cmd.Stderr = writer, told
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	_ = writer.Close()
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	rig.Listens(t, addr)
	const requests = 3000
	for range requests {
		answer, err := http.Get("http://" + addr + "/robots.txt?" + strings.Repeat("x", 200))
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.Copy(io.Discard, answer.Body)
		_ = answer.Body.Close()
	}
	http.DefaultClient.CloseIdleConnections()
	t.Cleanup(func() {
		// The pipe contains complete lines. The server has counted all other lines as lost.
		if lost, ok := lostLines(told); ok {
			_ = reader.SetReadDeadline(time.Now().Add(5 * time.Second))
			written := 0
			for lines := bufio.NewScanner(reader); lines.Scan(); written++ {
			}
			if written+lost != requests {
				t.Errorf("%d lines were written and %d lost, of %d", written, lost, requests)
			}
		}
	})
	return cmd, addr
}

// lostLines returns the number of lines lost from the request log according to told, the server's log.
func lostLines(told io.Writer) (int, bool) {
	text, ok := told.(*strings.Builder)
	if !ok {
		return 0, false
	}
	for line := range strings.Lines(text.String()) {
		var entry struct {
			Msg   string
			Lines int
		}
		if json.Unmarshal([]byte(line), &entry) == nil && strings.HasPrefix(entry.Msg, "request log lines were lost") {
			return entry.Lines, true
		}
	}
	return 0, false
}

// ends waits for cmd to exit and returns its exit code. The test fails if that takes longer than within.
func ends(t *testing.T, cmd *exec.Cmd, within time.Duration) int {
	t.Helper()
	ended := make(chan struct{})
	go func() {
		_ = cmd.Wait()
		close(ended)
	}()
	select {
	case <-ended:
		return cmd.ProcessState.ExitCode()
	case <-time.After(within):
		t.Fatal("the server did not end")
		return 0
	}
}

// A server whose request log isn't read exits within --drain and reports the number of lost lines.
func TestEndsWithUnreadLog(t *testing.T) {
	var told strings.Builder
	cmd, _ := unread(t, &told, "--drain=1s")
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if code := ends(t, cmd, 20*time.Second); code != 0 {
		t.Errorf("exit code %d\n%s", code, told.String())
	}
	if lost, ok := lostLines(&told); !ok || lost == 0 {
		t.Errorf("nothing is said of lost lines:\n%s", told.String())
	}
}

// A second signal ends the server immediately, regardless of the remaining drain time.
func TestSecondSignal(t *testing.T) {
	cmd, addr := unread(t, nil, "--drain=10m")
	for range 2 {
		if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
		// The system may merge two signals before the first is handled.
		rig.Until(t, "the server closes its listener", func() bool {
			c, err := net.Dial("tcp", addr)
			if err == nil {
				c.Close()
			}
			return err != nil
		})
	}
	if code := ends(t, cmd, 20*time.Second); code != 1 {
		t.Errorf("exit code %d", code)
	}
}

// The server also exits soon after --drain if it can't report anything because its own log goes to a full pipe.
func TestEndsWithUnreadLogs(t *testing.T) {
	addr := freeAddress(t)
	reader, writer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	defer writer.Close()
	cmd := exec.Command(string(compiled(t)), "--dir", smallSite(t), "--addr", addr, "--drain=1s")
	cmd.Stderr = writer
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = cmd.Process.Kill() }()
	rig.Listens(t, addr)
	fill(t, int(writer.Fd()))
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if code := ends(t, cmd, 20*time.Second); code != 1 {
		t.Errorf("exit code %d", code)
	}
}

// fill writes to a pipe until it's full.
func fill(t *testing.T, pipe int) {
	t.Helper()
	if err := syscall.SetNonblock(pipe, true); err != nil {
		t.Fatal(err)
	}
	for _, size := range []int{4096, 1} {
		for {
			if _, err := syscall.Write(pipe, make([]byte, size)); errors.Is(err, syscall.EAGAIN) {
				break
			} else if err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := syscall.SetNonblock(pipe, false); err != nil {
		t.Fatal(err)
	}
}
