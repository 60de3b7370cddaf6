package facts_test

import (
	"os"
	"strings"
	"testing"

	"vitrine/internal/facts"
)

// An amount keeps the decimals that the editor gave it, in the form of the
// site's language.
func TestMoney(t *testing.T) {
	table, err := os.ReadFile("testdata/money.tsv")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(strings.ReplaceAll(string(table), "_", "\u00a0")) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		c := strings.Split(strings.TrimSuffix(line, "\n"), "\t") // language, currency, amount, what is shown
		got, err := facts.NewMoney(c[0], c[1]).Format(c[2])
		if err != nil || got != c[3] {
			t.Errorf("%s %s in %s: %q, %v; want %q", c[2], c[1], c[0], got, err, c[3])
		}
	}
	if _, err := facts.NewMoney("en", "EUR").Format("much"); err == nil {
		t.Error("an amount that is no number is formatted")
	}
}
