package http1

import (
	"net/http"
	"strconv"

	"vitrine/internal/serve"
)

// statusLines are the status lines of all codes from 200 to 599 that have a
// name, by code less 200.
var statusLines = makeStatusLines()

func makeStatusLines() [400]string {
	var lines [400]string
	for i := range lines {
		if text := http.StatusText(200 + i); text != "" {
			lines[i] = "HTTP/1.1 " + strconv.Itoa(200+i) + " " + text + "\r\n"
		}
	}
	return lines
}

// appendHead appends the head of an answer: the status line, the Date line, the
// fields that were made ready, those that only this moment knows, and the
// empty line.
func appendHead(dst []byte, a *serve.Answer, date string, last bool) []byte {
	dst = append(dst, statusLines[a.Status-200]...)
	dst = append(dst, date...)
	dst = a.Header.AppendLines(dst)
	if a.Location != "" {
		dst = append(dst, "Location: "...)
		dst = append(dst, a.Location...)
		dst = append(dst, "\r\n"...)
	}
	dst = serve.AppendRateLimitLines(dst, a.Grant)
	if last {
		dst = append(dst, "Connection: close\r\n"...)
	}
	return append(dst, "\r\n"...)
}
