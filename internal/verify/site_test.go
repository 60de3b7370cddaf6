package verify_test

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"vitrine/internal/artifact"
	"vitrine/internal/lab/rig"
	"vitrine/internal/serve"
	"vitrine/internal/serve/decide"
	"vitrine/internal/verify"
)

const base = "https://parley.example"

// fields returns header fields with the given alternating names and values.
func fields(pairs ...string) []artifact.Field {
	var all []artifact.Field
	for i := 0; i < len(pairs); i += 2 {
		all = append(all, artifact.Field{Name: pairs[i], Value: pairs[i+1]})
	}
	return append(all, artifact.Field{Name: "X-Content-Type-Options", Value: "nosniff"})
}

// page returns a negotiated page and its Markdown at its own URL.
func page(path, file, words string) []artifact.Resource {
	html := artifact.Variant{File: file + ".html", Body: []byte("<!doctype html><link rel=\"stylesheet\" href=\"/assets/style.0123456789abcdef.css\"><p>" + strings.Repeat(words+" ", 60)),
		Fields: fields("Content-Type", "text/html; charset=utf-8", "Cache-Control", artifact.PageCacheControl, "Vary", "Accept, Accept-Encoding",
			"Content-Security-Policy", "default-src 'none'", "Referrer-Policy", "no-referrer", "Permissions-Policy", "camera=()", "Link", "</"+file+`.md>; rel="alternate"; type="text/markdown"`)}
	twin := artifact.Variant{File: file + ".md", Body: []byte("# " + strings.Repeat(words+" ", 60)),
		Fields: fields("Content-Type", "text/markdown; charset=utf-8", "Cache-Control", artifact.PageCacheControl, "Vary", "Accept, Accept-Encoding")}
	return []artifact.Resource{
		{Path: path, Kind: artifact.KindPage, Variants: []artifact.Variant{html, twin}},
		{Path: "/" + file + ".md", Kind: artifact.KindFile, Variants: []artifact.Variant{twin}},
	}
}

// file returns a public file.
func file(path, mediaType, cache, body string) artifact.Resource {
	return artifact.Resource{Path: path, Kind: artifact.KindFile, Variants: []artifact.Variant{{File: path[1:], Body: []byte(body),
		Fields: fields("Content-Type", mediaType, "Cache-Control", cache, "Vary", "Accept-Encoding")}}}
}

// resources returns a small site that passes a quick run. text is the text of its pages.
func resources(text string) []artifact.Resource {
	product := `{"name":"Parley","url":"` + base + `"}`
	discovery, err := artifact.DiscoveryBody([]byte(product), base)
	if err != nil {
		panic(err)
	}
	all := append(page("/", "index", text), page("/pricing", "pricing", text)...)
	all = append(all, page("/blog/first", "blog/first", text)...)
	missing := page("404", "404", "nothing here; see "+base+"/llms.txt")[0]
	missing.Kind = artifact.KindFallback
	for i := range missing.Variants {
		missing.Variants[i].Fields[1].Value = artifact.ErrorCacheControl
	}
	all = append(all, missing,
		artifact.Resource{Path: "/old", Kind: artifact.KindRedirect, Location: "/pricing"},
		file("/assets/style.0123456789abcdef.css", "text/css; charset=utf-8", artifact.AssetCacheControl, "p{}"),
		file("/robots.txt", "text/plain; charset=utf-8", artifact.PageCacheControl, "Sitemap: "+base+"/sitemap.xml\n"),
		file("/openapi.json", "application/json", artifact.PageCacheControl, `{"openapi":"3.1.0"}`),
		file("/.well-known/api-catalog", `application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"`, artifact.PageCacheControl, `{"linkset":[]}`),
		file("/llms.txt", "text/plain; charset=utf-8", artifact.PageCacheControl,
			"# Parley\n\n- [Pricing]("+base+"/pricing.md)\n- [First]("+base+"/blog/first.md)\n- [Sign up](https://app.parley.example/signup)\n"),
		file("/sitemap.xml", "application/xml", artifact.PageCacheControl, `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>`+base+
			`/</loc></url><url><loc>`+base+`/pricing</loc></url><url><loc>`+base+`/blog/first</loc></url></urlset>`),
	)
	for path, body := range map[string]string{artifact.OperationPath: product, artifact.AliasPath: product, artifact.DiscoveryPath: string(discovery)} {
		all = append(all, artifact.Resource{Path: path, Kind: artifact.KindOperation, Variants: []artifact.Variant{{File: path[1:] + ".json", Body: []byte(body),
			Fields: append(fields("Content-Type", "application/json", "Cache-Control", artifact.OperationCacheControl, "Vary", "Accept-Encoding",
				"Link", artifact.OperationLinks("/docs/api")), artifact.CORSFields()...)}}})
	}
	return append(all, rig.Problems(func(p artifact.ProblemType) artifact.Variant {
		return artifact.Variant{Body: p.Body(base), Fields: problemFields(p)}
	})...)
}

func problemFields(p artifact.ProblemType) []artifact.Field {
	all := append(fields("Content-Type", artifact.ProblemMediaType, "Cache-Control", artifact.ErrorCacheControl), artifact.CORSFields()...)
	if p.Status == http.StatusMethodNotAllowed {
		all = append(all, artifact.Field{Name: "Allow", Value: artifact.Allow})
	}
	return all
}

// publishSite publishes a site and opens the build.
func publishSite(t *testing.T, all []artifact.Resource) *artifact.Build {
	t.Helper()
	dir := t.TempDir()
	rig.Publish(t, dir, []artifact.Coding{artifact.Gzip, artifact.Brotli}, all)
	return rig.Open(t, dir)
}

// deployment is a running site. Its allowance window ends when the test calls renew.
type deployment struct {
	t     *testing.T
	build *artifact.Build
	site  *decide.Site
	url   string

	mu      sync.Mutex
	handler http.Handler
	waits   []time.Duration
}

// deploy serves a build through the middleware between, which may be nil.
func deploy(t *testing.T, build *artifact.Build, between func(http.Handler) http.Handler) *deployment {
	t.Helper()
	site, err := decide.NewSite(build)
	if err != nil {
		t.Fatal(err)
	}
	d := &deployment{t: t, build: build, site: site}
	d.renew()
	var h http.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		d.mu.Lock()
		handler := d.handler
		d.mu.Unlock()
		handler.ServeHTTP(w, r)
	})
	if between != nil {
		h = between(h)
	}
	server := httptest.NewUnstartedServer(h)
	server.Config, server.Listener = serve.NewServer(h, slog.New(slog.DiscardHandler)), serve.Gated(server.Listener)
	server.Start()
	t.Cleanup(server.Close)
	d.url = server.URL
	return d
}

// renew begins a new window of the allowance.
func (d *deployment) renew() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.handler = serve.NewHandler(d.site, serve.HandlerOptions{Allowance: decide.NewAllowance(artifact.DefaultLimit, artifact.DefaultWindow)})
}

// use uses up n requests of the allowance.
func (d *deployment) use(n int) {
	for range n {
		response, err := http.Get(d.url + artifact.OperationPath)
		if err != nil {
			d.t.Fatal(err)
		}
		response.Body.Close()
	}
}

// options returns options for the deployment, with a Sleep that returns immediately and renews the window.
func (d *deployment) options() verify.Options {
	return verify.Options{URL: d.url, Build: d.build, Sleep: func(_ context.Context, wait time.Duration) error {
		d.mu.Lock()
		d.waits = append(d.waits, wait)
		d.mu.Unlock()
		d.renew()
		return nil
	}}
}

// verify returns the report of a quick run against the deployment.
func (d *deployment) verify() *verify.Report {
	d.t.Helper()
	report, err := verify.Run(d.t.Context(), d.options())
	if err != nil {
		d.t.Fatal(err)
	}
	return report
}

// symptoms returns a report's findings as check/symptom, without duplicates.
func symptoms(report *verify.Report) []string {
	seen := map[string]bool{}
	var all []string
	for _, c := range report.Checks {
		for _, f := range c.Findings {
			s := fmt.Sprintf("%s/%s", c.Name, f.Symptom)
			if !seen[s] {
				seen[s], all = true, append(all, s)
			}
		}
	}
	return all
}
