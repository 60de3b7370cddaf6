package liquid

import (
	"cmp"
	"encoding/json"
	"html"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"vitrine/internal/migrate/convert"
	"vitrine/internal/migrate/source"
)

// textFilters are the Liquid and Jekyll filters that map a string and up to two string arguments to a string.
var textFilters = map[string]func(s, a, b string) string{
	"relative_url": rootedURL, "absolute_url": rootedURL,
	"prepend": func(s, a, _ string) string { return a + s },
	"append":  func(s, a, _ string) string { return s + a },
	"escape":  escaped, "xml_escape": escaped, "escape_once": escaped,
	"strip_html":  func(s, _, _ string) string { return convert.Bare(s) },
	"markdownify": trimmed, "strip": trimmed, "smartify": trimmed, "normalize_whitespace": trimmed, "lstrip": trimmed, "rstrip": trimmed,
	"cgi_escape": trimmed, "uri_escape": trimmed, "url_encode": trimmed,
	"strip_newlines": func(s, _, _ string) string { return strings.ReplaceAll(s, "\n", "") },
	"newline_to_br":  func(s, _, _ string) string { return strings.ReplaceAll(s, "\n", "<br>\n") },
	"downcase":       func(s, _, _ string) string { return strings.ToLower(s) },
	"upcase":         func(s, _, _ string) string { return strings.ToUpper(s) },
	"capitalize":     capitalized,
	"slugify":        func(s, _, _ string) string { return source.Sluggish(strings.ReplaceAll(s, ".", " ")) },
	"replace":        func(s, a, b string) string { return replaced(s, a, b, -1) },
	"replace_first":  func(s, a, b string) string { return replaced(s, a, b, 1) },
	"remove":         func(s, a, _ string) string { return strings.ReplaceAll(s, a, "") },
	"remove_first":   func(s, a, _ string) string { return strings.Replace(s, a, "", 1) },
}

func trimmed(s, _, _ string) string { return strings.TrimSpace(s) }
func escaped(s, _, _ string) string { return html.EscapeString(s) }

// capitalized returns s with the first character in upper case and the other characters in lower case, as Liquid does.
func capitalized(s, _, _ string) string {
	_, size := utf8.DecodeRuneInString(s)
	return strings.ToUpper(s[:size]) + strings.ToLower(s[size:])
}

func rootedURL(s, _, _ string) string {
	if strings.HasPrefix(s, "/") || strings.Contains(s, "://") {
		return s
	}
	return "/" + s
}

func replaced(s, old, with string, most int) string {
	if old == "" {
		return s
	}
	return strings.Replace(s, old, with, most)
}

// numberFilters are the arithmetic filters. They return false for a division by zero.
var numberFilters = map[string]func(a, b float64) (float64, bool){
	"plus":       func(a, b float64) (float64, bool) { return a + b, true },
	"minus":      func(a, b float64) (float64, bool) { return a - b, true },
	"times":      func(a, b float64) (float64, bool) { return a * b, true },
	"divided_by": func(a, b float64) (float64, bool) { return a / b, b != 0 },
	"modulo": func(a, b float64) (float64, bool) {
		if b == 0 {
			return 0, false
		}
		return a - b*math.Floor(a/b), true
	},
}

// dateFilters maps date filters to Go layouts, or to "" if the filter's argument is the format.
var dateFilters = map[string]string{"date": "", "date_to_string": "02 Jan 2006", "date_to_long_string": "02 January 2006", "date_to_xmlschema": time.RFC3339}

// filter returns the result of applying the named filter to v. It sets l.unknown if the filter isn't supported or a
// value is unsuitable, such as text for an arithmetic filter.
func (l *liquid) filter(name string, v any, args []any) any {
	arg := func(i int) string {
		if i < len(args) {
			return l.show(args[i])
		}
		return ""
	}
	if f := textFilters[name]; f != nil {
		return f(l.show(v), arg(0), arg(1))
	}
	if f := numberFilters[name]; f != nil {
		a, errA := strconv.ParseFloat(l.show(v), 64)
		b, errB := strconv.ParseFloat(arg(0), 64)
		n, ok := f(a, b)
		if errA != nil || errB != nil || !ok {
			l.unknown = true
			return nil
		}
		whole := !strings.Contains(l.show(v), ".") && !strings.Contains(arg(0), ".")
		if whole && math.Abs(n) < 1<<53 {
			// Like Liquid, return a whole number, rounded down, if both operands are whole numbers.
			return int(math.Floor(n))
		}
		return n
	}
	if layout, ok := dateFilters[name]; ok {
		t, ok := source.Date(l.show(v))
		if !ok {
			l.unknown = true
			return nil
		}
		if layout == "" {
			return strftime(t, arg(0))
		}
		return t.Format(layout)
	}
	list, isList := v.([]any)
	switch name {
	case "truncate", "truncatewords":
		return truncated(l.show(v), name == "truncatewords", args, arg)
	case "default":
		if (empty(v) || v == false) && len(args) > 0 {
			return args[0]
		}
		return v
	case "size":
		if isList {
			return len(list)
		}
		return len([]rune(l.show(v)))
	case "first", "last":
		return step(v, name)
	case "join":
		separator, texts := " ", make([]string, len(list))
		if len(args) > 0 {
			separator = arg(0)
		}
		for i, one := range list {
			texts[i] = l.show(one)
		}
		return strings.Join(texts, separator)
	case "jsonify":
		if data, err := json.Marshal(v); err == nil {
			return string(data)
		}
	}
	var out []any
	switch name {
	case "split":
		for s := range strings.SplitSeq(l.show(v), arg(0)) {
			out = append(out, s)
		}
	case "sort", "sort_natural":
		out = slices.Clone(list)
		slices.SortStableFunc(out, func(a, b any) int { return strings.Compare(l.show(member(a, arg(0))), l.show(member(b, arg(0)))) })
	case "uniq":
		for _, one := range list {
			if !slices.ContainsFunc(out, func(other any) bool { return l.show(other) == l.show(one) }) {
				out = append(out, one)
			}
		}
	case "compact":
		for _, one := range list {
			if one != nil {
				out = append(out, one)
			}
		}
	case "reverse":
		out = slices.Clone(list)
		slices.Reverse(out)
	case "map":
		for _, one := range list {
			out = append(out, member(one, arg(0)))
		}
	case "where":
		for _, one := range list {
			if len(args) > 0 && equal(member(one, arg(0)), args[len(args)-1]) {
				out = append(out, one)
			}
		}
	default:
		l.unknown = true
	}
	return out
}

// truncated returns a string shortened to a number of characters, including the ellipsis, or to a number of words.
func truncated(s string, words bool, args []any, arg func(int) string) string {
	most, end := 50, "..."
	if words {
		most = 15
	}
	if n, err := strconv.Atoi(arg(0)); err == nil {
		most = max(n, 0)
	}
	if len(args) > 1 {
		end = arg(1)
	}
	if words {
		if list := strings.Fields(s); len(list) > max(most, 1) {
			return strings.Join(list[:max(most, 1)], " ") + end
		}
		return s
	}
	if r := []rune(s); len(r) > most {
		return string(r[:max(most-len([]rune(end)), 0)]) + end
	}
	return s
}

// member returns the value of key in the map v, or nil if there is none. If key is "", it returns v itself.
func member(v any, key string) any {
	if key == "" {
		return v
	}
	m, _ := v.(map[string]any)
	return m[key]
}

// strftimeForms maps the strftime letters that Ruby shares with C to Go layouts.
var strftimeForms = map[byte]string{'Y': "2006", 'm': "01", 'd': "02", 'B': "January", 'b': "Jan", 'e': "_2", 'y': "06", 'H': "15", 'M': "04", 'S': "05", 'A': "Monday", 'a': "Mon", 'F': "2006-01-02", 'j': "002", 'Z': "MST", 'z': "-0700", 'p': "PM", 'I': "03"}

func strftime(t time.Time, form string) string {
	var b strings.Builder
	for i := 0; i < len(form); i++ {
		if form[i] != '%' || i+1 == len(form) {
			b.WriteByte(form[i])
			continue
		}
		i++
		if form[i] == '%' {
			b.WriteByte('%')
			continue
		}
		if form[i] == '-' && i+1 < len(form) {
			i++
			text := t.Format(strftimeForms[form[i]])
			b.WriteString(cmp.Or(strings.TrimLeft(text, "0 "), text[:min(1, len(text))]))
			continue
		}
		b.WriteString(t.Format(strftimeForms[form[i]]))
	}
	return b.String()
}
