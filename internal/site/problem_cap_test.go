package site_test

import (
	"fmt"
	"testing"

	"vitrine/internal/site"
)

// A rule has at most a hundred messages about a file, and the last message counts the omitted messages. Other rules and
// files are unaffected.
func TestCapProblems(t *testing.T) {
	var problems []site.Problem
	add := func(n int, path string, code site.Code) {
		for i := range n {
			problems = append(problems, site.Problem{Path: path, Pos: site.Pos{Line: i + 1, Col: 1}, Code: code, Text: fmt.Sprint("x", i)})
		}
	}
	add(160_000, "a.md", "V022")
	add(100, "a.md", "V024")
	add(5, "b.md", "V022")
	problems[150].Severity = site.Error
	capped := site.CapProblems(site.SortProblems(problems))
	count := make(map[string]int)
	for _, p := range capped {
		count[p.Path+string(p.Code)]++
		if p.Path == "a.md" && p.Code == "V022" && p.Line == 100 {
			want := "a.md:100:1: error: this rule found 159901 more problems in this file; fix the first ones, then check again [V022]"
			if p.String() != want {
				t.Errorf("the last one is %s", p)
			}
		}
	}
	if count["a.mdV022"] != 100 || count["a.mdV024"] != 100 || count["b.mdV022"] != 5 {
		t.Errorf("capped to %v", count)
	}
}
