package mathml

import (
	"strings"
	"testing"
)

// The output contains only MathML elements and attributes, in a fixed order and without styles.
func TestConvert(t *testing.T) {
	var c Converter
	for _, e := range []struct {
		tex     string
		display bool
		want    string
	}{
		{"x^2", false, "<math><semantics><mrow><msup><mi>x</mi><mn>2</mn></msup></mrow><annotation encoding=\"application/x-tex\">x^2</annotation></semantics></math>"},
		{"a<b", true, "<math display=\"block\"><semantics><mrow><mi>a</mi><mo>&lt;</mo><mi>b</mi></mrow><annotation encoding=\"application/x-tex\">a&lt;b</annotation></semantics></math>"},
	} {
		for range 2 {
			if got, err := c.Convert(e.tex, e.display); err != nil || got != e.want {
				t.Errorf("%s: got %s\n%v\nwant %s", e.tex, got, err, e.want)
			}
		}
	}
}

// Invalid TeX causes an error, with and without the cache, even if the library panics.
func TestConvertRejectsInvalidTeX(t *testing.T) {
	var c Converter
	for tex, want := range map[string]string{
		"":                                 "this math is empty",
		`\frac{1}{2 a`:                     "mismatched curly brace",
		`\nosuch{x}`:                       `unknown command \nosuch`,
		`\text{<script>alert(1)</script>}`: "< is not supported in text",
	} {
		for range 2 {
			if got, err := c.Convert(tex, false); got != "" || err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%q: got %q and the error %v, want %s", tex, got, err, want)
			}
		}
	}
}
