//go:build proof && unix

package config_test

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"vitrine/internal/artifact"
	"vitrine/internal/lab/rig"
)

var deployPages = flag.String("deploy-pages", "50", "the sizes of the sites that are deployed under load, in pages")

// `vitrine deploy` runs under load, with vitrined alone and behind each cache, using the commands that the cache's
// configuration prints. No request fails, every response belongs to one of the two builds, and no response after the
// deploy belongs to the old build.
func TestDeployUnderLoad(t *testing.T) {
	tool(t, "nginx")
	tool(t, "varnishd")
	t.Log("\n| in front | pages | deploy | requests | failed | sent again | mixed | stale in the load | stale pages |")
	for size := range strings.SplitSeq(*deployPages, ",") {
		pages, err := strconv.Atoi(size)
		if err != nil {
			t.Fatal(err)
		}
		builds := sized(t, pages)
		for _, front := range []string{"vitrined", "nginx", "varnish"} {
			t.Run(front+"-"+size, func(t *testing.T) { deployUnderLoad(t, front, pages, builds) })
		}
	}
}

// sized builds a site with the given number of articles, and again after an edit that changes every page. It returns
// the folders of the builds.
func sized(t *testing.T, pages int) []string {
	t.Helper()
	root := openDir(t)
	files := rig.TinySite("Home", "")
	for i := range pages {
		files[fmt.Sprintf("content/blog/article-%d.md", i)] = fmt.Sprintf("---\ntitle: Article %d\ndate: 2026-01-01\n---\n\nText of article %d.\n", i, i)
	}
	if err := rig.WriteFiles(root, files); err != nil {
		t.Fatal(err)
	}
	before := buildSite(t, root)
	for name, text := range files {
		switch {
		case name == "content/site.yaml":
			files[name] = strings.Replace(text, "title: Tiny", "title: Other", 1)
		case strings.HasSuffix(name, ".md"):
			files[name] = text + "\nA sentence that was not there before.\n"
		}
	}
	if err := rig.WriteFiles(root, files); err != nil {
		t.Fatal(err)
	}
	return []string{before, buildSite(t, root)}
}

func deployUnderLoad(t *testing.T, front string, pages int, builds []string) {
	dir := openDir(t)
	release := filepath.Join("releases", artifact.BuildName(rig.Open(t, builds[0]).Manifest.Build))
	if err := errors.Join(os.CopyFS(filepath.Join(dir, release), os.DirFS(builds[0])), os.Symlink(release, filepath.Join(dir, "build"))); err != nil {
		t.Fatal(err)
	}
	b, bin := &backend{address: freePort(t), dir: filepath.Join(dir, "build")}, openDir(t)
	runManaged(t, b, bin)
	url, purge := "http://"+b.address, ""
	if front != "vitrined" {
		url, purge = cacheInFront(t, front, b, bin)
	}
	load := rig.StartLoad(t, 8, builds, url)
	until(t, "the load has filled the cache", func() bool { return load.Counts().All > 300 })

	c := exec.CommandContext(t.Context(), programs.Vitrine, "deploy", dir, "--build", builds[1], "--origin", "http://"+b.address, "--url", url, "--purge", purge)
	c.Env = append(os.Environ(), "PATH="+bin+":"+os.Getenv("PATH"))
	began := time.Now()
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("vitrine deploy: %v\n%s", err, out)
	}
	took := time.Since(began)
	load.After(t, 1, 1000)
	counts := load.Stop(t)
	stale, of := staleAnswers(t, url, rig.Open(t, builds[1]))
	if stale > 0 {
		t.Errorf("%d of %d representations are of the old build", stale, of)
	}
	t.Logf("\n| %s | %d | %.1f s | %d | %d | %d | %d | %d | %d of %d |", front, pages, took.Seconds(),
		counts.All, counts.Failed, counts.Retried, counts.Mixed, counts.Stale, stale, of)
}

// cacheInFront starts a cache in front of vitrined. It returns the cache's address, and the commands that its
// configuration prints for a deploy, except the command for vitrined. bin receives the programs that the commands run.
func cacheInFront(t *testing.T, cache string, b *backend, bin string) (url, purge string) {
	t.Helper()
	script(t, bin, "vitrine", `exec `+programs.Vitrine+` "$@"`)
	var d deployment
	name := "/etc/nginx/conf.d/vitrine.conf"
	if cache == "nginx" {
		d = startNginx(false)(t, b)
		script(t, bin, "nginx", `exec `+tool(t, "nginx")+` -e stderr -c `+d.main+` "$@"`)
	} else {
		name = "/etc/varnish/vitrine.vcl"
		d = startVarnish(t, b)
		script(t, bin, "varnishadm", `exec /usr/bin/varnishadm -n `+d.main+` "$@"`)
	}
	text, err := os.ReadFile(d.config)
	if err != nil {
		t.Fatal(err)
	}
	commands := deployCommands(t, string(text))
	if commands[0] != "systemctl reload vitrined" {
		t.Fatalf("the first command of a deploy is %s", commands[0])
	}
	// The commands contain the name of the build in the names of Varnish's configurations. In a deploy, $VITRINE_BUILD
	// contains that name.
	current := artifact.BuildName(rig.Open(t, b.dir).Manifest.Build)
	purge = strings.ReplaceAll(strings.Join(commands[1:], " && "), name, d.config)
	return d.url, strings.ReplaceAll(purge, current, "$VITRINE_BUILD")
}

// deployCommands returns the commands that a configuration prints for a deploy.
func deployCommands(t *testing.T, config string) []string {
	t.Helper()
	_, rest, ok := strings.Cut(config, "Deploy in")
	if !ok {
		t.Fatal("the configuration says nothing of a deploy")
	}
	var commands []string
	for line := range strings.Lines(rest) {
		if command, ok := strings.CutPrefix(line, "#   "); ok {
			commands = append(commands, strings.TrimSpace(command))
		} else if len(commands) > 0 {
			break
		}
	}
	return commands
}

// runManaged starts vitrined under a service manager that behaves like systemd with Type=notify-reload, and writes a
// systemctl for it into bin.
func runManaged(t *testing.T, b *backend, bin string) {
	t.Helper()
	dir := openDir(t)
	socket, ready := filepath.Join(dir, "notify"), filepath.Join(dir, "ready")
	overwrite(t, ready, "0")
	manager, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: socket, Net: "unixgram"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { manager.Close() })
	go func() {
		message, reloading := make([]byte, 4096), false
		for n := 0; ; {
			length, err := manager.Read(message)
			if err != nil {
				return
			}
			switch {
			case bytes.HasPrefix(message[:length], []byte("RELOADING=1")):
				reloading = true
			case bytes.HasPrefix(message[:length], []byte("READY=1")) && reloading:
				reloading = false
				n++
				_ = os.WriteFile(ready, []byte(strconv.Itoa(n)), 0o644) // without the file, the script waits and the test fails
			}
		}
	}()
	p := newProcess(t, programs.Vitrined, "-dir", b.build(), "-addr", b.address)
	p.cmd.Env = append(p.cmd.Env, "NOTIFY_SOCKET="+socket)
	p.run(t, b.address)
	b.running = p
	script(t, bin, "systemctl", fmt.Sprintf(`[ "$*" = "reload vitrined" ] || exit 1
before=$(cat %[1]s)
kill -HUP %[2]d
until [ "$(cat %[1]s)" -gt "$before" ]; do sleep 0.01; done`, ready, p.cmd.Process.Pid))
}

// script writes an executable script into bin, a folder of programs.
func script(t *testing.T, bin, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(bin, name), []byte("#!/bin/sh\n"+text+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
}

// staleAnswers requests every page of a build in both representations. It returns the number of responses from another
// build, and the total number of responses.
func staleAnswers(t *testing.T, url string, built *artifact.Build) (stale, of int) {
	t.Helper()
	client := &http.Client{Transport: &http.Transport{DisableCompression: true}}
	for route := range built.Manifest.Routes() {
		if route.Kind() != artifact.KindPage {
			continue
		}
		for i, accept := range []string{"text/html", "text/markdown"} {
			body, _ := built.Manifest.BodyIn(route.Variant(i), artifact.Identity)
			r, err := http.NewRequestWithContext(t.Context(), "GET", url+route.Path(), nil)
			if err != nil {
				t.Fatal(err)
			}
			r.Header.Set("Accept", accept)
			answer, err := client.Do(r)
			if err != nil {
				t.Fatal(err)
			}
			_, _ = new(bytes.Buffer).ReadFrom(answer.Body)
			answer.Body.Close()
			if of++; answer.Header.Get("ETag") != artifact.ETag(built.Manifest.Body(body).Hash, artifact.Identity) {
				stale++
			}
		}
	}
	return stale, of
}

// A cache stores the responses of the announced build, and no others, regardless of the server that sends them.
func TestCacheKeepsOneBuild(t *testing.T) {
	built, err := artifact.Open(sample)
	if err != nil {
		t.Fatal(err)
	}
	name := artifact.BuildName(built.Manifest.Build)
	built.Close()
	tool(t, "nginx")
	tool(t, "varnishd")
	for cache, start := range map[string]func(*testing.T, *backend) deployment{"nginx": startNginx(false), "varnish": startVarnish} {
		t.Run(cache, func(t *testing.T) {
			var answers atomic.Pointer[string]
			var asked atomic.Int64
			upstream := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				asked.Add(1)
				w.Header().Set("Cache-Control", artifact.PageCacheControl)
				w.Header().Set("CDN-Cache-Control", artifact.CDNCacheControl)
				w.Header().Set("Vitrine-Build", *answers.Load())
				fmt.Fprint(w, *answers.Load())
			}))
			defer upstream.Close()
			url := start(t, &backend{address: upstream.Listener.Addr().String()}).url
			other := strings.Repeat("0", 16)
			for i, step := range []struct {
				name string
				// asked is the number of requests that the server has received so far.
				asked int64
			}{{other, 1}, {other, 2}, {name, 3}, {name, 3}, {other, 3}} {
				answers.Store(&step.name)
				if i == 2 {
					time.Sleep(1100 * time.Millisecond) // the time for which Varnish remembers an uncacheable response
				}
				_, body := ask(t, "GET", url+"/pricing")
				if want := map[bool]string{true: step.name, false: name}[step.asked != 3]; body != want || asked.Load() != step.asked {
					t.Errorf("step %d returned %s after %d questions to the server, want %s after %d", i+1, body, asked.Load(), want, step.asked)
				}
			}
		})
	}
}
