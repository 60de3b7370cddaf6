package apidoc

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
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
	r.lists = 0
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n%s %s\n\n", plain(o.title()), code(o.method), code(o.path))
	if o.deprecated {
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

// parameters writes a section for each location of parameters: the path, the query, the header, and cookies.
func (r *reference) parameters(b *strings.Builder, o *operation) {
	for _, place := range []struct{ in, word string }{
		{"path", "refPath"}, {"query", "refQuery"}, {"header", "apiParameters"}, {"cookie", "refCookie"},
	} {
		begun := false
		for _, p := range o.parameters {
			if p.in != place.in {
				continue
			}
			if !begun {
				begun = true
				r.heading(b, place.word)
			}
			r.writeField(b, field{name: p.name, schema: p.schema, required: p.required, deprecated: p.deprecated, about: p.description}, "", 0)
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
	if o.body == nil {
		return
	}
	r.heading(b, "refBody")
	if o.body.description != "" {
		b.WriteString(prose(o.body.description) + "\n\n")
	}
	r.content(b, o.body.content, "")
}

// content writes the schema of each media type of a body. For a media type that references the same schema as the first
// media type, content writes only a note. none is the text for a body without media types.
func (r *reference) content(b *strings.Builder, content []mediaType, none string) {
	if len(content) == 0 && none != "" {
		b.WriteString(none + "\n\n")
	}
	for i, media := range content {
		if i > 0 && media.schema != nil && media.schema == content[0].schema {
			b.WriteString(r.word("refSame", "type", code(media.name)) + "\n\n")
			continue
		}
		fmt.Fprintf(b, "%s\n\n", code(media.name))
		r.writeSchema(b, media.schema)
	}
}

// responses writes each response in a collapsible section. Only the section of the first 2xx response is open.
func (r *reference) responses(b *strings.Builder, o *operation) {
	if len(o.responses) == 0 {
		return
	}
	r.heading(b, "apiResponses")
	open := true
	for _, one := range o.responses {
		status, about := one.status, firstSentence(one.description)
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
		r.content(b, one.content, r.word("refNoBody"))
		r.responseExample(b, one.content)
		b.WriteString("::::\n\n")
	}
}

// responseExample writes an example of a response body, or nothing if the body can't be JSON.
func (r *reference) responseExample(b *strings.Builder, content []mediaType) {
	for _, media := range content {
		if !strings.Contains(media.name, "json") {
			continue
		}
		if text := sampleOf(media); text != "" {
			fmt.Fprintf(b, "```json title=\"%s\"\n%s\n```\n", r.word("refSample"), text)
		}
		return
	}
}
