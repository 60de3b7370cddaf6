package build

import (
	"bytes"
	"strings"
	"testing"
)

// Write writes a line for each phase, each step, and each number.
func TestTimings(t *testing.T) {
	timings := NewTimings()
	timings.phase("load")
	at := timings.now()
	at = timings.step(stepRead, at)
	timings.step(stepParse, at)
	timings.phase(pagesPhase)
	timings.count("pages", 12)
	timings.hits("cache", 3, 4)
	timings.hits("unused", 0, 0)
	var out bytes.Buffer
	if err := timings.Write(&out); err != nil {
		t.Fatal(err)
	}
	var names []string
	for line := range strings.Lines(out.String()) {
		names = append(names, strings.Fields(line)[0])
	}
	if got, want := strings.Join(names, " "), "phase load pages read parse check render links write total pages cache"; got != want {
		t.Errorf("got %s\nin\n%s\nwant %s", got, out.String(), want)
	}
	if !strings.Contains(out.String(), "of 4") {
		t.Errorf("no hits in\n%s", out.String())
	}
}
