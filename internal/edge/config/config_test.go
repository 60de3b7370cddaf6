package config_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"math/big"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"vitrine/internal/artifact"
	"vitrine/internal/lab/rig"
)

// Wrong usage exits 2, what cannot be done exits 1, and each says what to do.
func TestConfigSaysWhatIsWrong(t *testing.T) {
	for _, test := range []struct {
		arguments []string
		code      int
		says      string
	}{
		{nil, 2, "vitrine config needs one of nginx, caddy, varnish, systemd, docker, dockerignore, apache, h2o"},
		{[]string{"iis"}, 2, `there is no target "iis"`},
		{[]string{"nginx", "--build", "no-such-folder"}, 1, "run vitrine build first"},
		{[]string{"varnish", "--build", sample, "--upstream", "here"}, 1, "is not a host and a port"},
		{[]string{"varnish", "--build", sample, "--upstream", "a;b:1"}, 1, "is not a host and a port"},
		{[]string{"systemd", "--tls-cert", "/a.pem"}, 1, "go together"},
		{[]string{"systemd", "--redirect-addr", ":80"}, 1, "needs https"},
		{[]string{"systemd", "--acme-domain", "a b"}, 1, "cannot stand in a unit"},
		{[]string{"docker", "--release", "../x"}, 1, "is no version"},
		{[]string{"docker", "--image", "a b"}, 1, "is no image"},
		{[]string{"systemd", "--program", "vitrined"}, 1, "give an absolute path"},
		{[]string{"nginx", "--build", sample, "--cache", "a b"}, 1, "give an absolute path"},
		{[]string{"nginx", "--build", sample, "--files", openDir(t) + "/a b"}, 1, "without spaces"},
	} {
		out, err := exec.Command(programs.Vitrine, append([]string{"config"}, test.arguments...)...).CombinedOutput()
		var exit *exec.ExitError
		if !errors.As(err, &exit) || exit.ExitCode() != test.code || !strings.Contains(string(out), test.says) {
			t.Errorf("vitrine config %s: %v, want exit code %d and %q in:\n%s", strings.Join(test.arguments, " "), err, test.code, test.says, out)
		}
	}
}

// One build gives one configuration, byte for byte.
func TestConfigIsReproducible(t *testing.T) {
	files := openDir(t)
	for _, arguments := range [][]string{
		{"nginx", "--build", sample, "--files", files}, {"caddy", "--build", sample, "--files", files},
		{"nginx", "--build", sample}, {"caddy", "--build", sample}, {"varnish", "--build", sample}, {"systemd"}, {"docker"},
	} {
		first, second := config(t, arguments...), config(t, arguments...)
		if first != second {
			t.Errorf("vitrine config %s prints something else the second time", strings.Join(arguments, " "))
		}
	}
}

// Names that mean something in a configuration are names of files like any
// other, and the case of a path counts also where the server's own tables do
// not look at it.
func TestNamesThatAreSyntaxElsewhere(t *testing.T) {
	all := hosts(t)
	root := copySite(t)
	files := map[string]string{
		"price$5.txt": "dollar", "a b.txt": "space", "na\u00efve.txt": "not ASCII", "brace{x}.txt": "brace", "semi;colon.txt": "semicolon",
		"Case.txt": "upper", "$uri.txt": "a variable", "plus+plus.txt": "plus", "it's.txt": "quote", "a~b.txt": "tilde",
		"paren(1).txt": "parenthesis", "tick`.txt": "backtick", `double".txt`: "double quote", "default": "a keyword",
	}
	// Notes beside pages are not published; what is static is.
	dir := filepath.Join(root, "content/static/blog/objection-practice")
	if err := os.MkdirAll(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	var names []string
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		names = append(names, name)
	}
	site := buildSite(t, root)
	b := &backend{address: freePort(t), dir: site}
	b.fresh(t)
	for _, h := range all {
		t.Run(h.Name, func(t *testing.T) {
			at := h.start(t, b).url + "/blog/objection-practice/"
			for _, name := range names {
				resp, body := ask(t, "GET", at+url.PathEscape(name))
				if resp.StatusCode != 200 || body != files[name] {
					t.Errorf("%s is answered %s with %.40q, want %q", name, resp.Status, body, files[name])
				}
			}
			if resp, _ := ask(t, "GET", at+"CASE.txt"); resp.StatusCode != 404 {
				t.Errorf("CASE.txt, which there is not, is answered %s", resp.Status)
			}
		})
	}
}

// Two sites, or staging and production, stand on one nginx, with the files, as a cache, or as one of each, each on its own host, by
// http and by https. The first of them has the sizes that the second needs.
func TestTwoSitesOnOneNginx(t *testing.T) {
	nginx := tool(t, "nginx")
	root := copySite(t)
	edit(t, filepath.Join(root, "content/pricing.md"))
	other := buildSite(t, root)
	cert, key := certificate(t)
	for _, files := range [][2]bool{{true, true}, {false, false}, {false, true}, {true, false}} {
		for _, secure := range []bool{false, true} {
			listen, dir := freePort(t), openDir(t)
			var included []string
			for i, site := range []string{sample, other} {
				b := &backend{address: freePort(t), dir: site}
				b.fresh(t)
				name := []string{"production", "staging"}[i]
				flags := []string{"nginx", "--build", site, "--listen", listen, "--upstream", b.address, "--name", name, "--server-name", name + ".example",
					"--cache", filepath.Join(dir, name)}
				if files[i] {
					flags = append(flags, "--files", openDir(t))
				}
				if secure {
					flags = append(flags, "--tls-cert", cert, "--tls-key", key)
				}
				if i > 0 {
					flags = append(flags, "--second")
				}
				included = append(included, "include "+write(t, name+".conf", config(t, flags...))+";")
			}
			p := start(t, listen, nginx, "-e", "stderr", "-c", nginxMain(t, dir, strings.Join(included, "\n")))
			client := &http.Transport{DisableCompression: true, TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}
			for i, site := range []string{sample, other} {
				route, _ := rig.Open(t, site).Manifest.Lookup("/pricing")
				m := rig.Open(t, site).Manifest
				body, _ := m.BodyIn(route.Variant(0), artifact.Identity)
				want := artifact.ETag(m.Body(body).Hash, artifact.Identity)
				for _, match := range []string{"", want} {
					scheme := "http://"
					if secure {
						scheme = "https://"
					}
					r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, scheme+listen+"/pricing", nil)
					if err != nil {
						t.Fatal(err)
					}
					r.Host = []string{"production", "staging"}[i] + ".example"
					if match != "" {
						r.Header.Set("If-Match", match)
					}
					resp, err := client.RoundTrip(r)
					if err != nil {
						t.Fatal(err)
					}
					resp.Body.Close()
					if resp.StatusCode != http.StatusOK || resp.Header.Get("ETag") != want {
						t.Errorf("files %v, https %v, %s with If-Match %q: %s, ETag %s, want %s", files, secure, r.Host, match, resp.Status, resp.Header.Get("ETag"), want)
					}
				}
			}
			client.CloseIdleConnections()
			p.stop()
		}
	}
}

// certificate writes a certificate of its own and its key.
func certificate(t *testing.T) (cert, key string) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour), DNSNames: []string{"production.example", "staging.example"}}
	der, err := x509.CreateCertificate(rand.Reader, template, template, private.Public(), private)
	if err != nil {
		t.Fatal(err)
	}
	bytes, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	pemOf := func(kind string, der []byte) string {
		return string(pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}))
	}
	return write(t, "cert.pem", pemOf("CERTIFICATE", der)), write(t, "key.pem", pemOf("PRIVATE KEY", bytes))
}

// The folder of representations keeps those of this build and of the last one, which workers may still serve, and loses older ones.
func TestFilesOfOlderBuildsAreCleared(t *testing.T) {
	root, dir := copySite(t), openDir(t)
	page := filepath.Join(root, "content/pricing.md")
	if err := os.WriteFile(filepath.Join(dir, "notes.txt"), []byte("ours"), 0o644); err != nil {
		t.Fatal(err)
	}
	var pages []string
	for range 3 {
		site := buildSite(t, root)
		config(t, "nginx", "--build", site, "--files", dir)
		config(t, "nginx", "--build", site, "--files", dir) // once more changes nothing
		m := rig.Open(t, site).Manifest
		route, _ := m.Lookup("/pricing")
		body, _ := m.BodyIn(route.Variant(0), artifact.Identity)
		pages = append(pages, strings.Trim(artifact.ETag(m.Body(body).Hash, artifact.Identity), `"`))
		edit(t, page)
	}
	for i, name := range append(pages, "notes.txt") {
		if _, err := os.Stat(filepath.Join(dir, name)); (err == nil) != (i > 0) {
			t.Errorf("%s, of build %d: %v", name, i, err)
		}
	}
}
