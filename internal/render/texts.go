package render

import (
	"bytes"
	"io"
	"time"

	"vitrine/internal/artifact"
	"vitrine/internal/plan"
	"vitrine/internal/render/media"
	"vitrine/internal/render/view"
)

// text executes the file called name in the theme's text folder. The result ends with exactly one LF.
func (r *Renderer) text(name string, data view.TextFile) ([]byte, error) {
	var out bytes.Buffer
	if err := r.writeText(&out, name, data); err != nil {
		return nil, err
	}
	return endedOnce(out.Bytes()), nil
}

func (r *Renderer) writeText(out io.Writer, name string, data view.TextFile) error {
	data.Site, data.Product = &r.siteView, &r.site.Product
	return r.theme.WriteText(out, name, data)
}

// endedOnce returns text with exactly one LF at its end.
func endedOnce(text []byte) []byte { return append(bytes.TrimRight(text, "\n"), '\n') }

// textFile returns a public file with text from the site. The file has the same Content-Signal field as pages.
func (r *Renderer) textFile(path, contentType string, body []byte) artifact.Resource {
	return machineFile(path, contentType, body, r.signalFields()...)
}

// security renders security.txt (RFC 9116), or returns nil if the site sets no contact.
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
	return []artifact.Resource{machineFile(plan.SecurityPath, media.Text, body)}, nil
}
