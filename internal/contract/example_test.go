package contract_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"

	"vitrine/internal/contract"
)

// An exchange is a request as text, followed by the expectations for its response. A value kept
// from one response can be sent, or expected, in the next. This server keeps its ETag, but doesn't
// respond with 304.
func ExamplePlayFiles() {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		w.Header().Set("ETag", `"5f1b"`)
		fmt.Fprintln(w, "hello")
	}))
	defer server.Close()

	file, err := contract.Parse("greeting.txt", []byte(`== a greeting is plain text
proves G-1

GET /greeting
answers 200
header Content-Type ~ text/plain.*
body contains hello

== a client that has the greeting is not sent it again
proves G-2

GET /greeting
answers 200
keep TAG = header ETag

GET /greeting
If-None-Match: {TAG}
answers 304
header ETag = {TAG}
`))
	if err != nil {
		fmt.Println(err) // every mistake in the text, with its line
		return
	}

	// Base is the address in the site's links. If Base is empty, the runner learns it from the sitemap.
	target := contract.Target{URL: server.URL, Base: "https://parley.example"}
	report, err := contract.PlayFiles(context.Background(), target, []*contract.File{file})
	if err != nil {
		fmt.Println(err) // the server could not be reached
		return
	}
	for _, c := range report.Files[0].Cases {
		fmt.Printf("%s: %d exact, %d failed\n", c.Title, c.Exact, c.Failed)
		for _, f := range c.Failures {
			fmt.Printf("  %s:%d: %s: got %s, want %s\n", f.File, f.Line, f.Check, f.Got, f.Want)
		}
	}
	// Output:
	// a greeting is plain text: 1 exact, 0 failed
	// a client that has the greeting is not sent it again: 1 exact, 1 failed
	//   greeting.txt:18: answers 304: got 200, want 304
}
