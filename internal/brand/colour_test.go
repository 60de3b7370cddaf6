package brand

import (
	"math"
	"testing"
)

func colour(t *testing.T, digits string) RGB {
	t.Helper()
	c, ok := Parse(digits)
	if !ok {
		t.Fatal(digits)
	}
	return c
}

// The table of light is the same on every machine: no value is so near a half that
// another last digit of math.Pow could round it otherwise.
func TestLinearIsCertain(t *testing.T) {
	for i := range linear {
		v := lightOf(i)
		if distance := math.Abs(v - math.Floor(v) - .5); distance < 1e-6 {
			t.Errorf("channel %d is %v, %v from a half", i, v, distance)
		}
	}
	if linear[0] != 0 || linear[255] != one {
		t.Errorf("black is %d, white %d", linear[0], linear[255])
	}
}

// Contrasts as other tools give them.
func TestContrast(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{
		{"000000", "ffffff", 2100}, {"ffffff", "000000", 2100}, {"777777", "ffffff", 447}, {"767676", "ffffff", 454},
		{"ff0000", "ffffff", 399}, {"0000ff", "ffffff", 859}, {"ffff00", "ffffff", 107}, {"123456", "123456", 100},
	} {
		if got := Contrast(colour(t, c.a), colour(t, c.b)); got != c.want {
			t.Errorf("%s on %s: %d, want %d", c.a, c.b, got, c.want)
		}
	}
}

// A colour survives the way to Oklab and back, but for the last digit of a channel.
func TestOklabAndBack(t *testing.T) {
	for r := 0; r < 256; r += 15 {
		for g := 0; g < 256; g += 15 {
			for b := 0; b < 256; b += 15 {
				c := RGB{uint8(r), uint8(g), uint8(b)}
				got, ok := c.oklab().rgb()
				if d := max(near(got.R, c.R), near(got.G, c.G), near(got.B, c.B)); !ok || d > 1 {
					t.Fatalf("%v became %v, in sRGB: %t", c, got, ok)
				}
			}
		}
	}
	if l := (RGB{255, 255, 255}).oklab(); l.L < one-3 || l.L > one+3 || max(l.a, -l.a, l.b, -l.b) > 60 {
		t.Errorf("white is %+v", l)
	}
}

func near(a, b uint8) int {
	d := int(a) - int(b)
	return max(d, -d)
}

// Whatever colour a site has, text can be read in both schemes: on every surface
// that a scheme may have, on the tinted one, and on the accent itself.
func TestContrastHoldsForEveryColour(t *testing.T) {
	const spread = 17
	white, black := RGB{255, 255, 255}, RGB{}
	for r := 0; r < 256; r += spread {
		for g := 0; g < 256; g += spread {
			for b := 0; b < 256; b += spread {
				c := RGB{uint8(r), uint8(g), uint8(b)}
				for scheme, look := range map[string]struct {
					Palette
					surfaces [2]RGB
				}{"light": {Light(c), [2]RGB{Darkest, white}}, "dark": {Dark(c), [2]RGB{Lightest, black}}} {
					p := look.Palette
					for what, pair := range map[string][2]RGB{
						"accent on the hardest surface": {p.Accent, look.surfaces[0]}, "strong on the hardest surface": {p.Strong, look.surfaces[0]},
						"accent on paper": {p.Accent, look.surfaces[1]}, "strong on paper": {p.Strong, look.surfaces[1]},
						"accent on soft": {p.Accent, p.Soft}, "strong on soft": {p.Strong, p.Soft},
						"ink on accent": {p.Ink, p.Accent}, "ink on strong": {p.Ink, p.Strong},
					} {
						if got := Contrast(pair[0], pair[1]); got < AA {
							t.Errorf("%s of %s in the %s scheme: %s on %s has %s", what, c, scheme, pair[0], pair[1], ratio(got))
						}
					}
					if p.Strong == p.Accent || p.Soft == p.Accent {
						t.Errorf("%s in the %s scheme: %+v", c, scheme, p)
					}
				}
				if Contrast(Light(c).Soft, black) < Contrast(Darkest, black) || Contrast(Dark(c).Soft, white) < Contrast(Lightest, white) {
					t.Errorf("%s: the tinted surfaces %s and %s are beyond the bounds of surfaces", c, Light(c).Soft, Dark(c).Soft)
				}
			}
		}
	}
}

// Tones keep the hue of the colour that they are made of, as people see it.
func TestTonesKeepTheHue(t *testing.T) {
	for _, digits := range []string{"ff0000", "ffd400", "00a000", "00c8ff", "0000ff", "c000ff", "7a3e00", "0b5e4c"} {
		c := colour(t, digits)
		for _, tone := range []RGB{Light(c).Accent, Dark(c).Accent, Light(c).Strong, Dark(c).Strong} {
			a, b := c.oklab(), tone.oklab()
			angle := math.Atan2(float64(a.b), float64(a.a)) - math.Atan2(float64(b.b), float64(b.a))
			if angle = math.Abs(math.Remainder(angle, 2*math.Pi)) * 180 / math.Pi; angle > 4 {
				t.Errorf("%s became %s, %.1f degrees away", c, tone, angle)
			}
		}
	}
}

// The palettes of some brands, as a reader sees them; a colour that has enough
// contrast stays what it is.
func TestPalettes(t *testing.T) {
	for _, c := range []struct{ accent, light, dark string }{
		{"7a3e00", "#7a3e00", ""}, {"0b5e4c", "#0b5e4c", ""}, {"7fd6bc", "", "#7fd6bc"}, {"ffd400", "", "#ffd400"},
		{"000000", "#000000", ""}, {"ffffff", "", "#ffffff"},
	} {
		light, dark := Light(colour(t, c.accent)), Dark(colour(t, c.accent))
		if c.light != "" && light.Accent.String() != c.light || c.dark != "" && dark.Accent.String() != c.dark {
			t.Errorf("%s became %s in the light scheme and %s in the dark one", c.accent, light.Accent, dark.Accent)
		}
		t.Logf("%s: %v %v", c.accent, light, dark)
	}
}
