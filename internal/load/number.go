package load

import (
	"regexp"
	"strings"

	"vitrine/internal/lazyregexp"
)

// amount matches a number as people write it, with optional separators and a currency before or after it.
var amount = lazyregexp.New(`^(?:[A-Z]{3}|\p{Sc})?\s*([0-9]+(?:[.,'’ \x{a0}\x{202f}][0-9]+)*)\s*(?:[A-Z]{3}|\p{Sc}|[.,][–-]+)?$`)

// spokenNumber converts a number as people write it, with separators and a currency, to a JSON number: "49,50 €"
// becomes 49.50. ok is false if text isn't a number or is ambiguous, such as "1,299".
func spokenNumber(text string) (number string, ok bool) {
	found := amount.FindStringSubmatch(strings.TrimSpace(text))
	if found == nil {
		return "", false
	}
	digits := regexp.MustCompile(`['’ \x{a0}\x{202f}]`).ReplaceAllString(found[1], "")
	last := strings.LastIndexAny(digits, ".,")
	if last < 0 {
		return digits, isDigits(digits)
	}
	whole, fraction := digits[:last], digits[last+1:]
	if strings.IndexByte(whole, digits[last]) >= 0 {
		// A repeated separator separates thousands.
		return strings.NewReplacer(".", "", ",", "").Replace(digits), !strings.ContainsAny(strings.ReplaceAll(digits, digits[last:last+1], ""), ".,")
	}
	if len(fraction) > 2 && digits[last] == ',' && !strings.Contains(whole, ".") {
		return "", false
	}
	return strings.NewReplacer(".", "", ",", "").Replace(whole) + "." + fraction, true
}
