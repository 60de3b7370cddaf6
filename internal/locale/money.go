package locale

import (
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/currency"
	"golang.org/x/text/number"
)

// A Money formats amounts in one currency and one language. It is safe for concurrent use.
type Money struct {
	locale *Locale
	// fraction is the currency's usual number of decimals.
	fraction int
	// before and after are the strings to add before and after an amount: the currency's symbol with a space if needed.
	// One of the two strings is "".
	before, after string
}

// Place is the position of a currency's symbol relative to the amount.
type Place string

// The positions of a currency's symbol.
const (
	Behind Place = "behind" // after the amount, with a space between
	Close  Place = "close"  // before the amount, without a space
	Apart  Place = "apart"  // before the amount, with a space between
)

// Money returns the formatter for amounts in the currency with the given ISO 4217 code.
func (l *Locale) Money(code string) Money {
	const space = "\u00a0"
	m, symbol := Money{locale: l, fraction: Fraction(code)}, l.symbol(code)
	switch place := l.place(); {
	case place == Apart || place == Close && symbol == code:
		m.before = symbol + space
	case place == Close:
		m.before = symbol
	default:
		m.after = space + symbol
	}
	return m
}

// symbol returns the currency's symbol in the language, or code if CLDR has none. For Arabic, it uses the standard
// symbols, because CLDR's narrow symbols don't include Arabic symbols.
func (l *Locale) symbol(code string) string {
	unit, err := currency.ParseISO(code)
	if err != nil {
		return code
	}
	if base, _ := l.tag.Base(); base.String() == "ar" {
		if symbol := strings.TrimSpace(l.printer.Sprint(currency.Symbol(unit))); symbol != code {
			return symbol
		}
	}
	return strings.TrimSpace(l.printer.Sprint(currency.NarrowSymbol(unit)))
}

// CurrencyMarks returns the strings that may identify a currency next to an amount, without duplicates: the currency's
// code, its symbol in the language, and its symbol in English. It returns nil if code is "".
func (l *Locale) CurrencyMarks(code string) []string {
	if code == "" {
		return nil
	}
	marks := []string{code}
	for _, symbol := range []string{l.symbol(code), New("en").symbol(code)} {
		if symbol != "" && !slices.Contains(marks, symbol) {
			marks = append(marks, symbol)
		}
	}
	return marks
}

// Fraction returns the number of decimals that amounts in a currency usually have, according to CLDR: 2 for EUR, 3 for
// KWD, 0 for JPY. It returns 2 for an unknown code.
func Fraction(code string) int {
	unit, err := currency.ParseISO(code)
	if err != nil {
		return 2
	}
	scale, _ := currency.Standard.Rounding(unit)
	return scale
}

// Shown returns the number of decimals to show for an amount. written is the number of decimals of the amount as
// written, and fraction is the usual number of decimals of its currency. An amount with decimals keeps them and gets at
// least fraction decimals. A whole amount gets no decimals, except in a currency with three or more decimals: readers
// could mistake three digits after a separator for thousands unless every amount has decimals.
func Shown(written, fraction int) int {
	if written == 0 && fraction < 3 {
		return 0
	}
	return max(written, fraction)
}

// place returns the position of currency symbols in the language, or Behind if CLDR has no formats for the language.
func (l *Locale) place() Place {
	if l.table == nil {
		return Behind
	}
	return l.table.place
}

// Format formats an amount with the decimals of its currency (see Shown): 49 becomes €49, 49.5 becomes €49.50, and 49
// dinars become KWD 49.000. It returns an error if amount isn't a number.
func (m Money) Format(amount string) (string, error) {
	text, err := m.locale.decimal(amount, Shown(Decimals(amount), m.fraction))
	if err != nil {
		return "", err
	}
	return m.before + text + m.after, nil
}

// Forms describes the format of prices as data, for a program without CLDR's tables, such as the command-line tool.
type Forms struct {
	// Digits contains the language's ten digits, from 0 to 9.
	Digits string `json:"digits"`
	// Decimal is the separator before the decimals.
	Decimal string `json:"decimal"`
	// Group is the separator between groups of digits.
	Group string `json:"group"`
	// Last is the number of digits in the last group before the decimal separator.
	Last int `json:"last"`
	// Others is the number of digits in each of the other groups.
	Others int `json:"others"`
	// Place is the position of Symbol relative to the amount.
	Place Place `json:"place"`
	// Currency is the ISO 4217 code of the currency, and Symbol is the currency's symbol in the language.
	Currency string `json:"currency"`
	Symbol   string `json:"symbol"`
	// Fraction is the number of decimals of amounts in Currency; see Shown.
	Fraction int `json:"fraction"`
}

// Forms returns a description of the format of prices in the currency with the given ISO 4217 code.
func (l *Locale) Forms(code string) Forms {
	f := Forms{Digits: l.ownDigits(), Place: l.place(), Currency: code, Symbol: l.symbol(code), Fraction: Fraction(code)}
	// Format a number that contains all separators: eight digits before the decimal point and one after it.
	sample := l.printer.Sprint(number.Decimal(11111111.1, number.Scale(1)))
	one := l.Number(1)
	var groups []int
	var signs []string
	for len(sample) > 0 {
		n := 0
		for strings.HasPrefix(sample, one) {
			n, sample = n+1, sample[len(one):]
		}
		groups = append(groups, n)
		if len(sample) > 0 {
			_, size := utf8.DecodeRuneInString(sample)
			signs, sample = append(signs, sample[:size]), sample[size:]
		}
	}
	if n := len(signs); n > 0 {
		f.Decimal, f.Last, f.Others = signs[n-1], groups[n-1], groups[n-1]
	}
	if n := len(signs); n > 1 {
		f.Group = signs[0]
		f.Others = groups[max(1, n-2)]
	}
	return f
}
