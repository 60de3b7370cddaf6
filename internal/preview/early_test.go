package preview

import (
	"errors"
	"testing"

	"vitrine/internal/artifact"
	"vitrine/internal/site"
)

// A build isn't announced to a page that was already shown early. Failures, the end of a failure, and problems are
// always announced.
func TestConfirms(t *testing.T) {
	page := NewEarly(&site.Page{Path: "/week"}, []artifact.Resource{{Path: "/week"}})
	odd := []site.Problem{{Text: "odd", Severity: site.Warning}}
	ahead := &state{served: &served{id: 1}, early: page}
	built := &served{id: 2, shown: page}
	failure := Outcome{Err: errors.New("the disk is full")}
	for _, c := range []struct {
		name       string
		shown, now *state
		path       string
		want       bool
	}{
		{"same page in the build", ahead, &state{served: built}, "/week", true},
		{"another page", ahead, &state{served: built}, "/", false},
		{"different page in the build", ahead, &state{served: &served{id: 2}}, "/week", false},
		{"new warning", ahead, &state{served: built, Outcome: Outcome{Built: Built{Problems: odd}}}, "/week", false},
		{"a failure", ahead, &state{served: ahead.served, early: page, Outcome: failure}, "/week", false},
		{"end of a failure", &state{served: ahead.served, early: page, Outcome: failure}, &state{served: built}, "/week", false},
		{"first event", nil, &state{served: built}, "/week", false},
	} {
		if got := c.now.confirms(c.shown, c.path); got != c.want {
			t.Errorf("%s: %t, want %t", c.name, got, c.want)
		}
	}
}
