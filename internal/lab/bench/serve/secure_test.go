//go:build linux

package main

import "testing"

// said matches h2load's summary of rounds shorter and longer than a second, unless a request failed.
func TestH2load(t *testing.T) {
	const rest = " requests: 181870 total, 182030 started, 181870 done, 181870 succeeded, 0 failed, 0 errored, 0 timeout\n" +
		"status codes: 181870 2xx, 0 3xx, 0 4xx, 0 5xx\n"
	for text, want := range map[string]string{
		"finished in 997.15ms, 181870.00 req/s, 508.37MB/s\n" + rest: "181870.00",
		"finished in 1.00s, 181870.00 req/s, 508.37MB/s\n" + rest:    "181870.00",
		"finished in 1.00s, 181870.00 req/s, 508.37MB/s\n" +
			" requests: 2 total, 2 started, 2 done, 1 succeeded, 1 failed, 0 errored, 0 timeout\nstatus codes: 1 2xx, 0 3xx, 0 4xx, 0 5xx\n": "",
	} {
		got := ""
		if words := said.FindStringSubmatch(text); words != nil {
			got = words[1]
		}
		if got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
