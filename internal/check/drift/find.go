package drift

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// claims finds the amounts of money in text or, if credits is set, the numbers of credits.
func (d *pass) claims(text string, credits bool) []claim {
	pattern := d.words.money
	may := slices.ContainsFunc(d.words.marks, func(mark string) bool { return strings.Contains(text, mark) })
	if credits {
		pattern = d.words.credits
		may = strings.Contains(text, "credit")
	}
	if !may || !hasDigit(text) {
		return nil
	}
	var out []claim
	for _, m := range pattern.FindAllStringSubmatchIndex(text, -1) {
		c := claim{start: m[0], end: m[1], credits: credits}
		digits := m[2:4]
		if digits[0] < 0 {
			digits = m[4:6]
		}
		read := parseNumber
		if !credits && d.words.thousandths {
			read = parseThousandths
		}
		value, ok := read(text[digits[0]:digits[1]])
		if !ok {
			continue
		}
		c.value = value
		if !credits && m[2] < 0 {
			// The match includes the character after the currency, so exclude it.
			c.end = digits[1] + len(strings.TrimRightFunc(text[digits[1]:c.end], func(r rune) bool {
				return r != '€' && r != '$' && r != '£' && !unicode.IsLetter(r)
			}))
		}
		if c.start > 0 {
			if r, _ := utf8.DecodeLastRuneInString(text[:c.start]); unicode.IsLetter(r) || unicode.IsDigit(r) || r == '-' || r == '–' {
				continue
			}
		}
		out = append(out, c)
	}
	return out
}

// mentions finds the plan names in text, in order. It ignores names that are part of a longer name; see isName.
func (d *pass) mentions(text string) []mention {
	var out []mention
	for at := 0; at < len(text); {
		m := d.words.plan.FindStringSubmatchIndex(text[at:])
		if m == nil {
			return out
		}
		start, end := at+m[2], at+m[3]
		if plan := d.planOf(text[start:end]); plan != nil && d.isName(text, start, end) {
			out = append(out, mention{start, end, plan})
		}
		at = end
	}
	return out
}

// isName reports whether text[start:end], a plan's name, refers to the plan. If a capitalized word or a hyphen is
// adjacent, the plan's name is part of another name, as in "Team Lead" and "Sales Team".
func (d *pass) isName(text string, start, end int) bool {
	rest := text[end:]
	if strings.HasPrefix(rest, " ") && len(rest) > 1 {
		r, _ := utf8.DecodeRuneInString(rest[1:])
		if unicode.IsUpper(r) {
			return false
		}
	}
	if strings.HasPrefix(rest, "-") && len(rest) > 1 && rest[1] != ' ' {
		return false
	}
	before := strings.TrimRight(text[:start], " ")
	if before == "" || len(before) == len(text[:start]) {
		return true
	}
	// After a capitalized word, the plan's name is part of another name, unless the word starts the text, is the name
	// of the product or a plan, or ends with a comma or a colon.
	word := before[strings.LastIndexByte(before, ' ')+1:]
	r, _ := utf8.DecodeRuneInString(word)
	return !unicode.IsUpper(r) || len(before) == len(word) || word == d.product || d.planOf(word) != nil || strings.HasSuffix(word, ",") || strings.HasSuffix(word, ":")
}

// upTo returns the part of a sentence that affects the meaning of the number that ends at offset end: the sentence up
// to a conjunction after the next comma or semicolon, as in ", so", or the entire sentence if there is none.
func (w *words) upTo(text string, end int) string {
	if i := w.further.FindStringIndex(text[end:]); i != nil {
		return text[:end+i[1]]
	}
	return text
}

// masked returns text with underscores in place of plan names, so that patterns don't match words in the names.
func masked(text string, mentions []mention) string {
	b := []byte(text)
	for _, m := range mentions {
		for i := m.start; i < m.end; i++ {
			b[i] = '_'
		}
	}
	return string(b)
}

func shifted(c claim, by int) claim {
	c.start, c.end = c.start+by, c.end+by
	return c
}

// parseNumber parses a number with any separators. It returns false if s isn't a number. The last comma or point is a
// thousands separator if exactly three digits follow it, and the decimal separator otherwise.
func parseNumber(s string) (float64, bool) {
	s = strings.NewReplacer("\u00a0", "", "\u202f", "", "’", "", "'", "").Replace(s)
	last := strings.LastIndexAny(s, ".,")
	if last >= 0 {
		whole, fraction := s[:last], s[last+1:]
		whole = strings.NewReplacer(".", "", ",", "").Replace(whole)
		if len(fraction) == 3 {
			s = whole + fraction
		} else {
			s = whole + "." + fraction
		}
	}
	value, err := strconv.ParseFloat(s, 64)
	return value, err == nil
}

// parseThousandths is like parseNumber, but for an English amount in a currency with three decimals, in which a single
// point is always the decimal separator.
func parseThousandths(s string) (float64, bool) {
	point := strings.LastIndexByte(s, '.')
	if point < 0 || strings.IndexByte(s, '.') < point {
		return parseNumber(s)
	}
	whole := strings.NewReplacer(",", "", "\u00a0", "", "\u202f", "", "’", "", "'", "").Replace(s[:point])
	value, err := strconv.ParseFloat(whole+s[point:], 64)
	return value, err == nil
}

func number(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }
