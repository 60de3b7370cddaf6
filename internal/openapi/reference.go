package openapi

import (
	"slices"
	"strconv"
	"strings"

	"vitrine/internal/site"
)

// Reference is the reference of the JSON API, made from the same data as its OpenAPI document.
type Reference struct {
	Operations []Operation // the operations: HTTP methods at paths
	Parameters []Field     // the request header fields that operations read
	Headers    []Field     // the header fields of responses
	Responses  []Response  // all responses, by status
	Schemas    []Schema    // the types of the responses' bodies
	// Foreign reports whether the current page is in a language other than English, the language of the reference's
	// text.
	Foreign bool
}

// Operation is an HTTP method at a path.
type Operation struct {
	Method      string // the HTTP method, such as `GET`
	Path        string // the path
	ID          string // the operation's ID in OpenAPI
	Summary     string // a short summary
	Description string // a longer description
	// Deprecated reports whether the path will be retired.
	Deprecated bool
	Parameters []string // the names of the request header fields that the operation reads
	Statuses   []string // the statuses with which the operation can respond
}

// Field is a header field of a request or a response.
type Field struct {
	Name        string // the header field's name
	Type        string // the type of the value
	Description string // the header field's meaning
	Example     string // an example value, or empty
	// Required reports whether the header field is always present.
	Required bool
	// Statuses are the statuses of the responses that contain the header field.
	Statuses []string
}

// Response is a response, identified by its status and meaning.
type Response struct {
	Status      string // the status, such as `200`
	Description string // the response's meaning
	MediaType   string // the media type of the body
	// Schema is the name of the body's schema, or empty if there is no body.
	Schema string
}

// Schema is the schema of a JSON object.
type Schema struct {
	Name        string   // the schema's name
	Description string   // the schema's meaning
	Members     []Member // the members of the object
}

// Member is a member of a JSON object.
type Member struct {
	Name        string // the member's name
	Type        string // the member's type
	Of          string // the name of the schema to which the type refers, or empty for a plain type
	Description string // the member's meaning
	Required    bool   // whether the member is always present
}

// NewReference returns the reference for the OpenAPI document of a site.
func NewReference(s *site.Site) *Reference {
	r := new(Reference)
	fields := headers(s)
	names := make(map[string]string, len(fields))
	places := make(map[string]int)
	for _, h := range fields {
		names[h.component] = h.field
		if _, listed := places[h.field]; !listed {
			places[h.field] = len(r.Headers)
			f := Field{Name: h.field, Description: plain(h.description), Required: h.always}
			f.Type, _ = kindOf(h.schema)
			f.Example = plain(h.example)
			r.Headers = append(r.Headers, f)
		}
	}
	for _, p := range parameterComponents("") {
		of := p.value.(object)
		f := Field{Name: p.name, Description: plain(of.get("description"))}
		f.Type, _ = kindOf(of.get("schema").(object))
		r.Parameters = append(r.Parameters, f)
	}
	statuses := make(map[string]string)
	for _, p := range paths() {
		for _, m := range p.item(s.Config.Retirement != nil) {
			r.Operations = append(r.Operations, operation(p, m, statuses))
		}
	}
	for _, a := range responses(s.Product.JSON, s.Product.JSON, s.Config.BaseURL) {
		answer := Response{Status: statuses[a.component], Description: plain(a.description), MediaType: a.mediaType, Schema: a.schema}
		for _, name := range a.headers {
			f := &r.Headers[places[names[name]]]
			if !slices.Contains(f.Statuses, answer.Status) {
				f.Statuses = append(f.Statuses, answer.Status)
			}
		}
		r.Responses = append(r.Responses, answer)
	}
	for _, sc := range schemas() {
		shown := Schema{Name: sc.name, Description: plain(sc.description)}
		for _, p := range sc.properties {
			m := Member{Name: p.name, Required: p.required, Description: plain(p.value.get("description"))}
			m.Type, m.Of = kindOf(p.value)
			shown.Members = append(shown.Members, m)
		}
		r.Schemas = append(r.Schemas, shown)
	}
	return r
}

// operation describes method m of the path item for p. It records the status of each response in statuses, keyed by the
// name of the response's component.
func operation(p path, m member, statuses map[string]string) Operation {
	of := m.value.(object)
	o := Operation{
		Method: strings.ToUpper(m.name), Path: p.path, ID: plain(of.get("operationId")),
		Summary: plain(of.get("summary")), Description: plain(of.get("description")),
	}
	o.Deprecated, _ = of.get("deprecated").(bool)
	if parameters, ok := of.get("parameters").(array); ok {
		for _, at := range parameters {
			o.Parameters = append(o.Parameters, lastName(at.(object)))
		}
	}
	for _, answer := range of.get("responses").(object) {
		o.Statuses = append(o.Statuses, answer.name)
		statuses[lastName(answer.value.(object))] = answer.name
	}
	return o
}

// get returns the value of the member called name, or nil if there is none.
func (o object) get(name string) any {
	for _, m := range o {
		if m.name == name {
			return m.value
		}
	}
	return nil
}

// lastName returns the name of the component that a reference object points to, or "" for other objects.
func lastName(of object) string {
	to := plain(of.get("$ref"))
	return to[strings.LastIndexByte(to, '/')+1:]
}

// kindOf returns a description, in words, of the values that schema allows. of is the name of the schema that schema or
// its items reference, or "".
func kindOf(schema object) (words, of string) {
	if of = lastName(schema); of != "" {
		return "object", of
	}
	words = plain(schema.get("type"))
	if format := plain(schema.get("format")); format != "" {
		words += " (" + format + ")"
	}
	if items, ok := schema.get("items").(object); ok {
		inner, name := kindOf(items)
		return words + " of " + inner, name
	}
	if others, ok := schema.get("additionalProperties").(object); ok {
		inner, _ := kindOf(others)
		words += " of " + inner
	}
	return words, ""
}

// plain returns value as text: a string without its backticks, an int in decimal, or "" for any other type.
func plain(value any) string {
	switch value := value.(type) {
	case string:
		return strings.ReplaceAll(value, "`", "")
	case int:
		return strconv.Itoa(value)
	}
	return ""
}
