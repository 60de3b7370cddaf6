package facts_test

import (
	"testing"

	"vitrine/internal/facts"
	"vitrine/internal/site"
)

// planned returns a product with the given description and plan names.
func planned(description string, plans ...string) *site.Product {
	text := func(s string) *site.Fact { return &site.Fact{Kind: site.TextFact, Text: s} }
	list := &site.Fact{Kind: site.ListFact}
	p := &site.Product{Pricing: site.Pricing{Currency: "EUR"}}
	for _, name := range plans {
		p.Pricing.Plans = append(p.Pricing.Plans, site.Plan{Name: name, MonthlyPrice: "49.50"})
		list.Items = append(list.Items, &site.Fact{Kind: site.MapFact, Keys: []string{"name", "monthlyPrice"}, Items: []*site.Fact{text(name), {Kind: site.NumberFact, Text: "49.50"}}})
	}
	pricing := &site.Fact{Kind: site.MapFact, Keys: []string{"plans"}, Items: []*site.Fact{list}}
	p.Facts = &site.Fact{Kind: site.MapFact, Keys: []string{"description", "pricing"}, Items: []*site.Fact{text(description), pricing}}
	return p
}

// In another language, facts are translated, and prices have that language's number format. Expressions can refer to a
// plan by its name in either language.
func TestTranslated(t *testing.T) {
	original := planned("Plans weeks.", "Starter", "Team")
	original.Pricing.Plans[0].MonthlyPrice = "10"
	german := planned("Plant Wochen.", "Einstieg", "Starter")
	german.Pricing.Plans[0].MonthlyPrice = "10"
	values := facts.Translated("de", german, "en", original)
	for expression, want := range map[string]string{
		"description": "Plant Wochen.", `price "Einstieg"`: "10\u00a0€", `price "Starter"`: "49,50\u00a0€", `price "Team"`: "49,50\u00a0€",
		"pricing.plans.Team.name": "Starter", "pricing.plans.Einstieg.name": "Einstieg", "pricing.plans.1.name": "Starter",
		// The name in the page's language takes precedence over the original name.
		"pricing.plans.Starter.name": "Starter",
	} {
		if v, err := values.Expand(expression); err != nil || v.Text != want {
			t.Errorf("%s is %q, %v; want %q", expression, v.Text, err, want)
		}
	}
	for _, expression := range []string{`price "Pro"`, "pricing.plans.Pro.name"} {
		if v, err := values.Expand(expression); err == nil {
			t.Errorf("%s is %q", expression, v.Text)
		}
	}
}
