package config_test

import (
	"strings"
	"testing"

	"vitrine/internal/contract"
)

// The judge takes a declared difference and no other: not another answer, not
// one more, and not a difference that is no longer there.
func TestJudgeAssertsDeclarations(t *testing.T) {
	h := host{name: "nginx-cache"}
	declarations := declared(h.name)
	reported := func(change func(map[string]*contract.CaseReport)) *outcome {
		cases := make(map[string]*contract.CaseReport)
		var all []*contract.CaseReport
		for _, d := range declarations {
			c := &contract.CaseReport{File: d.File, Title: d.Case, Failed: len(d.Instead)}
			for _, line := range d.Instead {
				check, got, _ := strings.Cut(line, " → ")
				c.Failures = append(c.Failures, &contract.Failure{Check: check, Got: got, Answered: "something"})
			}
			cases[d.Case], all = c, append(all, c)
		}
		change(cases)
		return judge(h, &contract.Report{Files: []*contract.FileReport{{Name: "accept.txt", Cases: all}}})
	}
	const one = "the case of a method counts"
	for name, test := range map[string]struct {
		change func(map[string]*contract.CaseReport)
		errors int
	}{
		"as declared":    {func(map[string]*contract.CaseReport) {}, 0},
		"another answer": {func(c map[string]*contract.CaseReport) { c[one].Failures[0].Got = "200" }, 2},
		"one more": {func(c map[string]*contract.CaseReport) {
			c[one].Failed++
			c[one].Failures = append(c[one].Failures, &contract.Failure{Check: "answers 200", Got: "500", Answered: "something"})
		}, 3},
		"no longer there": {func(c map[string]*contract.CaseReport) { c[one].Failed, c[one].Failures = 0, nil }, 1},
		"not declared": {func(c map[string]*contract.CaseReport) {
			c[one].Title = "another case"
		}, 2},
	} {
		t.Run(name, func(t *testing.T) {
			if o := reported(test.change); len(o.undeclared) != test.errors {
				t.Errorf("%d errors, want %d: %v", len(o.undeclared), test.errors, o.undeclared)
			}
		})
	}
}
