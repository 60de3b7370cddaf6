package render

import (
	"io/fs"
	"regexp"
	"testing"

	"vitrine/internal/brand"
	"vitrine/templates"
)

// The surfaces of the theme's stylesheet are within the bounds that accents have
// enough contrast for: one beyond them would make links on it hard to read.
func TestSurfacesAreWithinBounds(t *testing.T) {
	css, err := fs.ReadFile(templates.FS, "assets/style.css")
	if err != nil {
		t.Fatal(err)
	}
	surfaces := regexp.MustCompile(`--(paper|case|surface|raised|glass|code):\s*#([0-9a-f]{3,6})\s*;`).FindAllStringSubmatch(string(css), -1)
	black, white, papers := brand.RGB{}, brand.RGB{R: 255, G: 255, B: 255}, 0
	for _, s := range surfaces {
		digits := s[2]
		if len(digits) == 3 {
			digits = string([]byte{digits[0], digits[0], digits[1], digits[1], digits[2], digits[2]})
		}
		c, ok := brand.Parse(digits)
		light := brand.Contrast(c, black) >= brand.Contrast(brand.Darkest, black)
		dark := brand.Contrast(c, white) >= brand.Contrast(brand.Lightest, white)
		if !ok || !light && !dark {
			t.Errorf("--%s: %s is darker than %s and lighter than %s", s[1], c, brand.Darkest, brand.Lightest)
		}
		if s[1] == "paper" {
			papers++
		}
	}
	if papers < 2 {
		t.Errorf("the stylesheet names the paper of %d schemes, and two are looked for", papers)
	}
}
