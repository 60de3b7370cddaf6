package main

import (
	"io"
	"log/slog"
	"net/http/httptest"
	"path/filepath"
	"testing"

	"vitrine/internal/artifact"
	"vitrine/internal/contract"
	"vitrine/internal/contract/contracttest"
	"vitrine/internal/serve"
	"vitrine/internal/serve/decide"
)

// buildSample builds the sample site, with extra arguments, and returns the build's folder.
func buildSample(t *testing.T, extra ...string) string {
	t.Helper()
	out := filepath.Join(t.TempDir(), "build")
	arguments := append([]string{"build", "--root", "../..", "--out", out}, extra...)
	if code := run(t.Context(), arguments, io.Discard, testWriter{t}); code != exitOK {
		t.Fatalf("vitrine build exits %d", code)
	}
	return out
}

// testWriter writes to the log of a test.
type testWriter struct{ t *testing.T }

func (w testWriter) Write(p []byte) (int, error) {
	w.t.Logf("%s", p)
	return len(p), nil
}

// sampleValues returns the values in the sample site that the contract tests can't infer from responses.
func sampleValues() map[string]string {
	return map[string]string{
		"ALIAS": "/blog/handling-objections", "ALIASED": "/blog/objection-practice",
		"DRAFT": "/blog/talk-ratio-as-a-signal", "UNLISTED": "/welcome",
	}
}

// The sample site, served with net/http in this process, satisfies the complete contract.
func TestContractInProcess(t *testing.T) {
	built, err := artifact.Open(buildSample(t))
	if err != nil {
		t.Fatal(err)
	}
	defer built.Close()
	site, err := decide.NewSite(built)
	if err != nil {
		t.Fatal(err)
	}
	openAPI := &described{t: t, held: map[string]int{}}
	defer func() {
		t.Logf("held against the OpenAPI document: %v", openAPI.held)
		for _, want := range []string{"GET 200", "GET 304", "GET 400", "GET 412", "GET 429", "HEAD 200", "HEAD 400", "OPTIONS 204", "OPTIONS 400", "POST 405", "BREW 405"} {
			if openAPI.held[want] == 0 {
				t.Errorf("no %s was held against the OpenAPI document", want)
			}
		}
	}()
	contracttest.Test(t, contract.Target{
		Transport: openAPI,
		Base:      "https://parley.example",
		Can:       append(contract.OriginServer(), contract.ContentSignal, contract.SecurityContact),
		Values:    sampleValues(),
		Fresh: func() (string, error) {
			handler := serve.NewHandler(site, serve.HandlerOptions{
				Allowance: decide.NewAllowance(built.Manifest.Limit, built.Manifest.Window),
			})
			server := httptest.NewUnstartedServer(handler)
			server.Config, server.Listener = serve.NewServer(handler, testLog(t)), serve.Gated(server.Listener)
			server.Start()
			t.Cleanup(server.Close)
			return server.URL, nil
		},
	})
}

// testLog returns a logger that writes to the log of t.
func testLog(t *testing.T) *slog.Logger {
	return slog.New(slog.NewTextHandler(testWriter{t}, nil))
}
