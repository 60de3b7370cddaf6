package decide

import (
	"testing"

	"vitrine/internal/artifact"
)

// TestChooseCoding checks the choice of a content coding against RFC 9110 §12.5.3.
func TestChooseCoding(t *testing.T) {
	var none codingSet
	onlyGzip := none.with(artifact.Gzip)
	both := onlyGzip.with(artifact.Brotli)
	for _, c := range []struct {
		why, field string
		available  codingSet
		want       artifact.Coding
	}{
		{"an empty field selects identity", "", both, artifact.Identity},
		{"only white space", " ", both, artifact.Identity},
		{"gzip", "gzip", both, artifact.Gzip},
		{"br", "br", both, artifact.Brotli},
		{"a tie goes to br", "gzip, br", both, artifact.Brotli},
		{"a browser's", "gzip, deflate, br, zstd", both, artifact.Brotli},
		{"a browser's field, without a br body", "gzip, deflate, br, zstd", onlyGzip, artifact.Gzip},
		{"without compressed bodies", "gzip, deflate, br, zstd", none, artifact.Identity},
		{"the highest weight", "gzip;q=1, br;q=0.9", both, artifact.Gzip},
		{"the highest weight of the available encodings", "gzip;q=0.5, br;q=0.9", onlyGzip, artifact.Gzip},
		{"a low weight beats unlisted identity", "gzip;q=0.001", both, artifact.Gzip},
		{"identity preferred", "identity, gzip;q=0.5", both, artifact.Identity},
		{"identity with a lower weight", "identity;q=0.5, gzip", both, artifact.Gzip},
		{"a tie of gzip and identity", "identity, gzip", both, artifact.Gzip},
		{"only identity", "identity", both, artifact.Identity},
		{"names are case-insensitive", "GZip", both, artifact.Gzip},
		{"x-gzip is gzip", "x-gzip", both, artifact.Gzip},
		{"X-GZIP is gzip", "X-GZIP;q=0.5", both, artifact.Gzip},
		{"x-br is unknown", "x-br", both, artifact.Identity},
		{"unknown encodings", "zstd, deflate, compress", both, artifact.Identity},
		{"q=0 rejects an encoding", "gzip;q=0", both, artifact.Identity},
		{"q=0 rejects one of two encodings", "gzip;q=0, br", both, artifact.Brotli},
		{"q=0 rejects one encoding, and the other is unavailable", "gzip;q=0, br", onlyGzip, artifact.Identity},
		{"* is any", "*", both, artifact.Brotli},
		{"* is any that there is", "*", onlyGzip, artifact.Gzip},
		{"* is any not listed", "br;q=0, *", both, artifact.Gzip},
		{"* does not raise what is listed", "br;q=0.2, *;q=0.8", both, artifact.Gzip},
		{"* gives identity its weight", "gzip;q=0.5, *;q=0.8", onlyGzip, artifact.Identity},
		{"*;q=0 refuses the rest", "gzip, *;q=0", both, artifact.Gzip},
		{"nothing acceptable: identity", "*;q=0", both, artifact.Identity},
		{"identity rejected", "identity;q=0, gzip;q=0.1", both, artifact.Gzip},
		{"identity rejected, and no other encoding listed", "identity;q=0", both, artifact.Identity},
		{"identity rejected, and no other body available", "identity;q=0, gzip, br", none, artifact.Identity},
		{"listed twice: the highest weight", "gzip;q=0, gzip;q=0.5", both, artifact.Gzip},
		{"malformed q is 0", "gzip;q=high, br;q=0.0001", both, artifact.Identity},
		{"white space and empty members", " , gzip ; q=0.8 ,,\tbr;q=0.7", both, artifact.Gzip},
		{"a longer name", "gzipped, brotli", both, artifact.Identity},
	} {
		if got := chooseCoding(c.field, c.available); got != c.want {
			t.Errorf("%s: chooseCoding(%q) among %03b = %s, want %s", c.why, c.field, c.available, got, c.want)
		}
	}
}

// FuzzAcceptEncoding compares chooseCoding with an oracle that evaluates the client's preference for each content
// coding separately.
func FuzzAcceptEncoding(f *testing.F) {
	for _, seed := range []string{
		"", "gzip, deflate, br", "x-gzip;q=0.5, *;q=0.1", "identity;q=0, *;q=0", "br;q=1.000,GZIP;q=0.999",
	} {
		f.Add(seed, uint8(6))
	}
	f.Fuzz(func(t *testing.T, field string, set uint8) {
		available := codingSet(set & 7)
		got, want := chooseCoding(field, available), oracleCoding(field, available)
		if got != want {
			t.Errorf("chooseCoding(%q) among %03b = %s, the oracle says %s", field, available, got, want)
		}
	})
}

func oracleCoding(field string, available codingSet) artifact.Coding {
	members := oracleMembers(field)
	weigh := func(names ...string) int {
		weight := -1
		for _, m := range members {
			for _, name := range names {
				if m.name == name && m.weight > weight {
					weight = m.weight
				}
			}
		}
		return weight
	}
	chosen, best := artifact.Identity, -1
	for _, c := range []artifact.Coding{artifact.Brotli, artifact.Gzip, artifact.Identity} {
		names := []string{c.String()}
		if c == artifact.Gzip {
			names = append(names, "x-gzip")
		}
		weight := weigh(names...)
		if weight < 0 {
			weight = weigh("*")
		}
		if c == artifact.Identity && weight < 0 {
			weight = 0 // acceptable, but the last choice
		}
		if !available.has(c) || c != artifact.Identity && weight <= 0 {
			continue
		}
		if weight > best {
			chosen, best = c, weight
		}
	}
	return chosen
}
