package config_test

import (
	"math/rand/v2"
	"strings"
)

// acceptField generates an Accept field of up to four ranges with weights, most of them well formed. It lists each type
// once, with no parameters except the weight, because the configurations don't claim to choose between several ranges
// for one type.
func acceptField(r *rand.Rand) string {
	ranges := []string{"text/markdown", "Text/Markdown", "text/html", "TEXT/HTML", "text/*", "*/*", "application/json", "text/markdownish"}
	weights := []string{
		"", "", ";q=1", ";q=0", ";q=0.5", ";q=0.50", ";q=0.499", ";q=0.501", ";q=0.9", ";Q=0.8", " ; q=0.1",
		";q=1.0", ";q=1.000", ";q=1.001", ";q=0.0005", ";q=x", ";q=", ";q=0.", ";q=.5", ";q=\"1\"", ";q=-1", ";q=2",
	}
	var members []string
	seen := make(map[string]bool)
	for range 1 + r.IntN(4) {
		name := ranges[r.IntN(len(ranges))]
		if seen[strings.ToLower(name)] {
			continue
		}
		seen[strings.ToLower(name)] = true
		members = append(members, name+weights[r.IntN(len(weights))])
	}
	return strings.Join(members, []string{",", ", ", " ,\t", ",,"}[r.IntN(4)])
}
