package http1_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"vitrine/internal/serve/decide"
)

// seeds returns plain and unusual requests.
func seeds() []string {
	const host = "Host: x.example\r\n"
	all := []string{
		"GET / HTTP/1.1\r\n" + host + "\r\n",
		"HEAD " + long + " HTTP/1.1\r\n" + host + "\r\n",
		"OPTIONS /api/v1/marketing HTTP/1.1\r\n" + host + "Origin: https://a.example\r\nAccess-Control-Request-Method: GET\r\n\r\n",
		"GET /api/v1/marketing HTTP/1.1\r\n" + host + "If-None-Match: *\r\n\r\n",
		"GET /api/v1/marketing HTTP/1.1\r\n" + host + "If-Match: \"x\"\r\n\r\n",
		"GET /api?x=1 HTTP/1.1\r\n" + host + "Connection: close\r\n\r\n",
		"GET " + page + "/?utm=1 HTTP/1.1\r\n" + host + "Connection: Keep-Alive\r\n\r\n",
		"GET " + umlau + "?? HTTP/1.1\r\nhost:x.example:8080\r\naccept: text/markdown\r\nACCEPT-ENCODING:  gzip, br  \r\n\r\n",
		"GET /old HTTP/1.1\r\n" + host + "User-Agent: test\r\nCookie: a=b; c=d\r\nReferer: https://a.example/?q=1\r\n\r\n",
		"GET /nothing.html HTTP/1.1\r\n" + host + "Accept:\r\n\r\n",
		"GET /%zz HTTP/1.1\r\n" + host + "\r\n",
		"GET /%z1 HTTP/1.1\r\n" + host + "\r\n",
		"GET /%1z HTTP/1.1\r\n" + host + "\r\n",
		"GET /% HTTP/1.1\r\n" + host + "\r\n",
		"GET /api?%zz HTTP/1.1\r\n" + host + "\r\n",
		"GET //a.example/ HTTP/1.1\r\n" + host + "\r\n",
		"GET http://x.example/api HTTP/1.1\r\n" + host + "\r\n",
		"OPTIONS * HTTP/1.1\r\n" + host + "\r\n",
		"POST /api HTTP/1.1\r\n" + host + "Content-Length: 3\r\n\r\nabc",
		"POST / HTTP/1.1\r\n" + host + "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n",
		"GET / HTTP/1.1\r\n" + host + "Content-Length: 0\r\n\r\n",
		"GET / HTTP/1.1\r\n" + host + "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
		"GET / HTTP/1.1\r\n" + host + "Expect: 100-continue\r\n\r\n",
		"GET / HTTP/1.1\r\n" + host + "Expect: tea\r\n\r\n",
		"GET / HTTP/1.1\r\n" + host + "Upgrade: h2c\r\nConnection: Upgrade, HTTP2-Settings\r\nHTTP2-Settings: AAMA\r\n\r\n",
		"GET / HTTP/1.1\r\n" + host + "Accept: text/markdown\r\nAccept: text/html;q=0.5\r\n\r\n",
		"GET / HTTP/1.1\r\n" + host + host + "\r\n",
		"GET / HTTP/1.1\r\nHost:\r\n\r\n",
		"GET / HTTP/1.1\r\n\r\n",
		"GET / HTTP/1.0\r\n\r\n",
		"GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n",
		"GET / HTTP/1.0\r\n" + host + "\r\n",
		"GET / HTTP/1.1\r\n" + host + "Connection: close \r\n\r\n",
		"GET / HTTP/1.1\nHost: x\n\n",
		"GET / HTTP/1.1\r\nHost: x\r\n folded: y\r\n\r\n",
		"GET / HTTP/1.1\r\nHost : x\r\n\r\n",
		"GET / HTTP/1.1\r\nHost: x\x00\r\n\r\n",
		"GET /\xff HTTP/1.1\r\n" + host + "X: \xff\r\n\r\n",
		"GET  / HTTP/1.1\r\n" + host + "\r\n",
		"GET / HTTP/1.1 \r\n" + host + "\r\n",
		"GET / HTTP/2.0\r\n" + host + "\r\n",
		"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
		"get / HTTP/1.1\r\n" + host + "\r\n",
		"\r\nGET / HTTP/1.1\r\n" + host + "\r\n",
		"GET / HTTP/1.1\r\n" + host + "X\r\n\r\n",
		"GET / HTTP/1.1\r\n" + host + ": empty\r\n\r\n",
		"GET / HTTP/1.1\r\n" + host + "Connection: close, keep-alive\r\n\r\n",
		"GET / HTTP/1.1\r\n" + host + "Range: bytes=0-1,2-3\r\n\r\n",
		"GET / HTTP/1.1\r\n" + host + "TE: trailers\r\nTrailer: X\r\n\r\n",
		"GET / HTTP/1.1\r\n" + host + strings.Repeat("X-A: b\r\n", 70) + "\r\n",
		"GET /" + strings.Repeat("a", 9000) + " HTTP/1.1\r\n" + host + "\r\n",
		"GET / HTT",
		"GET / HTTP/1.1\r\nHo",
		"",
	}
	// Pipeline unusual requests after plain requests.
	get, post := all[0], "POST /api HTTP/1.1\r\n"+host+"Content-Length: 3\r\n\r\nabc"
	return append(all, strings.Repeat(get, 3)+all[3]+post+get, all[1]+get+"GET / HTTP/1.0\r\n\r\n"+get, all[2]+get+get+"GET / HTTP/1.1\n\n",
		get+"OPTIONS * HTTP/1.1\r\n"+host+"\r\n"+get, get+"GET / HTTP/1.1\r\n"+host+"Connection: close\r\n\r\n"+get,
		strings.Repeat("GET /api HTTP/1.1\r\n"+host+"\r\n", 7), strings.Repeat("GET "+long+" HTTP/1.1\r\n"+host+"\r\n", 4))
}

// most is the maximum length in bytes of input on which the engines must agree. For longer input, one engine may reject
// a header section that the other accepts, because net/http's limit depends on how much it has already read.
const most = 12 << 10

// FuzzEngines compares the fast engine with net/http: the same bytes get the same responses, field for field, for any
// split into pieces.
func FuzzEngines(f *testing.F) {
	for _, s := range seeds() {
		f.Add([]byte(s), 1<<20)
	}
	site := newSite(f)
	f.Fuzz(func(t *testing.T, sent []byte, step int) {
		if len(sent) <= most {
			compare(t, site, sent, step)
		}
	})
}

// Both engines respond identically to the seeds, complete and in pieces, and to 300 mutations of them.
func TestEnginesAgree(t *testing.T) {
	site := newSite(t)
	all := seeds()
	for _, s := range all {
		for _, step := range []int{1 << 20, 7, 1} {
			if len(s) < 2000 || step > 1 {
				compare(t, site, []byte(s), step)
			}
		}
	}
	mutations(t, site, 300, 7)
}

// mutations compares the engines' responses to count mutated seeds, generated from a random seed.
func mutations(t *testing.T, site *decide.Site, count int, seed uint64) {
	t.Helper()
	all := seeds()
	random := rand.New(rand.NewPCG(seed, 8))
	for range count {
		sent := mutate(random, all)
		if len(sent) <= most {
			compare(t, site, sent, 1+random.IntN(400))
		}
	}
}

// mutate returns one seed, or several in a row, with a few random changes.
func mutate(random *rand.Rand, seeds []string) []byte {
	pieces := []string{"\r\n", "\n", "\r", " ", "\t", ":", "/", "?", "%", "%2", "%41", "\x00", "\x7f", "\x80", "HTTP/1.1", "Host: y\r\n",
		"Connection: close\r\n", "Content-Length: 1\r\n", "Content-Length: +1\r\n", "Transfer-Encoding: identity\r\n", "Expect:\r\n",
		"If-None-Match: *\r\n", "Accept: text/markdown\r\n", "Accept-Encoding: gzip\r\n", "Upgrade: x\r\n", ";", ",", "#", "\"", "[", "@"}
	var b []byte
	for range 1 + random.IntN(3) {
		b = append(b, seeds[random.IntN(len(seeds))]...)
	}
	for range random.IntN(4) {
		if len(b) == 0 {
			break
		}
		at := random.IntN(len(b))
		switch random.IntN(4) {
		case 0:
			b[at] = byte(random.IntN(256))
		case 1:
			b = append(b[:at:at], b[min(len(b), at+1+random.IntN(4)):]...)
		case 2:
			piece := pieces[random.IntN(len(pieces))]
			b = append(b[:at:at], append([]byte(piece), b[at:]...)...)
		case 3:
			other := seeds[random.IntN(len(seeds))]
			b = append(b[:at:at], other[random.IntN(len(other)+1):]...)
		}
	}
	return b
}
