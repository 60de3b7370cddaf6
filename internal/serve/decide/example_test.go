package decide_test

import (
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	"vitrine/internal/artifact"
	"vitrine/internal/publish"
	"vitrine/internal/serve/decide"
)

// A decision is a function of the request, the resource at its path, and the allowance. It sends no
// bytes: an engine such as Handler does.
func ExampleSite_Decide() {
	site, closeSite, err := exampleSite()
	if err != nil {
		fmt.Println(err)
		return
	}
	defer closeSite()

	// Two requests a minute are allowed for all clients combined.
	allowance := decide.NewAllowance(2, time.Minute)
	for _, r := range []decide.Request{
		{Method: "GET", Path: "/pricing"},
		{Method: "GET", Path: "/pricing", Accept: "text/markdown"},
		{Method: "GET", Path: "/pricing", AcceptEncoding: "gzip, br"},
		{Method: "GET", Path: "/pricing/"},
		{Method: "POST", Path: "/pricing"},
		{Method: "GET", Path: "/nothing"},
		{Method: "GET", Path: "/api/v1/marketing"},
		{Method: "GET", Path: "/api/v1/marketing", Query: "x=1", HasQuery: true},
		{Method: "GET", Path: "/api/v1/marketing"},
	} {
		found := site.Find(&r)
		// Only the JSON API counts toward the allowance.
		var grant decide.Grant
		if found.Counted() {
			grant = allowance.Take(time.Now())
		}
		answer := site.Decide(&r, found, grant)

		fmt.Printf("%s %s: %d %s", r.Method, r.Path, answer.Status, answer.Reason)
		for _, f := range answer.Header.Fields() {
			if f.Name == "Content-Type" || f.Name == "Content-Encoding" {
				fmt.Printf(", %s", f.Value)
			}
		}
		if answer.Location != "" {
			fmt.Printf(", to %s", answer.Location)
		}
		if answer.Grant.Counted {
			fmt.Printf(", %d left", answer.Grant.Remaining)
		}
		fmt.Println()
	}
	// Output:
	// GET /pricing: 200 ok, text/html
	// GET /pricing: 200 ok, text/markdown
	// GET /pricing: 200 ok, text/html, br
	// GET /pricing/: 308 redirect, to /pricing
	// POST /pricing: 405 method-not-allowed, application/problem+json
	// GET /nothing: 404 not-found, text/html
	// GET /api/v1/marketing: 200 ok, application/json, 1 left
	// GET /api/v1/marketing: 400 unsupported-query-parameters, application/problem+json, 0 left
	// GET /api/v1/marketing: 429 allowance-exhausted, application/problem+json, 0 left
}

// exampleSite publishes a build with one page to a temporary folder and opens it as a server would.
func exampleSite() (site *decide.Site, closeSite func(), err error) {
	dir, err := os.MkdirTemp("", "vitrine-example-")
	if err != nil {
		return nil, nil, err
	}
	stage, err := publish.Begin(context.Background(), dir, publish.Options{Codings: []artifact.Coding{artifact.Brotli}})
	if err != nil {
		return nil, nil, err
	}
	one := func(mediaType, body string) artifact.Variant {
		return artifact.Variant{Fields: []artifact.Field{{Name: "Content-Type", Value: mediaType}}, Body: []byte(body)}
	}
	// A page has two variants, HTML first. Every build also has a 404 page, the JSON API at
	// each of its paths, and a body for each type of problem.
	text := strings.Repeat("a price ", 100)
	all := []artifact.Resource{
		{Path: "/pricing", Kind: artifact.KindPage, Variants: []artifact.Variant{one("text/html", text), one("text/markdown", text)}},
		{Path: artifact.NotFoundPage, Kind: artifact.KindFallback, Variants: []artifact.Variant{one("text/html", "no"), one("text/markdown", "no")}},
	}
	for _, path := range artifact.OperationPaths() {
		all = append(all, artifact.Resource{Path: path, Kind: artifact.KindOperation, Variants: []artifact.Variant{one("application/json", "{}")}})
	}
	for _, p := range artifact.ProblemTypes() {
		all = append(all, artifact.Resource{Path: artifact.ProblemPrefix + p.Slug, Kind: artifact.KindFallback, Variants: []artifact.Variant{
			one(artifact.ProblemMediaType, string(p.Body("https://parley.example"))),
		}})
	}
	prepared, err := stage.Prepare(all...)
	if err != nil {
		return nil, nil, err
	}
	if err := stage.Append(prepared); err != nil {
		return nil, nil, err
	}
	// Commit is the moment of publication: from here on, Open finds this build.
	if _, err := stage.Commit(artifact.DefaultLimit, artifact.DefaultWindow); err != nil {
		return nil, nil, err
	}
	build, err := artifact.Open(dir)
	if err != nil {
		return nil, nil, err
	}
	site, err = decide.NewSite(build)
	return site, func() { _ = build.Close(); _ = os.RemoveAll(dir) }, err
}
