package preview

import (
	"errors"
	"testing"

	"vitrine/internal/artifact"
	"vitrine/internal/site"
)

// A page that was shown ahead of a build isn't announced again by the build. Failures and problems are always announced. The
// end of a failure is always announced too.
func TestConfirms(t *testing.T) {
	page := NewEarly(&site.Page{Path: "/week"}, []artifact.Resource{{Path: "/week"}})
	odd := []site.Problem{{Text: "odd", Severity: site.Warning}}
	ahead := &state{served: &served{id: 1}, early: page}
	built := &served{id: 2, shown: page}
	failure := Outcome{Err: errors.New("the disk is full")}
	for _, c := range []struct {
		name      string
		told, now *state
		path      string
		want      bool
	}{
		{"the build has the page", ahead, &state{served: built}, "/week", true},
		{"another page", ahead, &state{served: built}, "/", false},
		{"the build has another page", ahead, &state{served: &served{id: 2}}, "/week", false},
		{"a new warning", ahead, &state{served: built, Outcome: Outcome{Built: Built{Problems: odd}}}, "/week", false},
		{"a failure", ahead, &state{served: ahead.served, early: page, Outcome: failure}, "/week", false},
		{"the end of a failure", &state{served: ahead.served, early: page, Outcome: failure}, &state{served: built}, "/week", false},
		{"nothing was told before", nil, &state{served: built}, "/week", false},
	} {
		if got := c.now.confirms(c.told, c.path); got != c.want {
			t.Errorf("%s: %t, want %t", c.name, got, c.want)
		}
	}
}
