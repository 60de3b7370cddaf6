package load

import (
	"fmt"
	"time"

	"vitrine/internal/load/shape"
	"vitrine/internal/load/suggest"
	"vitrine/internal/load/tree"
	"vitrine/internal/rule"
	"vitrine/internal/site"
)

const productPath = "content/product.yaml"

// readProduct returns the product described by root, the content of product.yaml (specification §2), and adds the
// problems in root to r. Product.JSON is nil if a member has an error or the product can't be written as JSON.
func readProduct(r *report, root *tree.Node) site.Product {
	var p site.Product
	if root.Kind == tree.Null {
		r.errorf(root.Pos, "the file is empty; write the product's facts here: %s", productHint).Code = rule.MissingKey
		return p
	}
	open(productFields(&p)...).read(r, value{root, "", root.Pos})
	p.Facts = factOf(root)
	site.ArrangePlans(&p.Pricing)
	samePlans(r, root)
	if !site.HasErrors(r.problems) {
		definedCredits(r, root, &p)
	}
	if site.HasErrors(r.problems) {
		return p
	}
	document, err := withDefaults(root).JSON()
	if err != nil {
		r.errorf(root.Pos, "the facts cannot be written as JSON: %v", err)
		return p
	}
	p.JSON = document
	return p
}

// factDate returns a reader for a date in the formats that clients of the JSON API expect: a day, or a time with its
// zone (RFC 3339).
func factDate(dst *time.Time) reader {
	const pattern = `^(19|[2-9][0-9])[0-9][0-9]-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])(T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]+)?(Z|[+-][0-9]{2}:[0-9]{2}))?$`
	return reader{
		read: func(r *report, v value) {
			for _, layout := range []string{time.DateOnly, time.RFC3339} {
				if t, err := time.Parse(layout, v.Text); err == nil && v.Kind == tree.Text && t.Year() >= 1900 {
					*dst = withoutName(t)
					return
				}
			}
			r.errorf(v.Pos, "%s: want a date such as 2026-03-14 or a time such as 2026-03-14T09:30:00Z, found %s", v.name, v.Describe()).Code = rule.WrongDate
		},
		draw: func() shape.Shape {
			return shape.Shape{Kinds: []shape.Kind{shape.Text}, Pattern: pattern, Use: shape.Moment, Examples: []string{"2026-03-14", "2026-03-14T09:30:00Z"}}
		},
	}
}

// Facts parses text as product.yaml without checking its members. ok is false if text isn't valid YAML or isn't a map.
func Facts(text []byte) (facts *site.Fact, ok bool) {
	root, faults := tree.YAML(text, 1)
	if root == nil || root.Kind != tree.Map || len(faults) > 0 {
		return nil, false
	}
	return factOf(root), true
}

const productHint = "name, url, description, audience, capabilities, pricing, contact, and links"

func productFields(p *site.Product) []field {
	return []field{
		{"name", "the product's name", "The product's name.", text(&p.Name)},
		{"url", "the product's URL, such as https://acorn.example", "The product's URL.", text(&p.URL, isWebURL("https://acorn.example"))},
		{"description", "the product's description", "A description of the product in two or three sentences. Programs quote single sentences, so each sentence must make sense on its own.", prose(&p.Description)},
		{"audience", "a list of the product's audiences", "The product's audiences, the most important first.", texts(&p.Audience)},
		{"capabilities", "a list of the product's capabilities", "What the product can do now. Omit planned capabilities.", texts(&p.Capabilities)},
		{"pricing", "a map with currency, billingPeriod, plans, and url",
			"The published prices.", open(pricingFields(&p.Pricing)...)},
		{"gettingStarted", "", "How new customers get started.", start(&p.GettingStarted)},
		{"schemaType", "", "The product's schema.org type, for search engines. Default: Product.",
			text(&p.SchemaType, oneOf("Product", "Service", "SoftwareApplication", "WebApplication", "MobileApplication"))},
		{"applicationCategory", "", "The category of a software product, for search engines, such as BusinessApplication or DeveloperApplication.", text(&p.ApplicationCategory)},
		{"operatingSystem", "", "The operating system of a software product, for search engines, such as Windows, or Web for a web application.", text(&p.OperatingSystem)},
		{"contact", "an e-mail address such as hello@acorn.example", "The e-mail address for questions.", text(&p.Contact, isEmail())},
		{"updated", "", "The date of the last change to the facts. Update it with every change. If your site is in git, you can omit it: Vitrine then uses the date of the file's last change in git.", noting(&p.UpdatedPos, factDate(&p.Updated))},
		{"links", "a map of names to URIs, or {} if there are no links", "Other public links: a map from names that you choose to absolute URIs, or {} if there are no links.", links(&p.Links)},
	}
}

func pricingFields(p *site.Pricing) []field {
	return []field{
		{"currency", "an ISO 4217 code such as EUR", "The currency of every price, as an ISO 4217 code in capital letters.", text(&p.Currency, isCurrency())},
		{"billingPeriod", "the period, such as month", "The period that a price covers, such as month.", text(&p.BillingPeriod)},
		{"creditDefinition", "", "What a credit is, if plans include credits. If you omit the key, the JSON API returns this sentence: " + noCredits, prose(&p.CreditDefinition)},
		{"unlimitedReps", "", "Whether every plan includes an unlimited number of people without a charge per person. If true, the price list states this. If false, the price list states it only if you write the key and set unlimitedReps in words in site.yaml. Default: false.", stating(&p.StatesReps, truth(&p.UnlimitedReps))},
		{"unlimitedTeams", "", "Whether every plan includes an unlimited number of teams. If true, the price list states this. If false, the price list states it only if you write the key and set unlimitedTeams in words in site.yaml. Default: false.", stating(&p.StatesTeams, truth(&p.UnlimitedTeams))},
		{"plans", "a list of plans, each with name and monthlyPrice", "The plans with published prices, in the order in which pages show them.", each(&p.Plans, plan)},
		{"onRequest", "", "Plans without published prices, in the order in which pages show them.", each(&p.OnRequest, onRequest)},
		{"url", "the URL of the price list, such as https://acorn.example/pricing", "The URL of the price list.", text(&p.URL, isWebURL("https://acorn.example/pricing"))},
	}
}

func plan(p *site.Plan) reader {
	return open(
		field{"name", "the plan's name", "The plan's name.", text(&p.Name)},
		field{"monthlyPrice", "a number such as 49 or 49.50", "The price per month: a number without a currency sign. Pages and JSON show it with the digits that you write.", price(&p.MonthlyPrice)},
		field{"includedCredits", "", "The number of credits included per month. Default: 0.", stating(&p.StatesCredits, count(&p.IncludedCredits))},
		field{"yearlyPrice", "", "The price per year, in the same form as the monthly price. Set it only if customers can pay yearly.", price(&p.YearlyPrice)},
		note(&p.Note), features(&p.Features), planLink(&p.Link),
		field{"highlight", "", "Whether pages highlight the plan. Highlight at most one plan, such as the most popular one. Default: false.", truth(&p.Highlight)},
	)
}

// onRequest returns a reader for a plan without a published price. Such plans have their own list, because the list of
// plans requires prices.
func onRequest(p *site.PlanOnRequest) reader {
	return open(
		field{"name", "the plan's name", "The plan's name.", text(&p.Name)},
		note(&p.Note), features(&p.Features), planLink(&p.Link),
	)
}

func note(dst *string) field {
	return field{"note", "", "One line about the plan, such as who it is for.", text(dst)}
}

func features(dst *[]string) field {
	return field{"features", "", "The plan's features, a few words each.", texts(dst)}
}

func planLink(dst *string) field {
	return field{"link", "", "Where customers buy or request the plan: an absolute URI.", text(dst, isAbsoluteURI("https://acorn.example/signup"))}
}

// start returns a reader for gettingStarted: the offer, the steps, and the demo.
func start(dst **site.GettingStarted) reader {
	fields := func(g *site.GettingStarted) reader {
		return open(
			field{"offer", "", "An offer for new customers.", looseText(&g.Offer)},
			field{"steps", "", "The steps to get started, in order, as short sentences.", texts(&g.Steps)},
			field{"demo", "", "The URL of a demo.", text(&g.Demo, isWebURL("https://acorn.example/demo"))},
		)
	}
	return reader{
		read: func(r *report, v value) {
			*dst = new(site.GettingStarted)
			fields(*dst).read(r, v)
		},
		draw: func() shape.Shape { return fields(new(site.GettingStarted)).draw() },
	}
}

// links returns a reader for a map from names to absolute URIs.
func links(dst *[]site.Link) reader {
	uri := func(s *string) reader { return text(s, isAbsoluteURI("https://status.acorn.example")) }
	read := func(r *report, v value) {
		if v.Kind != tree.Map {
			r.errorf(v.Pos, "%s: want a map of names to URIs, found %s", v.name, v.Describe())
			return
		}
		for i, m := range v.Members {
			if m.Bare && oddKey(r, v, i) {
				continue
			}
			var link string
			uri(&link).read(r, value{m.Value, child(v, m.Key), m.Pos})
			if m.Key == "" {
				r.errorf(m.Pos, "%s: a link has no name; write a name before the colon", v.name)
			}
			*dst = append(*dst, site.Link{Key: m.Key, URL: link})
		}
	}
	return reader{read, func() shape.Shape {
		any := uri(new(string)).draw()
		return shape.Shape{Kinds: []shape.Kind{shape.Map}, Others: &any, Names: "."}
	}}
}

// reservedMember is the key that /api adds to the product's JSON. product.yaml must not contain it.
const reservedMember = "apiDescription"

// additive accepts members not defined by the specification, because additional members don't require a new version of
// the API (specification §9). It warns about names that are similar to defined names. The reserved member and numbers
// that JSON can't represent are errors.
func additive(r *report, parent value, m tree.Member, known []string) {
	name := child(parent, m.Key)
	if parent.name == "" && m.Key == reservedMember {
		r.errorf(m.Pos, "%s is reserved, because /api adds it to link to the API description; choose another name", reservedMember)
		return
	}
	if near := suggest.Nearest(m.Key, known); near != "" {
		r.warnf(m.Pos, "unknown key %q, which is published unchanged; did you mean %q?", name, near).Code = rule.OddFact
	}
	finite(r, value{m.Value, name, m.Pos})
}

// finite reports every number in v that JSON can't represent, and every key without a value.
func finite(r *report, v value) {
	switch v.Kind {
	case tree.Number:
		if v.Number == "" {
			r.errorf(v.Pos, "%s: JSON cannot represent %s; write a finite number, or put it in quotes", v.name, v.Describe())
		}
	case tree.List:
		for i := range v.Items {
			finite(r, element(v, i))
		}
	case tree.Map:
		for i, m := range v.Members {
			if m.Bare {
				oddKey(r, v, i)
			}
			finite(r, value{m.Value, fmt.Sprintf("%s.%s", v.name, m.Key), m.Pos})
		}
	}
}
