// Package contracttest plays the wire contract as Go tests, with a subtest for each case. With it, a test checks a
// server against the complete contract in one call.
package contracttest

import (
	"testing"

	"vitrine/internal/contract"
)

// Test plays every exchange of the contract against the target and reports each case as a subtest called "file/title".
// Inapplicable exchanges are logged with the reason.
func Test(t *testing.T, target contract.Target) {
	t.Helper()
	files, err := contract.Load(contract.Files())
	if err != nil {
		t.Fatal(err)
	}
	TestFiles(t, target, files)
}

// TestFiles is like Test, but plays only the exchanges in files.
func TestFiles(t *testing.T, target contract.Target, files []*contract.File) {
	t.Helper()
	report, err := contract.PlayFiles(t.Context(), target, files)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range report.Files {
		t.Run(f.Name, func(t *testing.T) {
			for _, c := range f.Cases {
				t.Run(c.Title, func(t *testing.T) { show(t, c) })
			}
		})
	}
	exact, failed, notApplicable := report.Counts()
	t.Logf("%s: %d exact, %d failed, %d not applicable", t.Name(), exact, failed, notApplicable)
}

// show fails the test for each failure of a case, and logs the exchanges that aren't applicable.
func show(t *testing.T, c *contract.CaseReport) {
	for _, f := range c.Failures {
		t.Error(f)
	}
	for _, n := range c.NotApplicable {
		t.Logf("not applicable: %s:%d: %s", c.File, n.Line, n.Why)
	}
}
