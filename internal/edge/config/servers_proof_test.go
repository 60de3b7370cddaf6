//go:build proof

package config_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"math/big"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"vitrine/internal/artifact"
	"vitrine/internal/lab/rig"
)

// Names with a special meaning in a configuration work as ordinary file names, and paths are case-sensitive even if the
// server's tables ignore case.
func TestNamesWithSyntaxCharacters(t *testing.T) {
	all := hosts(t)
	root := copySite(t)
	files := map[string]string{
		"price$5.txt": "dollar", "a b.txt": "space", "na\u00efve.txt": "not ASCII", "brace{x}.txt": "brace", "semi;colon.txt": "semicolon",
		"Case.txt": "upper", "$uri.txt": "a variable", "plus+plus.txt": "plus", "it's.txt": "quote", "a~b.txt": "tilde",
		"paren(1).txt": "parenthesis", "tick`.txt": "backtick", `double".txt`: "double quote", "default": "a keyword",
	}
	// Notes next to pages aren't published. Files in static are.
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
					t.Errorf("%s returned %s with %.40q, want %q", name, resp.Status, body, files[name])
				}
			}
			if resp, _ := ask(t, "GET", at+"CASE.txt"); resp.StatusCode != 404 {
				t.Errorf("CASE.txt, which there is not, returned %s", resp.Status)
			}
		})
	}
}

// Two sites, or staging and production, run on one nginx, each on its own host, over HTTP and HTTPS: both with the
// files, both as a cache, or one of each. The first site's configuration contains the table sizes that the second
// needs.
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

// certificate creates a self-signed certificate and its key.
func certificate(t *testing.T) (cert, key string) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour), DNSNames: []string{"production.example", "staging.example"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}}
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
