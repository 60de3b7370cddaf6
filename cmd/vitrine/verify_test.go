package main

import (
	"bytes"
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"vitrine/internal/artifact"
	"vitrine/internal/lab/rig"
	"vitrine/internal/serve"
	"vitrine/internal/serve/decide"
	"vitrine/internal/verify"
)

// deployBuild serves the build in dir as production does. It returns the site's URL and a function that resets the
// request allowance.
func deployBuild(t interface {
	Fatal(...any)
	Cleanup(func())
}, dir string) (url string, renew func()) {
	built, err := artifact.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	site, err := decide.NewSite(built)
	if err != nil {
		t.Fatal(err)
	}
	var handler atomic.Pointer[serve.Handler]
	renew = func() {
		handler.Store(serve.NewHandler(site, serve.HandlerOptions{
			Allowance: decide.NewAllowance(built.Manifest.Limit, built.Manifest.Window),
		}))
	}
	renew()
	whole := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { handler.Load().ServeHTTP(w, r) })
	server := httptest.NewUnstartedServer(whole)
	server.Config, server.Listener = serve.NewServer(whole, slog.New(slog.DiscardHandler)), serve.Gated(server.Listener)
	server.Start()
	t.Cleanup(func() {
		server.Close()
		_ = built.Close()
	})
	return server.URL, renew
}

// A deployment of the sample site passes all checks, including the thorough ones. This shows that verify and the
// contract's own tests check the same requirements.
func TestVerifySample(t *testing.T) {
	dir := buildSample(t)
	url, renew := deployBuild(t, dir)
	var report strings.Builder
	if code := run(t.Context(), []string{"verify", url, "--build", dir}, &report, testWriter{t}); code != exitOK {
		t.Errorf("vitrine verify exits %d:\n%s", code, report.String())
	}
	renew()
	built, err := artifact.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer built.Close()
	waits := 0
	thorough, err := verify.Run(t.Context(), verify.Options{
		URL: url, Build: built, Thorough: true,
		Sleep: func(context.Context, time.Duration) error { waits++; renew(); return nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	if err := thorough.WriteText(&text); err != nil {
		t.Fatal(err)
	}
	if thorough.Count(verify.Failed) > 0 || thorough.Count(verify.Skipped) > 0 || waits == 0 {
		t.Errorf("it waited %d times:\n%s", waits, text.String())
	}
}

// The build of a multilingual site passes too, including the exchanges about languages.
func TestVerifyLanguages(t *testing.T) {
	dir := rig.Build(t, rig.Site(t, rig.LanguagesSite()), rig.Options{})
	url, renew := deployBuild(t, dir)
	built := rig.Open(t, dir)
	report, err := verify.Run(t.Context(), verify.Options{
		URL: url, Build: built, Thorough: true,
		Sleep: func(context.Context, time.Duration) error { renew(); return nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	if err := report.WriteText(&text); err != nil {
		t.Fatal(err)
	}
	if report.Count(verify.Failed) > 0 || !strings.Contains(text.String(), "ok       contract/languages") {
		t.Error(text.String())
	}
}

// scriptCommands returns the commands that scripts can use in addition to vitrine.
func scriptCommands() map[string]func(ts *testscript.TestScript, neg bool, args []string) {
	return map[string]func(ts *testscript.TestScript, neg bool, args []string){
		// deploy VARIABLE FOLDER serves the build in FOLDER until the script ends and stores its URL in VARIABLE.
		"deploy": func(ts *testscript.TestScript, neg bool, args []string) {
			if neg || len(args) != 2 {
				ts.Fatalf("usage: deploy VARIABLE FOLDER")
			}
			url, _ := deployBuild(scriptTest{ts}, ts.MkAbs(args[1]))
			ts.Setenv(args[0], url)
		},
		"draw": drawImage,
		"bomb": drawBomb,
	}
}

// scriptTest adapts a script to the interface of deployBuild's first parameter.
type scriptTest struct{ ts *testscript.TestScript }

func (s scriptTest) Fatal(values ...any) { s.ts.Fatalf("%v", values) }
func (s scriptTest) Cleanup(f func())    { s.ts.Defer(f) }
