package brand

import (
	"math"
	"testing"
)

func color(t *testing.T, digits string) RGB {
	t.Helper()
	c, ok := Parse(digits)
	if !ok {
		t.Fatal(digits)
	}
	return c
}

// The table linear is the same on every machine: no value is so close to a half that a different last digit of math.Pow
// could change the rounding.
func TestLinearIsCertain(t *testing.T) {
	for i := range linear {
		v := lightOf(i)
		if distance := math.Abs(v - math.Floor(v) - .5); distance < 1e-6 {
			t.Errorf("channel %d is %v, only %v from a half", i, v, distance)
		}
	}
	if linear[0] != 0 || linear[255] != one {
		t.Errorf("black is %d, white %d", linear[0], linear[255])
	}
}

// The contrasts match the results of other tools.
func TestContrast(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{
		{"000000", "ffffff", 2100}, {"ffffff", "000000", 2100}, {"777777", "ffffff", 447}, {"767676", "ffffff", 454},
		{"ff0000", "ffffff", 399}, {"0000ff", "ffffff", 859}, {"ffff00", "ffffff", 107}, {"123456", "123456", 100},
	} {
		if got := Contrast(color(t, c.a), color(t, c.b)); got != c.want {
			t.Errorf("%s on %s: %d, want %d", c.a, c.b, got, c.want)
		}
	}
}

// Converting a color to Oklab and back changes each channel by at most 1.
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

// For every accent, links and text on every surface of both schemes, and white text on buttons, have enough contrast.
func TestContrastHoldsForEveryAccent(t *testing.T) {
	const spread = 17
	white := RGB{255, 255, 255}
	for r := 0; r < 256; r += spread {
		for g := 0; g < 256; g += spread {
			for b := 0; b < 256; b += spread {
				c := RGB{uint8(r), uint8(g), uint8(b)}
				for scheme, p := range map[string]Palette{"light": Light(c), "dark": Dark(c)} {
					for what, pair := range map[string][2]RGB{
						"link on paper": {p.Link, p.Paper}, "link on surface": {p.Link, p.Surface}, "link on soft": {p.Link, p.Soft},
						"text on paper": {p.Text, p.Paper}, "text on surface": {p.Text, p.Surface}, "text on soft": {p.Text, p.Soft},
						"muted text on paper": {mix(p.Text, p.Paper, 70), p.Paper}, "muted text on soft": {mix(p.Text, p.Paper, 70), p.Soft},
						"white on fill": {white, p.Fill}, "white on over": {white, p.Over},
					} {
						if got := Contrast(pair[0], pair[1]); got < AA {
							t.Errorf("%s of %s in the %s scheme: %s on %s has %s", what, c, scheme, pair[0], pair[1], ratio(got))
						}
					}
					if got := Contrast(mix(p.Text, p.Paper, 48), p.Paper); got < 300 {
						t.Errorf("edges of fields of %s in the %s scheme have %s, and WCAG 1.4.11 requires 3:1", c, scheme, ratio(got))
					}
					if got := Contrast(p.Fill, p.Paper); got < 300 {
						t.Errorf("buttons of %s in the %s scheme have %s against the page, and WCAG 1.4.11 requires 3:1", c, scheme, ratio(got))
					}
					if p.Over == p.Fill || p.Soft == p.Paper {
						t.Errorf("%s in the %s scheme: %+v", c, scheme, p)
					}
				}
			}
		}
	}
}

// Tones keep the perceived hue of the accent.
func TestTonesKeepTheHue(t *testing.T) {
	for _, digits := range []string{"ff0000", "ffd400", "00a000", "00c8ff", "0000ff", "c000ff", "7a3e00", "0b5e4c"} {
		c := color(t, digits)
		for _, tone := range []RGB{Light(c).Link, Dark(c).Link, Light(c).Fill, Dark(c).Over} {
			a, b := c.oklab(), tone.oklab()
			angle := math.Atan2(float64(a.b), float64(a.a)) - math.Atan2(float64(b.b), float64(b.a))
			if angle = math.Abs(math.Remainder(angle, 2*math.Pi)) * 180 / math.Pi; angle > 4 {
				t.Errorf("%s became %s, %.1f degrees away", c, tone, angle)
			}
		}
	}
}

// An accent with enough contrast is unchanged in the palette.
func TestPalettes(t *testing.T) {
	for _, c := range []struct{ accent, light, dark string }{
		{"7a3e00", "#7a3e00", ""}, {"0b5e4c", "#0b5e4c", ""}, {"7fd6bc", "", "#7fd6bc"}, {"ffd400", "", "#f6d662"},
		{"000000", "#000000", ""}, {"ffffff", "", "#ffffff"},
	} {
		light, dark := Light(color(t, c.accent)), Dark(color(t, c.accent))
		if c.light != "" && light.Link.String() != c.light || c.dark != "" && dark.Link.String() != c.dark {
			t.Errorf("%s became %s in the light scheme and %s in the dark one", c.accent, light.Link, dark.Link)
		}
		t.Logf("%s: %v %v", c.accent, light, dark)
	}
}
