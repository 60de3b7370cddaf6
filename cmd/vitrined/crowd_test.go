package main_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"
)

// crowdSize is a number of connections that exceeds the limits of the redirect address and the admin address.
const crowdSize = 300

// crowd keeps crowdSize idle connections to address open until the test ends, reopening each one that the server
// closes. It returns once each connection has been opened.
func crowd(t *testing.T, address string) {
	t.Helper()
	var opened sync.WaitGroup
	opened.Add(crowdSize)
	for range crowdSize {
		go func() {
			for first := true; t.Context().Err() == nil; {
				c, err := net.Dial("tcp", address)
				if err != nil {
					time.Sleep(10 * time.Millisecond) // the server may reset it immediately
					continue
				}
				if first {
					first = false
					opened.Done()
				}
				stop := context.AfterFunc(t.Context(), func() { _ = c.Close() })
				_, _ = io.Copy(io.Discard, c) // until the server closes it
				stop()
				_ = c.Close()
			}
		}()
	}
	opened.Wait()
}

// Idle connections don't block the redirect address or the admin address.
func TestCrowdedAddresses(t *testing.T) {
	vitrined := compiled(t)
	c := newCertificate(t, t.TempDir(), 1)
	redirect := freeAddress(t)
	s := vitrined.start(t, "--dir", smallSite(t), "--tls-cert", c.cert, "--tls-key", c.key, "--redirect-addr", redirect, "--admin", "127.0.0.1:0")
	for address, request := range map[string]string{
		redirect: "GET /a HTTP/1.1\r\nHost: x.example\r\n\r\n",
		s.admin:  "GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n",
	} {
		crowd(t, address)
		for range 20 {
			if r := exchange(t, address, request); len(r) != 1 || r[0].StatusCode != http.StatusPermanentRedirect && r[0].StatusCode != http.StatusOK {
				t.Fatalf("%s responds with %v", address, r)
			}
		}
	}
}

// The redirect address and the admin address check requests like the public address. The redirect address closes a
// connection after one exchange, and the admin address after an idle second.
func TestShortExchanges(t *testing.T) {
	vitrined := compiled(t)
	c := newCertificate(t, t.TempDir(), 1)
	redirect := freeAddress(t)
	s := vitrined.start(t, "--dir", smallSite(t), "--tls-cert", c.cert, "--tls-key", c.key, "--redirect-addr", redirect, "--admin", "127.0.0.1:0")
	const get = "GET /build HTTP/1.1\r\nHost: 127.0.0.1\r\n"
	for _, test := range []struct {
		why, text       string
		redirect, admin []int
	}{
		{"a request", get + "\r\n", []int{308}, []int{200}},
		{"two requests", get + "\r\n" + get + "\r\n", []int{308}, []int{200, 200}},
		{"an absolute target", "GET http://127.0.0.1/build HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", []int{308}, []int{200}},
		{"a length with chunks", "POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + get + "\r\n", []int{400}, []int{400}},
		{"two lengths", get + "Content-Length: 0\r\nContent-Length: 0\r\n\r\n" + get + "\r\n", []int{400}, []int{400}},
		{"chunked twice", get + "Transfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n", []int{400}, []int{400}},
		{"a folded line", get + "X: a\r\n b\r\n\r\n", []int{400}, []int{400}},
		{"an asterisk", "GET * HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", []int{400}, []int{400}},
		{"no host", "GET / HTTP/1.1\r\n\r\n", []int{400}, []int{400}},
		{"no request", "\x16\x03\x01\x02\x00\x01\x00\r\n\r\n", []int{400}, []int{400}},
		{"a body, and a request after it", "POST /build HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1\r\n\r\nx" + get + "\r\n", []int{308}, []int{405}},
		{"another host", "GET / HTTP/1.1\r\nHost: y.example\r\n\r\n", []int{421}, []int{421}},
		{"long fields", get + "X: " + strings.Repeat("a", 30<<10) + "\r\n\r\n", []int{431}, []int{431}},
	} {
		for address, want := range map[string][]int{redirect: test.redirect, s.admin: test.admin} {
			got := exchange(t, address, test.text)
			var statuses []int
			for _, r := range got {
				statuses = append(statuses, r.StatusCode)
				if r.Header.Get("Cache-Control") == "" || r.Header.Get("X-Content-Type-Options") != "nosniff" || r.Header.Get("Date") == "" {
					t.Errorf("%s at %s has the header section %v", test.why, address, r.Header)
				}
				if r.StatusCode == 308 && r.Header.Get("Location") != "https://127.0.0.1"+portOfURL(s.url)+r.Request.URL.Path {
					t.Errorf("%s redirects to %s", test.why, r.Header.Get("Location"))
				}
			}
			if fmt.Sprint(statuses) != fmt.Sprint(want) {
				t.Errorf("%s at %s: %v, want %v", test.why, address, statuses, want)
			}
		}
	}
}

func portOfURL(url string) string { return url[strings.LastIndexByte(url, ':'):] }

// exchange sends text to address and returns the responses that arrive before the server closes the connection.
func exchange(t *testing.T, address, text string) (all []*http.Response) {
	t.Helper()
	c, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if err := c.SetDeadline(time.Now().Add(30 * time.Second)); err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(c, text); err != nil {
		t.Fatal(err)
	}
	asked := &http.Request{Method: http.MethodGet}
	if line, _, _ := strings.Cut(text, "\r\n"); strings.HasPrefix(line, "GET ") || strings.HasPrefix(line, "POST ") {
		if asked, err = http.ReadRequest(bufio.NewReader(strings.NewReader(line + "\r\n\r\n"))); err != nil {
			t.Fatal(err)
		}
	}
	for reader := bufio.NewReader(c); ; {
		r, err := http.ReadResponse(reader, asked)
		if err != nil {
			if err != io.ErrUnexpectedEOF && err != io.EOF {
				t.Errorf("%.60q ended with %v", text, err)
			}
			return all
		}
		if _, err := io.Copy(io.Discard, r.Body); err != nil {
			t.Errorf("%.60q: %v", text, err)
		}
		all = append(all, r)
	}
}
