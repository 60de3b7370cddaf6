// Package locale knows how a language writes what programs know as numbers and moments: dates, counts, prices, and
// the forms of words with a count. It promises that any BCP 47 tag has an answer, of its nearest relative where CLDR
// does not know it itself, and that a site's pages and its command-line tool write a number in one way.
package locale

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/bep/golocales"
	"golang.org/x/text/feature/plural"
	"golang.org/x/text/language"
	"golang.org/x/text/language/display"
	"golang.org/x/text/message"
	"golang.org/x/text/number"
)

// Locale is a language with its ways of writing. It is safe for concurrent use.
type Locale struct {
	tag     language.Tag
	printer *message.Printer
	// table has dates and the places of currencies; nil where CLDR has none.
	table golocales.Translator
	// dated says that the table has names of months.
	dated bool
	// digits turns Latin digits into the language's own; nil where they are those.
	digits *strings.Replacer
}

// New returns the ways of writing of a language, a BCP 47 tag.
func New(tag string) *Locale {
	lang := language.Make(tag)
	if base, _ := lang.Base(); base.String() == "ar" {
		// Of the digits of Arabic, the tables of programs disagree; these all readers know.
		if latin, err := lang.SetTypeForKey("nu", "latn"); err == nil {
			lang = latin
		}
	}
	l := &Locale{tag: lang, printer: message.NewPrinter(lang), table: tableOf(lang)}
	if l.table != nil {
		// Where a table has no names of months it says "M05", or nothing.
		may := l.table.MonthsWide()[4]
		l.dated = may != "" && may != "M05"
	}
	if digits := l.ownDigits(); digits != latin {
		pairs := make([]string, 0, 2*len(latin))
		for i, own := range []rune(digits) {
			pairs = append(pairs, latin[i:i+1], string(own))
		}
		l.digits = strings.NewReplacer(pairs...)
	}
	return l
}

// Known reports whether CLDR knows how the language writes prices.
func (l *Locale) Known() bool { return l.table != nil }

const latin = "0123456789"

// ownDigits are the ten digits of the language, in their order.
func (l *Locale) ownDigits() string {
	var b strings.Builder
	for i := range latin {
		b.WriteString(l.Number(int64(i)))
	}
	return b.String()
}

// tableOf is the table of a language, or of the nearest relative that has one; nil where none has. English that is
// no country's is the world's, which writes the day before the month.
func tableOf(lang language.Tag) golocales.Translator {
	base, script, region := lang.Raw()
	if base.String() == "en" && script == (language.Script{}) && region == (language.Region{}) {
		lang = language.MustParse("en-001")
	}
	for _, name := range family(lang) {
		if table := golocales.New(name); table != nil {
			return table
		}
	}
	return nil
}

// Family is a language and those that stand for it where it has nothing of its own, the nearest first, as CLDR's
// tree of languages has them: pt-BR, pt. Scripts do not stand for one another.
func Family(tag string) []string { return family(language.Make(tag)) }

func family(lang language.Tag) (names []string) {
	for ; !lang.IsRoot(); lang = lang.Parent() {
		names = append(names, lang.String())
	}
	return names
}

// Date writes a day, the month by its name: "1 May 2026". Where CLDR does not know the language's months it is the
// ISO date.
func (l *Locale) Date(t time.Time) string {
	if !l.dated {
		return t.Format(time.DateOnly)
	}
	// The table does not know eras, which Thai names: what is left of them is their place.
	text := strings.Replace(l.table.FormatDateLong(t), " G ", " ", 1)
	if l.digits != nil {
		text = l.digits.Replace(text)
	}
	return text
}

// Number writes a whole number as the language groups its digits.
func (l *Locale) Number(n int64) string {
	return l.printer.Sprint(number.Decimal(n))
}

// Decimal writes a number with as many decimals as the editor gave it: 49.50 stays 49.50.
func (l *Locale) Decimal(amount string) (string, error) {
	return l.decimal(amount, decimals(amount))
}

func (l *Locale) decimal(amount string, scale int) (string, error) {
	value, err := strconv.ParseFloat(amount, 64)
	if err != nil {
		return "", fmt.Errorf("%q is not an amount", amount)
	}
	return l.printer.Sprint(number.Decimal(value, number.Scale(scale))), nil
}

// decimals counts the digits after the point; an exponent moves the point, so
// that 4.9e1 has none.
func decimals(amount string) int {
	mantissa, exponent := amount, 0
	if at := strings.IndexAny(amount, "eE"); at >= 0 {
		mantissa = amount[:at]
		exponent, _ = strconv.Atoi(amount[at+1:]) // a number, as ParseFloat took it
	}
	_, fraction, _ := strings.Cut(mantissa, ".")
	return max(0, len(fraction)-exponent)
}

// forms are the names of CLDR for the forms of words with a count.
var forms = [...]struct {
	form plural.Form
	name string
}{
	{plural.Zero, "zero"}, {plural.One, "one"}, {plural.Two, "two"}, {plural.Few, "few"}, {plural.Many, "many"}, {plural.Other, "other"},
}

// Plural names the form of words with a count: one of zero, one, two, few, many and other.
func (l *Locale) Plural(n int64) string {
	// What matters of a whole number are its last digits, and whether it is a small one.
	i := int(max(n, -n) % 10_000_000)
	found := plural.Cardinal.MatchPlural(l.tag, i, 0, 0, 0, 0)
	for _, f := range forms {
		if f.form == found {
			return f.name
		}
	}
	return "other"
}

// Plurals are the forms that counts have in the language, in CLDR's order: one and other in English.
func (l *Locale) Plurals() (names []string) {
	// All rules of CLDR are about the last two digits, about small numbers, or about millions.
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

// IsPlural reports whether a name is that of a form in any language.
func IsPlural(name string) bool {
	for _, f := range forms {
		if f.name == name {
			return true
		}
	}
	return false
}

// Name is what the language is called: in itself (français), or in English where CLDR does not know that (Klingon).
func (l *Locale) Name() string {
	for lang := l.tag; !lang.IsRoot(); lang = lang.Parent() {
		if lang.String() == "sr-Latn" {
			return "srpski" // which x/text calls Serbo-Croatian
		}
		if name := display.Self.Name(lang); name != "" {
			return name
		}
	}
	return l.EnglishName()
}

// EnglishName is what the language is called in English, as in messages to editors.
func (l *Locale) EnglishName() string {
	if name := display.English.Tags().Name(l.tag); name != "" {
		return name
	}
	return l.tag.String()
}
