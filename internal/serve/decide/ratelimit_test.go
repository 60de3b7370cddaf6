package decide

import (
	"fmt"
	"strings"
	"testing"

	"vitrine/internal/artifact"
)

// TestRateLimitFields checks that the fields have exactly the syntax of wire contract §1.
func TestRateLimitFields(t *testing.T) {
	for _, c := range []struct {
		why   string
		grant Grant
		want  string
	}{
		{"the first request of a window",
			Grant{Limit: 120, Window: 60, Remaining: 119, Reset: 60, Counted: true, Allowed: true}, `
RateLimit-Policy: "instance";q=120;w=60
RateLimit: "instance";r=119;t=60
X-RateLimit-Limit: 120
X-RateLimit-Remaining: 119
X-RateLimit-Reset: 60
`},
		{"the last request is served, without Retry-After",
			Grant{Limit: 120, Window: 60, Remaining: 0, Reset: 1, Counted: true, Allowed: true}, `
RateLimit-Policy: "instance";q=120;w=60
RateLimit: "instance";r=0;t=1
X-RateLimit-Limit: 120
X-RateLimit-Remaining: 0
X-RateLimit-Reset: 1
`},
		{"a rejection has Retry-After, not before the reset",
			Grant{Limit: 120, Window: 60, Remaining: 0, Reset: 42, Counted: true}, `
RateLimit-Policy: "instance";q=120;w=60
RateLimit: "instance";r=0;t=42
X-RateLimit-Limit: 120
X-RateLimit-Remaining: 0
X-RateLimit-Reset: 42
Retry-After: 42
`},
		{"a disabled allowance sends no fields", Grant{Allowed: true}, "\n"},
	} {
		var got strings.Builder
		got.WriteString("\n")
		for _, f := range AppendRateLimitFields(nil, c.grant) {
			fmt.Fprintf(&got, "%s: %s\n", f.Name, f.Value)
		}
		if got.String() != c.want {
			t.Errorf("%s: got %s, want %s", c.why, got.String(), c.want)
		}
		// The same fields as lines.
		if lines := "\n" + strings.ReplaceAll(string(AppendRateLimitLines(nil, c.grant)), "\r\n", "\n"); lines != c.want {
			t.Errorf("%s: got the lines %s, want %s", c.why, lines, c.want)
		}
	}
	if got := string(AppendRateLimitLines(nil, Grant{Counted: true})); !strings.Contains(got, "\r\nRetry-After: 1\r\n") {
		t.Errorf("a refusal at the moment of the reset is sent as\n%s\nwant Retry-After: 1", got)
	}
}

// TestRateLimitAllocations checks that appending the lines doesn't allocate, and that appending the
// fields allocates one string.
func TestRateLimitAllocations(t *testing.T) {
	g := Grant{Limit: 120, Window: 60, Remaining: 119, Reset: 60, Counted: true, Allowed: true}
	lines := make([]byte, 0, 400)
	if n := testing.AllocsPerRun(100, func() { AppendRateLimitLines(lines, g) }); n != 0 {
		t.Errorf("lines: %v allocations", n)
	}
	fields := make([]artifact.Field, 0, 8)
	if n := testing.AllocsPerRun(100, func() { AppendRateLimitFields(fields, g) }); n > 1 {
		t.Errorf("strings: %v allocations", n)
	}
}
