package render

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"time"

	"vitrine/internal/artifact"
	"vitrine/internal/plan"
	"vitrine/internal/render/view"
)

// text executes a plain-text file of the theme. Its lines end with LF, and it
// ends with one.
func (r *Renderer) text(name string, data view.TextFile) ([]byte, error) {
	var out bytes.Buffer
	if err := r.writeText(&out, name, data); err != nil {
		return nil, err
	}
	return endedOnce(out.Bytes()), nil
}

func (r *Renderer) writeText(out io.Writer, name string, data view.TextFile) error {
	t, ok := r.theme.text[name]
	if !ok {
		return fmt.Errorf("the theme has no text/%s", name)
	}
	data.Site, data.Product = &r.siteView, &r.site.Product
	if err := executeText(out, t, data); err != nil {
		return fmt.Errorf("making %s: %w", name, err)
	}
	return nil
}

// endedOnce returns text with one LF at its end.
func endedOnce(text []byte) []byte { return append(bytes.TrimRight(text, "\n"), '\n') }

// textFile returns a public file with the site's text, with the same signals as pages.
func (r *Renderer) textFile(path, contentType string, body []byte) artifact.Resource {
	return machineFile(path, contentType, body, r.signalFields()...)
}

// security renders security.txt (RFC 9116) if the site sets a contact.
func (r *Renderer) security() ([]artifact.Resource, error) {
	contact := r.site.Config.Security.Contact
	if contact == "" {
		return nil, nil
	}
	body, err := r.text("security.txt", view.TextFile{
		Contact: contact, Expires: plan.SecurityExpires(r.site).UTC().Format(time.RFC3339),
		Canonical: r.url(plan.SecurityPath), Language: r.site.Config.Language,
	})
	if err != nil {
		return nil, err
	}
	return []artifact.Resource{machineFile(plan.SecurityPath, typeText, body)}, nil
}

// oneLine replaces each run of white space with a single space and removes it at the ends.
func oneLine(s string) string {
	if isASCII(s) && !strings.ContainsAny(s, "\t\n\v\f\r") && !strings.Contains(s, "  ") && s == strings.TrimSpace(s) {
		return s
	}
	return strings.Join(strings.Fields(s), " ")
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}
