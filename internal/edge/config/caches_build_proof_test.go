//go:build proof && unix

package config_test

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"vitrine/internal/artifact"
	"vitrine/internal/lab/rig"
	"vitrine/internal/verify"
)

// If a cache and vitrined have the same build, responses name the build once. A cache's responses identify the cache so
// that deploys know that it needs a new configuration for each build. nginx, too, rejects a request with an ambiguous
// length with 400 (RFC 9112 §6.3).
func TestCacheInFront(t *testing.T) {
	for _, cache := range []string{"nginx", "varnish"} {
		t.Run(cache, func(t *testing.T) {
			root, site := openDir(t), filepath.Join(openDir(t), "site")
			if err := rig.WriteFiles(root, rig.TinySite("Home", "")); err != nil {
				t.Fatal(err)
			}
			buildInto(t, root, site)
			b := &backend{address: freePort(t), dir: site}
			runManaged(t, b, openDir(t))
			url, title := "", "Varnish"
			if cache == "nginx" {
				url, title = startNginx(false)(t, b).url, "nginx as a cache"
			} else {
				url = startVarnish(t, b).url
			}
			answer, err := http.Get(url + artifact.BuildPath)
			if err != nil {
				t.Fatal(err)
			}
			answer.Body.Close()
			want := artifact.BuildName(rig.Open(t, site).Manifest.Build)
			if got := answer.Header.Values(artifact.FieldBuild); len(got) != 1 || got[0] != want {
				t.Errorf("the build is named %v, want %s once", got, want)
			}
			if got := verify.BuildCache(t.Context(), url); got != title {
				t.Errorf("the cache is %q, want %q", got, title)
			}
			if cache != "nginx" {
				return
			}
			for _, path := range []string{"/", "/pricing", "/no-such-page"} {
				conn, err := net.Dial("tcp", strings.TrimPrefix(url, "http://"))
				if err != nil {
					t.Fatal(err)
				}
				defer conn.Close()
				if err := conn.SetDeadline(time.Now().Add(20 * time.Second)); err != nil {
					t.Fatal(err)
				}
				if _, err := io.WriteString(conn, "POST "+path+" HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"); err != nil {
					t.Fatal(err)
				}
				answer, err := http.ReadResponse(bufio.NewReader(conn), nil)
				if err != nil || answer.StatusCode != http.StatusBadRequest || answer.Header.Get("Cache-Control") != "no-store" {
					t.Errorf("%s with two lengths: %v, %v", path, answer, err)
				}
			}
		})
	}
}

// Apache's own errors have the same fields as vitrined's errors, and vitrined's errors have each field once.
func TestApacheErrors(t *testing.T) {
	root, site := openDir(t), filepath.Join(openDir(t), "site")
	if err := rig.WriteFiles(root, rig.TinySite("Home", "")); err != nil {
		t.Fatal(err)
	}
	buildInto(t, root, site)
	b := &backend{address: freePort(t), dir: site}
	runManaged(t, b, openDir(t))
	url := startApache(t, b).url
	for path, status := range map[string]int{"/%00": 404, "/no-such-page": 404, "/api/v1/marketing?x": 400} {
		answer, err := http.Get(url + path)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		cache, sniff := answer.Header.Values("Cache-Control"), answer.Header.Values("X-Content-Type-Options")
		if answer.StatusCode != status || len(cache) != 1 || cache[0] != "no-store" || len(sniff) != 1 || sniff[0] != "nosniff" {
			t.Errorf("%s returned %d, Cache-Control %q, X-Content-Type-Options %q", path, answer.StatusCode, cache, sniff)
		}
	}
}
