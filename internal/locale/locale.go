// Package locale formats dates, counts, and prices in a language, and selects plural forms. It accepts every BCP 47
// tag. For a language without CLDR formats, the package uses the formats of the nearest related language. A site's
// pages and its command-line tool take their formats from this package, so they show the same prices.
package locale

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"golang.org/x/text/feature/plural"
	"golang.org/x/text/language"
	"golang.org/x/text/message"
	"golang.org/x/text/number"
)

// A Locale formats values in one language. It is safe for concurrent use.
type Locale struct {
	tag     language.Tag
	printer *message.Printer
	// table contains the date formats and the position of currency symbols. It is nil if CLDR has no formats for the
	// language or any of its fallbacks; see Family.
	table *table
	// digits converts Latin digits to the language's digits. It is nil if the language uses Latin digits.
	digits *strings.Replacer
}

// New returns the locale of the language with the given BCP 47 tag.
func New(tag string) *Locale {
	lang := language.Make(tag)
	if base, _ := lang.Base(); base.String() == "ar" {
		// Use Latin digits: implementations disagree about the digits of Arabic, and all readers know Latin digits.
		if latin, err := lang.SetTypeForKey("nu", "latn"); err == nil {
			lang = latin
		}
	}
	l := &Locale{tag: lang, printer: message.NewPrinter(lang), table: tableOf(lang)}
	if digits := l.ownDigits(); digits != latin {
		pairs := make([]string, 0, 2*len(latin))
		for i, own := range []rune(digits) {
			pairs = append(pairs, latin[i:i+1], string(own))
		}
		l.digits = strings.NewReplacer(pairs...)
	}
	return l
}

// Known reports whether CLDR has formats for the language or for one of its fallbacks; see Family.
func (l *Locale) Known() bool { return l.table != nil }

const latin = "0123456789"

// ownDigits returns the ten digits of the language, from 0 to 9.
func (l *Locale) ownDigits() string {
	var b strings.Builder
	for i := range latin {
		b.WriteString(l.Number(int64(i)))
	}
	return b.String()
}

// tableOf returns the table of lang or, if lang has none, of its nearest fallback with a table. It returns nil if no
// fallback has a table. English without a region is treated as world English, which puts the day before the month.
func tableOf(lang language.Tag) *table {
	base, script, region := lang.Raw()
	if base.String() == "en" && script == (language.Script{}) && region == (language.Region{}) {
		lang = language.MustParse("en-001")
	}
	for _, name := range family(lang) {
		if table := newTable(name); table != nil {
			return table
		}
	}
	return nil
}

// Family returns the tag of a language, followed by the tags of its fallbacks in CLDR's language tree, nearest first.
// For pt-BR, it returns pt-BR and pt. A language in one script isn't a fallback for the same language in another
// script.
func Family(tag string) []string { return family(language.Make(tag)) }

func family(lang language.Tag) (names []string) {
	for ; !lang.IsRoot(); lang = lang.Parent() {
		names = append(names, lang.String())
	}
	return names
}

// Date formats the date of t with the name of the month, such as "1 May 2026". If CLDR doesn't have the language's
// names of months, it returns the date in ISO format.
func (l *Locale) Date(t time.Time) string {
	if l.table == nil || l.table.dates == nil {
		return t.Format(time.DateOnly)
	}
	text := l.table.date(t)
	if l.digits != nil {
		text = l.digits.Replace(text)
	}
	return text
}

// Number formats an integer with the language's digits and digit grouping.
func (l *Locale) Number(n int64) string {
	return l.printer.Sprint(number.Decimal(n))
}

// Decimal formats amount, a decimal number, with all its decimals: 49.50 keeps both digits after the point. It returns
// an error if amount isn't a number.
func (l *Locale) Decimal(amount string) (string, error) {
	return l.decimal(amount, Decimals(amount))
}

func (l *Locale) decimal(amount string, scale int) (string, error) {
	value, err := strconv.ParseFloat(amount, 64)
	if err != nil {
		return "", fmt.Errorf("%q is not an amount; write a number, such as 49.50", amount)
	}
	return l.printer.Sprint(number.Decimal(value, number.Scale(scale))), nil
}

// Decimals returns the number of digits after the decimal point of amount, which must be a number. An exponent moves
// the point, so 4.9e1, which is 49, has no decimals.
func Decimals(amount string) int {
	mantissa, exponent := amount, 0
	if at := strings.IndexAny(amount, "eE"); at >= 0 {
		mantissa = amount[:at]
		exponent, _ = strconv.Atoi(amount[at+1:]) // valid, because ParseFloat accepted it
	}
	_, fraction, _ := strings.Cut(mantissa, ".")
	return max(0, len(fraction)-exponent)
}

// forms contains CLDR's names of the plural forms, in CLDR's order.
var forms = [...]struct {
	form plural.Form
	name string
}{
	{plural.Zero, "zero"}, {plural.One, "one"}, {plural.Two, "two"}, {plural.Few, "few"}, {plural.Many, "many"}, {plural.Other, "other"},
}

// Plural returns the name of the plural form for n: zero, one, two, few, many, or other.
func (l *Locale) Plural(n int64) string {
	// The plural form depends only on whether n is small and on its last digits, so replace a large n by a smaller
	// integer with the same last digits.
	const large = 10_000_000
	i := int(max(n, -n) % large)
	if n >= large || n <= -large {
		i += large
	}
	found := plural.Cardinal.MatchPlural(l.tag, i, 0, 0, 0, 0)
	for _, f := range forms {
		if f.form == found {
			return f.name
		}
	}
	return "other"
}

// Plurals returns the names of the language's plural forms in CLDR's order. For English, they are one and other.
func (l *Locale) Plurals() (names []string) {
	// CLDR's rules depend only on the last two digits, on small numbers, or on millions. Therefore, 0 to 199 and one
	// million cover all forms.
	seen := map[string]bool{l.Plural(1_000_000): true}
	for n := range int64(200) {
		seen[l.Plural(n)] = true
	}
	for _, f := range forms {
		if seen[f.name] {
			names = append(names, f.name)
		}
	}
	return names
}

// IsPlural reports whether name is CLDR's name of a plural form.
func IsPlural(name string) bool {
	for _, f := range forms {
		if f.name == name {
			return true
		}
	}
	return false
}
