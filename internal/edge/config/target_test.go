package config_test

import (
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
)

// host is one way to serve the sample site.
type host struct {
	name, title string
	// start starts it. Where it stands before vitrined, the caller has started
	// that at the backend's address.
	start func(t *testing.T, b *backend) deployment
	// files says that it serves without vitrined.
	files bool
}

// deployment is a host that runs.
type deployment struct {
	url string
	// deploy does what an operator does after a new build.
	deploy func(t *testing.T)
}

// hosts returns every host, or ends the test where one of them is not installed.
func hosts(t *testing.T) []host {
	t.Helper()
	for _, name := range []string{"nginx", "caddy", "varnishd"} {
		tool(t, name)
	}
	return []host{
		{name: "nginx-files", title: "nginx, files", files: true, start: startNginx(true)},
		{name: "nginx-cache", title: "nginx, cache", start: startNginx(false)},
		{name: "caddy-files", title: "Caddy, files", files: true, start: startCaddy(true)},
		{name: "caddy-proxy", title: "Caddy, proxy", start: startCaddy(false)},
		{name: "varnish-cache", title: "Varnish, cache", start: startVarnish},
	}
}

// flagsOf returns the flags that a host's configuration is made with.
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
		user := ""
		if os.Getuid() == 0 {
			user = "user www-data;\n"
		}
		main := write(t, "nginx.conf", user+`daemon off;
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
    include `+included+`;
}
`)
		p := start(t, listen, tool(t, "nginx"), "-e", "stderr", "-c", main)
		return deployment{"http://" + listen, func(t *testing.T) {
			overwrite(t, included, config(t, flags...))
			if err := p.cmd.Process.Signal(syscall.SIGHUP); err != nil {
				t.Fatal(err)
			}
		}}
	}
}

func startCaddy(files bool) func(*testing.T, *backend) deployment {
	return func(t *testing.T, b *backend) deployment {
		listen, socket := freePort(t), "unix/"+filepath.Join(openDir(t), "admin.sock")
		flags := flagsOf(t, "caddy", listen, b, files)
		options := "{\n\tadmin " + socket + "\n\tpersist_config off\n}\n"
		caddy, file := tool(t, "caddy"), write(t, "Caddyfile", options+config(t, flags...))
		start(t, listen, caddy, "run", "--adapter", "caddyfile", "--config", file)
		return deployment{"http://" + listen, func(t *testing.T) {
			overwrite(t, file, options+config(t, flags...))
			c := exec.Command(caddy, "reload", "--adapter", "caddyfile", "--config", file, "--address", socket)
			if out, err := c.CombinedOutput(); err != nil {
				t.Fatalf("caddy reload: %v\n%s", err, out)
			}
		}}
	}
}

func startVarnish(t *testing.T, b *backend) deployment {
	listen := freePort(t)
	arguments := []string{tool(t, "varnishd"), "-F", "-f", write(t, "vitrine.vcl", config(t, flagsOf(t, "varnish", listen, b, false)...)),
		"-a", listen, "-n", openDir(t), "-s", "malloc,64m", "-T", "none", "-p", "http_gzip_support=off",
		"-p", "thread_pool_min=10", "-p", "thread_pools=1"}
	if os.Getuid() != 0 {
		arguments = append(arguments, "-j", "none")
	}
	start(t, listen, arguments...)
	return deployment{"http://" + listen, func(t *testing.T) {
		if resp, _ := ask(t, "BAN", "http://"+listen+"/"); resp.StatusCode != http.StatusOK {
			t.Errorf("BAN is answered %s", resp.Status)
		}
	}}
}
