package facts_test

import (
	"testing"

	"vitrine/internal/facts"
)

// An amount keeps the decimals that the editor gave it, in the form of the
// site's language.
func TestMoney(t *testing.T) {
	for _, c := range []struct{ language, currency, amount, want string }{
		{"en", "EUR", "49", "€49"},
		{"en", "EUR", "49.50", "€49.50"},
		{"en", "USD", "1200", "$1,200"},
		{"de", "EUR", "49.50", "49,50\u00a0€"},
		{"fr", "EUR", "0", "0\u00a0€"},
		{"en", "CHF", "49", "CHF\u00a049"},
	} {
		got, err := facts.NewMoney(c.language, c.currency).Format(c.amount)
		if err != nil || got != c.want {
			t.Errorf("%s %s in %s: %q, %v; want %q", c.amount, c.currency, c.language, got, err, c.want)
		}
	}
	if _, err := facts.NewMoney("en", "EUR").Format("much"); err == nil {
		t.Error("an amount that is no number is formatted")
	}
}
