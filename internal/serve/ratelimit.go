package serve

import (
	"strconv"
	"strings"

	"vitrine/internal/artifact"
)

// The syntax of the rate-limit fields stands in this file alone: that of
// draft-ietf-httpapi-ratelimit-headers-11, lists of one Item of a structured
// field (RFC 9651). The draft still moves (renaming r to a and t to w is
// proposed).

// AppendRateLimitLines appends the fields that carry a grant, as HTTP/1.1 lines
// in the order in which they are sent: the quota with its window, what remains
// with the seconds until the reset, the three X-RateLimit fields, and
// Retry-After (RFC 9110 §10.2.3) where the request is refused: never less than
// 1, never before the reset. It appends nothing where the allowance is off, and
// does not allocate where dst has room for the lines.
func AppendRateLimitLines(dst []byte, g Grant) []byte {
	if !g.Counted {
		return dst
	}
	dst = appendNumber(dst, artifact.FieldRateLimitPolicy+`: "`+artifact.PolicyName+`";q=`, g.Limit)
	dst = appendNumber(dst, `;w=`, g.Window)
	dst = appendNumber(dst, "\r\n"+artifact.FieldRateLimit+`: "`+artifact.PolicyName+`";r=`, g.Remaining)
	dst = appendNumber(dst, `;t=`, g.Reset)
	dst = appendNumber(dst, "\r\n"+artifact.FieldLimit+": ", g.Limit)
	dst = appendNumber(dst, "\r\n"+artifact.FieldRemaining+": ", g.Remaining)
	dst = appendNumber(dst, "\r\n"+artifact.FieldReset+": ", g.Reset)
	if !g.Allowed {
		dst = appendNumber(dst, "\r\n"+artifact.FieldRetryAfter+": ", max(g.Reset, 1))
	}
	return append(dst, "\r\n"...)
}

func appendNumber(dst []byte, before string, n int) []byte {
	return strconv.AppendInt(append(dst, before...), int64(n), 10)
}

// AppendRateLimitFields appends the same fields as names and values, which
// share one string.
func AppendRateLimitFields(dst []artifact.Field, g Grant) []artifact.Field {
	var buf [320]byte // the longest lines, of Go's greatest int, fit
	for rest := string(AppendRateLimitLines(buf[:0], g)); rest != ""; {
		var line string
		line, rest, _ = strings.Cut(rest, "\r\n")
		name, value, _ := strings.Cut(line, ": ")
		dst = append(dst, artifact.Field{Name: name, Value: value})
	}
	return dst
}
