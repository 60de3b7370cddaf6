package brand

import (
	"fmt"
	"math"
	"sort"
	"strconv"
)

// RGB is an sRGB color with eight bits per channel.
type RGB struct{ R, G, B uint8 }

// Parse parses a color of six hexadecimal digits, without a "#". ok is false for any other string.
func Parse(digits string) (c RGB, ok bool) {
	n, err := strconv.ParseUint(digits, 16, 32)
	if err != nil || len(digits) != 6 {
		return RGB{}, false
	}
	return RGB{uint8(n >> 16), uint8(n >> 8), uint8(n)}, true
}

// String returns the color in CSS notation, such as "#7a3e00".
func (c RGB) String() string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }

// one is the fixed-point representation of 1. To get the same colors on every machine, this package computes with
// integers, or with floating-point operations that have the same results on every machine.
const one = 1_000_000

// linear maps channel values to linear light, from 0 to one (IEC 61966-2-1). Floating point is safe here because a test
// proves that no unrounded value is so close to a half that the rounding could differ between machines.
var linear = func() (table [256]int64) {
	for i := range table {
		table[i] = int64(math.Round(lightOf(i)))
	}
	return table
}()

func lightOf(channel int) float64 {
	v := float64(channel) / 255
	if v <= .04045 {
		return v / 12.92 * one
	}
	return math.Pow((v+.055)/1.055, 2.4) * one
}

// luminance returns the relative luminance that WCAG 2 defines, from 0 to one.
func (c RGB) luminance() int64 {
	return (2126*linear[c.R] + 7152*linear[c.G] + 722*linear[c.B]) / 10_000
}

// Contrast returns the WCAG 2 contrast ratio of a and b in hundredths, rounded down: 450 is 4.5:1.
func Contrast(a, b RGB) int {
	light, dark := a.luminance(), b.luminance()
	if light < dark {
		light, dark = dark, light
	}
	return int((light + one/20) * 100 / (dark + one/20))
}

// oklab is a color in the Oklab color space (bottosson.github.io/posts/oklab), in fixed-point numbers whose 1.0 is the
// constant one. L is the perceived lightness, from 0.0 to 1.0. The direction of the vector (a, b) is the hue, and its
// length is the chroma.
type oklab struct{ L, a, b int64 }

// dot returns the dot product of a matrix row (x, y, z) and a vector (u, v, w). The row is in units of 1e-10.
func dot(x, y, z, u, v, w int64) int64 { return (x*u + y*v + z*w) / 10_000_000_000 }

func (c RGB) oklab() oklab {
	r, g, b := linear[c.R], linear[c.G], linear[c.B]
	l := root(dot(4122214708, 5363325363, 514459929, r, g, b))
	m := root(dot(2119034982, 6806995451, 1073969566, r, g, b))
	s := root(dot(883024619, 2817188376, 6299787005, r, g, b))
	return oklab{
		dot(2104542553, 7936177850, -40720468, l, m, s),
		dot(19779984951, -24285922050, 4505937099, l, m, s),
		dot(259040371, 7827717662, -8086757660, l, m, s),
	}
}

// root returns the cube root of a fixed-point number from 0 to one.
func root(v int64) int64 {
	cube := v * one * one
	return int64(sort.Search(one+1, func(x int) bool { n := int64(x) + 1; return n*n*n > cube }))
}

// rgb returns the color in sRGB. ok is false if the color is outside sRGB's gamut.
func (c oklab) rgb() (_ RGB, ok bool) {
	cube := func(x int64) int64 { return x * x / one * x / one }
	l := cube(c.L + dot(3963377774, 2158037573, 0, c.a, c.b, 0))
	m := cube(c.L + dot(-1055613458, -638541728, 0, c.a, c.b, 0))
	s := cube(c.L + dot(-894841775, -12914855480, 0, c.a, c.b, 0))
	ok = true
	channel := func(light int64) uint8 {
		const slack = one / 2000 // tolerates rounding errors
		if light < -slack || light > one+slack {
			ok = false
		}
		i := sort.Search(255, func(i int) bool { return linear[i]+linear[i+1] >= 2*light })
		return uint8(i)
	}
	rgb := RGB{
		channel(dot(40767416621, -33077115913, 2309699292, l, m, s)),
		channel(dot(-12684380046, 26097574011, -3413193965, l, m, s)),
		channel(dot(-41960863, -7034186147, 17076147010, l, m, s)),
	}
	return rgb, ok
}

// at returns a color with the given lightness and the hue of c. It limits the chroma to most and then reduces it
// further until sRGB can represent the color.
func (c oklab) at(lightness, most int64) RGB {
	chroma := int64(math.Sqrt(float64(c.a*c.a + c.b*c.b)))
	keep := int64(100)
	if chroma > most {
		keep = most * 100 / chroma
	}
	for {
		if rgb, ok := (oklab{lightness, c.a * keep / 100, c.b * keep / 100}).rgb(); ok || keep == 0 {
			return rgb
		}
		keep--
	}
}
