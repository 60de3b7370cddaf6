//go:build linux

package main

import (
	"testing"
	"time"
)

// A request during a client pause is excluded from the quiet requests and counts only toward the total.
func TestQuiet(t *testing.T) {
	const us = time.Microsecond
	o := &offerer{targets: []*target{{}, {}}, stops: []stop{{1000 * us, 1500 * us}, {9000 * us, 9200 * us}}}
	o.answers = []answered{
		{0, 100 * us, 40}, {1, 100 * us, 50},
		{0, 900 * us, 700}, {1, 1400 * us, 200}, // in the first stop
		{1, 8000 * us, 1100}, // until after the second stop
		{0, 1500 * us, 60}, {1, 9300 * us, 30},
	}
	all := o.delays()
	if all[0].last != 700 || all[0].quiet != 60 || all[1].last != 1100 || all[1].quiet != 50 {
		t.Errorf("%+v", all)
	}
	if n := lower(all[:1], all[1:], last); n != 1 {
		t.Errorf("the first one is lower %d times, want once", n)
	}
	if n := lower(all[:1], all[1:], quiet); n != 0 {
		t.Errorf("the first one is lower %d times beside no stop, want never", n)
	}
}
