package facts

import (
	"fmt"
	"strconv"
	"strings"

	"golang.org/x/text/currency"
	"golang.org/x/text/language"
	"golang.org/x/text/message"
	"golang.org/x/text/number"
)

// Money formats amounts in one currency and language. It is safe for
// concurrent use.
type Money struct {
	printer *message.Printer
	// before and after are what stands around an amount, one of which is "".
	before, after string
}

// NewMoney returns the form of amounts in a language, a BCP 47 tag, and a
// currency, an ISO 4217 code.
func NewMoney(tag, code string) Money {
	lang := language.Make(tag)
	base, _ := lang.Base()
	if base.String() == "ar" {
		// Of the digits of Arabic, the tables of programs disagree; these all readers know.
		if latin, err := lang.SetTypeForKey("nu", "latn"); err == nil {
			lang = latin
		}
	}
	m, symbol := Money{printer: message.NewPrinter(lang)}, code
	if unit, err := currency.ParseISO(code); err == nil {
		symbol = strings.TrimSpace(m.printer.Sprint(currency.NarrowSymbol(unit)))
	}
	const space = "\u00a0"
	switch place := placeOf(lang); {
	case place == apart || place == close && symbol == code:
		m.before = symbol + space
	case place == close:
		m.before = symbol
	default:
		m.after = space + symbol
	}
	return m
}

// place is where a currency's symbol stands.
type place uint8

const (
	behind place = iota // with a space between
	close               // before the amount
	apart               // before the amount, with a space between
)

// placeOf is the place in a language (CLDR 46). The command-line tool has the same table.
func placeOf(lang language.Tag) place {
	base, _ := lang.Base()
	region, confidence := lang.Region()
	at := base.String()
	if confidence == language.Exact {
		at += "-" + region.String()
	}
	switch at {
	case "pt-PT", "pt-AO", "pt-MZ":
		return behind
	case "de-AT", "de-CH", "de-LI":
		return apart
	case "es-MX", "es-US", "es-GT", "es-HN", "es-NI", "es-SV", "es-PA", "es-PE", "es-CL":
		return close
	}
	switch base.String() {
	case "en", "ja", "zh", "ko", "ga", "mt", "th", "hi", "tr", "id", "ms", "fil", "ur", "fa":
		return close
	case "nl", "pt":
		return apart
	}
	return behind
}

// Format writes an amount with as many decimals as the editor gave it: 49 is
// €49, and 49.50 is €49.50.
func (m Money) Format(amount string) (string, error) {
	value, err := strconv.ParseFloat(amount, 64)
	if err != nil {
		return "", fmt.Errorf("%q is not an amount", amount)
	}
	return m.before + m.printer.Sprint(number.Decimal(value, number.Scale(decimals(amount)))) + m.after, nil
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

// Count writes a whole number as the language groups its digits.
func (m Money) Count(n int64) string {
	return m.printer.Sprint(number.Decimal(n))
}
