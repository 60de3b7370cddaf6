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
	decimals := 0
	if _, fraction, ok := strings.Cut(amount, "."); ok {
		decimals = len(fraction)
	}
	written := m.printer.Sprint(number.Decimal(value, number.Scale(decimals)))
	if m.before {
		return m.symbol + written, nil
	}
	return written + "\u00a0" + strings.TrimSpace(m.symbol), nil
}

// Count writes a whole number as the language groups its digits.
func (m Money) Count(n int64) string {
	return m.printer.Sprint(number.Decimal(n))
}
