package field

import (
	"slices"
	"testing"
)

func TestNext(t *testing.T) {
	cases := map[string][]Member{
		"":                        nil,
		"gzip":                    {{Name: "gzip", Weight: 1000}},
		"gzip;q=0.5, br ;q=1.000": {{"gzip", "q=0.5", 500}, {"br", "q=1.000", 1000}},
		"a;x=\"1,2;3\";q=0.25,b":  {{"a", "x=\"1,2;3\";q=0.25", 250}, {Name: "b", Weight: 1000}},
		"a;q=0.3;q=0.4":           {{"a", "q=0.3;q=0.4", 0}},
		"a;q=1.001":               {{"a", "q=1.001", 0}},
		"a;q=0.1234":              {{"a", "q=0.1234", 0}},
		"a;Q=0.7":                 {{"a", "Q=0.7", 700}},
		"a;x=\"open,b":            {{"a", "x=\"open,b", 0}},
		",\t a":                   {{Weight: 1000}, {Name: "a", Weight: 1000}},
	}
	for list, want := range cases {
		var got []Member
		for rest := list; rest != ""; {
			var m Member
			m, rest = Next(rest)
			got = append(got, m)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q: got %+v, want %+v", list, got, want)
		}
	}
}

func TestIsHost(t *testing.T) {
	cases := map[string]bool{
		"": false, "a.example": true, "a.example:80": true, "a.example:": true, "a.example:x": false, ":80": false,
		"[::1]": true, "[::1]:443": true, "[::1": false, "[1.2.3.4]": false, "[fe80::1%25eth0]": false, "::1": false,
		"user@a.example": false, "a%20b": true, "a%2": false, "a b": false, "é.example": false,
	}
	for s, want := range cases {
		if got := IsHost(s); got != want {
			t.Errorf("IsHost(%q) = %t, want %t", s, got, want)
		}
	}
}

// EqualFold folds only ASCII letters, so the Kelvin sign doesn't match k.
func TestEqualFold(t *testing.T) {
	for s, want := range map[string]bool{"chunKed": true, "chunked": true, "chun\u212aed": false, "chunke": false} {
		if got := EqualFold(s, "chunked"); got != want {
			t.Errorf("EqualFold(%q) = %t, want %t", s, got, want)
		}
	}
}
