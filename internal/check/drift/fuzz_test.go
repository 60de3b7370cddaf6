package drift

import (
	"strings"
	"testing"
)

// FuzzDrift checks that the drift check never panics, regardless of the prose, and reports valid positions.
func FuzzDrift(f *testing.F) {
	f.Add("Team costs €39 a month. The Teams plan includes 1.200,5 credits.\n")
	f.Add("| Plan | Price | Credits |\n|-|-|-|\n| Team | EUR 39 | 9’9 |\n")
	f.Add("## Growth\n\n&amp;\\* 300 credits per month {{ name }} {{ meant }}\n")
	check := newCheck()
	f.Fuzz(func(t *testing.T, source string) {
		if len(source) > 1<<12 {
			return
		}
		lines := strings.Count(source, "\n") + strings.Count(source, "\r") + 1
		for _, p := range check(source) {
			if p.Line < 1 || p.Line > lines || p.Col < 1 || strings.Contains(p.Text, "\n") {
				t.Fatalf("%q: %v", source, p)
			}
		}
	})
}
