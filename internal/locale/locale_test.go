package locale_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"vitrine/internal/locale"
)

var update = flag.Bool("update", false, "rewrite the price formats")

// A locale has the name, dates, counts, and plural forms of its language. Dates follow CLDR 48. A language that CLDR
// doesn't know has ISO dates, and a language in an unknown region has the formats of its parent.
func TestLocales(t *testing.T) {
	for _, c := range []struct {
		tag, date, number, plurals, name string
	}{
		{"en", "1 May 2026", "1,234,567", "one other", "English"},
		{"en-US", "May 1, 2026", "1,234,567", "one other", "American English"},
		{"en-GB", "1 May 2026", "1,234,567", "one other", "British English"},
		{"en-IN", "1 May 2026", "12,34,567", "one other", "English"},
		{"de", "1. Mai 2026", "1.234.567", "one other", "Deutsch"},
		{"de-CH", "1. Mai 2026", "1’234’567", "one other", "Schweizer Hochdeutsch"},
		{"de-AT", "1. Mai 2026", "1_234_567", "one other", "Österreichisches Deutsch"},
		{"fr", "1 mai 2026", "1_234_567", "one other", "français"},
		{"fr-CH", "1 mai 2026", "1_234_567", "one other", "français suisse"},
		{"es", "1 de mayo de 2026", "1.234.567", "one other", "español"},
		{"it", "1 maggio 2026", "1.234.567", "one other", "italiano"},
		{"pt", "1 de maio de 2026", "1.234.567", "one other", "português"},
		{"pt-BR", "1 de maio de 2026", "1.234.567", "one other", "português"},
		{"pt-PT", "1 de maio de 2026", "1_234_567", "one other", "português europeu"},
		{"nl", "1 mei 2026", "1.234.567", "one other", "Nederlands"},
		{"pl", "1 maja 2026", "1_234_567", "one few many", "polski"},
		{"ja", "2026年5月1日", "1,234,567", "other", "日本語"},
		{"zh", "2026年5月1日", "1,234,567", "other", "中文"},
		{"zh-Hant", "2026年5月1日", "1,234,567", "other", "繁體中文"},
		{"zh-TW", "2026年5月1日", "1,234,567", "other", "繁體中文"},
		{"ko", "2026년 5월 1일", "1,234,567", "other", "한국어"},
		{"ar", "1 مايو 2026", "1,234,567", "zero one two few many other", "العربية"},
		{"ar-EG", "1 مايو 2026", "1,234,567", "zero one two few many other", "العربية"},
		{"he", "1 במאי 2026", "1,234,567", "one two many other", "עברית"},
		{"fa", "۱ مهٔ ۲۰۲۶", "۱٬۲۳۴٬۵۶۷", "one other", "فارسی"},
		{"ur", "1 مئی، 2026", "1,234,567", "one other", "اردو"},
		{"th", "1 พฤษภาคม 2026", "1,234,567", "other", "ไทย"},
		{"sr-Latn", "1. maj 2026.", "1.234.567", "one few other", "srpski"},
		{"az-Arab", "2026-05-01", "1,234,567", "other", "az-Arab"},
		{"tlh", "2026-05-01", "1,234,567", "other", "Klingon"},
		{"en-x-ours", "1 May 2026", "1,234,567", "one other", "English"},
	} {
		l := locale.New(c.tag)
		got := []string{
			l.Date(time.Date(2026, 5, 1, 23, 0, 0, 0, time.UTC)), strings.ReplaceAll(l.Number(1234567), "\u00a0", "_"),
			strings.Join(l.Plurals(), " "), l.Name(),
		}
		if want := []string{c.date, c.number, c.plurals, c.name}; !slices.Equal(got, want) {
			t.Errorf("%s: %q; want %q", c.tag, got, want)
		}
	}
}

// Plural returns CLDR's forms. Polish and Arabic have more forms than English.
func TestPlural(t *testing.T) {
	for tag, want := range map[string]string{
		"en": "other one other other other other other other other other",
		"pl": "many one few few many many many few many many",
		"ar": "zero one two few many many many many many other",
		"ja": "other other other other other other other other other other",
	} {
		var got []string
		for _, n := range []int64{0, 1, 2, 3, 11, 12, 21, 24, 25, 100} {
			got = append(got, locale.New(tag).Plural(n))
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %s, want %s", tag, got, want)
		}
	}
	for tag, want := range map[string]string{"en": "other", "pl": "many", "ar": "other", "fr": "other"} {
		for _, n := range []int64{10_000_001, -10_000_001, 123_000_000_001} {
			if got := locale.New(tag).Plural(n); got != want {
				t.Errorf("%s: %d is %s, want %s", tag, n, got, want)
			}
		}
	}
}

func TestFamily(t *testing.T) {
	for tag, want := range map[string]string{
		"pt-BR": "pt-BR pt", "pt-AO": "pt-AO pt-PT pt", "es-MX": "es-MX es-419 es", "zh-TW": "zh-TW zh-Hant", "sr-Latn-RS": "sr-Latn-RS sr-Latn", "iw": "he",
		"zh-Hans-CN": "zh-Hans-CN zh", "de": "de",
	} {
		if got := strings.Join(locale.Family(tag), " "); got != want {
			t.Errorf("%s: %s, want %s", tag, got, want)
		}
	}
}

// An amount is formatted for the language, with the decimals of its currency (see Shown).
func TestMoney(t *testing.T) {
	table, err := os.ReadFile("testdata/money.tsv")
	if err != nil {
		t.Fatal(err)
	}
	forms := make(map[string]locale.Forms)
	for line := range strings.Lines(strings.ReplaceAll(string(table), "_", "\u00a0")) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		c := strings.Split(strings.TrimSuffix(line, "\n"), "\t") // language, currency, amount, expected output
		l := locale.New(c[0])
		if got, err := l.Money(c[1]).Format(c[2]); err != nil || got != c[3] {
			t.Errorf("%s %s in %s: %q, %v; want %q", c[2], c[1], c[0], got, err, c[3])
		}
		forms[c[0]+" "+c[1]] = l.Forms(c[1])
	}
	if _, err := locale.New("en").Money("EUR").Format("much"); err == nil {
		t.Error("Format accepted an amount that is not a number")
	}
	// The tests of the command-line tool use this file.
	text := []byte("{")
	for _, key := range slices.Sorted(maps.Keys(forms)) {
		line, err := json.Marshal(forms[key])
		if err != nil {
			t.Fatal(err)
		}
		text = fmt.Appendf(text, "\n%q: %s,", key, line)
	}
	text = append(bytes.TrimSuffix(text, []byte(",")), "\n}\n"...)
	if *update {
		if err := os.WriteFile("testdata/forms.json", text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if want, err := os.ReadFile("testdata/forms.json"); err != nil || string(want) != string(text) {
		t.Errorf("testdata/forms.json is out of date, %v; run the test with -update", err)
	}
}
