package migrate

import (
	"encoding/json"
	"html"
	"slices"
	"strconv"
	"strings"
	"time"
)

// filter is one of the filters of Liquid and Jekyll that say the same for everyone.
func (l *liquid) filter(name string, v any, args []any) any {
	arg := func(i int) string {
		if i < len(args) {
			return l.show(args[i])
		}
		return ""
	}
	text := func() string { return l.show(v) }
	list, isList := v.([]any)
	switch name {
	case "relative_url", "absolute_url", "prepend_baseurl":
		s := text()
		if !strings.HasPrefix(s, "/") && !strings.Contains(s, "://") {
			s = "/" + s
		}
		return s
	case "prepend":
		return arg(0) + text()
	case "append":
		return text() + arg(0)
	case "escape", "xml_escape", "escape_once":
		return html.EscapeString(text())
	case "strip_html":
		return bare(text())
	case "markdownify", "strip", "smartify", "normalize_whitespace", "lstrip", "rstrip", "cgi_escape", "uri_escape", "url_encode", "inspect", "liquify":
		return strings.TrimSpace(text())
	case "strip_newlines":
		return strings.ReplaceAll(text(), "\n", "")
	case "newline_to_br":
		return strings.ReplaceAll(text(), "\n", "<br>\n")
	case "downcase":
		return strings.ToLower(text())
	case "upcase":
		return strings.ToUpper(text())
	case "capitalize":
		s := text()
		if s != "" {
			s = strings.ToUpper(s[:1]) + s[1:]
		}
		return s
	case "slugify":
		return sluggish(strings.ReplaceAll(text(), ".", " "))
	case "replace", "replace_first":
		n := -1
		if name == "replace_first" {
			n = 1
		}
		if arg(0) == "" {
			return text()
		}
		return strings.Replace(text(), arg(0), arg(1), n)
	case "remove":
		return strings.ReplaceAll(text(), arg(0), "")
	case "remove_first":
		return strings.Replace(text(), arg(0), "", 1)
	case "default":
		if empty(v) || v == false {
			if len(args) > 0 {
				return args[0]
			}
		}
		return v
	case "size":
		if isList {
			return len(list)
		}
		return len([]rune(text()))
	case "first", "last":
		if len(list) == 0 {
			return nil
		}
		if name == "first" {
			return list[0]
		}
		return list[len(list)-1]
	case "join":
		var parts []string
		for _, one := range list {
			parts = append(parts, l.show(one))
		}
		return strings.Join(parts, fallbackSpace(arg(0), len(args) > 0))
	case "split":
		var out []any
		for _, s := range strings.Split(text(), arg(0)) {
			out = append(out, s)
		}
		return out
	case "sort", "sort_natural":
		out := slices.Clone(list)
		slices.SortStableFunc(out, func(a, b any) int { return strings.Compare(l.show(member(a, arg(0))), l.show(member(b, arg(0)))) })
		return out
	case "reverse":
		out := slices.Clone(list)
		slices.Reverse(out)
		return out
	case "uniq", "compact":
		return v
	case "map":
		var out []any
		for _, one := range list {
			out = append(out, member(one, arg(0)))
		}
		return out
	case "where":
		var out []any
		for _, one := range list {
			if equal(member(one, arg(0)), args[min(1, len(args)-1)]) {
				out = append(out, one)
			}
		}
		return out
	case "date":
		t, ok := date(text())
		if !ok {
			l.unknown = true
			return nil
		}
		return strftime(t, arg(0))
	case "date_to_string", "date_to_long_string", "date_to_xmlschema":
		t, ok := date(text())
		if !ok {
			l.unknown = true
			return nil
		}
		return t.Format(map[string]string{"date_to_string": "02 Jan 2006", "date_to_long_string": "02 January 2006", "date_to_xmlschema": time.RFC3339}[name])
	case "jsonify":
		if data, err := json.Marshal(v); err == nil {
			return string(data)
		}
	case "truncate", "truncatewords":
		return v
	case "plus", "minus", "times", "divided_by", "modulo":
		a, errA := strconv.ParseFloat(text(), 64)
		b, errB := strconv.ParseFloat(arg(0), 64)
		if errA != nil || errB != nil {
			break
		}
		switch {
		case name == "plus":
			a += b
		case name == "minus":
			a -= b
		case name == "times":
			a *= b
		case b == 0:
			l.unknown = true
			return nil
		case name == "divided_by":
			a = float64(int(a / b))
		default:
			a = float64(int(a) % max(int(b), 1))
		}
		if a == float64(int(a)) {
			return int(a)
		}
		return a
	}
	l.unknown = true
	return nil
}

func fallbackSpace(s string, given bool) string {
	if given {
		return s
	}
	return " "
}

// member is a value of a map.
func member(v any, key string) any {
	if m, ok := v.(map[string]any); ok && key != "" {
		return m[key]
	}
	if key == "" {
		return v
	}
	return nil
}

// strftime writes a date by the letters that Ruby shares with C.
func strftime(t time.Time, form string) string {
	forms := map[byte]string{'Y': "2006", 'm': "01", 'd': "02", 'B': "January", 'b': "Jan", 'e': "_2", 'y': "06", 'H': "15", 'M': "04", 'S': "05", 'A': "Monday", 'a': "Mon", 'F': "2006-01-02", 'j': "002", 'Z': "MST", 'z': "-0700", 'p': "PM", 'I': "03"}
	var b strings.Builder
	for i := 0; i < len(form); i++ {
		if form[i] != '%' || i+1 == len(form) {
			b.WriteByte(form[i])
			continue
		}
		i++
		trim := form[i] == '-'
		if trim && i+1 < len(form) {
			i++
		}
		s := t.Format(forms[form[i]])
		if trim {
			s = strings.TrimLeft(s, "0")
		}
		b.WriteString(s)
	}
	return b.String()
}
