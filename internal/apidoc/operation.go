package apidoc

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
)

// tagText returns the Markdown of a tag's page: the tag's description, links to its operations, and a link to the
// OpenAPI file if the file is published.
func (r *reference) tagText(t *tag) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n", plain(t.title))
	if t.description != "" {
		b.WriteString(prose(t.description) + "\n\n")
	}
	fmt.Fprintf(&b, "| %s | |\n| --- | --- |\n", plain(r.word("apiOperations")))
	for _, o := range t.operations {
		fmt.Fprintf(&b, "| [%s](%s) | %s |\n", plain(o.title()), o.at, code(o.method+" "+o.path))
	}
	if r.file.Path != "" {
		fmt.Fprintf(&b, "\n[%s](%s)\n", plain(r.word("openAPI")), r.file.Path)
	}
	return b.String()
}

// operationText returns the Markdown of an operation's page.
func (r *reference) operationText(o *operation) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n%s %s\n\n", plain(o.title()), code(o.method), code(o.path))
	if o.Deprecated {
		fmt.Fprintf(&b, ":::warning\n%s\n:::\n\n", plain(r.word("refDeprecated")))
	}
	if text := o.rest(); text != "" {
		b.WriteString(prose(text) + "\n\n")
	}
	r.authentication(&b, o)
	r.parameters(&b, o)
	r.requestBody(&b, o)
	r.examples(&b, o)
	r.responses(&b, o)
	return b.String()
}

// parametersOf returns the parameters of an operation and of its path. A parameter of the operation overrides the
// path's parameter with the same name and location.
func parametersOf(o *operation) (list []*openapi3.Parameter) {
	for _, refs := range []openapi3.Parameters{o.Parameters, o.item.Parameters} {
		for _, ref := range refs {
			p := ref.Value
			if p != nil && !slices.ContainsFunc(list, func(other *openapi3.Parameter) bool { return other.Name == p.Name && other.In == p.In }) {
				list = append(list, p)
			}
		}
	}
	return list
}

// parameters writes a section for each location of parameters: the path, the query, the header, and cookies.
func (r *reference) parameters(b *strings.Builder, o *operation) {
	all := parametersOf(o)
	for _, place := range []struct{ in, word string }{
		{"path", "refPath"}, {"query", "refQuery"}, {"header", "apiParameters"}, {"cookie", "refCookie"},
	} {
		begun := false
		for _, p := range all {
			if p.In != place.in {
				continue
			}
			if !begun {
				begun = true
				r.heading(b, place.word)
			}
			schema := p.Schema
			if schema == nil {
				for _, name := range mediaTypes(p.Content) {
					schema = p.Content[name].Schema
					break
				}
			}
			r.writeField(b, field{name: p.Name, schema: schema, required: p.Required, deprecated: p.Deprecated, about: p.Description}, "", 0)
		}
		if begun {
			b.WriteString("\n")
		}
	}
}

// heading writes a level 2 heading with the theme's string for the key word.
func (r *reference) heading(b *strings.Builder, word string) {
	fmt.Fprintf(b, "## %s\n\n", plain(r.word(word)))
}

// requestBody writes the section about the request body, or nothing if the operation has no body.
func (r *reference) requestBody(b *strings.Builder, o *operation) {
	if o.RequestBody == nil || o.RequestBody.Value == nil {
		return
	}
	body := o.RequestBody.Value
	r.heading(b, "refBody")
	if body.Description != "" {
		b.WriteString(prose(body.Description) + "\n\n")
	}
	r.content(b, body.Content, "")
}

// content writes the schema of each media type of a body. For a media type that references the same schema as the first
// media type, content writes only a note. none is the text for a body without media types.
func (r *reference) content(b *strings.Builder, content openapi3.Content, none string) {
	names := mediaTypes(content)
	if len(names) == 0 && none != "" {
		b.WriteString(none + "\n\n")
	}
	for i, name := range names {
		media := content[name]
		if i > 0 && media.Schema != nil && content[names[0]].Schema != nil && media.Schema.Ref != "" && media.Schema.Ref == content[names[0]].Schema.Ref {
			b.WriteString(r.word("refSame", "type", code(name)) + "\n\n")
			continue
		}
		fmt.Fprintf(b, "%s\n\n", code(name))
		r.writeSchema(b, media.Schema)
	}
}

// responses writes each response in a collapsible section. Only the section of the first 2xx response is open.
func (r *reference) responses(b *strings.Builder, o *operation) {
	if o.Responses == nil || o.Responses.Len() == 0 {
		return
	}
	r.heading(b, "apiResponses")
	open := true
	for _, status := range statuses(o.Responses) {
		ref := o.Responses.Value(status)
		if ref == nil || ref.Value == nil {
			continue
		}
		about := ""
		if ref.Value.Description != nil {
			about = firstSentence(*ref.Value.Description)
		}
		label := code(status)
		if n, err := strconv.Atoi(status); about == "" && err == nil {
			about = http.StatusText(n)
		}
		if about != "" {
			label += " " + plain(strings.ReplaceAll(about, "]", ")"))
		}
		attributes := "#status-" + strings.ToLower(status)
		if open && strings.HasPrefix(status, "2") {
			attributes, open = attributes+" open", false
		}
		fmt.Fprintf(b, "::::details[%s]{%s}\n", label, attributes)
		r.content(b, ref.Value.Content, r.word("refNoBody"))
		r.responseExample(b, ref.Value.Content)
		b.WriteString("::::\n\n")
	}
}

// responseExample writes an example of a response body, or nothing if the body can't be JSON.
func (r *reference) responseExample(b *strings.Builder, content openapi3.Content) {
	for _, name := range mediaTypes(content) {
		if !strings.Contains(name, "json") {
			continue
		}
		if text := sampleOf(content[name]); text != "" {
			fmt.Fprintf(b, "```json title=\"%s\"\n%s\n```\n", r.word("refSample"), text)
		}
		return
	}
}

// statuses returns the statuses of responses in ascending order, with "default" last.
func statuses(responses *openapi3.Responses) []string {
	var names []string
	for name := range responses.Map() {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int {
		if (a == "default") != (b == "default") {
			if a == "default" {
				return 1
			}
			return -1
		}
		return strings.Compare(a, b)
	})
	return names
}

// mediaTypes returns the media types of a body, with JSON first.
func mediaTypes(content openapi3.Content) []string {
	var names []string
	for name, media := range content {
		if media != nil {
			names = append(names, name)
		}
	}
	slices.SortFunc(names, func(a, b string) int {
		if x, y := a == "application/json", b == "application/json"; x != y {
			if x {
				return -1
			}
			return 1
		}
		return strings.Compare(a, b)
	})
	return names
}
