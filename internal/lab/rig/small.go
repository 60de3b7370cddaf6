package rig

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"math/big"
	"strings"
	"testing"
	"time"

	"vitrine/internal/artifact"
	"vitrine/internal/serve/decide"
)

// Paths of the small site.
const (
	// SmallPage is a short page with an HTML and a Markdown variant.
	SmallPage = "/pricing"
	// SmallLong is a page of 60 KB.
	SmallLong = "/long"
	// SmallUmlaut is a page whose path requires percent-encoding.
	SmallUmlaut = "/preise%20f%C3%BCr%20alle"
	// SmallOld redirects to SmallPage.
	SmallOld = "/old"
)

// SmallSite publishes a small build and returns it, ready to be served.
func SmallSite(t testing.TB) *decide.Site {
	t.Helper()
	return Serve(t, t.TempDir(), smallResources())
}

func smallResources() []artifact.Resource {
	pair := func(name string, times int) []artifact.Variant {
		return []artifact.Variant{
			variant(name+".html", "text/html; charset=utf-8", strings.Repeat("<p>html "+name, times)),
			variant(name+".md", "text/markdown; charset=utf-8", strings.Repeat("markdown "+name, times)),
		}
	}
	all := []artifact.Resource{
		{Path: "/", Kind: artifact.KindPage, Variants: pair("index", 50)},
		{Path: SmallPage, Kind: artifact.KindPage, Variants: pair("pricing", 100)},
		{Path: SmallLong, Kind: artifact.KindPage, Variants: pair("long", 5000)},
		{Path: "/preise für alle", Kind: artifact.KindPage, Variants: pair("preise", 10)},
		{Path: SmallOld, Kind: artifact.KindRedirect, Location: SmallPage},
		{Path: artifact.NotFoundPage, Kind: artifact.KindFallback, Variants: pair("404", 10)},
	}
	all = append(all, Operations(func(file string) artifact.Variant {
		return variant(file, "application/json", strings.Repeat(`{"a":1}`, 300))
	})...)
	return append(all, Problems(func(p artifact.ProblemType) artifact.Variant {
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

// SelfSigned returns a self-signed certificate, which clients don't trust.
func SelfSigned(t testing.TB) tls.Certificate {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	must(t, err)
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour)}
	certificate, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	must(t, err)
	return tls.Certificate{Certificate: [][]byte{certificate}, PrivateKey: key}
}
