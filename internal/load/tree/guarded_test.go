package tree

import (
	"errors"
	"testing"
)

// Guarded returns an error if the parser panics, and returns the parser's own errors unchanged.
func TestGuarded(t *testing.T) {
	if err := Guarded(func() error { panic("a mistake of the parser") }); !errors.Is(err, errParserFailed) {
		t.Errorf("a panic is %v", err)
	}
	wrong := errors.New("line 3")
	if err := Guarded(func() error { return wrong }); err != wrong {
		t.Errorf("an error is %v", err)
	}
}
