package main_test

import (
	"encoding/xml"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"vitrine/internal/lab/rig"
)

// tool returns the path of a program that make tools installs.
func tool(t *testing.T, name string) string {
	t.Helper()
	return rig.Tool(t, "race", name, ".tools/bin/"+name)
}

// What h2spec finds in our HTTP/2 it finds in Go's own server too: nothing that
// we add to it breaks the protocol (RFC 9113). Go's is asked with a handler that
// sends nothing and with one that sends a body, as some cases need one. Some
// fail now and then, with both, by which of two frames is first; so a case
// counts against us where it fails again and again, and never with Go's.
func TestH2Spec(t *testing.T) {
	tool(t, "h2spec") // before anything is set up for it
	vitrined := compiled(t)
	c := newCertificate(t, t.TempDir(), 1)
	s := vitrined.start(t, "--dir", smallSite(t), "--tls-cert", c.cert, "--tls-key", c.key)
	ours := strings.TrimPrefix(s.url, "https://")
	reference := []string{
		startHTTP2(t, func(http.ResponseWriter, *http.Request) {}),
		startHTTP2(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(make([]byte, 2000)) }),
	}
	failed, cases := h2spec(t, ours)
	var theirs []string
	for i, address := range reference {
		failures, _ := h2spec(t, address)
		t.Logf("net/http, handler %d: %d fail: %q", i+1, len(failures), failures)
		theirs = append(theirs, failures...)
	}
	t.Logf("vitrined: of %d cases %d fail: %q", cases, len(failed), failed)

	alone := func() []string {
		return slices.DeleteFunc(slices.Clone(failed), func(f string) bool { return slices.Contains(theirs, f) })
	}
	for again := 0; again < 5 && len(alone()) > 0; again++ {
		for _, f := range alone() {
			section, _, _ := strings.Cut(f, ": ")
			for _, address := range reference {
				failures, _ := h2spec(t, address, section)
				theirs = append(theirs, failures...)
			}
			if failures, _ := h2spec(t, ours, section); !slices.Contains(failures, f) {
				theirs = append(theirs, f)
			}
		}
	}
	for _, f := range alone() {
		t.Errorf("fails with vitrined alone: %s", f)
	}
}

// startHTTP2 starts Go's server with a handler.
func startHTTP2(t *testing.T, handler http.HandlerFunc) (address string) {
	server := httptest.NewUnstartedServer(handler)
	server.EnableHTTP2 = true
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.StartTLS()
	t.Cleanup(server.Close)
	return server.Listener.Addr().String()
}

// h2spec runs the cases of some sections, or all, the strict ones too, against
// an address, and returns the names of those that fail and the number of those
// that were run.
func h2spec(t *testing.T, address string, sections ...string) (failed []string, run int) {
	t.Helper()
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		t.Fatal(err)
	}
	report := filepath.Join(t.TempDir(), "report.xml")
	// It exits 1 where cases fail.
	arguments := append(sections, "--strict", "--tls", "--insecure", "--host", host, "--port", port, "--junit-report", report)
	out, runErr := exec.CommandContext(t.Context(), tool(t, "h2spec"), arguments...).CombinedOutput()
	data, err := os.ReadFile(report)
	if err != nil {
		t.Fatalf("h2spec: %v, %v\n%s", runErr, err, out)
	}
	var suites struct {
		Suites []struct {
			Cases []struct {
				Package string    `xml:"package,attr"`
				Name    string    `xml:"classname,attr"`
				Failure *struct{} `xml:"failure"`
				Error   *struct{} `xml:"error"`
				Skipped *struct{} `xml:"skipped"`
			} `xml:"testcase"`
		} `xml:"testsuite"`
	}
	if err := xml.Unmarshal(data, &suites); err != nil {
		t.Fatal(err)
	}
	for _, suite := range suites.Suites {
		for _, c := range suite.Cases {
			if c.Skipped == nil {
				run++
			}
			if c.Failure != nil || c.Error != nil {
				failed = append(failed, c.Package+": "+c.Name)
			}
		}
	}
	if run == 0 || len(sections) == 0 && run < 100 {
		t.Fatalf("h2spec ran %d cases\n%s", run, out)
	}
	return failed, run
}
