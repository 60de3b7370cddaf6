package http1_test

import (
	"context"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"vitrine/internal/serve"
)

// No request can be smuggled inside another: the server rejects a message of ambiguous length (RFC 9112 §6.3) or
// doesn't respond to the bytes after it. A smuggled request would show as a 200.
func TestSmuggling(t *testing.T) {
	const hidden = "GET /pricing HTTP/1.1\r\nHost: x\r\n\r\n"
	behind := func(fields, body string) string {
		return "GET / HTTP/1.1\r\nHost: x\r\n" + fields + "\r\n" + body
	}
	var forms []form
	for fields, want := range map[string]string{
		"Content-Length: 0\r\nContent-Length: 5\r\n":                    "400",
		"Content-Length: 5\r\nContent-Length: 5\r\n":                    "400",
		"Content-Length: 35\r\nTransfer-Encoding: chunked\r\n":          "400",
		"Content-Length: 0, 5\r\n":                                      "400",
		"Content-Length: 5 5\r\n":                                       "400",
		"Content-Length: +5\r\n":                                        "400",
		"Content-Length: -1\r\n":                                        "400",
		"Content-Length: 0x5\r\n":                                       "400",
		"Content-Length: \r\n":                                          "400",
		"Content-Length: 5.0\r\n":                                       "400",
		"Content-Length: 99999999999999999999\r\n":                      "400",
		"Content-Length : 5\r\n":                                        "400",
		"Content-Length\t: 5\r\n":                                       "400",
		"Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n":  "400",
		"Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n": "400",
		"Transfer-Encoding: chunked, chunked\r\n":                       "400",
		"Transfer-Encoding: chunked, identity\r\n":                      "501",
		"Transfer-Encoding: identity\r\n":                               "501",
		"Transfer-Encoding: gzip, chunked\r\n":                          "501",
		"Transfer-Encoding: \"chunked\"\r\n":                            "501",
		"Transfer-Encoding: chunked;q=1\r\n":                            "501",
		"Transfer-Encoding:\x00chunked\r\n":                             "400",
		"Transfer-Encoding\r\n : chunked\r\n":                           "400",
		"X: a\r\n\rTransfer-Encoding: chunked\r\n":                      "400",
		"X: a\rTransfer-Encoding: chunked\r\n":                          "400",
		"\x00Transfer-Encoding: chunked\r\n":                            "400",
		"Transfer\u2010Encoding: chunked\r\n":                           "400",
		" Transfer-Encoding: chunked\r\n":                               "400",
		"Host: y\r\n":                                                   "400",
		"hOST: x\r\n":                                                   "400",
		"Expect: 200-ok\r\nContent-Length: 5\r\n":                       "417",
	} {
		forms = append(forms, form{fmt.Sprintf("%q", fields), behind(fields, hidden), want, true})
	}
	// These requests are unambiguous but have a body, which the server never reads.
	for _, f := range []struct{ fields, body string }{
		{"Transfer-Encoding: chunked\r\n", "0\r\n\r\n"},
		{"tRANSFER-eNCODING: CHUNKED\r\n", "0\r\n\r\n"},
		{"Transfer-Encoding:\tchunked\r\n", "0\r\n\r\n"},
		{"Transfer-Encoding: chunked\r\n", "ffffffffffffffff1\r\n"},
		{"Transfer-Encoding: chunked\r\n", "5;x=\"\r\n\"\r\nhello\r\n0\r\n\r\n"},
		{"Transfer-Encoding: chunked\r\n", "0\r\nX: y\r\n\r\n"},
		{"Connection: Transfer-Encoding\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n"},
	} {
		forms = append(forms, form{fmt.Sprintf("%q", f.fields+f.body), behind(f.fields, f.body+hidden), "200", true})
	}
	tryForms(t, forms)
}

// A request path resolves to a resource only if it is the resource's path, percent-encoded or not. A page's path with a
// trailing slash or ".html" gets 308, and other valid spellings get 404.
func TestPathForms(t *testing.T) {
	var forms []form
	for path, want := range map[string]string{
		"/pricing":                   "200",
		"/%70ricing":                 "200",
		"/pricin%67":                 "200",
		"/pricing/":                  "308",
		"/pricing.html":              "308",
		"/old":                       "308",
		"/old/":                      "308",
		"/%2570ricing":               "404",
		"/pricing%00":                "404",
		"/pricing%0a":                "404",
		"/pricing%2f":                "404",
		"/pricing%5c":                "404",
		"/pricing%20":                "404",
		"/pricing.":                  "404",
		"/pricing;a=b":               "404",
		"/pricing//":                 "404",
		"//pricing":                  "404",
		"/./pricing":                 "404",
		"/a/../pricing":              "404",
		"/%2e/pricing":               "404",
		"/a/%2e%2e/pricing":          "404",
		"/..%2fpricing":              "404",
		"/%c0%afpricing":             "404",
		"/%ef%bc%8fpricing":          "404",
		"/%ff":                       "404",
		"/%ed%a0%80":                 "404",
		"/PRICING":                   "404",
		"/Pricing":                   "404",
		"/API":                       "404",
		"/Api/V1/Marketing":          "404",
		"/api/":                      "404",
		"/api/v1/marketing/":         "404",
		"/api/v1/marketing.html":     "404",
		"/404":                       "404",
		"/problem/not-found":         "404",
		"/manifest":                  "404",
		"/.spare/public/index.html":  "404",
		"/preise%20f%C3%BCr%20alle":  "200",
		"/preise%20f%c3%bcr%20alle":  "200",
		"/preise+f%C3%BCr+alle":      "404",
		"/preise%20fu%CC%88r%20alle": "404", // looks the same but has other bytes
	} {
		forms = append(forms, form{path, "GET " + path + " HTTP/1.1\r\nHost: x\r\n\r\n", want, false})
	}
	for target, want := range map[string]string{
		"/%u0070ricing": "404", "/%": "404", "/%7": "404", "/%zz": "404", "/a b": "400", "": "400", "pricing": "400",
		"http:///pricing": "400", "http://x/pricing#a": "404", "/pricing#a": "404", "\\pricing": "400", "/\\pricing": "404", "/pricing\\": "404",
	} {
		forms = append(forms, form{target, "GET " + target + " HTTP/1.1\r\nHost: x\r\n\r\n", want, true})
	}
	tryForms(t, forms)
}

// Both engines respond identically to requests for another protocol and to requests with features that plain requests
// lack.
func TestOtherForms(t *testing.T) {
	const host = "Host: x\r\n"
	tryForms(t, []form{
		{"an upgrade to h2c", "GET / HTTP/1.1\r\n" + host + "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n", "200", true},
		{"an upgrade to WebSocket", "GET / HTTP/1.1\r\n" + host + "Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n", "200", true},
		{"3,000 fields", "GET / HTTP/1.1\r\n" + host + strings.Repeat("X: y\r\n", 3000) + "\r\n", "200", true},
		{"65 fields", "GET / HTTP/1.1\r\n" + host + strings.Repeat("X: y\r\n", 65) + "\r\n", "200", true},
		{"64 fields", "GET / HTTP/1.1\r\n" + host + strings.Repeat("X: y\r\n", 63) + "\r\n", "200", false},
		{"an Accept of 10,000 members", "GET / HTTP/1.1\r\n" + host + "Accept: " + strings.Repeat("a,", 5000) + "\r\n\r\n", "200", true},
		{"CONNECT", "CONNECT x:80 HTTP/1.1\r\n" + host + "\r\n", "405", true},
		{"TRACE", "TRACE / HTTP/1.1\r\n" + host + "\r\n", "405", true},
		{"a method of 10,000 letters", strings.Repeat("A", 10000) + " / HTTP/1.1\r\n" + host + "\r\n", "405", true},
		{"HTTP/1.2", "GET / HTTP/1.2\r\n" + host + "\r\n", "200", true},
		{"HTTP/2.0", "GET / HTTP/2.0\r\n" + host + "\r\n", "505", true},
		{"HTTP/1.1, in lower case", "GET / http/1.1\r\n" + host + "\r\n", "400", true},
		{"HTTP/1.0, kept alive", "GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\nGET / HTTP/1.0\r\n\r\n", "200 200", true},
		{"empty lines before a request", "\r\n\r\nGET / HTTP/1.1\r\n" + host + "\r\n", "400", true},
		{"an empty line between requests", "GET / HTTP/1.1\r\n" + host + "\r\n\r\nGET / HTTP/1.1\r\n" + host + "\r\n", "200 200", true},
	})
}

// Both engines disconnect a client that doesn't accept its response before the write timeout.
func TestWriteTimeout(t *testing.T) {
	for name, run := range engines() {
		t.Run(name, func(t *testing.T) {
			site := newSite(t)
			synctest.Test(t, func(t *testing.T) {
				l := newPipes()
				ctx, cancel := context.WithCancel(t.Context())
				ended := make(chan error)
				go func() { ended <- run(ctx, serve.NewHandler(site, serve.HandlerOptions{}), l) }()
				client := l.dial()
				if _, err := io.WriteString(client, strings.Repeat("GET "+long+" HTTP/1.1\r\nHost: x\r\n\r\n", 50)); err != nil {
					t.Fatal(err)
				}
				begun := time.Now()
				time.Sleep(35 * time.Second)
				const onTheWay = 64 << 10 // buffered by the client that adds TLS
				if rest, err := io.ReadAll(client); err != nil || name != "TLS" && len(rest) > 0 || len(rest) > onTheWay {
					t.Errorf("after %s: %d bytes, %v, want the end", time.Since(begun), len(rest), err)
				}
				cancel()
				if err := <-ended; err != nil {
					t.Error(err)
				}
			})
		})
	}
}
