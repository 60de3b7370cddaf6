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

// difference is what a host answers otherwise than the contract says, by the
// exchanges that show it.
type difference struct {
	// File and Case name a case of the contract.
	File, Case string
	// Instead is, for each exchange of the case that is answered otherwise, its
	// first line that does not hold, an arrow, and what came.
	Instead []string
	// Why says so in a sentence for the docs, without the name of the host.
	Why string
}

// declared returns the differences of a host: those and no others are found.
func declared(name string) []difference {
	const escapes = "an escape that cannot be read is a path that is not there"
	switch name {
	case "caddy-files", "caddy-proxy":
		return []difference{{
			"protocol.txt", escapes, []string{"answers 404 → 400", "answers 404 → 400"},
			"A path with an escape that is none, such as `%zz`, is refused with 400, by the parser.",
		}}
	case "nginx-cache":
		return append(declared("nginx-files"), difference{
			"conditional.txt", "an empty If-Match list names nothing",
			[]string{"header X-Content-Type-Options = nosniff → no such header"},
			"An empty `If-Match` cannot be told from none; nginx refuses it for what is in the cache with a 412 of its own.",
		})
	case "nginx-files":
		return []difference{
			{
				"protocol.txt", escapes, []string{"answers 404 → 400", "answers 404 → 400", "answers 404 → 400"},
				"A path with `%zz` or `%00` is refused with 400, by the parser.",
			},
			{
				"accept.txt", "the lines of a repeated field are one list",
				[]string{"header Content-Type = text/markdown; charset=utf-8 → text/html; charset=utf-8"},
				"Of an `Accept` field on several lines nginx before 1.23 shows its configuration the first line alone.",
			},
			{
				"conditional.txt", "one tag of a list is enough",
				[]string{"answers 304 → 400"},
				"An `If-None-Match` field on several lines is refused with 400; a list on one line is compared exactly.",
			},
			{
				"protocol.txt", "the case of a method counts",
				[]string{"answers 405 → 400"},
				"A method in lower case is refused with 400, by the parser.",
			},
			{
				"protocol.txt", "a path that climbs out of the site, or that cannot be read, leads nowhere",
				[]string{"answers 404 → 400", "answers 404 → 400", "answers 404 → 400"},
				"A path that climbs out of the root is refused with 400, by the parser.",
			},
		}
	}
	return nil
}
