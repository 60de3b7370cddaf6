package contract

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// mismatch is the error of a failed check: the actual and the expected value, in words for the report.
type mismatch struct{ got, want string }

func (m *mismatch) Error() string { return "got " + m.got + ", want " + m.want }

// subject returns the part of a response that a check compares: one string, or several if the check applies to each of
// them.
type subject func(*Answer, *values) ([]string, error)

// operator compares a string with an expected value. holds reports whether the comparison succeeds, and describes the
// expected value for a mismatch. It returns an error if the expected value can't be used.
type operator struct {
	name  string
	holds func(got string, want text, v *values) (bool, string, error)
}

// operators returns all operators, in the order in which the parser tries their names.
func operators() []operator {
	return []operator{
		{"at least", number(func(got, want float64) bool { return got >= want })},
		{"at most", number(func(got, want float64) bool { return got <= want })},
		{"contains", plainly("a string that contains ", strings.Contains)},
		{"shows", plainly("a string that contains the number ", shows)},
		{"lacks", plainly("a string without ", func(got, want string) bool { return !strings.Contains(got, want) })},
		{"!=", plainly("anything but ", func(got, want string) bool { return got != want })},
		{"=", plainly("", func(got, want string) bool { return got == want })},
		{"~", matches},
		{"empty", func(got string, _ text, _ *values) (bool, string, error) { return got == "", "nothing", nil }},
		{"under", under},
		{"within", within},
	}
}

// plainly returns the holds function of an operator that compares two strings with compare. In a mismatch, words
// precede the expected value.
func plainly(words string, compare func(got, want string) bool) func(string, text, *values) (bool, string, error) {
	return func(got string, want text, v *values) (bool, string, error) {
		w, err := v.plain(want)
		return err == nil && compare(got, w), words + w, err
	}
}

// shows reports whether got contains number in a common written form. The form may have group separators, a decimal
// comma or point, and trailing zeros. For example, 1299.5 appears in "€1,299.50" and in "1 299,50 €". The digits may
// belong to any script.
func shows(got, number string) bool {
	const apart = `[.,'’٬\x{a0}\x{202f}\x{2009} ]?`
	whole, decimals, _ := strings.Cut(number, ".")
	expr := strings.Join(strings.Split(whole, ""), apart)
	if decimals != "" {
		expr += `[.,٫]` + decimals + `0*`
	}
	digits := strings.Map(func(r rune) rune {
		if !unicode.IsDigit(r) || r <= '9' {
			return r
		}
		zero := r // the digits of a script are consecutive
		for unicode.IsDigit(zero-1) && r-zero < 9 {
			zero--
		}
		return '0' + (r - zero)
	}, got)
	re, err := regexp.Compile(`(?:^|[^0-9.,'’])` + expr + `(?:$|[^0-9])`)
	return err == nil && re.MatchString(digits)
}

// matches is the holds function of the operator ~. It reports whether the regular expression want matches all of got.
func matches(got string, want text, v *values) (bool, string, error) {
	re, err := v.pattern(want)
	if err != nil {
		return false, "", err
	}
	expr, err := v.plain(want)
	return re.MatchString(got), "a match for " + expr, err
}

// number returns the holds function of an operator that compares two numbers. The comparison fails if the actual value
// isn't a number.
func number(compare func(got, want float64) bool) func(string, text, *values) (bool, string, error) {
	return func(got string, want text, v *values) (bool, string, error) {
		w, err := v.plain(want)
		if err != nil {
			return false, "", err
		}
		wanted, err := strconv.ParseFloat(w, 64)
		if err != nil {
			return false, "", fmt.Errorf("%q is not a number", w)
		}
		n, err := strconv.ParseFloat(got, 64)
		return err == nil && compare(n, wanted), w, nil
	}
}

// under is a holds function. It reports whether got has fewer characters than want, which has the form "N characters".
func under(got string, want text, _ *values) (bool, string, error) {
	n, ok := strings.CutSuffix(string(want), " characters")
	if !ok || atoi(n) == 0 {
		return false, "", fmt.Errorf("specify the number of characters, as in: under 50000 characters")
	}
	return utf8.RuneCountInString(got) < atoi(n), "fewer than " + n + " characters", nil
}

// within is a holds function. It reports whether got is a time (RFC 3339) in the future that is less than N days away.
// want has the form "N days".
func within(got string, want text, _ *values) (bool, string, error) {
	n, ok := strings.CutSuffix(string(want), " days")
	if !ok || atoi(n) == 0 {
		return false, "", fmt.Errorf("specify the number of days, as in: within 365 days")
	}
	t, err := time.Parse(time.RFC3339, got)
	now := time.Now()
	return err == nil && t.After(now) && t.Before(now.AddDate(0, 0, atoi(n))), "a time within the next " + n + " days", nil
}

// check returns a function that compares every string of a subject with want. If want names a kept list, the comparison
// must succeed for each member of the list. The function returns the first mismatch, or nil if all comparisons succeed.
func check(of subject, op operator, want text) func(*Answer, *values) error {
	return func(a *Answer, v *values) error {
		all, err := of(a, v)
		if err != nil {
			return err
		}
		for _, got := range all {
			for _, one := range v.each(want) {
				if err := op.compare(got, want, one); err != nil {
					return err
				}
			}
		}
		return nil
	}
}

// compare returns nil if the comparison succeeds, a mismatch if it fails, or another error if the expected value can't
// be used.
func (op operator) compare(got string, want text, v *values) error {
	ok, wanted, err := op.holds(got, want, v)
	if err != nil || ok {
		return err
	}
	if op.name == "under" {
		got = fmt.Sprintf("%d characters", utf8.RuneCountInString(got))
	}
	return &mismatch{got, wanted}
}
