package soak

import (
	"fmt"
	"strings"
	"time"
)

// Result is what a proof counted.
type Result struct {
	// Proof and Server say what was proven with which server.
	Proof, Server string
	// Requests were sent, and Failed of them had no whole and right answer.
	Requests, Failed int64
	// Connections were opened; Away of them, or of the requests, the server
	// turned away, as it should.
	Connections, Away int64
	// Reloads were made, and Refused of them refused, as they should be.
	Reloads, Refused int64
	// Peak is the most memory that the server had, in bytes; 0 where unknown.
	Peak int64
	Took time.Duration
	// Err says what was not as promised.
	Err error
}

// TableHead is the head of the table whose rows results are.
const TableHead = "| proof | server | requests | failed | connections | turned away | reloads | refused | peak memory | time |\n" +
	"|---|---|---:|---:|---:|---:|---:|---:|---:|---:|"

// String is a row of the table.
func (r *Result) String() string {
	memory := "–"
	if r.Peak > 0 {
		memory = fmt.Sprintf("%.1f MB", float64(r.Peak)/1e6)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "| %s | %s |", r.Proof, r.Server)
	for _, n := range []int64{r.Requests, r.Failed, r.Connections, r.Away, r.Reloads, r.Refused} {
		fmt.Fprintf(&b, " %s |", thousands(n))
	}
	fmt.Fprintf(&b, " %s | %.0f s |", memory, r.Took.Seconds())
	return b.String()
}

// thousands writes a number with its thousands apart.
func thousands(n int64) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
