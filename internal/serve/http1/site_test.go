package http1_test

import (
	"log/slog"
	"strings"
	"testing"
	"time"

	"vitrine/internal/artifact"
	"vitrine/internal/lab/rig"
	"vitrine/internal/serve"
)

// Paths of the small site that the tests serve.
const (
	page  = "/pricing"
	long  = "/long"
	umlau = "/preise%20f%C3%BCr%20alle"
)

// newSite publishes a small build and makes it ready to be served.
func newSite(t testing.TB) *serve.Site {
	t.Helper()
	return rig.Serve(t, t.TempDir(), resources())
}

func resources() []artifact.Resource {
	pair := func(name string, times int) []artifact.Variant {
		return []artifact.Variant{
			variant(name+".html", "text/html; charset=utf-8", strings.Repeat("<p>html "+name, times)),
			variant(name+".md", "text/markdown; charset=utf-8", strings.Repeat("markdown "+name, times)),
		}
	}
	all := []artifact.Resource{
		{Path: "/", Kind: artifact.KindPage, Variants: pair("index", 50)},
		{Path: page, Kind: artifact.KindPage, Variants: pair("pricing", 100)},
		{Path: long, Kind: artifact.KindPage, Variants: pair("long", 5000)},
		{Path: "/preise für alle", Kind: artifact.KindPage, Variants: pair("preise", 10)},
		{Path: "/old", Kind: artifact.KindRedirect, Location: page},
		{Path: artifact.NotFoundPage, Kind: artifact.KindFallback, Variants: pair("404", 10)},
	}
	all = append(all, rig.Operations(func(file string) artifact.Variant {
		return variant(file, "application/json", strings.Repeat(`{"a":1}`, 300))
	})...)
	return append(all, rig.Problems(func(p artifact.ProblemType) artifact.Variant {
		return artifact.Variant{Body: p.Body("https://x.example"), Fields: []artifact.Field{
			{Name: "Content-Type", Value: artifact.ProblemMediaType}, {Name: "Cache-Control", Value: artifact.ErrorCacheControl},
		}}
	})...)
}

func variant(file, mediaType, body string) artifact.Variant {
	return artifact.Variant{File: file, Body: []byte(body), Fields: []artifact.Field{
		{Name: "Content-Type", Value: mediaType}, {Name: "Vary", Value: "Accept, Accept-Encoding"},
	}}
}

// newHandler returns a handler with an allowance of its own.
func newHandler(site *serve.Site) *serve.Handler {
	return serve.NewHandler(site, serve.HandlerOptions{Allowance: serve.NewAllowance(4, time.Minute)})
}

func quiet() *slog.Logger { return slog.New(slog.DiscardHandler) }
