package facts_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"vitrine/internal/facts"
	"vitrine/internal/load"
	"vitrine/internal/site"
)

// read parses text as product.yaml and returns its facts.
func read(t *testing.T, text string) *site.Fact {
	t.Helper()
	f, ok := load.Facts([]byte(text))
	if !ok {
		t.Fatalf("unreadable:\n%s", text)
	}
	return f
}

// Each change has the path that pages use, and the old and the new value. Moving a fact isn't a change.
func TestCompare(t *testing.T) {
	const plans = "pricing:\n  currency: EUR\n  plans:\n    - {name: Team, monthlyPrice: 49, includedCredits: 100}\n    - {name: Solo 2.0, monthlyPrice: 9, includedCredits: 5}\n"
	for name, c := range map[string]struct{ from, to, want string }{
		"nothing":                 {plans, plans, ""},
		"only updated":            {plans + "updated: 2026-01-01\n", plans + "updated: 2026-02-01\n", ""},
		"a price":                 {plans, strings.Replace(plans, "monthlyPrice: 49", "monthlyPrice: 49.50", 1), "pricing.plans.Team.monthlyPrice 49 49.50"},
		"another form of a price": {plans, strings.Replace(plans, "monthlyPrice: 9,", "monthlyPrice: 9.0,", 1), `pricing.plans."Solo 2.0".monthlyPrice 9 9.0`},
		"order of plans": {plans, "pricing:\n  plans:\n    - {name: Solo 2.0, monthlyPrice: 9, includedCredits: 5}\n    - {name: Team, includedCredits: 100, monthlyPrice: 49}\n  currency: EUR\n",
			""},
		"a plan is renamed": {plans, strings.Replace(plans, "Team", "Crew", 1), `pricing.plans.Crew.name "Team" "Crew"`},
		"a plan is replaced": {"p: [{name: A, x: 1, y: 2}]", "p: [{name: B, x: 3, y: 4}]",
			`p.B - {"name":"B","x":3,"y":4}; p.A {"name":"A","x":1,"y":2} -`},
		"strings":           {"a: [x, y, z]", "a: [z, w, y, v]", `a "x" "w"; a - "v"`},
		"order of strings":  {"a: [x, y]", "a: [y, x]", `a ["x","y"] ["y","x"]`},
		"another type":      {"a: 1", "a: [1]", "a 1 [1]"},
		"added and removed": {"a: null\nb: true", "a: null\nc: \"<\\\"é\"", `c - "<\"é"; b true -`},
		"a repeated string": {"a: [x]", "a: [x, x]", `a - "x"`},
		"names that clash":  {"a: [{name: x, n: 1}, {name: x, n: 2}]", "a: [{name: x, n: 1}, {name: x, n: 3}]", `a {"name":"x","n":2} {"name":"x","n":3}`},
		"a map in no place": {"a: {b: {c: 1}}", "a: {b: {c: 2, d: 3}}", "a.b.c 1 2; a.b.d - 3"},
	} {
		var got []string
		for _, change := range facts.Compare(read(t, c.from), read(t, c.to)) {
			value := func(f *site.Fact) string {
				if f == nil {
					return "-"
				}
				return f.JSON()
			}
			got = append(got, fmt.Sprint(change.Path, " ", value(change.Old), " ", value(change.New)))
		}
		if text := strings.Join(got, "; "); text != c.want {
			t.Errorf("%s: got %s, want %s", name, text, c.want)
		}
	}
}

// A history starts with the newest change, reports truncation, has changes with unique IDs, and detects that someone
// forgot to change "updated".
func TestNewHistory(t *testing.T) {
	day := func(n int) time.Time { return time.Date(2026, 1, n, 12, 0, 0, 0, time.UTC) }
	states := []facts.State{
		{When: day(1), Facts: read(t, "a: 1\nb: 1\nupdated: 2026-01-01")},
		{When: day(2), Facts: read(t, "a: 2\nb: 2\nupdated: 2026-01-02")},
		{When: day(3), Facts: read(t, "a: 3\nb: 2\nupdated: 2026-01-02")},
		{When: day(4), Facts: read(t, "a: 3\nb: 2\n# a comment\nupdated: 2026-01-02")},
	}
	h := facts.NewHistory(states, false)
	var got []string
	for _, c := range h.Changes {
		got = append(got, fmt.Sprint(c.When.Day(), c.Path))
	}
	if text := strings.Join(got, " "); text != "3a 2a 2b" || !h.Since.Equal(day(1)) || h.More || !h.Forgotten.Equal(day(3)) {
		t.Errorf("got %s since %v, more %t, forgotten %v", text, h.Since, h.More, h.Forgotten)
	}
	raised := append(states, facts.State{When: day(5), Facts: read(t, "a: 3\nb: 2\nupdated: 2026-01-05")})
	if h := facts.NewHistory(raised, true); !h.Forgotten.IsZero() || !h.More {
		t.Errorf("updated later: forgotten %v, more %t", h.Forgotten, h.More)
	}
	if h := facts.NewHistory(states[:1], false); len(h.Changes) != 0 || h.Since.IsZero() {
		t.Errorf("one state: %+v", h)
	}
	var long []facts.State
	for i := range 300 {
		long = append(long, facts.State{When: day(1), Facts: read(t, fmt.Sprintf("a: %d", i%2))})
	}
	if h := facts.NewHistory(long, false); len(h.Changes) != 2 || h.More {
		t.Errorf("a change and its reversal at the same time: %d changes, more %t", len(h.Changes), h.More)
	}
	for i := range long {
		long[i].When = day(1).Add(time.Duration(i) * time.Minute)
	}
	if h := facts.NewHistory(long, false); len(h.Changes) != 200 || !h.More || h.Changes[0].When != long[299].When {
		t.Errorf("a long history: %d changes, more %t", len(h.Changes), h.More)
	}
}
