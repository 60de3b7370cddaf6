//go:build proof

package main_test

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"vitrine/internal/lab/rig"
)

// directory is a running Pebble, the ACME server that Let's Encrypt provides for testing clients, with a name server
// that resolves every domain to this machine.
type directory struct {
	url string
	// root is the certificate file of Pebble's HTTPS address.
	root string
}

// startDirectory starts an ACME server that validates domains on two ports of this machine and issues certificates with
// the given validity.
func startDirectory(t *testing.T, httpPort, tlsPort int, validity time.Duration) directory {
	t.Helper()
	dir := t.TempDir()
	own := newCertificate(t, dir, 1)
	dns, api, admin := freeAddress(t), freeAddress(t), freeAddress(t)
	config, err := json.Marshal(map[string]any{"pebble": map[string]any{
		"listenAddress": api, "managementListenAddress": admin, "certificate": own.cert, "privateKey": own.key,
		"httpPort": httpPort, "tlsPort": tlsPort, "ocspResponderURL": "",
		"externalAccountBindingRequired": false, "retryAfter": map[string]int{"authz": 1, "order": 1},
		"profiles": map[string]any{"default": map[string]any{"description": "the default", "validityPeriod": int(validity.Seconds())}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "pebble.json")
	if err := os.WriteFile(file, config, 0o600); err != nil {
		t.Fatal(err)
	}
	run(t, tool(t, "pebble-challtestsrv"), "-defaultIPv4", "127.0.0.1", "-defaultIPv6", "", "-dnsserver", dns,
		"-http01", "", "-https01", "", "-tlsalpn01", "", "-doh", "", "-management", freeAddress(t))
	// run disables Pebble's delays between attempts and its rejection of every twentieth nonce, because both would make
	// the test nondeterministic.
	run(t, tool(t, "pebble"), "-config", file, "-dnsserver", dns, "-strict")
	rig.Listens(t, api)
	return directory{url: "https://" + api + "/dir", root: own.cert}
}

// run runs program until the end of the test and shows its output if the test fails.
func run(t *testing.T, program string, arguments ...string) {
	t.Helper()
	var said strings.Builder
	cmd := exec.CommandContext(t.Context(), program, arguments...)
	cmd.Env = append(os.Environ(), "PEBBLE_VA_NOSLEEP=1", "PEBBLE_WFE_NONCEREJECT=0", "PEBBLE_AUTHZREUSE=0")
	cmd.Stdout, cmd.Stderr = &said, &said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		if t.Failed() {
			t.Logf("%s said:\n%s", filepath.Base(program), said.String())
		}
	})
}

func portOf(t *testing.T, address string) int {
	t.Helper()
	a, err := net.ResolveTCPAddr("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	return a.Port
}

// vitrined gets a certificate through ACME from a real directory. The directory validates the domain on the https
// address or, if it can't reach that address, over plain HTTP. The next start uses the cached certificate.
func TestACME(t *testing.T) {
	for _, name := range []string{"pebble", "pebble-challtestsrv"} {
		tool(t, name) // check for the tool before the setup
	}
	vitrined := compiled(t)
	dir := smallSite(t)
	for _, challenge := range []string{"tls-alpn-01", "http-01"} {
		t.Run(challenge, func(t *testing.T) {
			addr, redirect := freeAddress(t), freeAddress(t)
			tlsPort := portOf(t, addr)
			if challenge == "http-01" {
				tlsPort = portOf(t, freeAddress(t)) // no server listens on it
			}
			d := startDirectory(t, portOf(t, redirect), tlsPort, 90*24*time.Hour)
			t.Setenv("SSL_CERT_FILE", d.root)
			cache := filepath.Join(t.TempDir(), "cache")
			arguments := []string{
				"--addr", addr, "--dir", dir, "--acme-domain", "x.example", "--acme-domain", "www.x.example",
				"--acme-cache", cache, "--acme-email", "a@x.example", "--acme-directory", d.url, "--redirect-addr", redirect,
				"--admin", "127.0.0.1:0",
			}
			s := vitrined.start(t, arguments...)
			for range 2 {
				if line := s.wait(t, "got a certificate"); !strings.Contains(fmt.Sprint(line["domain"]), "x.example") {
					t.Errorf("%v", line)
				}
			}
			leaf := handshake(t, addr, "www.x.example")
			if err := leaf.VerifyHostname("www.x.example"); err != nil || leaf.Issuer.CommonName == leaf.Subject.CommonName {
				t.Errorf("the certificate is for %v by %s: %v", leaf.DNSNames, leaf.Issuer, err)
			}
			_, text := (&server{url: "http://" + s.admin}).get(t, "/metrics")
			if want := fmt.Sprintf("vitrine_certificate_expiry_timestamp_seconds %d\n", leaf.NotAfter.Unix()); !strings.Contains(text, want) {
				t.Errorf("metrics lack %s", want)
			}
			if _, err := tls.Dial("tcp", addr, &tls.Config{ServerName: "other.example", InsecureSkipVerify: true}); err == nil {
				t.Error("there is a certificate for a domain that was not named")
			}
			s.redirects(t, redirect)
			private(t, cache)

			// With the cache, the next start doesn't need the directory.
			if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil {
				t.Fatal(err)
			}
			s.wait(t, "ended")
			arguments[slices.Index(arguments, d.url)] = "https://" + freeAddress(t) + "/dir"
			again := vitrined.start(t, arguments...)
			again.wait(t, "got a certificate")
			if kept := handshake(t, addr, "www.x.example"); !kept.Equal(leaf) {
				t.Error("the certificate is not that of the cache")
			}
		})
	}
}

// A certificate is renewed by HTTP-01 while idle connections crowd the redirect address. It is valid for half a minute,
// and vitrined renews it in the last third of that time.
func TestACMERenewalUnderAttack(t *testing.T) {
	for _, name := range []string{"pebble", "pebble-challtestsrv"} {
		tool(t, name) // check for the tool before the setup
	}
	vitrined := compiled(t)
	addr, redirect := freeAddress(t), freeAddress(t)
	d := startDirectory(t, portOf(t, redirect), portOf(t, freeAddress(t)), 30*time.Second)
	t.Setenv("SSL_CERT_FILE", d.root)
	s := vitrined.start(t, "--addr", addr, "--dir", smallSite(t), "--acme-domain", "x.example",
		"--acme-cache", filepath.Join(t.TempDir(), "cache"), "--acme-directory", d.url, "--redirect-addr", redirect)
	s.wait(t, "got a certificate")
	crowd(t, redirect)
	last := handshake(t, addr, "x.example")
	// The first renewal may have been validated before the attack.
	for renewals := range 2 {
		deadline := time.Now().Add(2 * time.Minute)
		for {
			if now := handshake(t, addr, "x.example"); !now.Equal(last) {
				last = now
				break
			}
			if time.Now().After(deadline) {
				t.Fatalf("the certificate was renewed %d times", renewals)
			}
			time.Sleep(50 * time.Millisecond)
		}
	}
}

// handshake returns the certificate for a name.
func handshake(t *testing.T, addr, name string) *x509.Certificate {
	t.Helper()
	conn, err := tls.Dial("tcp", addr, &tls.Config{ServerName: name, InsecureSkipVerify: true, NextProtos: []string{"h2"}})
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	return conn.ConnectionState().PeerCertificates[0]
}

// redirects fails the test unless the redirect address redirects to https for the domains and rejects other hosts.
func (s *server) redirects(t *testing.T, redirect string) {
	t.Helper()
	for host, want := range map[string]int{"x.example": 308, "other.example": 421} {
		request, err := http.NewRequest(http.MethodGet, "http://"+redirect+"/a", nil)
		if err != nil {
			t.Fatal(err)
		}
		request.Host = host
		response, err := http.DefaultTransport.RoundTrip(request)
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		if response.StatusCode != want {
			t.Errorf("%s: %d %q, want %d", host, response.StatusCode, response.Header.Get("Location"), want)
		}
	}
}

// private fails the test if other users of the machine can access dir or anything in it.
func private(t *testing.T, dir string) {
	t.Helper()
	files := 0
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if err == nil && info.Mode().Perm()&0o077 != 0 {
			err = errors.New(path + " is not private: " + info.Mode().String())
		}
		files++
		return err
	})
	if err != nil || files < 3 {
		t.Errorf("%d files: %v", files, err)
	}
}
