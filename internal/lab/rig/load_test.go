package rig_test

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"

	"vitrine/internal/lab/rig"
	"vitrine/internal/serve"
	"vitrine/internal/serve/decide"
)

// A load counts failed responses, responses that match no build, and, after a deploy, responses from the old build.
func TestLoadCounts(t *testing.T) {
	before := rig.Build(t, rig.Site(t, rig.TinySite("One", "")), rig.Options{})
	after := rig.Build(t, rig.Site(t, rig.TinySite("Two", "")), rig.Options{})
	site, err := decide.NewSite(rig.Open(t, before))
	if err != nil {
		t.Fatal(err)
	}
	handler := serve.NewHandler(site, serve.HandlerOptions{Log: slog.New(slog.DiscardHandler)})
	var status atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if code := status.Load(); code > 0 {
			w.WriteHeader(int(code))
			return
		}
		handler.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	l := rig.StartLoad(t, 2, []string{before, after}, server.URL)
	l.After(t, 0, 20)
	if c := l.Counts(); c.Failed+c.Stale+c.Mixed > 0 {
		t.Errorf("got %v", c)
	}
	rig.Until(t, "a response is of the old build", func() bool { l.After(t, 1, 20); return l.Counts().Stale > 0 })
	status.Store(http.StatusOK)
	rig.Until(t, "a response is of no build", func() bool { return l.Counts().Mixed > 0 })
	status.Store(http.StatusBadGateway)
	rig.Until(t, "a response has failed", func() bool { return l.Counts().Failed > 0 })
}
