package contract

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// repeat sends a request several times and checks each response. A kept list plays an exchange once
// for each member.
func TestRepeatAndLists(t *testing.T) {
	left := 10
	h := http.NewServeMux()
	h.Handle("/", sample())
	h.HandleFunc("/api", func(w http.ResponseWriter, r *http.Request) {
		left--
		w.Header().Set("X-Left", fmt.Sprint(left))
	})
	report := play(t, h, `== count
proves X

GET /api
answers 200
keep LEFT = header X-Left

repeat 3
GET /api
answers 200
header X-Left = {LEFT-1}
keep LEFT = header X-Left

repeat {LEFT}
GET /api
answers 200

GET /api
answers 200
header X-Left = -1

GET /list
answers 200
keep up to 9 URL = body ~ {BASE}\S*

GET {URL}
answers 200
`, nil)
	if err := report.Err(); err != nil {
		t.Error(err)
	}
	if f := report.Files[0]; f.Requests != 11+1+3 || f.Counted != 11 {
		t.Errorf("%d requests, %d counted; want 15 and 11", f.Requests, f.Counted)
	}
	failing := play(t, h, "== x\nproves X\n\nrepeat 5\nGET /api\nanswers 404\n", nil)
	if n := len(failing.Files[0].Cases[0].Failures); n != 1 {
		t.Errorf("%d failures of a repeated request, want it to stop after 1", n)
	}
}

// The checks after "always" apply to every response of the file, including the responses to repeated requests.
func TestAlways(t *testing.T) {
	report := play(t, sample(), `always no header Link
always header Content-Length ~ [0-9]+

== x
proves X

repeat 2
GET /one
answers 200

GET /json
answers 200
`, nil)
	if exact, failed, _ := report.Counts(); exact != 1 || failed != 1 {
		t.Errorf("%d exact and %d failed, want 1 and 1: %v", exact, failed, report.Err())
	}
	if f := report.Files[0].Cases[0].Failures[0]; f.Line != 1 || f.Check != "no header Link" {
		t.Errorf("the failure is of line %d, %q", f.Line, f.Check)
	}
}

// Exchanges that a target doesn't support are reported with the reason, whether the file, the case, or the exchange has
// the need.
func TestNeeds(t *testing.T) {
	source := `needs no retirement

== one
proves X
needs live-counters

GET /one
answers 200

GET /one
answers 200

== two
proves X

needs gzip
GET /one
answers 200

needs {ALIAS}
GET /one
answers 200

GET /one
answers 200
`
	report := play(t, sample(), source, nil)
	if exact, failed, not := report.Counts(); exact != 1 || failed != 0 || not != 4 {
		t.Errorf("%d exact, %d failed, %d not applicable; want 1, 0, 4", exact, failed, not)
	}
	var printed strings.Builder
	if err := report.Print(&printed); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"test.txt             1 exact, 0 failed, 4 not applicable, 1 requests\n",
		"not applicable: test.txt:7: needs live-counters (one)\n",
		"not applicable: test.txt:17: needs gzip (two)\n",
		"not applicable: test.txt:21: the site has no {ALIAS} (two)\n",
		"all                  1 exact, 0 failed, 4 not applicable\n",
	} {
		if !strings.Contains(printed.String(), want) {
			t.Errorf("the report lacks %q:\n%s", want, printed.String())
		}
	}
	report = play(t, sample(), source, func(target *Target) {
		target.Can = []Capability{LiveCounters, Gzip}
		target.Values["ALIAS"] = "/old"
	})
	if exact, _, _ := report.Counts(); exact != 5 {
		t.Errorf("%d exact with all capabilities, want 5", exact)
	}
	report = play(t, sample(), source, func(target *Target) { target.Can = []Capability{Retirement} })
	if _, _, not := report.Counts(); not != 5 {
		t.Errorf("%d not applicable where the file's need is not met, want 5", not)
	}
}
