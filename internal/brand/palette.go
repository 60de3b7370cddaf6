package brand

import (
	"fmt"

	"vitrine/internal/rule"
	"vitrine/internal/site"
)

// Palette is what one scheme makes of the accent.
type Palette struct {
	// Accent is for links and buttons on every surface of the scheme, Strong for the
	// same under the pointer, Ink for text on either, and Soft is a tinted surface.
	Accent, Strong, Ink, Soft RGB
}

// AA is the contrast that WCAG 2 asks of text, in hundredths (success criterion 1.4.3).
const AA = 450

// Darkest is the darkest that a surface of the light scheme may be, and Lightest the
// lightest of the dark one, so that accents have enough contrast on every surface,
// whichever a theme's stylesheet has.
var (
	Darkest  = RGB{0xe4, 0xe4, 0xe4}
	Lightest = RGB{0x26, 0x26, 0x26}
)

// step is how far a lightness is moved at a time until the contrast is enough.
const step = one / 250

// all is more chroma than any colour has.
const all = one

// Light is the palette of the light scheme.
func Light(accent RGB) Palette {
	lab := accent.oklab()
	p := Palette{Accent: accent, Ink: RGB{255, 255, 255}, Soft: lab.at(one*945/1000, one*3/100)}
	light := lab.L
	for Contrast(p.Accent, Darkest) < AA {
		light = max(0, light-step)
		p.Accent = lab.at(light, all)
	}
	strong := light - one/10
	if light < one/5 {
		// There is nothing darker that one could tell from it.
		strong = light + one/4
	}
	p.Strong = lab.at(strong, all)
	return p
}

// Dark is the palette of the dark scheme.
func Dark(accent RGB) Palette {
	lab := accent.oklab()
	p := Palette{Accent: accent, Ink: lab.at(one/5, one*3/100), Soft: lab.at(one/4, one*4/100)}
	light := lab.L
	for Contrast(p.Accent, Lightest) < AA {
		light = min(one, light+step)
		p.Accent = lab.at(light, all)
	}
	strong := light + one*9/100
	if light > one*92/100 {
		strong = light - one*9/100
	}
	p.Strong = lab.at(strong, all)
	return p
}

// How far an accent's lightness may be moved before that is warned of. Most accents
// are made for paper, and it is no news that they are lighter in the dark.
const (
	farInLight = one * 12 / 100
	farInDark  = one * 45 / 100
)

// accentProblems warn where a reader of the site will not see the colour that was asked for.
func accentProblems(theme *site.Theme, accent RGB, light, dark Palette) []site.Problem {
	var problems []site.Problem
	look := func(scheme string, used, surface RGB, far int64) {
		moved := accent.oklab().L - used.oklab().L
		if theme.Scheme != "" && theme.Scheme != "auto" && theme.Scheme != scheme || max(moved, -moved) <= far {
			return
		}
		change := "darker"
		if moved < 0 {
			change = "lighter"
		}
		problems = append(problems, site.Problem{Path: configFile, Pos: theme.AccentPos, Severity: site.Warning, Code: rule.AccentMoved,
			Text: fmt.Sprintf("theme.accent: %s has a contrast of %s on the surfaces of the %s scheme, and text needs 4.5:1, so pages use %s there; choose a %s color to use it unchanged",
				accent, ratio(Contrast(accent, surface)), scheme, used, change)})
	}
	look("light", light.Accent, Darkest, farInLight)
	look("dark", dark.Accent, Lightest, farInDark)
	return problems
}

// ratio writes a contrast.
func ratio(hundredths int) string { return fmt.Sprintf("%d.%d:1", hundredths/100, hundredths/10%10) }
