package report

import (
	"bytes"
	"cmp"
	"fmt"
	"net/netip"
	"strconv"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"vitrine/internal/readers"
)

// line is what is read of a line of a log.
type line struct {
	// day is the date as the log has it, "2026-11-22".
	day            string
	remote         string
	method, target string
	status         int
	bytes          int64
	agent          string
	// representation is what vitrined says that it sent, "" in other logs, and
	// mediaType the Content-Type where a log has it.
	representation, mediaType string
}

// parse reads a line of the Combined Log Format (Apache, nginx, vitrined) or an
// object of JSON: vitrined's, Caddy's, or nginx's with the names of its variables.
func (l *line) parse(text []byte) error {
	if text = bytes.TrimSpace(text); len(text) > 0 && text[0] == '{' {
		return l.parseJSON(text)
	}
	return l.parseCombined(text)
}

// parseCombined reads
//
//	host - user [02/Jan/2006:15:04:05 -0700] "GET /path HTTP/1.1" 200 512 "referer" "user agent" reason class representation reader
//
// of which what follows the user agent is vitrined's own.
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
	l.bytes, _ = strconv.ParseInt(size, 10, 64) // "-" is none
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
	if words := strings.Fields(s); len(words) == 4 {
		l.representation = words[2]
	}
	return nil
}

var errNotALine = fmt.Errorf("neither the Combined Log Format nor JSON with the fields of a request")

// quoted cuts a value at the quote that ends it. An escape stays as it is written
// where it is one of a byte: nothing that is counted has any.
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

// dayOf turns "22/Nov/2026" into "2026-11-22".
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

// parseJSON reads an object of vitrined's, of Caddy's, or of nginx's with the names
// of its variables. It goes over the members once: a log has millions of lines.
func (l *line) parseJSON(text []byte) error {
	*l = line{}
	if !gjson.ValidBytes(text) {
		return errNotALine
	}
	gjson.ParseBytes(text).ForEach(func(key, value gjson.Result) bool {
		switch key.Str {
		case "time", "ts", "time_iso8601", "@timestamp", "time_local", "msec":
			if day, ok := dayIn(value); ok {
				l.day = day
			}
		case "remote", "remote_addr":
			l.remote = value.Str
		case "method", "request_method":
			l.method = value.Str
		case "target", "request_uri":
			l.target = value.Str
		case "uri": // nginx's, after its own redirects: request_uri is what was asked
			l.target = cmp.Or(l.target, value.Str)
		case "status":
			l.status = int(value.Int())
		case "bytes", "size", "body_bytes_sent":
			l.bytes = value.Int()
		case "userAgent", "http_user_agent":
			l.agent = value.Str
		case "representation":
			l.representation = value.Str
		case "sent_http_content_type":
			l.mediaType = value.Str
		case "request":
			l.parseRequest(value)
		case "resp_headers": // Caddy's
			l.mediaType = value.Get("Content-Type.0").Str
		}
		return true
	})
	if l.status == 0 || l.target == "" || l.day == "" {
		return errNotALine
	}
	return nil
}

// parseRequest reads Caddy's object of that name, and nginx's "GET /path HTTP/1.1".
func (l *line) parseRequest(request gjson.Result) {
	if !request.IsObject() {
		if words := strings.Fields(request.Str); len(words) > 1 && l.target == "" {
			l.method, l.target = words[0], words[1]
		}
		return
	}
	request.ForEach(func(key, value gjson.Result) bool {
		switch key.Str {
		case "client_ip":
			l.remote = value.Str
		case "remote_ip":
			l.remote = cmp.Or(l.remote, value.Str)
		case "method":
			l.method = value.Str
		case "uri":
			l.target = value.Str
		case "headers":
			l.agent = value.Get("User-Agent.0").Str
		}
		return true
	})
}

// dayIn is the date of a time in whichever form a log has it: RFC 3339, the Common
// Log Format's, or seconds since 1970.
func dayIn(v gjson.Result) (string, bool) {
	s := v.Str
	switch {
	case len(s) >= len("2006-01-02") && s[4] == '-' && s[7] == '-' && digits(s[:4]):
		return s[:len("2006-01-02")], true
	case len(s) >= len("02/Jan/2006") && s[2] == '/':
		return dayOf(s[:len("02/Jan/2006")])
	}
	if seconds := int64(v.Float()); seconds > 0 {
		return time.Unix(seconds, 0).UTC().Format(time.DateOnly), true
	}
	return "", false
}

// address is the reader's address, the zero Addr where the line has none.
func (l *line) address() netip.Addr {
	a, _ := netip.ParseAddr(l.remote)
	return a.Unmap()
}

// kind is what a line says was sent, else what its path, below where the site stands, and its media type say.
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
