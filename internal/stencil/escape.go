package stencil

import (
	"reflect"
	"strconv"
	"strings"
)

// escaper is one of html/template's, which its pipelines end with. They are
// not exported, so what they do is done here again.
type escaper func(s string) string

var escapers = map[string]escaper{
	"_html_template_htmlescaper":   escapeHTML,
	"_html_template_rcdataescaper": escapeHTML,
	"_html_template_attrescaper":   escapeHTML,
	"_html_template_urlescaper":    escapeURL,
	"_html_template_urlfilter":     filterURL,
	"_html_template_urlnormalizer": normalizeURL,
}

// escaped compiles an escaper's call.
func (c *compiler) escaped(name string, escape escaper, arg expr) expr {
	text := c.printed(name, arg)
	e := expr{typ: stringType, str: func(f *frame) string { return escape(text(f)) }, escaped: true}
	if arg.typ == htmlType || arg.typ.Kind() == reflect.Interface {
		// HTML is written as it is.
		e.str = text
	}
	return c.settle(e, arg)
}

// printed is an argument as text. Markup that is known to be safe passes the
// escaper of text alone.
func (c *compiler) printed(name string, arg expr) func(*frame) string {
	html := name == "_html_template_htmlescaper"
	switch {
	case arg.typ == stringType, arg.typ == htmlType && html:
		return arg.text
	case isInt(arg.typ):
		return func(f *frame) string { return strconv.FormatInt(arg.value(f).Int(), 10) }
	case isAny(arg.typ) && html:
		return func(f *frame) string {
			v := arg.value(f).Elem()
			if v.Type() != htmlType {
				unknown("a %s in an interface", v.Type())
			}
			return v.String()
		}
	}
	unknown("escaping a %s by %s", arg.typ, name)
	return nil
}

// replacements are what stands for characters that HTML gives a meaning.
var replacements = [256]string{
	0: "\uFFFD", '"': "&#34;", '&': "&amp;", '\'': "&#39;", '+': "&#43;", '<': "&lt;", '>': "&gt;",
}

func escapeHTML(s string) string {
	var b strings.Builder
	n := 0
	for i := range len(s) {
		if s[i] > '>' {
			continue
		}
		if r := replacements[s[i]]; r != "" {
			b.WriteString(s[n:i])
			b.WriteString(r)
			n = i + 1
		}
	}
	if n == 0 {
		return s
	}
	b.WriteString(s[n:])
	return b.String()
}

// filterURL puts a harmless address in the place of one whose scheme may run
// code.
func filterURL(s string) string {
	if scheme, _, ok := strings.Cut(s, ":"); ok && !strings.Contains(scheme, "/") &&
		!strings.EqualFold(scheme, "http") && !strings.EqualFold(scheme, "https") && !strings.EqualFold(scheme, "mailto") {
		return "#ZgotmplZ"
	}
	return s
}

// normalizeURL escapes what has no place in an address (RFC 3986 §2), and
// leaves escapes as they are.
func normalizeURL(s string) string { return percentEncode(s, &inURL, true) }

// escapeURL escapes what a part of an address cannot have as its own.
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

// Bytes that stand for themselves in an address, and in a part of one.
var (
	inURL      = set("!#$&*+,/:;=?@[]" + plain)
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
