package http1_test

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"net"
	"os/exec"
	"strings"
	"testing"
	"time"

	"vitrine/internal/lab/rig"
)

// piece is part of a request: its request line or a set of fields.
type piece struct {
	text string
	// refused reports whether the engines reject an otherwise normal request with this piece.
	refused bool
	// differs contains the reasons why references judge such a request differently, keyed by reference.
	differs map[string]string
}

// Both engines accept and reject the same requests as llhttp in Node.js, except for the differences declared with each
// piece. A request consists of a line and fields: every line is combined with every set of fields and sent to both
// engines and the reference. TestReferenceOfNginx compares the engines with nginx.
func TestReferences(t *testing.T) { testReference(t, "node", startNode(t)) }

// testReference compares both engines with the named reference server at address.
func testReference(t *testing.T, name, address string) {
	t.Helper()
	engines := map[string]*started{}
	site := newSite(t)
	for name := range map[string]bool{"fast": true, "net/http": true} {
		engines[name] = start(t, name, newHandler(site), drainTime)
	}
	asked, found := 0, map[string]int{}
	for _, line := range lines() {
		for _, fields := range fieldSets() {
			sent := line.text + "\r\n" + fields.text + "\r\n"
			refused := line.refused || fields.refused
			for engine, started := range engines {
				if got := isRefusal(exchangeWith(t, started.addr, sent)); got != refused {
					t.Errorf("%s: %q: refused %t, want %t", engine, sent, got, refused)
				}
			}
			asked++
			if isRefusal(exchangeWith(t, address, sent)) == refused {
				continue
			}
			why := cmp.Or(line.differs[name], fields.differs[name])
			// differs can't excuse a reference for rejecting a request that the engines accept.
			if why == "" || !refused {
				t.Errorf("%s judges %q otherwise than the engines, which refuse it: %t", name, sent, refused)
			}
			found[why]++
		}
	}
	t.Logf("%d requests to %s; differences: %v", asked, name, found)
	for _, p := range append(lines(), fieldSets()...) {
		if why := p.differs[name]; why != "" && found[why] == 0 {
			t.Errorf("%s differs no longer: %s", name, why)
		}
	}
}

func lines() []piece {
	return []piece{
		{"GET / HTTP/1.1", false, nil},
		{"GET /pricing?x=%zz HTTP/1.1", false, nil},
		{"HEAD / HTTP/1.1", false, nil},
		{"GET http://x.example/ HTTP/1.1", false, nil},
		{"GET  / HTTP/1.1", true, map[string]string{"nginx": "spaces before the target are passed over", "node": "spaces before the target are passed over"}},
		{"GET / HTTP/1.1 ", true, map[string]string{"nginx": "spaces behind the version are passed over"}},
		{"GET /a b HTTP/1.1", true, nil},
		{"GET\t/ HTTP/1.1", true, nil},
		{"GET / HTTP/x.1", true, nil},
		{"GET / http/1.1", true, nil},
		{"GET pricing HTTP/1.1", true, nil},
		{"GET ftp://x.example/ HTTP/1.1", true, map[string]string{"nginx": "a scheme is not looked at", "node": "a scheme is not looked at"}},
		{"GET http://u@x.example/ HTTP/1.1", true, map[string]string{"node": "an authority is not looked at"}},
		{"GET http:///pricing HTTP/1.1", true, map[string]string{"node": "an authority is not looked at"}},
		{"GET / HTTP/2.0", true, map[string]string{"node": "the version 2.0 is let through"}},
		{"GET / HTTP/3.0", true, nil},
		{"G@T / HTTP/1.1", true, nil},
		{"\r\nGET / HTTP/1.1", false, nil},
		{"GET /\x00 HTTP/1.1", true, nil},
		{"GET /\x7f HTTP/1.1", true, nil},
	}
}

func fieldSets() []piece {
	const host = "Host: x.example\r\n"
	return []piece{
		{host, false, nil},
		{"Host: x.example:8080\r\n", false, nil},
		{"Host: [::1]:8080\r\n", false, nil},
		{"", true, nil},
		{host + host, true, map[string]string{"node": "a Host may hold anything, and come twice"}},
		{"Host: x.example:80:80\r\n", true, map[string]string{"nginx": "a Host is looked at for slashes and controls alone", "node": "a Host may hold anything, and come twice"}},
		{"Host: x.example/y\r\n", true, map[string]string{"node": "a Host may hold anything, and come twice"}},
		{"Host: u@x.example\r\n", true, map[string]string{"nginx": "a Host is looked at for slashes and controls alone", "node": "a Host may hold anything, and come twice"}},
		{"Host: [::1\r\n", true, map[string]string{"nginx": "a Host is looked at for slashes and controls alone", "node": "a Host may hold anything, and come twice"}},
		{"Host: a b\r\n", true, map[string]string{"node": "a Host may hold anything, and come twice"}},
		{host + "Content-Length: 0\r\nContent-Length: 0\r\n", true, nil},
		{host + "Content-Length: 0\r\nContent-Length: 1\r\n", true, nil},
		{host + "Content-Length: 0, 0\r\n", true, nil},
		{host + "Content-Length: +0\r\n", true, nil},
		{host + "Content-Length: -1\r\n", true, nil},
		{host + "Content-Length: 0x0\r\n", true, nil},
		{host + "Content-Length: \r\n", true, nil},
		{host + "Content-Length: 0\r\nTransfer-Encoding: chunked\r\n", true, nil},
		{host + "Transfer-Encoding: gzip\r\n", true, map[string]string{"node": "codings other than chunked are let through"}},
		{host + "Transfer-Encoding: chunked, gzip\r\n", true, nil},
		{host + "Transfer-Encoding : chunked\r\n", true, nil},
		{host + "Transfer-Encoding: \x0bchunked\r\n", true, nil},
		{host + "X: a\r\n b\r\n", true, nil},
		{" X: a\r\n" + host, true, nil},
		{host + "X\r\n", true, map[string]string{"nginx": "a line without a colon is passed over"}},
		{host + "X y: a\r\n", true, nil},
		{host + "X: a\x00b\r\n", true, nil},
		{host + "X: a\rb\r\n", true, nil},
		{host + "X: a\x01b\r\n", true, map[string]string{"nginx": "controls in a value are let through"}},
		{host + ": a\r\n", true, nil},
		{host + "X: \xff\r\n", false, nil},
		{host + "X:a\t\r\n", false, nil},
		{host + "Connection: close\r\n", false, nil},
		{host + "Expect: tea\r\n", true, map[string]string{"nginx": "an expectation is not looked at"}},
	}
}

// isRefusal reports whether code means that the server rejected a request as malformed or unsupported. Any other
// status, such as 404 or 405, shows that the server understood it.
func isRefusal(code string) bool {
	return strings.Contains(" 400 417 431 501 505 closed ", " "+code+" ")
}

// exchangeWith sends bytes and the end of the stream, and returns the status code of the first response, or "closed" if
// there is none.
func exchangeWith(t *testing.T, address, sent string) string {
	t.Helper()
	c, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if err := c.SetDeadline(time.Now().Add(10 * time.Second)); err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(c, sent); err != nil {
		return "closed"
	}
	var version, code string
	if n, _ := fmt.Fscan(bufio.NewReader(c), &version, &code); n < 2 {
		return "closed"
	}
	return code
}

// startNode starts a server that uses llhttp and stops it at the end of the test.
func startNode(t *testing.T) (address string) {
	t.Helper()
	cmd := exec.Command(rig.Node(t), "testdata/llhttp.mjs")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = in.Close(); _ = cmd.Wait() })
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return "127.0.0.1:" + strings.TrimSpace(line)
}
