package serve

import (
	"net/http"

	"vitrine/internal/artifact"
	"vitrine/internal/serve/decide"
)

// Paths of the probes.
const (
	healthPath = "/healthz"
	readyPath  = "/readyz"
)

// probes responds to health checks without the site. It is nil if health checks are disabled.
type probes struct {
	ready                        func() bool
	healthy, prepared, unwilling decide.Answer
}

func newProbes(ready func() bool) *probes {
	if ready == nil {
		return nil
	}
	return &probes{
		ready:   ready,
		healthy: probeAnswer(http.StatusOK, "ok\n"), prepared: probeAnswer(http.StatusOK, "ready\n"),
		unwilling: probeAnswer(http.StatusServiceUnavailable, "not ready\n"),
	}
}

func probeAnswer(status int, body string) decide.Answer {
	return decide.FixedAnswer(status, "probe", body,
		artifact.Field{Name: "Content-Type", Value: "text/plain; charset=utf-8"},
		artifact.Field{Name: "Cache-Control", Value: artifact.ErrorCacheControl},
		artifact.Field{Name: "X-Content-Type-Options", Value: "nosniff"},
	)
}

// answer returns the response to a probe, and reports whether the request is a probe: a GET or HEAD request for
// /healthz or /readyz. The site responds to other methods.
func (p *probes) answer(r *decide.Request) (decide.Answer, bool) {
	if p == nil || r.Path != healthPath && r.Path != readyPath || r.Method != http.MethodGet && r.Method != http.MethodHead {
		return decide.Answer{}, false
	}
	a := p.healthy
	if r.Path == readyPath {
		if a = p.unwilling; p.ready() {
			a = p.prepared
		}
	}
	if r.Method == http.MethodHead {
		a.Body = nil
	}
	return a, true
}
