package main

import (
	"strings"

	"vitrine/internal/serve/decide"
)

// longestRequestID is the maximum length of a logged X-Request-ID in bytes.
const longestRequestID = 128

// requestID returns a request's X-Request-ID for the log, or "" if it is missing or too long.
func requestID(r *decide.Request) string {
	if len(r.RequestID) > longestRequestID {
		return ""
	}
	return r.RequestID
}

// traceParent returns a request's traceparent in the W3C Trace Context format, without parts added by later versions of
// the format, or "" if there is no valid traceparent.
func traceParent(r *decide.Request) string {
	t := r.TraceParent
	if len(t) < 55 || len(t) > 55 && (t[:2] == "00" || t[55] != '-') || t[:2] == "ff" {
		return ""
	}
	for i := range 55 {
		c := t[i]
		dash := i == 2 || i == 35 || i == 52
		if dash != (c == '-') || !dash && (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return ""
		}
	}
	if strings.Trim(t[3:35], "0") == "" || strings.Trim(t[36:52], "0") == "" {
		return ""
	}
	return t[:55]
}
