package render

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"time"

	"vitrine/internal/artifact"
	"vitrine/internal/plan"
	"vitrine/internal/site"
)

// textData is what the plain-text files of a theme are executed with.
type textData struct {
	Site     *siteView
	Product  *site.Product
	Sections []linkSection
	Optional []linkLine
	LLMsFull bool

	// For robots.txt.
	Sitemap site.Ref
	Signals string
	Groups  []agentGroup

	// For security.txt.
	Canonical                  site.Ref
	Contact, Expires, Language string
}

// text executes a plain-text file of the theme. Its lines end with LF, and it
// ends with one.
func (r *Renderer) text(name string, data textData) ([]byte, error) {
	var out bytes.Buffer
	if err := r.writeText(&out, name, data); err != nil {
		return nil, err
	}
	return endedOnce(out.Bytes()), nil
}

func (r *Renderer) writeText(out io.Writer, name string, data textData) error {
	t, ok := r.theme.text[name]
	if !ok {
		return fmt.Errorf("the theme has no text/%s", name)
	}
	data.Site, data.Product = &r.siteView, &r.site.Product
	if err := t.Execute(out, data); err != nil {
		return fmt.Errorf("making %s: %w", name, err)
	}
	return nil
}

// endedOnce is a text with one LF at its end.
func endedOnce(text []byte) []byte { return append(bytes.TrimRight(text, "\n"), '\n') }

// textFile is a public file with the site's words in it, which the same
// signals go with as with its pages.
func (r *Renderer) textFile(path, contentType string, body []byte) artifact.Resource {
	return machineFile(path, contentType, body, r.signalFields()...)
}

// security renders security.txt (RFC 9116), where the site names a contact.
func (r *Renderer) security() ([]artifact.Resource, error) {
	contact := r.site.Config.Security.Contact
	if contact == "" {
		return nil, nil
	}
	body, err := r.text("security.txt", textData{
		Contact: contact, Expires: plan.SecurityExpires(r.site).UTC().Format(time.RFC3339),
		Canonical: r.url(plan.SecurityPath), Language: r.site.Config.Language,
	})
	if err != nil {
		return nil, err
	}
	return []artifact.Resource{machineFile(plan.SecurityPath, typeText, body)}, nil
}

// oneLine makes every white space a single space, and none at the ends.
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
