package main_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// The metrics include the time when the next scheduled page is due, so that operators notice if a server gets no new
// build. The metric is 0 for a build without scheduled pages.
func TestNextDueMetric(t *testing.T) {
	t.Parallel()
	vitrined := compiled(t)
	root, dir := t.TempDir(), t.TempDir()
	writeSite(t, root, "One", "")
	late := filepath.Join(root, "content", "blog", "late.md")
	if err := os.WriteFile(late, []byte("---\ntitle: Late\ndate: 2300-01-01\n---\n\nText.\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	buildSite(t, root, dir)
	s := vitrined.start(t, "--dir", dir, "--admin", "127.0.0.1:0")
	admin := &server{url: "http://" + s.admin}
	lacks := func(line string) bool {
		_, body := admin.get(t, "/metrics")
		return !strings.Contains(body, line+"\n")
	}
	if lacks("vitrine_next_due_timestamp_seconds 10413792000") {
		t.Error("the metrics do not show the date of the page that waits")
	}

	if err := os.Remove(late); err != nil {
		t.Fatal(err)
	}
	buildSite(t, root, dir)
	if err := s.cmd.Process.Signal(syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	s.wait(t, "reloaded the build")
	if lacks("vitrine_next_due_timestamp_seconds 0") {
		t.Error("no page waits any longer, and the metrics show a date")
	}
}
