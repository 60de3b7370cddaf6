package apidoc

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
)

// header is a header field of an example request.
type header struct{ name, value string }

// request is an example request, from which the examples in all programming languages are generated.
type request struct {
	method, url string
	headers     []header
	body        string
}

// authentication writes the section about the credentials that a caller must send. It writes nothing if the operation
// requires no credentials.
func (r *reference) authentication(b *strings.Builder, o *operation) {
	if len(o.security) == 0 {
		return
	}
	r.heading(b, "refAuth")
	for _, name := range o.security {
		s := r.doc.schemes[name]
		if s == nil {
			continue
		}
		fmt.Fprintf(b, "- %s: %s", code(name), r.credentials(s))
		if text := firstSentence(s.description); text != "" {
			b.WriteString(". " + plain(text))
		}
		b.WriteString("\n")
	}
	b.WriteString("\n")
}

// credentials returns a description of the credentials that a caller sends for a security scheme.
func (r *reference) credentials(s *securityScheme) string {
	switch {
	case s.kind == "http" && strings.EqualFold(s.scheme, "bearer"):
		return r.word("refToken", "name", code("Authorization: Bearer …"))
	case s.kind == "http":
		return r.word("refHTTP", "scheme", plain(s.scheme))
	case s.kind == "apiKey" && s.in == "query":
		return r.word("refKeyQuery", "name", code(s.name))
	case s.kind == "apiKey" && s.in == "cookie":
		return r.word("refKeyCookie", "name", code(s.name))
	case s.kind == "apiKey":
		return r.word("refKeyHeader", "name", code(s.name))
	case s.kind == "oauth2":
		return "OAuth 2.0"
	case s.kind == "openIdConnect":
		return "OpenID Connect"
	}
	return plain(s.kind)
}

// example returns an example request for an operation.
func (r *reference) example(o *operation) request {
	q := request{method: o.method}
	base := "https://api.example.com"
	if len(r.doc.servers) > 0 {
		base = r.doc.servers[0].url
		for name, initial := range r.doc.servers[0].variables {
			base = strings.ReplaceAll(base, "{"+name+"}", initial)
		}
		if strings.HasPrefix(base, "/") {
			base = "https://api.example.com" + base
		}
	}
	at, query := o.path, url.Values{}
	for _, p := range o.parameters {
		value := url.PathEscape(asJSON(sampleParameter(p)))
		switch {
		case p.in == "path":
			if p.example == nil && (p.schema == nil || p.schema.example == nil && p.schema.initial == nil) {
				value = strings.ToUpper(strings.ReplaceAll(p.name, "-", "_"))
			}
			at = strings.ReplaceAll(at, "{"+p.name+"}", value)
		case p.in == "query" && p.required:
			query.Set(p.name, asJSON(sampleParameter(p)))
		case p.in == "header" && p.required:
			q.headers = append(q.headers, header{p.name, asJSON(sampleParameter(p))})
		}
	}
	for _, name := range o.security[:min(1, len(o.security))] {
		switch s := r.doc.schemes[name]; {
		case s == nil:
		case s.kind == "apiKey" && s.in == "header":
			q.headers = append(q.headers, header{s.name, "YOUR_KEY"})
		case s.kind == "apiKey" && s.in == "query":
			query.Set(s.name, "YOUR_KEY")
		case s.kind == "http" && strings.EqualFold(s.scheme, "basic"):
			q.headers = append(q.headers, header{"Authorization", "Basic YOUR_CREDENTIALS"})
		case s.kind != "apiKey":
			q.headers = append(q.headers, header{"Authorization", "Bearer YOUR_TOKEN"})
		}
	}
	if q.url = strings.TrimSuffix(base, "/") + at; len(query) > 0 {
		q.url += "?" + query.Encode()
	}
	if o.body != nil && len(o.body.content) > 0 {
		switch media := o.body.content[0]; {
		case strings.Contains(media.name, "json"):
			q.body = sampleOf(media)
		case strings.Contains(media.name, "form-urlencoded"):
			q.body = formOf(media)
		}
		q.headers = append(q.headers, header{"Content-Type", o.body.content[0].name})
	}
	return q
}

// formOf returns an example of a URL-encoded form body, without members that are objects or arrays.
func formOf(media mediaType) string {
	values := url.Values{}
	if object, ok := newSampler().sample(media.schema, 0).(map[string]any); ok {
		for name, v := range object {
			switch v.(type) {
			case map[string]any, []any:
			default:
				values.Set(name, asJSON(v))
			}
		}
	}
	return values.Encode()
}

// examples writes the section with code that sends the example request: as a curl command, and in JavaScript, Python,
// and Go. The tabs form a group, so the reader's choice applies to all operations.
func (r *reference) examples(b *strings.Builder, o *operation) {
	q := r.example(o)
	r.heading(b, "refExample")
	b.WriteString("::::tabs{group=api-language}\n")
	for _, l := range []struct{ label, language, text string }{
		{"curl", "sh", q.curl()}, {"JavaScript", "js", q.javaScript()}, {"Python", "python", q.python()}, {"Go", "go", q.golang()},
	} {
		fence := "```"
		for strings.Contains(l.text, fence) {
			fence += "`"
		}
		fmt.Fprintf(b, ":::tab[%s]\n%s%s\n%s\n%s\n:::\n", l.label, fence, l.language, l.text, fence)
	}
	b.WriteString("::::\n\n")
}

func (q *request) curl() string {
	lines := []string{"curl " + shell(q.url)}
	if q.method != "GET" {
		lines[0] = "curl -X " + q.method + " " + shell(q.url)
	}
	for _, h := range q.headers {
		lines = append(lines, "  -H "+shell(h.name+": "+h.value))
	}
	if q.body != "" {
		lines = append(lines, "  -d "+shell(q.body))
	}
	return strings.Join(lines, " \\\n")
}

// shell returns s as a single-quoted shell word.
func shell(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

// text returns s as a string literal that is valid in JavaScript, Python, and Go.
func text(s string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	// Encoding a string never fails.
	_ = e.Encode(s)
	return strings.TrimSpace(b.String())
}

func (q *request) javaScript() string {
	var b strings.Builder
	fmt.Fprintf(&b, "const response = await fetch(%s, {\n  method: %s,\n", text(q.url), text(q.method))
	if len(q.headers) > 0 {
		b.WriteString("  headers: {\n")
		for _, h := range q.headers {
			fmt.Fprintf(&b, "    %s: %s,\n", text(h.name), text(h.value))
		}
		b.WriteString("  },\n")
	}
	if q.body != "" {
		if json.Valid([]byte(q.body)) {
			fmt.Fprintf(&b, "  body: JSON.stringify(%s),\n", indented(q.body, "  "))
		} else {
			fmt.Fprintf(&b, "  body: %s,\n", text(q.body))
		}
	}
	b.WriteString("});\nconsole.log(response.status, await response.text());")
	return b.String()
}

func (q *request) python() string {
	var b strings.Builder
	b.WriteString("import urllib.request\n\nrequest = urllib.request.Request(\n")
	fmt.Fprintf(&b, "    %s,\n    method=%s,\n", text(q.url), text(q.method))
	if len(q.headers) > 0 {
		b.WriteString("    headers={\n")
		for _, h := range q.headers {
			fmt.Fprintf(&b, "        %s: %s,\n", text(h.name), text(h.value))
		}
		b.WriteString("    },\n")
	}
	if q.body != "" {
		fmt.Fprintf(&b, "    data=%s.encode(),\n", text(compact(q.body)))
	}
	b.WriteString(")\nwith urllib.request.urlopen(request) as response:\n    print(response.status, response.read().decode())")
	return b.String()
}

func (q *request) golang() string {
	var b strings.Builder
	body := "nil"
	if q.body != "" {
		fmt.Fprintf(&b, "body := strings.NewReader(%s)\n", text(compact(q.body)))
		body = "body"
	}
	fmt.Fprintf(&b, "request, err := http.NewRequest(%s, %s, %s)\nif err != nil {\n\tlog.Fatal(err)\n}\n", text(q.method), text(q.url), body)
	for _, h := range q.headers {
		fmt.Fprintf(&b, "request.Header.Set(%s, %s)\n", text(h.name), text(h.value))
	}
	b.WriteString("response, err := http.DefaultClient.Do(request)\nif err != nil {\n\tlog.Fatal(err)\n}\ndefer response.Body.Close()\nfmt.Println(response.Status)")
	return b.String()
}

// compact removes insignificant white space from JSON, and returns other text unchanged.
func compact(s string) string {
	var b bytes.Buffer
	if json.Compact(&b, []byte(s)) != nil {
		return s
	}
	return b.String()
}
