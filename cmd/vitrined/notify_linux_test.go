package main_test

import (
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// When vitrined sends READY=1, after the start and after SIGHUP, it already serves the folder's build. systemd's
// Type=notify-reload requires this, and MONOTONIC_USEC with RELOADING=1 (systemd.service(5)).
func TestNotifyReload(t *testing.T) {
	vitrined := compiled(t)
	socket := filepath.Join(t.TempDir(), "notify")
	manager, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: socket, Net: "unixgram"})
	if err != nil {
		t.Fatal(err)
	}
	defer manager.Close()
	next := func() string {
		t.Helper()
		message := make([]byte, 4096)
		if err := manager.SetReadDeadline(time.Now().Add(30 * time.Second)); err != nil {
			t.Fatal(err)
		}
		n, err := manager.Read(message)
		if err != nil {
			t.Fatal(err)
		}
		return string(message[:n])
	}
	root, dir := t.TempDir(), t.TempDir()
	writeSite(t, root, "One", "")
	buildSite(t, root, dir)
	t.Setenv("NOTIFY_SOCKET", socket)
	s := vitrined.start(t, "--dir", dir)
	ready := next()
	_, first := s.get(t, "/.well-known/vitrine-build")
	name := strings.Split(first, `"`)[3]
	if !strings.HasPrefix(ready, "READY=1\nSTATUS=serving build "+name) {
		t.Errorf("at the start the manager is sent %q", ready)
	}
	for i := range 20 {
		writeSite(t, root, "Title "+strconv.Itoa(i), "")
		buildSite(t, root, dir)
		var before unix.Timespec
		if err := unix.ClockGettime(unix.CLOCK_MONOTONIC, &before); err != nil {
			t.Fatal(err)
		}
		if err := s.cmd.Process.Signal(syscall.SIGHUP); err != nil {
			t.Fatal(err)
		}
		reloading := next()
		at, isMoment := strings.CutPrefix(reloading, "RELOADING=1\nMONOTONIC_USEC=")
		if began, err := strconv.ParseInt(at, 10, 64); !isMoment || err != nil || began < before.Nano()/1000 {
			t.Fatalf("the manager is sent %q after a signal at %d", reloading, before.Nano()/1000)
		}
		if ready := next(); !strings.HasPrefix(ready, "READY=1\n") {
			t.Fatalf("the manager is sent %q", ready)
		}
		if _, page := s.get(t, "/"); !strings.Contains(page, "Title "+strconv.Itoa(i)) {
			t.Fatalf("READY=1 came before the new build was served")
		}
	}
	// After rejecting a build, the server serves the old build and notifies the manager, which would otherwise keep
	// waiting.
	if err := os.WriteFile(filepath.Join(dir, "manifest"), []byte("torn"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := s.cmd.Process.Signal(syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	next()
	if refused := next(); !strings.HasPrefix(refused, "READY=1\n") || !strings.Contains(refused, "rejected") {
		t.Errorf("of a torn build the manager is sent %q", refused)
	}
	if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if stopping := next(); !strings.HasPrefix(stopping, "STOPPING=1") {
		t.Errorf("at the end the manager is sent %q", stopping)
	}
}
