//go:build proof

package config_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	edgehosts "vitrine/internal/edge/hosts"
)

// host is one way to serve the sample site, with the function that starts it. If it runs in front of vitrined, the
// caller must already have started vitrined at the backend's address.
type host struct {
	*edgehosts.Host
	start func(t *testing.T, b *backend) deployment
}

// files reports whether the host serves files without vitrined.
func (h host) files() bool { return !h.Counts() }

// deployment is a running host.
type deployment struct {
	url string
	// deploy performs the operator's steps after a new build.
	deploy func(t *testing.T)
	// config is the path of the host's configuration file. main is the path that the host's commands need to find it:
	// nginx's main configuration, or Varnish's working folder.
	config, main string
}

// hosts returns every host, or ends the test if one of them isn't installed.
func hosts(t *testing.T) []host {
	t.Helper()
	for _, name := range []string{"nginx", "caddy", "varnishd", "apache2", "h2o"} {
		tool(t, name)
	}
	return []host{
		{edgehosts.ByName("nginx-files"), startNginx(true)},
		{edgehosts.ByName("nginx"), startNginx(false)},
		{edgehosts.ByName("caddy-files"), startCaddy(true)},
		{edgehosts.ByName("caddy"), startCaddy(false)},
		{edgehosts.ByName("varnish"), startVarnish},
		{edgehosts.ByName("apache"), startApache},
		{edgehosts.ByName("h2o"), startH2o},
	}
}

// flagsOf returns the flags for generating a host's configuration.
func flagsOf(t *testing.T, program, listen string, b *backend, files bool) []string {
	t.Helper()
	arguments := []string{program, "--build", b.build(), "--listen", listen, "--upstream", b.address}
	if files {
		arguments = append(arguments, "--files", openDir(t))
	}
	return arguments
}

func startNginx(files bool) func(*testing.T, *backend) deployment {
	return func(t *testing.T, b *backend) deployment {
		dir, listen := openDir(t), freePort(t)
		flags := append(flagsOf(t, "nginx", listen, b, files), "--cache", filepath.Join(dir, "cache"))
		included := write(t, "vitrine.conf", config(t, flags...))
		main := nginxMain(t, dir, "include "+included+";")
		p := start(t, listen, tool(t, "nginx"), "-e", "stderr", "-c", main)
		return deployment{url: "http://" + listen, config: included, main: main, deploy: func(t *testing.T) {
			overwrite(t, included, config(t, flags...))
			if err := p.cmd.Process.Signal(syscall.SIGHUP); err != nil {
				t.Fatal(err)
			}
		}}
	}
}

// nginxMain writes nginx's main configuration, and returns its path. nginx's own files go in dir.
func nginxMain(t *testing.T, dir, include string) string {
	t.Helper()
	user := ""
	if os.Getuid() == 0 {
		user = "user www-data;\n"
	}
	return write(t, "nginx.conf", user+`daemon off;
worker_processes 1;
pid `+dir+`/pid;
error_log stderr notice;
events { worker_connections 256; }
http {
    access_log off;
    client_body_temp_path `+dir+`/body;
    proxy_temp_path `+dir+`/proxy;
    fastcgi_temp_path `+dir+`/fastcgi;
    uwsgi_temp_path `+dir+`/uwsgi;
    scgi_temp_path `+dir+`/scgi;
    `+include+`
}
`)
}

func startCaddy(files bool) func(*testing.T, *backend) deployment {
	return func(t *testing.T, b *backend) deployment {
		listen, socket := freePort(t), "unix/"+filepath.Join(openDir(t), "admin.sock")
		flags := flagsOf(t, "caddy", listen, b, files)
		options := "{\n\tadmin " + socket + "\n\tpersist_config off\n}\n"
		caddy, file := tool(t, "caddy"), write(t, "Caddyfile", options+config(t, flags...))
		start(t, listen, caddy, "run", "--adapter", "caddyfile", "--config", file)
		return deployment{url: "http://" + listen, config: file, deploy: func(t *testing.T) {
			overwrite(t, file, options+config(t, flags...))
			c := exec.Command(caddy, "reload", "--adapter", "caddyfile", "--config", file, "--address", socket)
			if out, err := c.CombinedOutput(); err != nil {
				t.Fatalf("caddy reload: %v\n%s", err, out)
			}
		}}
	}
}

func startApache(t *testing.T, b *backend) deployment {
	listen, dir := freePort(t), openDir(t)
	included := write(t, "vitrine.conf", config(t, flagsOf(t, "apache", listen, b, false)...))
	main := write(t, "apache.conf", `ServerRoot `+dir+`
ServerName 127.0.0.1
PidFile `+dir+`/pid
ErrorLog /dev/stderr
User www-data
Group www-data
LoadModule mpm_event_module /usr/lib/apache2/modules/mod_mpm_event.so
LoadModule authz_core_module /usr/lib/apache2/modules/mod_authz_core.so
LoadModule env_module /usr/lib/apache2/modules/mod_env.so
LoadModule headers_module /usr/lib/apache2/modules/mod_headers.so
LoadModule proxy_module /usr/lib/apache2/modules/mod_proxy.so
LoadModule proxy_http_module /usr/lib/apache2/modules/mod_proxy_http.so
Include `+included+"\n")
	start(t, listen, tool(t, "apache2"), "-DFOREGROUND", "-f", main)
	return deployment{url: "http://" + listen, deploy: func(*testing.T) {}}
}

func startH2o(t *testing.T, b *backend) deployment {
	listen := freePort(t)
	file := write(t, "h2o.yaml", "user: root\nnum-threads: 2\n"+config(t, flagsOf(t, "h2o", listen, b, false)...))
	start(t, listen, tool(t, "h2o"), "-m", "worker", "-c", file)
	return deployment{url: "http://" + listen, deploy: func(*testing.T) {}}
}

func startVarnish(t *testing.T, b *backend) deployment {
	listen := freePort(t)
	dir, flags := openDir(t), flagsOf(t, "varnish", listen, b, false)
	file := write(t, "vitrine.vcl", config(t, flags...))
	arguments := []string{tool(t, "varnishd"), "-F", "-f", file,
		"-a", listen, "-n", dir, "-s", "malloc,256m", "-T", "127.0.0.1:0", "-p", "http_gzip_support=off",
		"-p", "thread_pool_min=10", "-p", "thread_pools=1"}
	if os.Getuid() != 0 {
		arguments = append(arguments, "-j", "none")
	}
	p := start(t, listen, arguments...)
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("varnishd says:\n%s", p.out)
		}
	})
	deploys := 0
	return deployment{url: "http://" + listen, config: file, main: dir, deploy: func(t *testing.T) {
		overwrite(t, file, config(t, flags...))
		deploys++
		name := fmt.Sprintf("deploy%d", deploys)
		for _, command := range [][]string{{"vcl.load", name, file}, {"vcl.use", name}} {
			if out, err := exec.Command("varnishadm", append([]string{"-n", dir, "-t", "60"}, command...)...).CombinedOutput(); err != nil {
				t.Fatalf("varnishadm %v: %v\n%s", command, err, out)
			}
		}
	}}
}
