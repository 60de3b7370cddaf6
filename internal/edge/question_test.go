package edge_test

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"vitrine/internal/serve/decide"
)

// question is a request, and the state of the allowance when it arrives.
type question struct {
	decide.Request
	// limit and window are the allowance, in requests and seconds. A limit of 0 disables it.
	limit, window int
	// used is the number of requests that arrived at time 0. This request arrives at now, in milliseconds.
	used, now int
}

// texts returns pointers to the strings of a request, for code that handles all of them in the same way.
func (q *question) texts() []*string {
	return []*string{
		&q.Path, &q.Query, &q.Accept, &q.AcceptEncoding, &q.IfMatch, &q.IfNoneMatch,
		&q.Origin, &q.AccessControlRequestMethod, &q.UserAgent, &q.Method,
	}
}

// grant returns the grant for the request from a new allowance that has already granted the used requests.
func (q *question) grant() decide.Grant {
	a := decide.NewAllowance(q.limit, time.Duration(q.window)*time.Second)
	start := time.Unix(1_790_000_000, 0)
	for range q.used {
		a.Take(start)
	}
	return a.Take(start.Add(time.Duration(q.now) * time.Millisecond))
}

// appendJSON appends the question in the port's format.
func (q *question) appendJSON(dst []byte) []byte {
	dst = fmt.Appendf(dst, `{"limit":%d,"window":%d,"used":%d,"now":%d`, q.limit, q.window, q.used, q.now)
	for _, m := range []struct{ name, value string }{
		{"method", q.Method}, {"path", q.Path},
		{"accept", q.Accept}, {"acceptEncoding", q.AcceptEncoding},
		{"ifNoneMatch", q.IfNoneMatch}, {"userAgent", q.UserAgent},
		{"origin", q.Origin}, {"accessControlRequestMethod", q.AccessControlRequestMethod},
	} {
		dst = append(dst, `,"`+m.name+`":`...)
		dst = appendBytes(dst, m.value)
	}
	for _, m := range []struct {
		name, value string
		has         bool
	}{{"query", q.Query, q.HasQuery}, {"ifMatch", q.IfMatch, q.HasIfMatch}} {
		dst = append(dst, `,"`+m.name+`":`...)
		if m.has {
			dst = appendBytes(dst, m.value)
		} else {
			dst = append(dst, "null"...)
		}
	}
	return append(dst, '}')
}

// appendBytes appends bytes as a JSON string with one character for each byte.
func appendBytes(dst []byte, s string) []byte {
	const hex = "0123456789abcdef"
	dst = append(dst, '"')
	for i := range len(s) {
		switch c := s[i]; {
		case c == '"' || c == '\\':
			dst = append(dst, '\\', c)
		case c < ' ' || c >= 0x7f:
			dst = append(dst, `\u00`...)
			dst = append(dst, hex[c>>4], hex[c&15])
		default:
			dst = append(dst, c)
		}
	}
	return append(dst, '"')
}

// String returns the question as a request.
func (q *question) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%q %q", q.Method, q.Path)
	if q.HasQuery {
		fmt.Fprintf(&b, " ? %q", q.Query)
	}
	b.WriteByte('\n')
	for _, f := range []struct{ name, value string }{
		{"Accept", q.Accept}, {"Accept-Encoding", q.AcceptEncoding},
		{"If-Match", q.IfMatch}, {"If-None-Match", q.IfNoneMatch},
		{"Origin", q.Origin}, {"Access-Control-Request-Method", q.AccessControlRequestMethod}, {"User-Agent", q.UserAgent},
	} {
		if f.value != "" {
			b.WriteString(f.name + ": " + strconv.Quote(f.value) + "\n")
		}
	}
	fmt.Fprintf(&b, "allowance %d/%ds, %d used at 0, now %d ms\n", q.limit, q.window, q.used, q.now)
	return b.String()
}

// cost returns a measure of a request's length. A plain GET / has cost 1.
func (q *question) cost() int {
	sum := 0
	for _, text := range q.texts() {
		sum += len(*text)
	}
	if q.Method == "GET" {
		sum -= len("GET")
	}
	for _, given := range []bool{q.HasQuery, q.HasIfMatch, q.limit > 0, q.used > 0, q.now != 0} {
		if given {
			sum++
		}
	}
	return sum
}

// shrink simplifies a question, as long as it still fails, until no further simplification is found.
func shrink(q question, fails func(question) bool) question {
	for {
		smaller, found := smallerFailure(q, fails)
		if !found {
			return q
		}
		q = smaller
	}
}

// smallerFailure returns a shorter question that still fails.
func smallerFailure(q question, fails func(question) bool) (question, bool) {
	for _, simplify := range []func(*question){
		func(q *question) { q.limit, q.window, q.used, q.now = 0, 0, 0, 0 },
		func(q *question) { q.used = 0 },
		func(q *question) { q.now = 0 },
		func(q *question) { q.HasQuery, q.Query = false, "" },
		func(q *question) { q.HasIfMatch, q.IfMatch = false, "" },
		func(q *question) { q.Method = "GET" },
		func(q *question) { q.Path = "/" },
	} {
		smaller := q
		if simplify(&smaller); smaller.cost() < q.cost() && fails(smaller) {
			return smaller, true
		}
	}
	for i, text := range q.texts() {
		for length := len(*text); length > 0; length /= 2 {
			for at := 0; at+length <= len(*text); at++ {
				smaller := q
				*smaller.texts()[i] = (*text)[:at] + (*text)[at+length:]
				if smaller.cost() < q.cost() && fails(smaller) {
					return smaller, true
				}
			}
		}
	}
	return q, false
}
