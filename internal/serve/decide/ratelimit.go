package decide

import (
	"strconv"

	"vitrine/internal/artifact"
)

// Only this file contains the syntax of the rate-limit fields:
// draft-ietf-httpapi-ratelimit-headers-11, structured fields (RFC 9651) that are lists of one Item.
// The draft is still changing: a proposal renames r to a, and t to w.

// AppendRateLimitLines appends the fields of a grant as HTTP/1.1 lines in sending order: the quota
// with its window, the remaining requests with the seconds until the reset, the three X-RateLimit
// fields, and Retry-After (RFC 9110 §10.2.3) if the request is over the limit. It appends no line
// if the allowance is disabled, and doesn't allocate if dst has enough capacity.
func AppendRateLimitLines(dst []byte, g Grant) []byte {
	if !g.Counted {
		return dst
	}
	dst = appendPolicy(append(dst, artifact.FieldRateLimitPolicy+": "...), g)
	dst = appendState(append(dst, "\r\n"+artifact.FieldRateLimit+": "...), g)
	dst = appendNumber(dst, "\r\n"+artifact.FieldLimit+": ", g.Limit)
	dst = appendNumber(dst, "\r\n"+artifact.FieldRemaining+": ", g.Remaining)
	dst = appendNumber(dst, "\r\n"+artifact.FieldReset+": ", g.Reset)
	if !g.Allowed {
		dst = appendNumber(dst, "\r\n"+artifact.FieldRetryAfter+": ", retryAfter(g))
	}
	return append(dst, "\r\n"...)
}

// AppendRateLimitFields appends the fields of a grant as names and values. All values share one string, so a net/http
// response needs one allocation instead of six.
func AppendRateLimitFields(dst []artifact.Field, g Grant) []artifact.Field {
	if !g.Counted {
		return dst
	}
	var buf [160]byte // fits the longest values, for Go's largest int
	var ends [6]int
	b := appendPolicy(buf[:0], g)
	ends[0] = len(b)
	b = appendState(b, g)
	ends[1] = len(b)
	for i, n := range [...]int{g.Limit, g.Remaining, g.Reset, retryAfter(g)} {
		b = appendNumber(b, "", n)
		ends[2+i] = len(b)
	}
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

// rateLimitNames contains the start of each field in an HTTP/2 block, up to the end of its name. Retry-After is last,
// because only rejected requests get it.
var rateLimitNames = [...][]byte{
	appendBlockName(nil, artifact.FieldRateLimitPolicy), appendBlockName(nil, artifact.FieldRateLimit), appendBlockName(nil, artifact.FieldLimit),
	appendBlockName(nil, artifact.FieldRemaining), appendBlockName(nil, artifact.FieldReset), appendBlockName(nil, artifact.FieldRetryAfter),
}

// appendRateLimitBlock appends the fields of a grant in the encoding of HTTP/2 header blocks.
func appendRateLimitBlock(dst []byte, g Grant) []byte {
	if !g.Counted {
		return dst
	}
	dst = append(dst, rateLimitNames[0]...)
	at := len(dst)
	dst = appendPolicy(append(dst, 0), g)
	dst[at] = byte(len(dst) - at - 1)
	dst = append(dst, rateLimitNames[1]...)
	at = len(dst)
	dst = appendState(append(dst, 0), g)
	dst[at] = byte(len(dst) - at - 1)
	for i, n := range [...]int{g.Limit, g.Remaining, g.Reset, retryAfter(g)} {
		if i == 3 && g.Allowed {
			break
		}
		dst = appendBlockNumber(append(dst, rateLimitNames[2+i]...), int64(n))
	}
	return dst
}

// appendPolicy appends the quota and its window: "instance";q=120;w=60.
func appendPolicy(dst []byte, g Grant) []byte {
	return appendNumber(appendNumber(dst, `"`+artifact.PolicyName+`";q=`, g.Limit), `;w=`, g.Window)
}

// appendState appends the remaining requests and the seconds until the reset: "instance";r=119;t=60.
func appendState(dst []byte, g Grant) []byte {
	return appendNumber(appendNumber(dst, `"`+artifact.PolicyName+`";r=`, g.Remaining), `;t=`, g.Reset)
}

// retryAfter returns the value of Retry-After in seconds: the time until the reset, but at least 1.
func retryAfter(g Grant) int { return max(g.Reset, 1) }

func appendNumber(dst []byte, before string, n int) []byte {
	return strconv.AppendInt(append(dst, before...), int64(n), 10)
}
