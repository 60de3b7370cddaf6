//go:build proof

package main_test

import (
	"encoding/xml"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"vitrine/internal/lab/rig"
)

// tool returns the path of a program installed by make proof-tools.
func tool(t *testing.T, name string) string {
	t.Helper()
	return rig.Tool(t, name, ".tools/bin/"+name)
}

// The HTTP/2 engine passes every case of h2spec (RFC 9113, RFC 7541). h2spec waits two seconds for each frame, so a
// case that fails on a busy machine is repeated.
func TestH2Spec(t *testing.T) {
	tool(t, "h2spec") // check for the tool before the setup
	vitrined := compiled(t)
	c := newCertificate(t, t.TempDir(), 1)
	s := vitrined.start(t, "--dir", smallSite(t), "--tls-cert", c.cert, "--tls-key", c.key)
	address := strings.TrimPrefix(s.url, "https://")
	failed, cases := h2spec(t, address)
	t.Logf("of %d cases %d fail: %q", cases, len(failed), failed)
	for _, f := range failed {
		section, _, _ := strings.Cut(f, ": ")
		for again := range 3 {
			failures, _ := h2spec(t, address, section)
			if !slices.Contains(failures, f) {
				break
			}
			if again == 2 {
				t.Errorf("fails: %s", f)
			}
		}
	}
}

// h2spec runs the cases of the given sections, or all cases, against address, including the strict cases. It returns
// the names of the failed cases and the number of cases run.
func h2spec(t *testing.T, address string, sections ...string) (failed []string, run int) {
	t.Helper()
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		t.Fatal(err)
	}
	report := filepath.Join(t.TempDir(), "report.xml")
	// h2spec exits with 1 if cases fail, so an error alone doesn't fail the test.
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
