package migrate

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

func sortedKeys(m map[string]any) []string { return slices.Sorted(maps.Keys(m)) }

var (
	liquidIndex = regexp.MustCompile(`\[("[^"]*"|'[^']*'|[\w.-]+)\]`)
	compare     = regexp.MustCompile(`\s*(==|!=|<>|<=|>=|<|>|\bcontains\b)\s*`)
)

// splitOutside cuts a text at a separator that is not in quotes.
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

// value evaluates an expression with its filters.
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

// plainValue is a literal or a variable.
func (l *liquid) plainValue(s string) any {
	switch {
	case s == "":
		return nil
	case len(s) > 1 && (s[0] == '"' || s[0] == '\'') && s[len(s)-1] == s[0]:
		return s[1 : len(s)-1]
	case s == "true", s == "false":
		return s == "true"
	case s == "nil", s == "null", s == "empty", s == "blank":
		return nil
	}
	if n, err := strconv.Atoi(s); err == nil {
		return n
	}
	if n, err := strconv.ParseFloat(s, 64); err == nil {
		return n
	}
	s = liquidIndex.ReplaceAllStringFunc(s, func(m string) string {
		key := m[1 : len(m)-1]
		if key[0] == '"' || key[0] == '\'' {
			return "." + strings.ReplaceAll(key[1:len(key)-1], ".", "\x00")
		}
		if _, err := strconv.Atoi(key); err == nil {
			return "." + key
		}
		return "." + strings.ReplaceAll(l.show(l.plainValue(key)), ".", "\x00")
	})
	var v any = l.scope
	for i, key := range strings.Split(s, ".") {
		key = strings.ReplaceAll(key, "\x00", ".")
		switch at := v.(type) {
		case map[string]any:
			next, ok := at[key]
			if !ok && i == 0 && key != "include" && key != "forloop" {
				// A variable that was never set is empty, one of a plugin's unknown:
				// nobody can say which.
				l.unknown = true
				return nil
			}
			if !ok && i == 1 && slices.Contains([]string{"posts", "pages", "collections", "documents", "static_files", "related_posts", "categories", "tags", "html_pages", "github", "time"}, key) && s[:5] == "site." {
				l.unknown = true
				return nil
			}
			if !ok && key == "size" {
				next = len(at)
			}
			v = next
		case []any:
			n, err := strconv.Atoi(key)
			switch {
			case key == "size":
				v = len(at)
			case key == "first" && len(at) > 0:
				v = at[0]
			case key == "last" && len(at) > 0:
				v = at[len(at)-1]
			case err == nil && n >= 0 && n < len(at):
				v = at[n]
			default:
				v = nil
			}
		case string:
			if key != "size" {
				return nil
			}
			v = len([]rune(at))
		default:
			return nil
		}
	}
	return v
}

// show writes a value.
func (l *liquid) show(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		return v
	case []any:
		var b strings.Builder
		for _, one := range v {
			b.WriteString(l.show(one))
		}
		return b.String()
	case map[string]any:
		l.unknown = true
		return ""
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

// condition evaluates what stands behind "if". "and" and "or" are read from the right,
// as Liquid does.
func (l *liquid) condition(s string) bool {
	for _, word := range []string{" and ", " or "} {
		if i := strings.Index(s, word); i >= 0 && (word == " and " || !strings.Contains(s[:i], " and ")) {
			if j := strings.Index(s, " or "); word == " and " && j >= 0 && j < i {
				continue
			}
			left, right := l.condition(s[:i]), l.condition(s[i+len(word):])
			if word == " and " {
				return left && right
			}
			return left || right
		}
	}
	m := compare.FindStringSubmatchIndex(s)
	if m == nil {
		v := l.value(strings.TrimSpace(s))
		return v != nil && v != false
	}
	left, right := l.value(strings.TrimSpace(s[:m[0]])), l.value(strings.TrimSpace(s[m[1]:]))
	switch s[m[2]:m[3]] {
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
	switch s[m[2]:m[3]] {
	case "<":
		return order < 0
	case ">":
		return order > 0
	case "<=":
		return order <= 0
	}
	return order >= 0
}
