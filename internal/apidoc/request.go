package apidoc

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
)

// header is a header field of an example request.
type header struct{ name, value string }

// request is an example request, from which the examples in all programming languages are generated.
type request struct {
	method, url string
	headers     []header
	body        string
}

// securityOf returns the names of the security schemes in an operation's requirements, or in the API's requirements if
// the operation sets none, without duplicates.
func (r *reference) securityOf(o *operation) (names []string) {
	asked := r.doc.Security
	if o.Security != nil {
		asked = *o.Security
	}
	for _, requirement := range asked {
		for _, name := range slices.Sorted(maps.Keys(requirement)) {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

// scheme returns a security scheme by name, or nil if there is none.
func (r *reference) scheme(name string) *openapi3.SecurityScheme {
	if r.doc.Components == nil || r.doc.Components.SecuritySchemes[name] == nil {
		return nil
	}
	return r.doc.Components.SecuritySchemes[name].Value
}

// authentication writes the section about the credentials that a caller must send. It writes nothing if the operation
// requires no credentials.
func (r *reference) authentication(b *strings.Builder, o *operation) {
	names := r.securityOf(o)
	if len(names) == 0 {
		return
	}
	r.heading(b, "refAuth")
	for _, name := range names {
		s := r.scheme(name)
		if s == nil {
			continue
		}
		fmt.Fprintf(b, "- %s: %s", code(name), r.credentials(s))
		if text := firstSentence(s.Description); text != "" {
			b.WriteString(". " + plain(text))
		}
		b.WriteString("\n")
	}
	b.WriteString("\n")
}

// credentials returns a description of the credentials that a caller sends for a security scheme.
func (r *reference) credentials(s *openapi3.SecurityScheme) string {
	switch {
	case s.Type == "http" && strings.EqualFold(s.Scheme, "bearer"):
		return r.word("refToken", "name", code("Authorization: Bearer …"))
	case s.Type == "http":
		return r.word("refHTTP", "scheme", plain(s.Scheme))
	case s.Type == "apiKey" && s.In == "query":
		return r.word("refKeyQuery", "name", code(s.Name))
	case s.Type == "apiKey" && s.In == "cookie":
		return r.word("refKeyCookie", "name", code(s.Name))
	case s.Type == "apiKey":
		return r.word("refKeyHeader", "name", code(s.Name))
	case s.Type == "oauth2":
		return "OAuth 2.0"
	case s.Type == "openIdConnect":
		return "OpenID Connect"
	}
	return plain(s.Type)
}

// example returns an example request for an operation.
func (r *reference) example(o *operation) request {
	q := request{method: o.method}
	base := "https://api.example.com"
	if len(r.doc.Servers) > 0 {
		base = r.doc.Servers[0].URL
		for name, v := range r.doc.Servers[0].Variables {
			base = strings.ReplaceAll(base, "{"+name+"}", v.Default)
		}
		if strings.HasPrefix(base, "/") {
			base = "https://api.example.com" + base
		}
	}
	at, query := o.path, url.Values{}
	for _, p := range parametersOf(o) {
		value := url.PathEscape(asJSON(sampleParameter(p)))
		switch {
		case p.In == "path":
			if p.Example == nil && (p.Schema == nil || p.Schema.Value == nil || p.Schema.Value.Example == nil && p.Schema.Value.Default == nil) {
				value = strings.ToUpper(strings.ReplaceAll(p.Name, "-", "_"))
			}
			at = strings.ReplaceAll(at, "{"+p.Name+"}", value)
		case p.In == "query" && p.Required:
			query.Set(p.Name, asJSON(sampleParameter(p)))
		case p.In == "header" && p.Required:
			q.headers = append(q.headers, header{p.Name, asJSON(sampleParameter(p))})
		}
	}
	for _, name := range r.securityOf(o)[:min(1, len(r.securityOf(o)))] {
		switch s := r.scheme(name); {
		case s == nil:
		case s.Type == "apiKey" && s.In == "header":
			q.headers = append(q.headers, header{s.Name, "YOUR_KEY"})
		case s.Type == "apiKey" && s.In == "query":
			query.Set(s.Name, "YOUR_KEY")
		case s.Type == "http" && strings.EqualFold(s.Scheme, "basic"):
			q.headers = append(q.headers, header{"Authorization", "Basic YOUR_CREDENTIALS"})
		case s.Type != "apiKey":
			q.headers = append(q.headers, header{"Authorization", "Bearer YOUR_TOKEN"})
		}
	}
	if q.url = strings.TrimSuffix(base, "/") + at; len(query) > 0 {
		q.url += "?" + query.Encode()
	}
	if o.RequestBody != nil && o.RequestBody.Value != nil {
		for _, name := range mediaTypes(o.RequestBody.Value.Content)[:min(1, len(o.RequestBody.Value.Content))] {
			media := o.RequestBody.Value.Content[name]
			switch {
			case strings.Contains(name, "json"):
				q.body = sampleOf(media)
			case strings.Contains(name, "form-urlencoded"):
				q.body = formOf(media)
			}
			q.headers = append(q.headers, header{"Content-Type", name})
		}
	}
	return q
}

// formOf returns an example of a URL-encoded form body, without members that are objects or arrays.
func formOf(media *openapi3.MediaType) string {
	values := url.Values{}
	if object, ok := sample(media.Schema, 0).(map[string]any); ok {
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
