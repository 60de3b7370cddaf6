package verify_test

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"vitrine/internal/artifact"
	"vitrine/internal/lab/broken"
	"vitrine/internal/verify"
)

// A quick run finds every known host fault with at least the symptoms listed for it, and gives a hint for each failed
// check.
func TestBroken(t *testing.T) {
	found, all := 0, allFaults()
	for name, fault := range all {
		t.Run(name, func(t *testing.T) {
			report := deploy(t, publishSite(t, resources("words")), fault.Between).verify()
			symptoms := symptoms(report)
			for _, want := range fault.Want {
				if !slices.Contains(symptoms, want) {
					t.Errorf("did not find %s, but %v", want, symptoms)
				}
			}
			hints := ""
			for _, c := range report.Checks {
				if c.Outcome == verify.Failed && len(c.Hints) == 0 {
					t.Errorf("%s failed without a hint", c.Name)
				}
				hints += fmt.Sprintln(c.Hints, c.Traits)
			}
			if !strings.Contains(hints, fault.Says) {
				t.Errorf("no hint says %q:\n%s", fault.Says, hints)
			}
			for _, source := range []string{"internal/", ".go", "docs/", "_test"} {
				if strings.Contains(hints, source) {
					t.Errorf("a hint names source, %s:\n%s", source, hints)
				}
			}
			if report.Counted > 26 {
				t.Errorf("%d requests were counted", report.Counted)
			}
			if !t.Failed() {
				found++
			}
		})
	}
	t.Logf("%d of %d faults found by a quick run", found, len(all))
}

// allFaults returns the faults that a test site can have.
func allFaults() map[string]broken.Fault {
	all := broken.Faults("/blog/first")
	maps.Copy(all, broken.AllowanceFaults())
	return all
}

// The check waits once after a 429. A second 429 is a finding.
func TestRepeated429(t *testing.T) {
	d := deploy(t, publishSite(t, resources("words")), nil)
	d.use(artifact.DefaultLimit)
	report := d.verify()
	if found := symptoms(report); len(found) != 0 || len(d.waits) != 1 {
		t.Errorf("found %v after waiting %v, want nothing after one wait", found, d.waits)
	}

	d = deploy(t, publishSite(t, resources("words")), broken.Keep429)
	d.use(artifact.DefaultLimit)
	for _, path := range []string{artifact.OperationPath, artifact.DiscoveryPath} {
		response, err := http.Get(d.url + path)
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
	}
	report = d.verify()
	if found := symptoms(report); !slices.Contains(found, "allowance/429-kept") {
		t.Errorf("found %v, not a 429 that is kept", found)
	}
	if len(d.waits) > 1 {
		t.Errorf("it waited %v, want once", d.waits)
	}

	// A thorough run uses up the allowance, so it causes the 429 itself.
	d = deploy(t, publishSite(t, resources("words")), broken.Keep429)
	options := d.options()
	options.Thorough = true
	thorough, err := verify.Run(t.Context(), options)
	if err != nil {
		t.Fatal(err)
	}
	if found := symptoms(thorough); !slices.Contains(found, "allowance/429-kept") {
		t.Errorf("found %v, not a 429 that is kept", found)
	}
}
