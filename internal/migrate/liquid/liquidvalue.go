package liquid

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"vitrine/internal/lazyregexp"
	"vitrine/internal/migrate/convert"
)

var (
	liquidIndex = lazyregexp.New(`\[("[^"]*"|'[^']*'|[\w.-]+)\]`)
	compare     = lazyregexp.New(`\s*(==|!=|<>|<=|>=|<|>|\bcontains\b)\s*`)
)

// splitOutside splits a string at each separator outside of quotes.
func splitOutside(s string, sep byte) []string {
	var parts []string
	from, quote := 0, byte(0)
	for i := 0; i < len(s); i++ {
		switch {
		case quote != 0:
			if s[i] == quote {
				quote = 0
			}
		case s[i] == '"' || s[i] == '\'':
			quote = s[i]
		case s[i] == sep:
			parts = append(parts, s[from:i])
			from = i + 1
		}
	}
	return append(parts, s[from:])
}

// value returns the value of an expression with its filters applied.
func (l *liquid) value(s string) any {
	parts := splitOutside(s, '|')
	v := l.plainValue(strings.TrimSpace(parts[0]))
	for _, f := range parts[1:] {
		name, rest, _ := strings.Cut(strings.TrimSpace(f), ":")
		var args []any
		if strings.TrimSpace(rest) != "" {
			for _, a := range splitOutside(rest, ',') {
				args = append(args, l.plainValue(strings.TrimSpace(a)))
			}
		}
		v = l.filter(strings.TrimSpace(name), v, args)
	}
	return v
}

// madeByJekyll lists the site values known only to a Jekyll build.
var madeByJekyll = []string{"posts", "pages", "collections", "documents", "static_files", "related_posts", "categories", "tags", "html_pages", "github", "time"}

// plainValue returns the value of a literal or a variable. It sets l.unknown if the variable is unknown.
func (l *liquid) plainValue(s string) any {
	if s, ok := unquoted(s); ok {
		return s
	}
	switch s {
	case "true", "false":
		return s == "true"
	case "", "nil", "null", "empty", "blank":
		return nil
	}
	if n, err := strconv.Atoi(s); err == nil {
		return n
	}
	if n, err := strconv.ParseFloat(s, 64); err == nil {
		return n
	}
	// A key in brackets may contain dots.
	s = convert.ReplaceAll(liquidIndex, s, func(m []string) string {
		key, quoted := unquoted(m[1])
		if _, err := strconv.Atoi(key); err != nil && !quoted {
			key = l.show(l.plainValue(key))
		}
		return "." + strings.ReplaceAll(key, ".", "\x00")
	})
	keys := strings.Split(s, ".")
	// In Liquid, an unset variable is empty. However, the import can't distinguish an unset variable from a plugin's
	// variable, so it treats both as unknown.
	if _, ok := l.scope[keys[0]]; !ok && keys[0] != "include" && keys[0] != "forloop" {
		l.unknown = true
		return nil
	}
	if len(keys) > 1 && keys[0] == "site" && slices.Contains(madeByJekyll, keys[1]) && member(l.scope["site"], keys[1]) == nil {
		l.unknown = true
		return nil
	}
	var v any = l.scope
	for _, key := range keys {
		v = step(v, strings.ReplaceAll(key, "\x00", "."))
	}
	return v
}

// unquoted returns s without the quotes around it, and reports whether there were quotes.
func unquoted(s string) (string, bool) {
	if len(s) > 1 && (s[0] == '"' || s[0] == '\'') && s[len(s)-1] == s[0] {
		return s[1 : len(s)-1], true
	}
	return s, false
}

// step returns the value of key in a map, the item at index key (or "first" or "last") in a list, or, for the key
// "size", the size of a map, list, or string. It returns nil if there is no such value.
func step(v any, key string) any {
	switch at := v.(type) {
	case map[string]any:
		if next, ok := at[key]; ok || key != "size" {
			return next
		}
		return len(at)
	case []any:
		n, err := strconv.Atoi(key)
		switch key {
		case "size":
			return len(at)
		case "first":
			n, err = 0, nil
		case "last":
			n, err = len(at)-1, nil
		}
		if err == nil && n >= 0 && n < len(at) {
			return at[n]
		}
	case string:
		if key == "size" {
			return len([]rune(at))
		}
	}
	return nil
}

// show returns v as text. It returns "" for nil and for a map. For a map, it also sets l.unknown.
func (l *liquid) show(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case []any:
		var b strings.Builder
		for _, one := range v {
			b.WriteString(l.show(one))
		}
		return b.String()
	case map[string]any:
		l.unknown = true
		return ""
	case float64:
		if v == math.Trunc(v) && math.Abs(v) < 1<<53 {
			return strconv.FormatFloat(v, 'f', 1, 64)
		}
	}
	return fmt.Sprint(v)
}

func equal(a, b any) bool {
	if empty(a) && empty(b) && (a == nil || b == nil) {
		return true
	}
	return fmt.Sprint(a) == fmt.Sprint(b) && (a == nil) == (b == nil)
}

func empty(v any) bool {
	switch v := v.(type) {
	case nil:
		return true
	case string:
		return v == ""
	case []any:
		return len(v) == 0
	case map[string]any:
		return len(v) == 0
	}
	return false
}

// condition reports whether the condition of an "if" is true. Like Liquid, it reads "and" and "or" from right to left.
func (l *liquid) condition(s string) bool {
	if m := junction.FindStringSubmatchIndex(s); m != nil {
		left, right := l.condition(s[:m[0]]), l.condition(s[m[1]:])
		if s[m[2]:m[3]] == "and" {
			return left && right
		}
		return left || right
	}
	m := compare.FindStringSubmatchIndex(s)
	if m == nil {
		v := l.value(strings.TrimSpace(s))
		return v != nil && v != false
	}
	left, right := l.value(strings.TrimSpace(s[:m[0]])), l.value(strings.TrimSpace(s[m[1]:]))
	sign := s[m[2]:m[3]]
	switch sign {
	case "==":
		return equal(left, right)
	case "!=", "<>":
		return !equal(left, right)
	case "contains":
		if list, ok := left.([]any); ok {
			return slices.ContainsFunc(list, func(one any) bool { return equal(one, right) })
		}
		return left != nil && strings.Contains(l.show(left), l.show(right))
	}
	a, errA := strconv.ParseFloat(fmt.Sprint(left), 64)
	b, errB := strconv.ParseFloat(fmt.Sprint(right), 64)
	order := cmp.Compare(a, b)
	if errA != nil || errB != nil {
		order = strings.Compare(fmt.Sprint(left), fmt.Sprint(right))
	}
	return order < 0 && sign[0] == '<' || order > 0 && sign[0] == '>' || order == 0 && len(sign) == 2
}

var junction = lazyregexp.New(` (and|or) `)
