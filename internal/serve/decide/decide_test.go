package decide_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"vitrine/internal/artifact"
	"vitrine/internal/lab/rig"
	"vitrine/internal/readers"
	"vitrine/internal/serve/decide"
)

// newSite publishes a small build and opens it for serving.
func newSite(t testing.TB) *decide.Site {
	t.Helper()
	return rig.Serve(t, t.TempDir(), resources())
}

func variant(file, mediaType, body string) artifact.Variant {
	return artifact.Variant{File: file, Body: []byte(strings.Repeat(body, 100)), Fields: []artifact.Field{
		{Name: "Content-Type", Value: mediaType}, {Name: "Vary", Value: "Accept, Accept-Encoding"},
	}}
}

func resources() []artifact.Resource {
	all := []artifact.Resource{
		{Path: "/preise für alle", Kind: artifact.KindPage, Variants: []artifact.Variant{
			variant("p.html", "text/html; charset=utf-8", "<p>html"), variant("p.md", "text/markdown; charset=utf-8", "markdown "),
		}},
		{Path: "/old", Kind: artifact.KindRedirect, Location: "/preise%20f%C3%BCr%20alle"},
		{Path: artifact.NotFoundPage, Kind: artifact.KindFallback, Variants: []artifact.Variant{
			variant("404.html", "text/html; charset=utf-8", "<p>nothing"), variant("404.md", "text/markdown; charset=utf-8", "nothing "),
		}},
	}
	all = append(all, rig.Operations(func(file string) artifact.Variant { return variant(file, "application/json", `{"a":1}`) })...)
	all = append(all, rig.Problems(func(p artifact.ProblemType) artifact.Variant {
		return artifact.Variant{Body: p.Body("https://x.example")}
	})...)
	return all
}

// Serving a request allocates no memory after the first request for a representation, regardless of
// the outcome.
func TestDecideDoesNotAllocate(t *testing.T) {
	// Include the User-Agent check, which is most expensive for unknown agents.
	site := rig.Serve(t, t.TempDir(), append(resources(), artifact.OptionOfAgents(readers.Words())))
	page := "/preise%20f%C3%BCr%20alle"
	cases := map[string]decide.Request{
		"page":          {Method: "GET", Path: page},
		"twin":          {Method: "GET", Path: page, Accept: "text/markdown, text/html;q=0.9"},
		"brotli":        {Method: "GET", Path: page, AcceptEncoding: "gzip, deflate, br"},
		"operation":     {Method: "GET", Path: artifact.OperationPath},
		"not modified":  {Method: "GET", Path: artifact.OperationPath, IfNoneMatch: "*"},
		"other tags":    {Method: "GET", Path: page, AcceptEncoding: "gzip", IfNoneMatch: `"0123456789abcdef-gzip", "0123456789abcdef"`},
		"query":         {Method: "GET", Path: artifact.OperationPath, Query: "x", HasQuery: true},
		"wrong method":  {Method: "POST", Path: artifact.OperationPath},
		"not found":     {Method: "GET", Path: "/nothing"},
		"trailing html": {Method: "GET", Path: "/nothing.html"},
		"redirect":      {Method: "GET", Path: "/old"},
		"agent":         {Method: "GET", Path: page, Accept: "*/*", UserAgent: "Mozilla/5.0 (compatible; ClaudeBot/1.0)"},
		"unknown agent": {Method: "GET", Path: page, Accept: "*/*", UserAgent: strings.Repeat("Mozilla/5.0 (compatible; ", 20)},
	}
	now := time.Now()
	for name, request := range cases {
		t.Run(name, func(t *testing.T) {
			allowance := decide.NewAllowance(1<<30, time.Hour)
			decide := func() {
				found := site.Find(&request)
				var grant decide.Grant
				if found.Counted() {
					grant = allowance.Take(now)
				}
				site.Decide(&request, found, grant)
			}
			decide()
			if n := testing.AllocsPerRun(100, decide); n != 0 {
				t.Errorf("%v allocations", n)
			}
		})
	}
}

// AppendLines and Fields return the same fields.
func TestHeaderForms(t *testing.T) {
	site := newSite(t)
	request := decide.Request{Method: "GET", Path: artifact.OperationPath, AcceptEncoding: "gzip"}
	answer := site.Decide(&request, site.Find(&request), decide.Grant{})
	var lines strings.Builder
	for _, f := range answer.Header.Fields() {
		lines.WriteString(f.Name + ": " + f.Value + "\r\n")
	}
	if got := answer.Header.AppendLines(nil); lines.String() != string(got) {
		t.Errorf("fields\n%s\nlines\n%s", lines.String(), got)
	}
	if !strings.Contains(lines.String(), "Content-Encoding: gzip\r\n") {
		t.Errorf("the header lacks its content coding:\n%s", lines.String())
	}
}

// An exhausted allowance takes precedence over a wrong method, a wrong method over a query, and all
// of them over a precondition.
func TestOrderOfDecisions(t *testing.T) {
	site := newSite(t)
	spent := decide.Grant{Limit: 120, Window: 60, Reset: 5, Counted: true}
	free := decide.Grant{Limit: 120, Window: 60, Remaining: 3, Reset: 5, Counted: true, Allowed: true}
	for _, c := range []struct {
		name    string
		request decide.Request
		grant   decide.Grant
		status  int
	}{
		{"all at the same time", decide.Request{Method: "POST", Query: "x", HasQuery: true, IfNoneMatch: "*"}, spent, http.StatusTooManyRequests},
		{"preflight", decide.Request{Method: "OPTIONS", Origin: "https://a.example", AccessControlRequestMethod: "GET"}, spent, http.StatusTooManyRequests},
		{"method before query", decide.Request{Method: "POST", Query: "x", HasQuery: true, IfNoneMatch: "*"}, free, http.StatusMethodNotAllowed},
		{"query before options", decide.Request{Method: "OPTIONS", Query: "x", HasQuery: true}, free, http.StatusBadRequest},
		{"query before precondition", decide.Request{Method: "GET", Query: "x", HasQuery: true, IfNoneMatch: "*"}, free, http.StatusBadRequest},
		{"options ignores preconditions", decide.Request{Method: "OPTIONS", IfNoneMatch: "*", IfMatch: `"x"`, HasIfMatch: true}, free, http.StatusNoContent},
		{"an empty If-Match matches nothing", decide.Request{Method: "GET", HasIfMatch: true}, free, http.StatusPreconditionFailed},
		{"If-Match before If-None-Match", decide.Request{Method: "GET", IfNoneMatch: "*", IfMatch: `"x"`, HasIfMatch: true}, free, http.StatusPreconditionFailed},
		{"precondition", decide.Request{Method: "GET", IfNoneMatch: "*"}, free, http.StatusNotModified},
		{"plain", decide.Request{Method: "GET"}, free, http.StatusOK},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.request.Path = artifact.OperationPath
			answer := site.Decide(&c.request, site.Find(&c.request), c.grant)
			if answer.Status != c.status {
				t.Errorf("status %d, want %d", answer.Status, c.status)
			}
			if answer.Grant != c.grant {
				t.Errorf("the counters of %+v are sent as %+v", c.grant, answer.Grant)
			}
		})
	}
}
