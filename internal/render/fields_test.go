package render

import (
	"strings"
	"testing"

	"vitrine/internal/artifact"
	"vitrine/internal/render/media"
)

func fieldsText(fields []artifact.Field) string {
	var b strings.Builder
	writeFields(&b, fields)
	return b.String()
}

// Every file that a browser opens as a document has a policy that allows no script and no other host.
func TestDocumentsHaveAPolicy(t *testing.T) {
	for name, want := range map[string]bool{
		"a.xml": true, "a.svg": true, "a.XHTML": true, "a.pdf": true, "a.xsl": true,
		"a.png": false, "a.txt": false, "a.json": false, "a.css": false,
	} {
		for place, fields := range map[string]string{
			"a file": fieldsText(Asset("/assets/"+name, nil).Variants[0].Fields), "static": fieldsText(publicFields(media.Type(name), varyCoding)),
		} {
			has := strings.Contains(fields, "Content-Security-Policy: default-src 'none';")
			if has != want || strings.Contains(fields, "script-src") || strings.Contains(fields, "http") {
				t.Errorf("%s in %s has %s", name, place, fields)
			}
		}
	}
}
