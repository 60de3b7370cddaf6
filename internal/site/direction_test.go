package site

import "testing"

// The script in a tag takes precedence over the language's usual script.
func TestDirection(t *testing.T) {
	for tag, want := range map[string]string{
		"en": "ltr", "de-CH": "ltr", "ja": "ltr", "zh-Hant": "ltr", "hi": "ltr", "": "ltr", "no such tag": "ltr",
		"ar": "rtl", "ar-EG": "rtl", "he": "rtl", "iw": "rtl", "fa": "rtl", "ur": "rtl", "ps": "rtl", "ug": "rtl", "yi": "rtl",
		"ckb": "rtl", "dv": "rtl", "syr": "rtl", "nqo": "rtl", "ff-Adlm": "rtl", "ff": "ltr", "ur-Latn": "ltr", "az-Arab": "rtl",
		"pa": "ltr", "pa-Arab": "rtl", "pa-PK": "rtl", "ks-Deva": "ltr", "ar-Latn": "ltr", "und-Hebr": "rtl",
	} {
		if got := Direction(tag); got != want {
			t.Errorf("%q is %s, want %s", tag, got, want)
		}
	}
}
