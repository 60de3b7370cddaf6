package theme

import (
	"fmt"
	"image/color"
	"io/fs"
	"net/url"
	"strings"
	"unicode"

	"vitrine/internal/brand"
	"vitrine/internal/image/card"
	"vitrine/internal/render/plaintext"
	"vitrine/internal/rule"
	"vitrine/internal/site"
)

// themeColor is the accent color of the default theme's stylesheet.
var themeColor = color.RGBA{0x0b, 0x5e, 0x4c, 0xff}

// loadSocial creates the maker of the site's social images, unless the settings disable them. It returns a problem for
// the first unusable font.
func (t *Theme) loadSocial(s *site.Site) ([]site.Problem, error) {
	if s.Config.Social.NoImages {
		return nil, nil
	}
	language := s.Config.Language
	style := card.Style{Site: s.Config.Title, Host: s.Config.BaseURL, Color: t.brandColor(s), Language: language, RightToLeft: site.Direction(language) == "rtl"}
	if t.brand.Logo != nil {
		style.Logo = t.brand.Logo.Body
	}
	if u, err := url.Parse(s.Config.BaseURL); err == nil && u.Host != "" {
		style.Host = u.Host + u.Path
	}
	names, err := fs.Glob(t.files, fontsDir+"/*")
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		data, err := fs.ReadFile(t.files, name)
		if err != nil {
			return nil, err
		}
		if err := card.CheckFont(data); err != nil {
			return []site.Problem{{Path: "templates/" + name, Severity: site.Error, Code: rule.LookFile,
				Text: fmt.Sprintf("the file is not a usable TrueType or OpenType font (%v); remove it, or replace it with a .ttf, .otf, or .woff file", err)}}, nil
		}
		style.Fonts = append(style.Fonts, data)
	}
	t.social, err = card.New(style)
	return nil, err
}

// Social returns the maker of the site's social images, or nil if the settings disable them.
func (t *Theme) Social() *card.Maker { return t.social }

// brandColor returns the color of social images: social.color or, if that is unset, the accent color in the settings.
// If both are unset, it returns the default theme's accent color.
func (t *Theme) brandColor(s *site.Site) color.RGBA {
	c, ok := brand.Parse(s.Config.Social.Color)
	switch {
	case ok:
	case t.brand.Accent != nil:
		c = *t.brand.Accent
	default:
		return themeColor
	}
	return color.RGBA{c.R, c.G, c.B, 0xff}
}

// TitleProblems warns about page titles with characters that no available font contains, so that social images can't
// show the titles. It returns at most one problem, at the first page with such a title.
func (t *Theme) TitleProblems(s *site.Site) []site.Problem {
	if t.social == nil {
		return nil
	}
	var first *site.Page
	var letter rune
	count := 0
	for _, p := range s.Pages {
		if p.SharedImage().Target != "" || plaintext.IsASCII(p.Title) {
			continue
		}
		if r, lacks := t.social.Lacks(p.Title); lacks {
			if count++; first == nil {
				first, letter = p, r
			}
		}
	}
	if first == nil {
		return nil
	}
	whose := "the title"
	if count > 1 {
		whose = fmt.Sprintf("the titles of this page and %d more", count-1)
	}
	instead := "the site's name"
	if !t.social.Covers(s.Config.Title) {
		instead = "the logo"
	}
	return []site.Problem{{Path: first.Source, Severity: site.Warning, Code: rule.NoLetters,
		Text: fmt.Sprintf("no available font contains %q from %s (%s), so the social image shows %s instead; add a font with these characters to templates/%s, or set an image in the front matter",
			letter, whose, scriptOf(letter), instead, fontsDir)}}
}

// scriptOf returns the name of the Unicode script that contains letter, such as "Thai script", for a message.
func scriptOf(letter rune) string {
	for name, table := range unicode.Scripts {
		if unicode.Is(table, letter) {
			return strings.ReplaceAll(name, "_", " ") + " script"
		}
	}
	return "no script"
}
