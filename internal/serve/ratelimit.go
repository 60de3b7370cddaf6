package serve

import (
	"strconv"

	"vitrine/internal/artifact"
)

// The syntax of the rate-limit fields stands in this file alone: that of
// draft-ietf-httpapi-ratelimit-headers-11, lists of one Item of a structured
// field (RFC 9651). The draft still moves (renaming r to a and t to w is
// proposed).

// AppendRateLimitPolicy appends the value of RateLimit-Policy, the quota and
// its window in seconds: "instance";q=120;w=60.
func AppendRateLimitPolicy(dst []byte, g Grant) []byte {
	dst = append(dst, '"')
	dst = append(dst, artifact.PolicyName...)
	dst = append(dst, `";q=`...)
	dst = strconv.AppendInt(dst, int64(g.Limit), 10)
	dst = append(dst, `;w=`...)
	return strconv.AppendInt(dst, int64(g.Window), 10)
}

// AppendRateLimit appends the value of RateLimit, what remains of the quota
// and the seconds until it resets: "instance";r=119;t=60.
func AppendRateLimit(dst []byte, g Grant) []byte {
	dst = append(dst, '"')
	dst = append(dst, artifact.PolicyName...)
	dst = append(dst, `";r=`...)
	dst = strconv.AppendInt(dst, int64(g.Remaining), 10)
	dst = append(dst, `;t=`...)
	return strconv.AppendInt(dst, int64(g.Reset), 10)
}

// AppendLimit appends the value of X-RateLimit-Limit, the quota.
func AppendLimit(dst []byte, g Grant) []byte {
	return strconv.AppendInt(dst, int64(g.Limit), 10)
}

// AppendRemaining appends the value of X-RateLimit-Remaining.
func AppendRemaining(dst []byte, g Grant) []byte {
	return strconv.AppendInt(dst, int64(g.Remaining), 10)
}

// AppendReset appends the value of X-RateLimit-Reset, seconds from now rather
// than a date.
func AppendReset(dst []byte, g Grant) []byte {
	return strconv.AppendInt(dst, int64(g.Reset), 10)
}

// AppendRetryAfter appends the value of the Retry-After of a 429 in seconds
// (RFC 9110 §10.2.3): never less than 1, never before the reset.
func AppendRetryAfter(dst []byte, g Grant) []byte {
	return strconv.AppendInt(dst, int64(max(g.Reset, 1)), 10)
}

// AppendRateLimitFields appends the fields that a grant is told with, in the
// order in which they are sent: the policy, what remains, the three X-RateLimit
// fields, and Retry-After where the request is refused. It appends nothing
// where the allowance is off. All values share one string.
func AppendRateLimitFields(dst []artifact.Field, g Grant) []artifact.Field {
	if !g.Counted {
		return dst
	}
	var buf [160]byte // the longest values, of Go's greatest int, fit
	var ends [6]int
	b := AppendRateLimitPolicy(buf[:0], g)
	ends[0] = len(b)
	b = AppendRateLimit(b, g)
	ends[1] = len(b)
	b = AppendLimit(b, g)
	ends[2] = len(b)
	b = AppendRemaining(b, g)
	ends[3] = len(b)
	b = AppendReset(b, g)
	ends[4] = len(b)
	b = AppendRetryAfter(b, g)
	ends[5] = len(b)
	values := string(b)
	dst = append(dst,
		artifact.Field{Name: artifact.FieldRateLimitPolicy, Value: values[:ends[0]]},
		artifact.Field{Name: artifact.FieldRateLimit, Value: values[ends[0]:ends[1]]},
		artifact.Field{Name: artifact.FieldLimit, Value: values[ends[1]:ends[2]]},
		artifact.Field{Name: artifact.FieldRemaining, Value: values[ends[2]:ends[3]]},
		artifact.Field{Name: artifact.FieldReset, Value: values[ends[3]:ends[4]]},
	)
	if !g.Allowed {
		dst = append(dst, artifact.Field{Name: artifact.FieldRetryAfter, Value: values[ends[4]:ends[5]]})
	}
	return dst
}

// AppendRateLimitLines appends the same fields as HTTP/1.1 lines, each with its
// CR LF. It does not allocate where dst has room for them.
func AppendRateLimitLines(dst []byte, g Grant) []byte {
	if !g.Counted {
		return dst
	}
	dst = AppendRateLimitPolicy(append(dst, artifact.FieldRateLimitPolicy+": "...), g)
	dst = AppendRateLimit(append(dst, "\r\n"+artifact.FieldRateLimit+": "...), g)
	dst = AppendLimit(append(dst, "\r\n"+artifact.FieldLimit+": "...), g)
	dst = AppendRemaining(append(dst, "\r\n"+artifact.FieldRemaining+": "...), g)
	dst = AppendReset(append(dst, "\r\n"+artifact.FieldReset+": "...), g)
	if !g.Allowed {
		dst = AppendRetryAfter(append(dst, "\r\n"+artifact.FieldRetryAfter+": "...), g)
	}
	return append(dst, "\r\n"...)
}
