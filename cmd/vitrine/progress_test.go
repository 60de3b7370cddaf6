package main

import (
	"bytes"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// A long build says how far it is, and leaves nothing behind.
func TestProgress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		p := newProgress(&out)
		p.begin(10)
		p.step()
		time.Sleep(patience + refresh + refresh/2)
		p.end()
		want := "\r\x1b[K1 of 10 pages\r\x1b[K1 of 10 pages\r\x1b[K"
		if out.String() != want {
			t.Errorf("got %q, want %q", out.String(), want)
		}
	})
}

// A short build says nothing, and nor does one that is not watched.
func TestNoProgress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		p := newProgress(&out)
		p.begin(10)
		time.Sleep(patience - refresh)
		p.end()
		if out.Len() > 0 {
			t.Errorf("got %q", out.String())
		}
		var none *progress
		none.begin(10)
		none.step()
		none.end()
		if watched := new(profiles).watch(&out); watched.progress != nil || watched.timings != nil {
			t.Error("what is no terminal is written to")
		}
	})
}

// Timings have a line for each phase, step and count.
func TestTimings(t *testing.T) {
	timings := newTimings()
	timings.phase("load")
	at := timings.now()
	at = timings.step(stepRead, at)
	timings.step(stepParse, at)
	timings.phase(pagesPhase)
	timings.count("pages", 12)
	timings.hits("cache", 3, 4)
	timings.hits("unused", 0, 0)
	var out bytes.Buffer
	if err := timings.write(&out); err != nil {
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
