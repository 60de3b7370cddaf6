package main

import (
	"strconv"
	"time"

	"vitrine/internal/serve"
)

// appendCombined appends a line of the Combined Log Format:
//
//	host - - [time] "method target protocol" status bytes "referer" "user agent" reason class
//
// The two words at the end are ours; readers of the format pass over them.
func appendCombined(dst []byte, r *serve.Request, a *serve.Answer, now time.Time) []byte {
	if r.Remote.IsValid() {
		dst = r.Remote.Addr().Unmap().AppendTo(dst)
	} else {
		dst = append(dst, '-')
	}
	dst = append(dst, " - - ["...)
	dst = now.AppendFormat(dst, "02/Jan/2006:15:04:05 -0700")
	dst = append(dst, `] "`...)
	dst = appendEscaped(dst, r.Method)
	dst = append(dst, ' ')
	dst = appendEscaped(dst, r.Path)
	if r.HasQuery {
		dst = append(dst, '?')
		dst = appendEscaped(dst, r.Query)
	}
	dst = append(dst, ' ')
	dst = appendEscaped(dst, r.Protocol)
	dst = append(dst, `" `...)
	dst = strconv.AppendInt(dst, int64(a.Status), 10)
	dst = append(dst, ' ')
	if len(a.Body) == 0 {
		dst = append(dst, '-')
	} else {
		dst = strconv.AppendInt(dst, int64(len(a.Body)), 10)
	}
	dst = appendQuoted(dst, r.Referer)
	dst = appendQuoted(dst, r.UserAgent)
	dst = append(dst, ' ')
	dst = append(dst, a.Reason...)
	dst = append(dst, ' ')
	dst = append(dst, a.Class.String()...)
	return append(dst, '\n')
}

// appendQuoted appends a space and a value in quotes, "-" where there is none.
func appendQuoted(dst []byte, value string) []byte {
	dst = append(dst, ` "`...)
	if value == "" {
		dst = append(dst, '-')
	}
	dst = appendEscaped(dst, value)
	return append(dst, '"')
}

// appendEscaped appends what a client sent, so that it can neither end a quoted
// value nor a line, nor speak to a terminal: \" and \\, and \xhh for all that
// is not visible ASCII or a space, as Apache writes it.
func appendEscaped(dst []byte, s string) []byte {
	const hex = "0123456789abcdef"
	for i := range len(s) {
		switch c := s[i]; {
		case c == '"' || c == '\\':
			dst = append(dst, '\\', c)
		case c < ' ' || c > '~':
			dst = append(dst, '\\', 'x', hex[c>>4], hex[c&15])
		default:
			dst = append(dst, c)
		}
	}
	return dst
}
