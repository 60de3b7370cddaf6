package stencil

import (
	"html/template"
	"reflect"
	"strconv"
	"strings"
)

// escaper reimplements one of the functions that html/template appends to pipelines but doesn't export.
type escaper func(s string) string

// htmlEscaper is the name of the escaper for text between tags.
const htmlEscaper = "_html_template_htmlescaper"

var escapers = map[string]escaper{
	htmlEscaper:                    escapeHTML,
	"_html_template_rcdataescaper": escapeHTML,
	"_html_template_attrescaper":   escapeHTML,
	"_html_template_urlescaper":    escapeURL,
	"_html_template_urlfilter":     filterURL,
	"_html_template_urlnormalizer": normalizeURL,
}

// escaped compiles a call of an escaper with one argument.
func (c *compiler) escaped(name string, escape escaper, arg expr) expr {
	if isAny(arg.typ) && name == htmlEscaper {
		of := markup(&arg, htmlType)
		e := expr{typ: stringType, str: func(f *frame) string { return markupText(of(f)) }, write: writeMarkup(of), escaped: true}
		return c.settle(e, arg)
	}
	text := c.printed(name, arg)
	e := expr{typ: stringType, str: func(f *frame) string { return escape(text(f)) }, escaped: true}
	if arg.typ == htmlType {
		// HTML is written unchanged.
		e.str = text
	}
	return c.settle(e, arg)
}

// printed returns a function that evaluates arg, the argument of the escaper called name, as text. Only htmlEscaper
// accepts a template.HTML, which is already safe.
func (c *compiler) printed(name string, arg expr) func(*frame) string {
	switch {
	case isText(arg.typ), arg.typ == htmlType && name == htmlEscaper:
		return arg.text
	case isInt(arg.typ):
		return func(f *frame) string { return strconv.FormatInt(arg.value(f).Int(), 10) }
	}
	unknown("escaping a %s with %s", arg.typ, name)
	return nil
}

// replacements contains the escapes of HTML's special characters, indexed by character.
var replacements = [...]string{
	0: "\uFFFD", '"': "&#34;", '&': "&amp;", '\'': "&#39;", '+': "&#43;", '<': "&lt;", lastReplaced: "&gt;",
}

const (
	// lastReplaced is the last character with a replacement.
	lastReplaced = '>'
	// replaced has a bit for each character with a replacement. Most strings contain no such character, which
	// escapeHTML detects without reading the table.
	replaced uint64 = 1<<0 | 1<<'"' | 1<<'&' | 1<<'\'' | 1<<'+' | 1<<'<' | 1<<lastReplaced
)

func escapeHTML(s string) string {
	var b strings.Builder
	n := 0
	for i := range len(s) {
		if c := s[i]; c <= lastReplaced && replaced&(1<<c) != 0 {
			b.WriteString(s[n:i])
			b.WriteString(replacements[c])
			n = i + 1
		}
	}
	if n == 0 {
		return s
	}
	b.WriteString(s[n:])
	return b.String()
}

// filterURL returns s unchanged if it has no scheme or its scheme is http, https, or mailto. Otherwise, it returns a
// harmless URL, as html/template does.
func filterURL(s string) string {
	if scheme, _, ok := strings.Cut(s, ":"); ok && !strings.Contains(scheme, "/") &&
		!strings.EqualFold(scheme, "http") && !strings.EqualFold(scheme, "https") && !strings.EqualFold(scheme, "mailto") {
		return "#ZgotmplZ"
	}
	return s
}

// normalizeURL escapes characters that are invalid in a URL (RFC 3986 §2), and leaves existing escapes unchanged.
func normalizeURL(s string) string { return percentEncode(s, &inURL, true) }

// escapeURL escapes characters that a URL component can't contain literally.
func escapeURL(s string) string { return percentEncode(s, &unreserved, false) }

func percentEncode(s string, keep *[256]bool, escapes bool) string {
	const digits = "0123456789abcdef"
	var b strings.Builder
	n := 0
	for i := range len(s) {
		c := s[i]
		if keep[c] || escapes && c == '%' && i+2 < len(s) && isHex(s[i+1]) && isHex(s[i+2]) {
			continue
		}
		b.WriteString(s[n:i])
		b.Write([]byte{'%', digits[c>>4], digits[c&15]})
		n = i + 1
	}
	if n == 0 {
		return s
	}
	b.WriteString(s[n:])
	return b.String()
}

const plain = "-._~abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"

// Bytes that need no escape.
var (
	// inURL contains the bytes that need no escape in a URL.
	inURL = set("!#$&*+,/:;=?@[]" + plain)
	// unreserved contains the bytes that need no escape in a URL component.
	unreserved = set(plain)
)

func set(bytes string) (in [256]bool) {
	for i := range len(bytes) {
		in[bytes[i]] = true
	}
	return in
}

func isHex(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'
}

// Markup is text that templates, including HTML templates, write verbatim and without copying. The field or value that
// contains a Markup must have an interface type. The standard packages don't support this type; use Standard to convert
// it.
type Markup []byte

// Standard converts a Markup to a template.HTML, or to a string if html is false. It returns other values unchanged.
func Standard(value any, html bool) any {
	m, ok := value.(Markup)
	switch {
	case !ok:
		return value
	case html:
		return template.HTML(m)
	}
	return string(m)
}

var markupType = reflect.TypeFor[Markup]()

// markup returns a function that evaluates e, an interface expression. In each execution, the value must be text to
// write verbatim, of type Markup or asIs. For any other value, the execution gives up; see unknown.
func markup(e *expr, asIs reflect.Type) func(*frame) reflect.Value {
	return func(f *frame) reflect.Value {
		v := e.value(f).Elem()
		if typ := v.Type(); typ != markupType && typ != asIs {
			unknown("a %s in an interface", typ)
		}
		return v
	}
}

// writeMarkup returns a step that writes the value from of, a function that markup returned.
func writeMarkup(of func(*frame) reflect.Value) func(*frame) {
	return func(f *frame) {
		if v := of(f); v.Type() == markupType {
			f.out.Write(v.Bytes())
		} else {
			f.out.WriteString(v.String())
		}
	}
}

// markupText converts v, the result of a function from markup, to a string.
func markupText(v reflect.Value) string {
	if v.Type() == markupType {
		return string(v.Bytes())
	}
	return v.String()
}
