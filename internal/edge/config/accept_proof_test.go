//go:build proof

package config_test

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"vitrine/internal/serve/decide"
)

// Every host that negotiates, or normalizes requests for its cache, chooses the same representation as
// vitrined for the same fields.
func TestNegotiationAgrees(t *testing.T) {
	for _, h := range hosts(t) {
		t.Run(h.Name, func(t *testing.T) {
			b := &backend{address: freePort(t)}
			if !h.files() {
				b.fresh(t)
			}
			url := h.start(t, b).url
			r := rand.New(rand.NewPCG(9110, 5))
			const fields = 400
			for range fields {
				accept := acceptField(r)
				want := "text/html; charset=utf-8"
				if decide.PrefersMarkdown(accept) {
					want = "text/markdown; charset=utf-8"
				}
				resp, _ := ask(t, "HEAD", url+"/pricing", "Accept", accept)
				if got := resp.Header.Get("Content-Type"); got != want {
					t.Errorf("Accept: %s returned %s, want %s", accept, got, want)
				}
			}
			t.Logf("%s: %d Accept fields, each as vitrined", h.Name, fields)
		})
	}
}

// A hostile field is matched as fast as any other: the expression tries one alternative for each
// quoted value, not two.
func TestNegotiationIsNotSlow(t *testing.T) {
	fields := []string{
		strings.Repeat(`text/plain;a="b,c",`, 150) + "text/html;q=x",
		"text/markdown" + strings.Repeat(`;a="b,c"`, 300) + ";q=high",
		"text/markdown" + strings.Repeat(`; `, 1500) + "q",
		strings.Repeat("text/markdown;q=,", 180),
	}
	for _, f := range fields {
		fields = append(fields, f[:511], f[:512])
	}
	for _, h := range hosts(t) {
		t.Run(h.Name, func(t *testing.T) {
			b := &backend{address: freePort(t)}
			if !h.files() {
				b.fresh(t)
			}
			url := h.start(t, b).url
			for _, accept := range fields {
				began := time.Now()
				resp, _ := ask(t, "HEAD", url+"/pricing", "Accept", accept, "If-None-Match", strings.Repeat(`"a",`, len(accept)/4))
				took := time.Since(began)
				want := "text/html; charset=utf-8"
				if decide.PrefersMarkdown(accept) {
					want = "text/markdown; charset=utf-8"
				}
				if got := resp.Header.Get("Content-Type"); got != want || resp.StatusCode != 200 {
					t.Errorf("Accept: %.40s… returned %s, %s, want %s", accept, resp.Status, got, want)
				}
				if took > 20*time.Second {
					t.Errorf("Accept: %.40s… takes %s", accept, took)
				}
			}
		})
	}
}
