package facts_test

import (
	"strings"
	"testing"

	"vitrine/internal/facts"
	"vitrine/internal/locale"
	"vitrine/internal/site"
)

func text(s string) *site.Fact { return &site.Fact{Kind: site.TextFact, Text: s} }

func mapping(pairs ...any) *site.Fact {
	f := &site.Fact{Kind: site.MapFact}
	for i := 0; i < len(pairs); i += 2 {
		f.Keys = append(f.Keys, pairs[i].(string))
		f.Items = append(f.Items, pairs[i+1].(*site.Fact))
	}
	return f
}

func newValues(language string) *facts.Values {
	number := func(s string) *site.Fact { return &site.Fact{Kind: site.NumberFact, Text: s} }
	plans := &site.Fact{Kind: site.ListFact, Items: []*site.Fact{
		mapping("name", text("Starter"), "monthlyPrice", number("19")),
		mapping("name", text("Team 2.0"), "monthlyPrice", number("1049.50"), "perks", &site.Fact{Kind: site.ListFact, Items: []*site.Fact{text("a"), text("b")}}),
	}}
	root := mapping("name", text("Parley"), "pricing", mapping("plans", plans), "nothing", &site.Fact{}, "blank", text(" "),
		"free", &site.Fact{Kind: site.TruthFact, Text: "true"}, "lines", text("a\n  b\n"), "none", &site.Fact{Kind: site.ListFact})
	return facts.New(language, &site.Product{Facts: root, Pricing: site.Pricing{Currency: "EUR", Plans: []site.Plan{
		{Name: "Starter", MonthlyPrice: "19"}, {Name: "Team 2.0", MonthlyPrice: "1049.50", YearlyPrice: "9990"}}}})
}

// An expression expands to the fact as written in product.yaml. The error for an invalid expression suggests the
// correct expression.
func TestText(t *testing.T) {
	values := newValues("en")
	for expression, want := range map[string]string{
		" name ": "Parley", "free": "true", "lines": "a b", "meant": "",
		`pricing.plans."Team 2.0".monthlyPrice`: "1049.50", "pricing.plans.1.perks.0": "a", "pricing . plans . 0 . name": "Starter",
		`price "Team 2.0"`: "€1,049.50", "price Starter": "€19", "price «Starter»": "€19",
		`price "Team 2.0" yearly`: "€9,990", "price Team 2.0 yearly": "€9,990",
		`price "Starter" yearly`: `error: the plan "Starter" has no yearly price; set its yearlyPrice in product.yaml, or write {{ price "Starter" }} for the monthly price`,
		`price "Gold" yearly`:    `error: unknown plan "Gold"; the plans are Starter and Team 2.0`,
		"nmae":                   `error: unknown fact "nmae"; did you mean "name"?`,
		"pricing.plans.2":        `error: unknown fact "pricing.plans.2"; "pricing.plans" has Starter and Team 2.0`,
		"pricing.plans.Team":     `error: unknown fact "pricing.plans.Team"; "pricing.plans" has Starter and Team 2.0`,
		`< ref "a" >`:            `error: {{< ref "a" >}} is a Hugo shortcode, which Vitrine does not support; write the text itself`,
		"zzz":                    `error: unknown fact "zzz"; product.yaml has name, pricing, nothing, blank, free, lines, and none`,
		"name.x":                 `error: unknown fact "name.x": "name" is a string and has no members`,
		"none.0":                 `error: unknown fact "none.0": "none" is empty`,
		"nothing":                `error: the fact "nothing" is empty; set its value in product.yaml`,
		"blank":                  `error: the fact "blank" is empty; set its value in product.yaml`,
		"prices":                 `error: unknown fact "prices"; did you mean {{ price "Starter" }}?`,
		`price "Gold"`:           `error: unknown plan "Gold"; the plans are Starter and Team 2.0`,
		`pricing."plans`:         `error: this path has no closing quote; add " after the name`,
		`"pricing" plans`:        `error: "plans" directly follows a quoted name; add a dot between them`,
		"pricing..plans":         `error: a name is missing before or after a dot; write a path such as pricing.currency`,
		"plans":                  `error: "plans" is a table, which needs its own paragraph on a page; use one value here, such as pricing.currency`,
		"pricing.plans.1.perks": `error: "pricing.plans.1.perks" is a list, which needs its own paragraph on a page; ` +
			`use one of its items here, such as pricing.plans."Team 2.0".perks.0`,
	} {
		got, err := values.Fact(expression)
		if err != nil {
			got = "error: " + err.Error()
		}
		if got != want {
			t.Errorf("%q gives\n%s\nwant\n%s", expression, got, want)
		}
	}
}

// Prices are formatted for the language.
func TestLanguage(t *testing.T) {
	for language, want := range map[string]string{"en": "€1,049.50", "de": "1.049,50\u00a0€", "fr": "1\u00a0049,50\u00a0€", "ja": "€1,049.50"} {
		if got, err := newValues(language).Fact(`price "Team 2.0"`); err != nil || got != want {
			t.Errorf("%s: %q, %v; want %q", language, got, err, want)
		}
	}
}

// Without a readable product, expressions aren't errors, because the problem in product.yaml is already reported.
func TestNoProduct(t *testing.T) {
	if got, err := facts.New("en", &site.Product{}).Fact("name"); err != nil || got != "name" {
		t.Errorf("%q, %v", got, err)
	}
}

// ExpandText replaces valid expressions. It reports an invalid expression with its offset, and leaves the expression
// unchanged.
func TestExpandText(t *testing.T) {
	got, uses, faults := newValues("en").ExpandText(`ü {{ name }} \{{ name }} {{ x }} {{ open`)
	if want := `ü Parley {{ name }} {{ x }} {{ open`; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if strings.Join(uses, " ") != "name" || len(faults) != 1 || faults[0].Offset != 26 {
		t.Errorf("uses %v, faults %v", uses, faults)
	}
}

// FuzzPieces checks that each piece matches the text at its offset and that expanding an expression never panics and
// returns single-line errors.
func FuzzPieces(f *testing.F) {
	f.Add(`a {{ name }} \{{ b }} {{ c`)
	f.Add("{{{{}}}}\\{{\n}}")
	f.Add(`{{ pricing.plans."Team 2.0".perks.0 }}{{ price "x }}`)
	values := newValues("en")
	f.Fuzz(func(t *testing.T, source string) {
		last := 0
		for _, p := range facts.Pieces(source) {
			begin := p.Offset
			if p.Expression {
				begin += len("{{")
			}
			if p.Offset < last || begin+len(p.Text) > len(source) || source[begin:begin+len(p.Text)] != p.Text {
				t.Fatalf("%q: piece %+v", source, p)
			}
			last = begin + len(p.Text)
			if p.Expression {
				if _, err := values.Expand(p.Text); err != nil && strings.Contains(err.Error(), "\n") {
					t.Fatalf("%q: %v", p.Text, err)
				}
			}
		}
	})
}

// A price in a right-to-left language is isolated, whether or not its symbol is in the language's script.
func TestPriceIsIsolated(t *testing.T) {
	for _, c := range []struct{ language, currency, want string }{
		{"ar", "CHF", "\u2068495\u00a0CHF\u2069"},
		{"ar", "KWD", "\u2068495.000\u00a0د.ك.\u200f\u2069"},
		{"he", "EUR", "\u2068\u200f495\u00a0\u200f€\u2069"},
		{"en", "CHF", "CHF\u00a0495"},
		{"fr", "KWD", "495,000\u00a0KWD"},
	} {
		got, err := facts.Price(locale.New(c.language), c.language, c.currency)("495")
		if err != nil || strings.ReplaceAll(got, "\u200f", "") != strings.ReplaceAll(c.want, "\u200f", "") {
			t.Errorf("495 %s in %s: %q, %v; want %q", c.currency, c.language, got, err, c.want)
		}
	}
}
