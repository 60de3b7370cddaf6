//go:build proof

package soak

import (
	"testing"
)

// Every proof passes in its short form.
func TestShortForms(t *testing.T) {
	t.Parallel()
	b, err := NewBench(t.Context(), t.TempDir(), 0.02)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range b.proofs() {
		t.Run(p.name+"/"+p.server, func(t *testing.T) {
			if p.name != reloading { // the reloading proofs share the link to the build
				t.Parallel()
			}
			r := b.prove(t.Context(), p)
			t.Log(r)
			if r.Err != nil {
				t.Error(r.Err)
			}
		})
	}
}
