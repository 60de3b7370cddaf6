package brand

import (
	"fmt"

	"vitrine/internal/rule"
	"vitrine/internal/site"
)

// Palette is the set of colors that one scheme derives from the accent. The theme's stylesheet derives the same colors
// from --accent, so a designer needs to change only one property. This implementation is for uses without a stylesheet:
// the theme-color of pages, which colors the browser's frame, and warnings.
type Palette struct {
	// Paper is the page background. Surface and Soft are the colors of plain and tinted areas on the page. Text is the
	// text color on all three backgrounds.
	Paper, Surface, Soft, Text RGB
	// Link is the color of links on all three backgrounds. Fill is the background color of a button, and Over is its
	// background color while the pointer is over it. The button's text is white.
	Link, Fill, Over RGB
}

// AA is the contrast that WCAG 2 requires for text, in hundredths (success criterion 1.4.3).
const AA = 450

// Limits of lightness and chroma, and the lightness difference between Fill and Over, as in the stylesheet.
const (
	tint        = 6 * one / 1000
	linkInLight = 490 * one / 1000
	linkInDark  = 760 * one / 1000
	fillInLight = 250 * one / 1000
	fillMost    = 520 * one / 1000
	overStep    = 50 * one / 1000
)

// Light returns the palette of the light scheme.
func Light(accent RGB) Palette {
	lab := accent.oklab()
	p := Palette{
		Paper: RGB{255, 255, 255}, Surface: lab.at(980*one/1000, tint), Soft: lab.at(962*one/1000, 20*one/1000), Text: lab.at(210*one/1000, 2*tint),
		Link: lab.at(min(lab.L, linkInLight), 200*one/1000),
	}
	p.Fill, p.Over = lab.fills(fillInLight)
	return p
}

// Dark returns the palette of the dark scheme.
func Dark(accent RGB) Palette {
	lab := accent.oklab()
	p := Palette{
		Paper: lab.at(170*one/1000, tint), Soft: lab.at(260*one/1000, 45*one/1000), Text: lab.at(955*one/1000, tint),
		Link: lab.at(max(lab.L, linkInDark), 140*one/1000),
	}
	p.Surface = mix(p.Text, p.Paper, 3)
	p.Fill, p.Over = lab.fills(fillMost)
	return p
}

// fills returns the colors of buttons. fill has a lightness from least to fillMost, and over is darker by overStep.
func (c oklab) fills(least int64) (fill, over RGB) {
	light := min(max(c.L, least), fillMost)
	return c.at(light, 220*one/1000), c.at(light-overStep, 220*one/1000)
}

// mix blends c and into in Oklab. percent is the share of c.
func mix(c, into RGB, percent int64) RGB {
	a, b := c.oklab(), into.oklab()
	part := func(x, y int64) int64 { return (x*percent + y*(100-percent)) / 100 }
	return oklab{part(a.L, b.L), part(a.a, b.a), part(a.b, b.b)}.at(part(a.L, b.L), one)
}

// Maximum changes of an accent's lightness without a warning. Most accents are designed for a light background and are
// expected to be lighter in the dark scheme.
const (
	farInLight = one * 12 / 100
	farInDark  = one * 60 / 100
)

// accentProblems returns a warning for each color scheme of the site that must replace the accent color with a
// considerably different color because the contrast of the accent color is too low.
func accentProblems(theme *site.Theme, accent RGB) []site.Problem {
	var problems []site.Problem
	look := func(scheme string, p Palette, far int64) {
		moved := accent.oklab().L - p.Link.oklab().L
		if theme.Scheme != "" && theme.Scheme != "auto" && theme.Scheme != scheme || max(moved, -moved) <= far {
			return
		}
		change := "darker"
		if moved < 0 {
			change = "lighter"
		}
		problems = append(problems, site.Problem{Path: configFile, Pos: theme.AccentPos, Severity: site.Warning, Code: rule.AccentMoved,
			Text: fmt.Sprintf("theme.accent: %s has a contrast of %s on the surfaces of the %s scheme, but text needs 4.5:1, so that scheme uses %s; choose a %s color to use it unchanged",
				accent, ratio(Contrast(accent, p.Soft)), scheme, p.Link, change)})
	}
	look("light", Light(accent), farInLight)
	look("dark", Dark(accent), farInDark)
	return problems
}

// ratio formats a contrast ratio in hundredths, such as "4.5:1" for 450.
func ratio(hundredths int) string { return fmt.Sprintf("%d.%d:1", hundredths/100, hundredths/10%10) }
