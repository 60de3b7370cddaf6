package contract

import (
	"fmt"
	"maps"
	"regexp"
	"strconv"

	"vitrine/internal/lazyregexp"
)

// text is a string with placeholders for values: {NAME}, {NAME-1}, or {NAME+1}.
type text string

var placeholder = lazyregexp.New(`\{([A-Z][A-Z0-9_]*)([-+][0-9]+)?\}`)

// values contains the known values, keyed by name: the site's values, and values kept from earlier responses.
type values struct {
	// one contains single values.
	one map[string]string
	// many contains kept lists.
	many map[string][]string
	// base is the site's base URL, against which links are resolved.
	base string
}

func newValues(site map[string]string) *values {
	return &values{one: maps.Clone(site), many: map[string][]string{}, base: site["BASE"]}
}

// names returns the names of the placeholders in t, including duplicates.
func (t text) names() []string {
	var names []string
	for _, m := range placeholder.FindAllStringSubmatch(string(t), -1) {
		names = append(names, m[1])
	}
	return names
}

// fill returns t with its placeholders replaced by their values, each converted by as.
func (v *values) fill(t text, as func(string) string) (string, error) {
	var failed error
	filled := placeholder.ReplaceAllStringFunc(string(t), func(whole string) string {
		value, err := v.value(placeholder.FindStringSubmatch(whole))
		if err != nil && failed == nil {
			failed = err
		}
		return as(value)
	})
	return filled, failed
}

// value returns the value of one placeholder. m is a match of the placeholder expression: the complete placeholder, its
// name, and its signed number or "".
func (v *values) value(m []string) (string, error) {
	name, count := m[1], m[2]
	value, ok := v.one[name]
	switch {
	case !ok && v.many[name] != nil:
		return "", fmt.Errorf("{%s} is a list; use it in a target or a check", name)
	case !ok:
		return "", fmt.Errorf("{%s} has no value", name)
	case count == "":
		return value, nil
	}
	n, err := strconv.Atoi(value)
	if err != nil {
		return "", fmt.Errorf("{%s%s}: %q is not a whole number", name, count, value)
	}
	return strconv.Itoa(n + atoi(count)), nil
}

// plain returns t with its placeholders replaced by their values, verbatim.
func (v *values) plain(t text) (string, error) {
	return v.fill(t, func(s string) string { return s })
}

// pattern returns t as a regular expression that must match a whole value. In the expression, inserted values match
// literally.
func (v *values) pattern(t text) (*regexp.Regexp, error) {
	expr, err := v.fill(t, regexp.QuoteMeta)
	if err != nil {
		return nil, err
	}
	return whole(expr)
}

// whole compiles expr to a regular expression that must match a whole value.
func whole(expr string) (*regexp.Regexp, error) {
	return regexp.Compile(`(?s)\A(?:` + expr + `)\z`)
}

// atoi returns the number in s, or 0 if s is not a number.
func atoi(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		return 0
	}
	return n
}

// each returns a copy of v for each member of the first list that t names. In each copy, the list's name has that
// member as its value. If t doesn't name a list, each returns only v.
func (v *values) each(t text) []*values {
	for _, name := range t.names() {
		if many := v.many[name]; many != nil {
			var all []*values
			for _, member := range many {
				one := newValues(v.one)
				one.base = v.base
				one.one[name] = member
				all = append(all, one)
			}
			return all
		}
	}
	return []*values{v}
}
