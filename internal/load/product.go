package load

import (
	"fmt"

	"vitrine/internal/load/suggest"
	"vitrine/internal/load/tree"
	"vitrine/internal/site"
)

const productPath = "content/product.yaml"

// readProduct reads product.yaml (specification §2). Product.JSON is nil where
// the report has errors.
func readProduct(r *report, root *tree.Node) site.Product {
	var p site.Product
	if root.Kind == tree.Null {
		r.errorf(root.Pos, "the file is empty; write the product's facts here: %s", productHint)
		return p
	}
	object(additive, productFields(&p)...)(r, value{root, "", root.Pos})
	if site.HasErrors(r.problems) {
		return p
	}
	document, err := root.JSON()
	if err != nil {
		r.errorf(root.Pos, "cannot be written as JSON: %v", err)
		return p
	}
	p.JSON = document
	return p
}

const productHint = "name, url, description, audience, capabilities, pricing, contact and links"

func productFields(p *site.Product) []field {
	return []field{
		{"name", "the product's name", text(&p.Name)},
		{"url", "the product's URL, such as https://parley.example", text(&p.URL, webURL)},
		{"description", "what the product is", text(&p.Description)},
		{"audience", "a list of those whom the product is for", texts(&p.Audience)},
		{"capabilities", "a list of what the product does", texts(&p.Capabilities)},
		{"pricing", "a map with currency, billingPeriod, creditDefinition, unlimitedReps, unlimitedTeams, plans and url", object(additive, pricingFields(&p.Pricing)...)},
		{"gettingStarted", "", func(r *report, v value) {
			p.GettingStarted = new(site.GettingStarted)
			object(additive, startFields(p.GettingStarted)...)(r, v)
		}},
		{"contact", "an e-mail address such as hello@parley.example", text(&p.Contact, email)},
		{"links", "a map of names to URIs, or {} where there are none", links(&p.Links)},
	}
}

func pricingFields(p *site.Pricing) []field {
	return []field{
		{"currency", "an ISO 4217 code such as EUR", text(&p.Currency, currencyCode)},
		{"billingPeriod", "the period, such as month", text(&p.BillingPeriod)},
		{"creditDefinition", "what a credit is", text(&p.CreditDefinition)},
		{"unlimitedReps", "true or false", truth(&p.UnlimitedReps)},
		{"unlimitedTeams", "true or false", truth(&p.UnlimitedTeams)},
		{"plans", "a list of plans, each with name, monthlyPrice and includedCredits", plans(&p.Plans)},
		{"url", "the URL of the price list, such as https://parley.example/pricing", text(&p.URL, webURL)},
	}
}

func plans(dst *[]site.Plan) reader {
	return list(func(r *report, v value) {
		var p site.Plan
		object(additive,
			field{"name", "the plan's name", text(&p.Name)},
			field{"monthlyPrice", "a number such as 49 or 49.50", price(&p.MonthlyPrice)},
			field{"includedCredits", "a whole number such as 100", count(&p.IncludedCredits)},
		)(r, v)
		*dst = append(*dst, p)
	})
}

func startFields(g *site.GettingStarted) []field {
	return []field{
		{"offer", "", looseText(&g.Offer)},
		{"steps", "", texts(&g.Steps)},
		{"demo", "", text(&g.Demo, webURL)},
	}
}

// links reads the map of names to URIs.
func links(dst *[]site.Link) reader {
	return func(r *report, v value) {
		if v.Kind != tree.Map {
			r.errorf(v.Pos, "%s: want a map of names to URIs, found %s", v.name, v.Describe())
			return
		}
		for _, m := range v.Members {
			var uri string
			text(&uri, absoluteURI)(r, value{m.Value, child(v, m.Key), m.Pos})
			if m.Key == "" {
				r.errorf(m.Pos, "%s: a link has no name; write one before the colon", v.name)
			}
			*dst = append(*dst, site.Link{Key: m.Key, URL: uri})
		}
	}
}

// additive lets members pass that the specification does not know, because
// additive fields need no new version (§9). One that is nearly a name it knows
// is warned of.
func additive(r *report, parent value, m tree.Member, known []string) {
	name := child(parent, m.Key)
	if parent.name == "" && m.Key == "apiDescription" {
		r.errorf(m.Pos, "apiDescription is the member that /api adds to link the API description; name yours otherwise")
		return
	}
	if near := suggest.Nearest(m.Key, known); near != "" {
		r.warnf(m.Pos, "%q is no known name and goes out as it is; did you mean %q?", name, near)
	}
	finite(r, value{m.Value, name, m.Pos})
}

// finite reports every number below a value that JSON has no form for.
func finite(r *report, v value) {
	switch v.Kind {
	case tree.Number:
		if v.Number == "" {
			r.errorf(v.Pos, "%s: JSON has no form for %s; write a finite number, or put it in quotes", v.name, v.Describe())
		}
	case tree.List:
		for i := range v.Items {
			finite(r, element(v, i))
		}
	case tree.Map:
		for _, m := range v.Members {
			finite(r, value{m.Value, fmt.Sprintf("%s.%s", v.name, m.Key), m.Pos})
		}
	}
}
