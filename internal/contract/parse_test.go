package contract

import (
	"strings"
	"testing"
	"testing/fstest"
)

// Each mistake in a file is reported with its file and line, and all mistakes are reported together.
func TestParseMistakes(t *testing.T) {
	const head = "== title\nproves X\n\n"
	for _, c := range []struct{ source, want string }{
		{"GET /\n", `f.txt:1: "GET" is not allowed here`},
		{"plays first\n", `f.txt:1: "plays" is not allowed here`},
		{"needs speed\n", `f.txt:1: unknown capability "speed"`},
		{"needs {SPEED}\n", `f.txt:1: unknown value {SPEED}`},
		{"== title\n\nGET /\nanswers 200\n", "f.txt:3: list the claims that the case proves"},
		{"== title\nproves\n", "f.txt:2: list the claims that the case proves"},
		{"== title\nproves X\n", "f.txt:1: the case has no exchanges"},
		{head + "get /\nanswers 200\n", `f.txt:4: "get /" is not a request`},
		{head + "raw\nanswers 200\n", `f.txt:4: "raw" is not a request`},
		{head + "GET /\n", "f.txt:4: the exchange has no expected response"},
		{head + "GET /\nheader ETag = x\nanswers 200\n", `f.txt:5: cannot parse "header ETag = x"; write a header field or a line that starts with "sends" or "answers"`},
		{head + "raw\n\tGET / HTTP/1.1\nAccept: x\nanswers 200\n", "f.txt:6: the header fields of a raw request belong in its block"},
		{head + "GET /\nanswers 2000\n", `f.txt:5: "2000" is not a final status code; write a number from 200 to 599`},
		{head + "GET /{TAG}\nanswers 200\n", "f.txt:4: {TAG} is neither a site value nor kept by an earlier step"},
		{head + "GET /\nanswers 200\nheader ETag = {TAG}\n", "f.txt:6: {TAG} is neither"},
		{head + "GET /\nanswers 200\nkept TAG = x\n", "f.txt:6: {TAG} is neither"},
		{head + "GET /\nanswers 200\ntrailer X = 1\n", `f.txt:6: unknown subject "trailer"`},
		{head + "GET /\nanswers 200\nheader X resembles 1\n", `f.txt:6: cannot read "resembles 1"; want an operator`},
		{head + "GET /\nanswers 200\nheader X ~ (\n", "f.txt:6: error parsing regexp"},
		{head + "GET /\nanswers 200\nbody under a lot\n", "f.txt:6: specify the number of characters"},
		{head + "GET /\nanswers 200\nkeep E = body\nkept E within a year\n", "f.txt:7: specify the number of days"},
		{head + "GET /\nanswers 200\njson a..b = 1\n", "f.txt:6: invalid JSON path \"a..b\" at"},
		{head + "GET /\nanswers 200\njson a is text\n", `f.txt:6: unknown type "text"`},
		{head + "GET /\nanswers 200\nno body\n", `f.txt:6: unknown step "no body"`},
		{head + "GET /\nanswers 200\nkeep tag = header ETag\n", `f.txt:6: cannot read "keep tag = header ETag"`},
		{head + "GET /\nanswers 200\nkeep TAG = header ETag contains x\n", `f.txt:6: cannot read "contains x"`},
		{head + "GET /\nanswers 200\nkeep up to 0 TAG = header ETag\n", "f.txt:6: keep up to 0: want a number of at least 1"},
		{head + "GET /\nanswers 200\n\tmore\n", `f.txt:5: a block is not allowed under "answers 200"`},
	} {
		if _, err := Parse("f.txt", []byte(c.source)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q:\n\tgot  %v\n\twant %s", c.source, err, c.want)
		}
	}
	_, err := Parse("f.txt", []byte(head+"GET /{A}\nanswers 1\nanswers 200\n\nGET /{B}\nanswers 200\n"))
	if n := strings.Count(err.Error(), "\n") + 1; n != 3 {
		t.Errorf("%d mistakes reported, want 3: %v", n, err)
	}
}

// Files are sorted by name, with files that play last at the end. Counted returns the number of requests in a file that
// count toward the allowance.
func TestLoadOrder(t *testing.T) {
	one := "== x\nproves X\n\nrepeat 3\nGET /api/marketing?x=1\nanswers 200\n\nraw\n\tGET /api HTTP/1.1\nanswers 200\n\nGET /api/v2\nanswers 404\n"
	files, err := Load(fstest.MapFS{
		"a.txt": {Data: []byte("plays last\n\n" + one)}, "c.txt": {Data: []byte(one)}, "b.txt": {Data: []byte(one)},
	})
	if err != nil {
		t.Fatal(err)
	}
	var order []string
	for _, f := range files {
		order = append(order, f.Name)
	}
	if got := strings.Join(order, " "); got != "b.txt c.txt a.txt" {
		t.Errorf("the order is %s, want b.txt c.txt a.txt", got)
	}
	if got := files[0].Counted(); got != 4 {
		t.Errorf("%d requests count toward the allowance, want 4", got)
	}
	if got := files[0].Exchanges(); got != 3 {
		t.Errorf("%d exchanges, want 3", got)
	}
	if _, err := Load(fstest.MapFS{"a.txt": {Data: []byte("x")}, "b.txt": {Data: []byte("y")}}); err == nil || strings.Count(err.Error(), ".txt:1:") != 2 {
		t.Errorf("got %v, want the mistakes of both files", err)
	}
}
