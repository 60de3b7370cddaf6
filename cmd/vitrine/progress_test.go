package main

import (
	"bytes"
	"testing"
	"testing/synctest"
	"time"

	"vitrine/internal/build"
)

// A long build shows its progress and removes it at the end.
func TestProgress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		p := newProgress(&out)
		p.Begin(10)
		p.Step()
		time.Sleep(patience + refresh + refresh/2)
		p.End()
		want := "\r\x1b[K1 of 10 pages\r\x1b[K1 of 10 pages\r\x1b[K"
		if out.String() != want {
			t.Errorf("got %q, want %q", out.String(), want)
		}
	})
}

// Short builds and builds without a terminal show no progress.
func TestNoProgress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		p := newProgress(&out)
		p.Begin(10)
		time.Sleep(patience - refresh)
		p.End()
		if out.Len() > 0 {
			t.Errorf("got %q", out.String())
		}
		if o := new(profiles).observer(&out); o != (build.Observer{}) {
			t.Error("what is no terminal is written to")
		}
	})
}
