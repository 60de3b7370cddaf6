package main

import (
	"bytes"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"vitrine/internal/serve/decide"
)

// If a build is damaged when the server starts, the server serves the previous build if that build is completely
// intact. Otherwise, it serves the intact files and responds with 500 for the others. The log, health, and metrics
// report the damage until an intact build is loaded.
func TestDamagedAtStart(t *testing.T) {
	flip := func(pattern string) func(dir string) error {
		return func(dir string) error {
			names, err := filepath.Glob(filepath.Join(dir, pattern))
			if err != nil || len(names) != 1 {
				return os.ErrNotExist
			}
			data, err := os.ReadFile(names[0])
			if err != nil {
				return err
			}
			data[len(data)/2] ^= 1
			return os.WriteFile(names[0], data, 0o600)
		}
	}
	remove := func(pattern string) func(dir string) error {
		return func(dir string) error {
			names, err := filepath.Glob(filepath.Join(dir, pattern))
			if err != nil || len(names) != 1 {
				return os.ErrNotExist
			}
			return os.Remove(names[0])
		}
	}
	for _, c := range []struct {
		what         string
		harm         func(dir string) error
		health, page string
		status       int
	}{
		{"nothing", func(string) error { return nil }, "ok", "second", 200},
		{"the manifest", flip("manifest"), "fallback", "first", 200},
		{"the manifest is missing", remove("manifest"), "fallback", "first", 200},
		{"the pack", flip("coded/*.pack"), "fallback", "first", 200},
		{"the pack is missing", remove("coded/*.pack"), "fallback", "first", 200},
		{"a page", flip("public/page.html"), "fallback", "first", 200},
		{"a page is missing", remove("public/page.html"), "fallback", "first", 200},
		// Both builds share this file, so the previous build is damaged too.
		{"a page of both builds", flip("public/404.html"), "damaged", "second", 200},
	} {
		t.Run(c.what, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "build")
			publishSmall(t, dir, "first")
			publishSmall(t, dir, "second")
			if err := c.harm(dir); err != nil {
				t.Fatal(err)
			}
			var log bytes.Buffer
			d, err := newDaemon(options{dir: dir}, slog.New(slog.NewTextHandler(&log, nil)), nil)
			if err != nil {
				t.Fatal(err)
			}
			if c.health == "ok" && readiness(d) != 503 {
				t.Error("it is ready before the build is verified")
			}
			d.verifyServed(t.Context())
			if got, want := readiness(d), map[bool]int{false: 200, true: 503}[c.health == "damaged"]; got != want {
				t.Errorf("/readyz: %d, want %d", got, want)
			}
			if health, _, _ := strings.Cut(d.health(), " "); health != c.health {
				t.Errorf("health is %q, want %s", d.health(), c.health)
			}
			var metrics bytes.Buffer
			if err := d.writeMetrics(&metrics); err != nil {
				t.Error(err)
			}
			for name, on := range map[string]bool{"damaged": c.health != "ok", "fallback": c.health == "fallback"} {
				if want := map[bool]string{false: " 0\n", true: " 1\n"}[on]; !strings.Contains(metrics.String(), "vitrine_build_"+name+want) {
					t.Errorf("vitrine_build_%s is not%s", name, want)
				}
			}
			if logged := strings.Contains(log.String(), "the build is damaged"); logged != (c.health != "ok") {
				t.Errorf("the log says %s", log.String())
			}
			answer := d.handler.Answer(&decide.Request{Method: "GET", Path: "/page"}, time.Now())
			if answer.Status != c.status || !strings.HasPrefix(string(answer.Body), c.page) {
				t.Errorf("the page returned %d, %.20q; want %d, %s", answer.Status, answer.Body, c.status, c.page)
			}
			publishSmall(t, dir, "third")
			if err := d.reload(t.Context()); err != nil || !strings.HasPrefix(d.health(), "ok ") {
				t.Errorf("after a whole build: %v, %s", err, d.health())
			}
			if got := readiness(d); got != 200 {
				t.Errorf("after a whole build /readyz: %d", got)
			}
			d.draining.Store(true)
			if got := readiness(d); got != 503 {
				t.Errorf("while draining /readyz: %d", got)
			}
		})
	}
}

// readiness returns the status of /readyz.
func readiness(d *daemon) int {
	w := httptest.NewRecorder()
	d.adminHandler(false).ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/readyz", nil))
	return w.Code
}
