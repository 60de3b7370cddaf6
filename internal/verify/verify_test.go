package verify_test

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"vitrine/internal/lab/broken"
	"vitrine/internal/verify"
)

// A deployment that satisfies the contract has no findings, and a run uses only a small part of the allowance.
func TestHealthy(t *testing.T) {
	d := deploy(t, publishSite(t, resources("words")), nil)
	report := d.verify()
	var text bytes.Buffer
	if err := report.WriteText(&text); err != nil {
		t.Fatal(err)
	}
	if n := report.Count(verify.Failed); n != 0 {
		t.Errorf("%d checks failed:\n%s", n, text.String())
	}
	if report.Counted > 25 || report.Counted < 10 {
		t.Errorf("%d requests were counted, want 25 at most", report.Counted)
	}
	if len(d.waits) != 0 {
		t.Errorf("it waited %v", d.waits)
	}
	for _, c := range report.Checks {
		if want := c.Name == "allowance"; (c.Outcome == verify.Skipped) != want {
			t.Errorf("%s is %s: %s", c.Name, c.Outcome, c.Why)
		}
	}
	for _, want := range []string{"the site identifies itself as https://parley.example", "ok       mixing", "skipped  allowance", "0 failed, 1 skipped;"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("the report lacks %q:\n%s", want, text.String())
		}
	}
}

// Without a build, all checks that don't need one still run.
func TestWithoutBuild(t *testing.T) {
	d := deploy(t, publishSite(t, resources("words")), nil)
	options := d.options()
	options.Build = nil
	report, err := verify.Run(t.Context(), options)
	if err != nil {
		t.Fatal(err)
	}
	if found := symptoms(report); len(found) != 0 || report.Count(verify.Skipped) != 2 {
		t.Errorf("found %v, %d skipped; want nothing, and the build and the allowance skipped", found, report.Count(verify.Skipped))
	}
}

// A deployment of another build is a finding.
func TestAnotherBuild(t *testing.T) {
	d := deploy(t, publishSite(t, resources("old words")), nil)
	d.build = publishSite(t, append(resources("new words"), page("/added", "added", "x")...))
	report := d.verify()
	if found, want := symptoms(report), []string{"build/not-this-build"}; !slices.Equal(found, want) {
		t.Errorf("found %v, want %v", found, want)
	}
}

// The JSON report contains everything in the text report.
func TestJSON(t *testing.T) {
	report := deploy(t, publishSite(t, resources("words")), broken.NoVary).verify()
	var out bytes.Buffer
	if err := report.WriteJSON(&out); err != nil {
		t.Fatal(err)
	}
	var read verify.Report
	if err := json.Unmarshal(out.Bytes(), &read); err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(read.Checks, func(c *verify.Check) bool { return c.Name == "vary" })
	if i < 0 || read.Checks[i].Outcome != verify.Failed || len(read.Checks[i].Hints) == 0 || read.Checks[i].Findings[0].Sent == "" {
		t.Errorf("the check of Vary is not reported in full:\n%s", out.String())
	}
}

// An unreachable site is an error, not a report.
func TestUnusable(t *testing.T) {
	for url, want := range map[string]string{
		"":                         "is not a site URL",
		"parley.example":           "is not a site URL",
		"ftp://parley.example":     "is not a site URL",
		"https://x.example/docs?a": "write it as https://x.example/docs",
		"https://a:b@x.example":    "write it as https://x.example",
		"http://127.0.0.1:1":       "GET /api: ",
		"http://127.0.0.1:1/?x=1":  "write it as http://127.0.0.1:1",
	} {
		if _, err := verify.Run(t.Context(), verify.Options{URL: url}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %q", url, err, want)
		}
	}
}
