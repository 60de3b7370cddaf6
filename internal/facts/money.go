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
	symbol  string
	// before says that the symbol stands before the amount.
	before bool
}

// NewMoney returns the form of amounts in a language, a BCP 47 tag, and a
// currency, an ISO 4217 code.
func NewMoney(tag, code string) Money {
	lang := language.Make(tag)
	m := Money{printer: message.NewPrinter(lang), symbol: code + "\u00a0"}
	if unit, err := currency.ParseISO(code); err == nil {
		m.symbol = m.printer.Sprint(currency.NarrowSymbol(unit))
	}
	base, _ := lang.Base()
	switch base.String() {
	case "en", "ja", "zh", "ko", "ga", "mt", "th", "hi":
		m.before = true
	}
	if len(m.symbol) == len(code) && m.before && m.symbol == code {
		m.symbol += "\u00a0"
	}
	return m
}

// Format writes an amount with as many decimals as the editor gave it: 49 is
// €49, and 49.50 is €49.50.
func (m Money) Format(amount string) (string, error) {
	value, err := strconv.ParseFloat(amount, 64)
	if err != nil {
		return "", fmt.Errorf("%q is not an amount", amount)
	}
	written := m.printer.Sprint(number.Decimal(value, number.Scale(decimals(amount))))
	if m.before {
		return m.symbol + written, nil
	}
	return written + "\u00a0" + strings.TrimSpace(m.symbol), nil
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
