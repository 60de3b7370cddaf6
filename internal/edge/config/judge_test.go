package config_test

import (
	"testing"

	"vitrine/internal/contract"
	edgehosts "vitrine/internal/edge/hosts"
)

// A declaration covers only its own request and response, and a declared difference that doesn't occur is an error.
func TestJudgeAssertsDeclarations(t *testing.T) {
	h := &edgehosts.Host{Name: "x", Differences: []*edgehosts.Difference{
		{Request: `get /`, Line: `answers 405 → 400`, Why: "A lowercase method is rejected."},
		{Line: `header Date = .* → .*`, Why: "Only at random.", Random: true},
	}}
	fail := func(sent, check, got string) *contract.Failure {
		return &contract.Failure{Sent: sent, Check: check, Got: got, Answered: "something"}
	}
	declared := fail("get / HTTP/1.1\nHost: x\n", "answers 405", "400")
	for name, test := range map[string]struct {
		failures []*contract.Failure
		errors   int
	}{
		"as declared":       {[]*contract.Failure{declared}, 0},
		"another response":  {[]*contract.Failure{fail("get /\n", "answers 405", "200")}, 2},
		"another request":   {[]*contract.Failure{fail("put /\n", "answers 405", "400")}, 2},
		"one more":          {[]*contract.Failure{declared, fail("get /\n", "header Vary = x", "y")}, 1},
		"no longer present": {nil, 1},
	} {
		t.Run(name, func(t *testing.T) {
			c := &contract.CaseReport{Failed: len(test.failures), Failures: test.failures}
			o := judge(h, &contract.Report{Files: []*contract.FileReport{{Name: "accept.txt", Cases: []*contract.CaseReport{c}}}})
			if len(o.undeclared) != test.errors {
				t.Errorf("%d errors, want %d: %v", len(o.undeclared), test.errors, o.undeclared)
			}
			if len(o.Random) != 1 {
				t.Errorf("at random: %v", o.Random)
			}
		})
	}
}
