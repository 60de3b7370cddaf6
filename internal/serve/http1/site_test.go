package http1_test

import (
	"log/slog"
	"testing"
	"time"

	"vitrine/internal/lab/rig"
	"vitrine/internal/serve"
	"vitrine/internal/serve/decide"
)

// Paths of the small site that the tests serve.
const (
	page  = rig.SmallPage
	long  = rig.SmallLong
	umlau = rig.SmallUmlaut
)

func newSite(t testing.TB) *decide.Site {
	t.Helper()
	return rig.SmallSite(t)
}

// newHandler returns a handler with its own allowance.
func newHandler(site *decide.Site) *serve.Handler {
	return serve.NewHandler(site, serve.HandlerOptions{Allowance: decide.NewAllowance(4, time.Minute)})
}

func quiet() *slog.Logger { return slog.New(slog.DiscardHandler) }
