//go:build unix

package main_test

import (
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// The server writes no files, so a full or read-only disk doesn't affect it. With a file size limit of 0, it starts,
// serves, logs, reloads a build, and exits, leaving every folder unchanged.
func TestReadOnly(t *testing.T) {
	t.Parallel()
	vitrined := compiled(t)
	dir, scratch := smallSite(t), t.TempDir()
	script := filepath.Join(t.TempDir(), "vitrined")
	text := fmt.Sprintf("#!/bin/sh\nulimit -f 0\ncd '%s'\nTMPDIR='%s' HOME='%s' exec '%s' \"$@\"\n", scratch, scratch, scratch, vitrined)
	if err := os.WriteFile(script, []byte(text), 0o777); err != nil {
		t.Fatal(err)
	}
	before := list(t, dir)
	s := program(script).start(t, "--dir", dir, "--access-log", "--admin", "127.0.0.1:0")
	for _, path := range []string{"/", "/pricing", "/api/v1/marketing", "/llms.txt"} {
		if status, _ := s.get(t, path); status != http.StatusOK {
			t.Errorf("%s: %d", path, status)
		}
		s.request(t)
	}
	if err := s.cmd.Process.Signal(syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	s.wait(t, "reloaded the build")
	if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	s.wait(t, "ended")
	if after := list(t, dir); after != before {
		t.Errorf("the build's folder was\n%s\nand is\n%s", before, after)
	}
	if left := list(t, scratch); strings.Count(left, "\n") != 1 {
		t.Errorf("files are left:\n%s", left)
	}
}

// For any requested number of connections, enough file descriptors remain for the server's other files.
func TestConnectionLimit(t *testing.T) {
	t.Parallel()
	vitrined := compiled(t)
	dir := smallSite(t)
	for _, c := range []struct{ files, asked, want int }{
		{2000, 20000, 1424}, {2000, 100, 100}, {2000, 0, 1424}, {400, 20000, 200},
	} {
		script := filepath.Join(t.TempDir(), "vitrined")
		text := fmt.Sprintf("#!/bin/sh\nulimit -n %d\nexec '%s' --addr 127.0.0.1:0 \"$@\"\n", c.files, vitrined)
		if err := os.WriteFile(script, []byte(text), 0o777); err != nil {
			t.Fatal(err)
		}
		s := program(script).start(t, "--dir", dir, "--admin", "127.0.0.1:0", "--connections", fmt.Sprint(c.asked))
		_, metrics := (&server{url: "http://" + s.admin}).get(t, "/metrics")
		if want := fmt.Sprintf("vitrine_connections_limit %d\n", c.want); !strings.Contains(metrics, want) {
			t.Errorf("%+v: the metrics lack %s", c, want)
		}
	}
}

// list returns the path, mode, size, and modification time of each entry under dir, as text.
func list(t *testing.T, dir string) string {
	t.Helper()
	var list strings.Builder
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if err == nil {
			fmt.Fprintln(&list, path, info.Mode(), info.Size(), info.ModTime())
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return list.String()
}
