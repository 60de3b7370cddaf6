package verify_test

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"vitrine/internal/artifact"
	"vitrine/internal/readers"
	"vitrine/internal/verify"
)

// agentsSite is a site that has chosen that known agents get Markdown.
func agentsSite() []artifact.Resource {
	all := resources("words")
	for _, r := range all {
		if r.Kind != artifact.KindPage && r.Path != artifact.NotFoundPage {
			continue
		}
		for i := range r.Variants {
			fields := slices.Clone(r.Variants[i].Fields)
			for j := range fields {
				if fields[j].Name == "Vary" {
					fields[j].Value += ", User-Agent"
				}
			}
			r.Variants[i].Fields = fields
		}
	}
	return append(all, artifact.OptionOfAgents(readers.Words()))
}

// byAccept is a cache that distinguishes Accept and the content coding, but not User-Agent.
func byAccept(next http.Handler) http.Handler {
	var mu sync.Mutex
	kept := make(map[string]*httptest.ResponseRecorder)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		key := strings.Join([]string{r.Method, r.URL.RequestURI(), r.Header.Get("Accept"), r.Header.Get("Accept-Encoding"), r.Header.Get("If-None-Match")}, "\n")
		answer := kept[key]
		if answer == nil {
			answer = record(next, r)
			if answer.Code == http.StatusOK && !operation(r) {
				kept[key] = answer
			}
		}
		replay(w, r, answer)
	})
}

// noAgent removes User-Agent from Vary, like a host that knows only the field's two usual members.
func noAgent(next http.Handler) http.Handler {
	return changed(next, func(_ *http.Request, a *httptest.ResponseRecorder) {
		if vary := a.Header().Get("Vary"); vary != "" {
			a.Header().Set("Vary", strings.TrimSuffix(vary, ", User-Agent"))
		}
	})
}

// A site that enabled it is requested as an agent and as a browser. The check finds a cache that ignores User-Agent, and a
// missing member of Vary. Other sites get no such requests.
func TestAgents(t *testing.T) {
	asked := func(r *verify.Report) bool {
		return slices.ContainsFunc(r.Checks, func(c *verify.Check) bool { return c.Name == "agents" })
	}
	if report := deploy(t, publishSite(t, resources("words")), nil).verify(); asked(report) {
		t.Error("a site that has chosen nothing is asked")
	}
	for name, c := range map[string]struct {
		between func(http.Handler) http.Handler
		want    []string
	}{
		"as it should be": {nil, nil},
		"a cache mixes":   {byAccept, []string{"agents/mixed-representations"}},
		"Vary is cut":     {noAgent, []string{"agents/vary-lost"}},
	} {
		report := deploy(t, publishSite(t, agentsSite()), c.between).verify()
		if found := symptoms(report); !asked(report) || !slices.Equal(found, c.want) {
			t.Errorf("%s: asked %t, found %v, want %v", name, asked(report), found, c.want)
		}
	}
}
