package decide

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"vitrine/internal/artifact"
)

// A header combines the fields of its class with its own fields, in the same order in all its
// forms.
func TestHeaderOfAClass(t *testing.T) {
	class := newHeaderClass([]artifact.Field{
		{Name: "Content-Type", Value: "text/markdown; charset=utf-8"},
		{Name: "Link", Value: "<\x00.md>; rel=\"alternate\", <https://x.example\x00>; rel=\"canonical\""},
		{Name: artifact.FieldMarkdownTokens, Value: "\x01"},
		{Name: "Vary", Value: "Accept"},
	})
	full := Header{
		ready: &class.full, path: "/für alle", argument: 120, validated: class.validated, described: true,
		coding: artifact.Gzip, hash: 0xff, length: 12345,
	}
	var notModified Header
	(&representation{class: class, header: full}).notModified(&notModified)
	const link = "Link: </f%C3%BCr%20alle.md>; rel=\"alternate\", <https://x.example/f%C3%BCr%20alle>; rel=\"canonical\""
	for _, c := range []struct {
		name   string
		header Header
		want   []string
	}{
		{"full", full, []string{
			"Content-Type: text/markdown; charset=utf-8", link, "X-Markdown-Tokens: 120", "Vary: Accept",
			`ETag: "00000000000000ff-gzip"`, "Content-Encoding: gzip", "Content-Length: 12345",
		}},
		{"not modified", notModified, []string{link, "X-Markdown-Tokens: 120", "Vary: Accept", `ETag: "00000000000000ff-gzip"`}},
		{"fixed", fixedHeader(artifact.Field{Name: "Allow", Value: "GET"}), []string{"Allow: GET"}},
		{"none", Header{}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			lines := strings.Split(strings.TrimSuffix(string(c.header.AppendLines(nil)), "\r\n"), "\r\n")
			if c.want == nil {
				lines = nil
			}
			if !slices.Equal(lines, c.want) {
				t.Errorf("lines\n%q\nwant\n%q", lines, c.want)
			}
			var fields []string
			for _, f := range c.header.Fields() {
				fields = append(fields, f.Name+": "+f.Value)
			}
			if !slices.Equal(fields, c.want) {
				t.Errorf("fields\n%q\nwant\n%q", fields, c.want)
			}
			header := make(http.Header)
			c.header.CopyTo(header)
			if len(header) != len(c.want) {
				t.Errorf("%d fields are set, want %d", len(header), len(c.want))
			}
			for _, line := range c.want {
				name, value, _ := strings.Cut(line, ": ")
				if !slices.Equal(header[name], []string{value}) {
					t.Errorf("%s is set to %q, want %q", name, header[name], value)
				}
			}
		})
	}
}

// Errors have no ETag.
func TestErrorsHaveNoETag(t *testing.T) {
	if newHeaderClass([]artifact.Field{noValidator}).validated {
		t.Error("a class with no-store is given an ETag")
	}
}
