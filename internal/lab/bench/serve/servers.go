//go:build linux

package main

import (
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"vitrine/internal/lab/bench/paired"
)

// timeout is the maximum duration of each wait for a server.
const timeout = 30 * time.Second

// server is a running server, bound to its cores.
type server struct {
	name string
	base string // http://127.0.0.1:port, or https
	cmd  *exec.Cmd
	// html reports whether this server's page paths end with .html.
	html bool
}

// pinned returns a command that runs on the given cores.
func pinned(ctx context.Context, cores, program string, arguments ...string) *exec.Cmd {
	return exec.CommandContext(ctx, "taskset", append([]string{"-c", cores, program}, arguments...)...)
}

// client accepts self-signed certificates.
var client = &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}}

// launch starts a program on the servers' cores and waits until it responds.
func (s *settings) launch(ctx context.Context, name, base string, html bool, program string, arguments ...string) (*server, error) {
	launched := &server{name: name, base: base, html: html, cmd: pinned(ctx, s.serverCores, program, arguments...)}
	launched.cmd.Env = append(os.Environ(), "HOME="+os.TempDir(), "BENCH_PUBLIC="+s.peerDir())
	if err := launched.cmd.Start(); err != nil {
		return nil, err
	}
	for deadline := time.Now().Add(timeout); ; {
		response, err := client.Get(launched.base + "/")
		if err == nil {
			_ = response.Body.Close()
			return launched, nil
		}
		if time.Now().After(deadline) {
			launched.stop()
			return nil, fmt.Errorf("%s does not respond: %w", name, err)
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// stop interrupts the server and waits until it ends.
func (s *server) stop() {
	_ = s.cmd.Process.Signal(os.Interrupt)
	_ = s.cmd.Wait()
}

// Names of the servers in the tables. nginxNamed is followed by the value of sendfile, on or off.
const (
	fast       = "vitrined fast"
	plain      = "vitrined net/http"
	nginxNamed = "nginx, sendfile "
	caddy      = "Caddy"
	ready      = "net/http, ready body"
)

// launchAll starts vitrined with both engines, and all peers, on one site.
func (s *settings) launchAll(ctx context.Context, site string) ([]*server, error) {
	var all []*server
	for _, start := range []func() (*server, error){
		func() (*server, error) { return s.launchVitrined(ctx, "fast", site, "0") },
		func() (*server, error) { return s.launchVitrined(ctx, "net/http", site, "0") },
		func() (*server, error) { return s.launchNginx(ctx, "on") },
		func() (*server, error) { return s.launchNginx(ctx, "off") },
		func() (*server, error) { return s.launchCaddy(ctx, "http://", "") },
		func() (*server, error) { return s.launchH2O(ctx, "http://", "") },
		func() (*server, error) { return s.launchReady(ctx) },
	} {
		server, err := start()
		if err != nil {
			for _, s := range all {
				s.stop()
			}
			return nil, err
		}
		if server != nil {
			all = append(all, server)
		}
	}
	return all, nil
}

func (s *settings) launchVitrined(ctx context.Context, engine, site, allowance string) (*server, error) {
	address, err := paired.FreeAddress()
	if err != nil {
		return nil, err
	}
	return s.launch(ctx, "vitrined "+engine, "http://"+address, false, s.vitrined,
		"-dir", site, "-addr", address, "-engine", engine, "-allowance", allowance)
}

// nginxConfiguration is tuned as nginx's documentation recommends.
const nginxConfiguration = `
daemon off; worker_processes %[6]d; pid %[1]s/nginx.pid; error_log %[1]s/nginx.log;
events { worker_connections 4096; }
http {
  access_log off; etag on; gzip_static on; sendfile %[4]s; tcp_nopush on;
  open_file_cache max=10000 inactive=1h; open_file_cache_valid 1h;
  keepalive_timeout 1h; keepalive_requests 1000000000;
  client_body_temp_path %[1]s/t1; proxy_temp_path %[1]s/t2; fastcgi_temp_path %[1]s/t3; uwsgi_temp_path %[1]s/t4; scgi_temp_path %[1]s/t5;
  types { text/html html; text/markdown md; application/json json; }
  %[5]s
  server { listen %[2]s; root %[3]s; }
}
`

// configureNginx writes a configuration that includes more, and returns the command-line arguments for it.
func (s *settings) configureNginx(address, public, sendfile, more string) ([]string, error) {
	dir, err := os.MkdirTemp(s.dir, "nginx-")
	if err != nil {
		return nil, err
	}
	text := fmt.Sprintf(nginxConfiguration, dir, address, public, sendfile, more, 1+strings.Count(s.serverCores, ","))
	if os.Geteuid() == 0 {
		text = "user root;" + text
	}
	configuration := filepath.Join(dir, "nginx.conf")
	return []string{"-e", filepath.Join(dir, "nginx.log"), "-c", configuration}, os.WriteFile(configuration, []byte(text), 0o666)
}

func (s *settings) launchNginx(ctx context.Context, sendfile string) (*server, error) {
	return s.launchNginxWith(ctx, "http://", "", sendfile, "")
}

// launchNginxWith starts nginx with additional listen options and directives, and with one worker for each server core.
func (s *settings) launchNginxWith(ctx context.Context, scheme, listen, sendfile, more string) (*server, error) {
	address, err := paired.FreeAddress()
	if err != nil {
		return nil, err
	}
	arguments, err := s.configureNginx(address+listen, s.peerDir(), sendfile, more)
	if err != nil {
		return nil, err
	}
	return s.launch(ctx, nginxNamed+sendfile, scheme+address, true, "nginx", arguments...)
}

// launchCaddy starts Caddy with an additional line of configuration. It returns nil if Caddy isn't installed.
func (s *settings) launchCaddy(ctx context.Context, scheme, more string) (*server, error) {
	if s.caddy == "" {
		return nil, nil
	}
	address, err := paired.FreeAddress()
	if err != nil {
		return nil, err
	}
	configuration := filepath.Join(s.dir, "Caddyfile-"+strings.TrimSuffix(scheme, "://"))
	text := fmt.Sprintf("{\n\tadmin off\n\tauto_https disable_redirects\n\tpersist_config off\n\tservers {\n\t\tprotocols h1 h2\n\t}\n}\n%s%s {\n\t%s\n\troot * %s\n\tfile_server {\n\t\tprecompressed gzip\n\t}\n}\n",
		scheme, address, more, s.peerDir())
	if err := os.WriteFile(configuration, []byte(text), 0o666); err != nil {
		return nil, err
	}
	return s.launch(ctx, caddy, scheme+address, true, s.caddy, "run", "--adapter", "caddyfile", "--config", configuration)
}

func (s *settings) launchReady(ctx context.Context) (*server, error) {
	address, err := paired.FreeAddress()
	if err != nil {
		return nil, err
	}
	return s.launch(ctx, ready, "http://"+address, true, s.self, "-ready", address)
}

// serveReady runs a minimal net/http server for the comparison. It reads the files once at startup, and examines only a
// request's path, Accept-Encoding, and If-None-Match.
func serveReady(address string) error {
	type answer struct {
		body   []byte
		header http.Header
	}
	bodies := make(map[string]answer)
	public := os.Getenv("BENCH_PUBLIC")
	for _, file := range []string{"/page-0.html", "/page-0.md", "/api/v1/marketing.json"} {
		for _, suffix := range []string{"", ".gz"} {
			body, err := os.ReadFile(filepath.Join(public, filepath.FromSlash(file+suffix)))
			if err != nil {
				return err
			}
			header := http.Header{
				"Content-Type": {"text/html; charset=utf-8"}, "Content-Length": {strconv.Itoa(len(body))}, "Etag": {`"ready` + suffix + `"`},
			}
			if suffix != "" {
				header["Content-Encoding"] = []string{"gzip"}
			}
			bodies[file+suffix] = answer{body, header}
		}
	}
	return http.ListenAndServe(address, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := r.URL.Path
		if strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
			name += ".gz"
		}
		b, ok := bodies[name]
		if !ok {
			http.NotFound(w, r)
			return
		}
		header := w.Header()
		for name, values := range b.header {
			header[name] = values
		}
		if r.Header.Get("If-None-Match") == b.header["Etag"][0] {
			delete(header, "Content-Length")
			w.WriteHeader(http.StatusNotModified)
			return
		}
		_, _ = w.Write(b.body)
	}))
}

// fetch sends one request and returns the status and the ETag.
func fetch(url string, fields http.Header) (status int, etag string, err error) {
	response, err := get(url, fields)
	if err != nil {
		return 0, "", err
	}
	defer response.Body.Close()
	_, err = io.Copy(io.Discard, response.Body)
	return response.StatusCode, response.Header.Get("ETag"), err
}

// fetchBody sends one request and returns the body without decompressing it.
func fetchBody(url, coding string) ([]byte, error) {
	response, err := get(url, http.Header{"Accept-Encoding": {coding}})
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	return io.ReadAll(response.Body)
}

func get(url string, fields http.Header) (*http.Response, error) {
	request, err := http.NewRequest(http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}
	if fields != nil {
		request.Header = fields.Clone()
	}
	if request.Header.Get("Accept-Encoding") == "" {
		// Otherwise, net/http would request gzip.
		request.Header.Set("Accept-Encoding", "identity")
	}
	return client.Do(request)
}
