package report

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"net/netip"
	"strconv"
	"strings"
	"time"

	"vitrine/internal/readers"
)

// line contains the relevant parts of a log line.
type line struct {
	// day is the date in the log's time zone, such as "2026-11-22".
	day            string
	remote         string
	method, target string
	status         int
	bytes          int64
	agent          string
	// representation is the representation that vitrined logged, or "" in other logs. mediaType is the Content-Type, or
	// "" if the log doesn't contain it.
	representation, mediaType string
}

// parse parses a line in the Combined Log Format, as written by Apache, nginx, and vitrined, or a JSON object from
// vitrined, Caddy, or nginx. The members of an object from nginx must have the names of nginx's variables. The error,
// if any, is errNotALine.
func (l *line) parse(text []byte) error {
	if text = bytes.TrimSpace(text); len(text) > 0 && text[0] == '{' {
		return l.parseJSON(text)
	}
	return l.parseCombined(text)
}

// parseCombined parses a line of the form
//
//	host - user [02/Jan/2006:15:04:05 -0700] "GET /path HTTP/1.1" 200 512 "referer" "user agent" reason class representation reader
//
// The fields after the user agent are vitrined's additions. In the Common Log Format, the line ends after the size.
func (l *line) parseCombined(text []byte) error {
	*l = line{}
	s := string(text)
	host, s, _ := strings.Cut(s, " ")
	_, s, found := strings.Cut(s, "[")
	if !found || len(s) < len("02/Jan/2006") {
		return errNotALine
	}
	day, ok := dayOf(s[:len("02/Jan/2006")])
	if !ok {
		return errNotALine
	}
	_, s, found = strings.Cut(s, `"`)
	if !found {
		return errNotALine
	}
	request, s, ok := quoted(s)
	if !ok {
		return errNotALine
	}
	l.remote, l.day = host, day
	l.method, request, _ = strings.Cut(request, " ")
	if end := strings.LastIndexByte(request, ' '); end >= 0 {
		request = request[:end]
	}
	l.target = request
	status, s, _ := strings.Cut(strings.TrimPrefix(s, " "), " ")
	size, s, _ := strings.Cut(s, " ")
	var err error
	if l.status, err = strconv.Atoi(status); err != nil {
		return errNotALine
	}
	l.bytes, _ = strconv.ParseInt(size, 10, 64) // the size is "-" if there is no number
	if _, s, found = strings.Cut(s, `"`); !found {
		return nil // the Common Log Format ends here
	}
	if _, s, ok = quoted(s); !ok { // the referer
		return errNotALine
	}
	if _, s, found = strings.Cut(s, `"`); !found {
		return nil
	}
	if l.agent, s, ok = quoted(s); !ok {
		return errNotALine
	}
	// vitrined adds four words to the line, or more in versions that log the duration.
	words := strings.Fields(s)
	if len(words) == 4 || len(words) > 4 && isSeconds(words[4]) {
		l.representation = words[2]
	}
	return nil
}

// isSeconds reports whether word is a duration in the format of vitrined's log, such as 0.000123.
func isSeconds(word string) bool {
	_, err := strconv.ParseFloat(word, 64)
	return err == nil && strings.Contains(word, ".")
}

var errNotALine = fmt.Errorf("neither the Combined Log Format nor JSON with request fields")

// quoted returns the value before the closing quote in s, and the text after the quote. It decodes \" and \\ but not
// \xhh, because the values that matter don't contain such bytes. ok is false if there is no closing quote.
func quoted(s string) (value, rest string, ok bool) {
	escaped := false
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			escaped = true
			i++
		case '"':
			value = s[:i]
			if escaped {
				value = strings.NewReplacer(`\"`, `"`, `\\`, `\`).Replace(value)
			}
			return value, s[i+1:], true
		}
	}
	return "", "", false
}

// dayOf converts "22/Nov/2026" to "2026-11-22". It returns false if s has another form.
func dayOf(s string) (string, bool) {
	const months = "JanFebMarAprMayJunJulAugSepOctNovDec"
	month := strings.Index(months, s[3:6])
	if month < 0 || month%3 != 0 || s[2] != '/' || s[6] != '/' || !digits(s[:2]) || !digits(s[7:11]) {
		return "", false
	}
	n := month/3 + 1
	return s[7:11] + "-" + string([]byte{'0' + byte(n/10), '0' + byte(n%10)}) + "-" + s[:2], true
}

func digits(s string) bool { return strings.Trim(s, "0123456789") == "" }

// parseJSON parses a JSON object from vitrined, Caddy, or nginx. The members of an object from nginx must have the
// names of nginx's variables. parseJSON makes a single pass over the members, because a log may contain millions of
// lines.
func (l *line) parseJSON(text []byte) error {
	*l = line{}
	if !json.Valid(text) {
		return errNotALine
	}
	eachMember(text, func(key, value []byte) {
		switch string(key) {
		case "time", "ts", "time_iso8601", "@timestamp", "time_local", "msec":
			if day, ok := dayIn(scalar(value)); ok {
				l.day = day
			}
		case "remote", "remote_addr":
			l.remote = stringIn(value)
		case "method", "request_method":
			l.method = stringIn(value)
		case "target", "request_uri":
			l.target = stringIn(value)
		case "uri": // from nginx, after internal redirects; request_uri is the original URI
			l.target = cmp.Or(l.target, stringIn(value))
		case "status":
			l.status, _ = strconv.Atoi(scalar(value))
		case "bytes", "size", "body_bytes_sent":
			l.bytes, _ = strconv.ParseInt(scalar(value), 10, 64) // the size is "-" if there is no number
		case "userAgent", "http_user_agent":
			l.agent = stringIn(value)
		case "representation":
			l.representation = stringIn(value)
		case "sent_http_content_type":
			l.mediaType = stringIn(value)
		case "request":
			l.parseRequest(value)
		case "resp_headers": // from Caddy
			l.mediaType = firstOf(value, "Content-Type")
		}
	})
	if l.status == 0 || l.target == "" || l.day == "" {
		return errNotALine
	}
	return nil
}

// parseRequest parses the member "request", which is an object from Caddy, or a string such as "GET /path HTTP/1.1"
// from nginx.
func (l *line) parseRequest(request []byte) {
	if request[0] != '{' {
		if words := strings.Fields(stringIn(request)); len(words) > 1 && l.target == "" {
			l.method, l.target = words[0], words[1]
		}
		return
	}
	eachMember(request, func(key, value []byte) {
		switch string(key) {
		case "client_ip":
			l.remote = stringIn(value)
		case "remote_ip":
			l.remote = cmp.Or(l.remote, stringIn(value))
		case "method":
			l.method = stringIn(value)
		case "uri":
			l.target = stringIn(value)
		case "headers":
			l.agent = firstOf(value, "User-Agent")
		}
	})
}

// dayIn returns the date of a time in any format that occurs in logs: RFC 3339, the time format of the Common Log
// Format, or seconds since 1970.
func dayIn(s string) (string, bool) {
	switch {
	case len(s) >= len("2006-01-02") && s[4] == '-' && s[7] == '-' && digits(s[:4]):
		return s[:len("2006-01-02")], true
	case len(s) >= len("02/Jan/2006") && s[2] == '/':
		return dayOf(s[:len("02/Jan/2006")])
	}
	// A time after the year 9999 is invalid.
	if seconds, err := strconv.ParseFloat(s, 64); err == nil && seconds >= 1 && seconds < 253402300800 {
		return time.Unix(int64(seconds), 0).UTC().Format(time.DateOnly), true
	}
	return "", false
}

// address returns the client's address, or the zero Addr if the line doesn't contain a valid one.
func (l *line) address() netip.Addr {
	a, _ := netip.ParseAddr(l.remote)
	return a.Unmap()
}

// kind returns the logged representation of the response. If the log doesn't contain the representation, kind infers it
// from the media type and the path under mount.
func (l *line) kind(mount string) readers.Representation {
	if l.representation != "" {
		return readers.Representation(l.representation)
	}
	name, _, _ := strings.Cut(l.target, "?")
	kind := readers.KindOf(strings.TrimPrefix(name, mount))
	if kind == readers.Page {
		switch mediaType, _, _ := strings.Cut(l.mediaType, ";"); strings.TrimSpace(mediaType) {
		case "text/html":
			return readers.HTML
		case "text/markdown":
			return readers.Markdown
		}
	}
	return kind
}
