//go:build proof && unix

package config_test

import (
	"bytes"
	"flag"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"vitrine/internal/artifact"
	"vitrine/internal/lab/rig"
	"vitrine/internal/verify"
)

var deployPages = flag.String("deploy-pages", "50", "the sizes of the sites that are deployed under load, in pages")

// A deploy under load with the unchanged commands that the configurations print ends with the new site: once
// `verify --wait` would return, no page comes from the old build, in any representation.
func TestDeployUnderLoad(t *testing.T) {
	tool(t, "nginx")
	tool(t, "varnishd")
	for size := range strings.SplitSeq(*deployPages, ",") {
		pages, err := strconv.Atoi(size)
		if err != nil {
			t.Fatal(err)
		}
		for _, cache := range []string{"nginx", "varnish"} {
			t.Run(cache+"-"+size, func(t *testing.T) { deployUnderLoad(t, cache, pages) })
		}
	}
}

func deployUnderLoad(t *testing.T, cache string, pages int) {
	root, site := openDir(t), filepath.Join(openDir(t), "site")
	files := rig.TinySite("Home", "")
	for i := range pages {
		files[fmt.Sprintf("content/blog/article-%d.md", i)] = fmt.Sprintf("---\ntitle: Article %d\ndate: 2026-01-01\n---\n\nText of article %d.\n", i, i)
	}
	if err := rig.WriteFiles(root, files); err != nil {
		t.Fatal(err)
	}
	buildInto(t, root, site)
	b := &backend{address: freePort(t), dir: site}
	bin := openDir(t)
	runManaged(t, b, bin)
	script(t, bin, "vitrine", `exec `+programs.Vitrine+` "$@"`)
	var url, at, name string
	if cache == "nginx" {
		name = "/etc/nginx/conf.d/vitrine.conf"
		d := startNginx(false)(t, b)
		url, at = d.url, d.config
		script(t, bin, "nginx", `exec `+tool(t, "nginx")+` -e stderr -c `+d.main+` "$@"`)
	} else {
		name = "/etc/varnish/vitrine.vcl"
		d := startVarnish(t, b)
		url, at = d.url, d.config
		script(t, bin, "varnishadm", `exec /usr/bin/varnishadm -n `+d.main+` "$@"`)
	}
	load := startLoad(t, url, pages)
	until(t, "the load has filled the cache", func() bool { return load.answers.Load() > 300 })

	files["content/site.yaml"] = strings.Replace(files["content/site.yaml"], "title: Tiny", "title: Other", 1)
	if err := rig.WriteFiles(root, files); err != nil {
		t.Fatal(err)
	}
	buildInto(t, root, site)
	text, err := os.ReadFile(at)
	if err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	for _, command := range deployCommands(t, string(text)) {
		c := exec.CommandContext(t.Context(), "sh", "-c", strings.ReplaceAll(command, name, at))
		c.Env = append(os.Environ(), "PATH="+bin+":"+os.Getenv("PATH"))
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", command, err, out)
		}
	}
	built, err := artifact.Open(site)
	if err != nil {
		t.Fatal(err)
	}
	defer built.Close()
	if err := verify.Wait(t.Context(), verify.Options{URL: url, Build: built}, artifact.BuildName(built.Manifest.Build), 30*time.Second); err != nil {
		t.Fatal(err)
	}
	took := time.Since(began)
	asked := load.stop()
	stale, of := staleAnswers(t, url, built)
	if stale > 0 {
		t.Errorf("%d of %d representations are of the old build", stale, of)
	}
	t.Logf("%s, %d pages: the deploy took %s under %d requests; %d of %d answers afterwards are stale", cache, pages, took.Round(time.Millisecond), asked, stale, of)
}

// deployCommands are the commands that a configuration prints for a deploy.
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

// runManaged starts vitrined below a service manager that does what systemd does with Type=notify-reload, and puts a
// systemctl that speaks to it into a folder.
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
				_ = os.WriteFile(ready, []byte(strconv.Itoa(n)), 0o644) // the script would wait, and the test fail
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

// script puts a script into a folder of programs.
func script(t *testing.T, bin, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(bin, name), []byte("#!/bin/sh\n"+text+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
}

// load requests pages of a site continuously.
type load struct {
	answers atomic.Int64
	end     chan struct{}
	done    sync.WaitGroup
}

func startLoad(t *testing.T, url string, pages int) *load {
	t.Helper()
	l := &load{end: make(chan struct{})}
	for range 8 {
		l.done.Go(func() {
			client := &http.Client{Transport: &http.Transport{DisableCompression: true}}
			for {
				select {
				case <-l.end:
					return
				default:
				}
				r, err := http.NewRequest("GET", fmt.Sprintf("%s/blog/article-%d", url, rand.IntN(pages)), nil)
				if err != nil {
					return
				}
				r.Header.Set("Accept", []string{"text/html", "text/markdown"}[rand.IntN(2)])
				answer, err := client.Do(r)
				if err != nil {
					continue // a worker that ended
				}
				_, _ = new(bytes.Buffer).ReadFrom(answer.Body)
				answer.Body.Close()
				l.answers.Add(1)
			}
		})
	}
	t.Cleanup(func() { l.stop() })
	return l
}

func (l *load) stop() int64 {
	select {
	case <-l.end:
	default:
		close(l.end)
	}
	l.done.Wait()
	return l.answers.Load()
}

// staleAnswers requests every page of a build in both representations, and counts responses from another build.
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

// A cache stores only responses of the announced build, regardless of which of several servers sends them, and
// does store these.
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
				// asked is the number of requests that the server has received by then.
				asked int64
			}{{other, 1}, {other, 2}, {name, 3}, {name, 3}, {other, 3}} {
				answers.Store(&step.name)
				if i == 2 {
					time.Sleep(1100 * time.Millisecond) // the time for which Varnish remembers an uncacheable response
				}
				_, body := ask(t, "GET", url+"/pricing")
				if want := map[bool]string{true: step.name, false: name}[step.asked != 3]; body != want || asked.Load() != step.asked {
					t.Errorf("step %d is answered with %s after %d questions to the server, want %s after %d", i+1, body, asked.Load(), want, step.asked)
				}
			}
		})
	}
}
