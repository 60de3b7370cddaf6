package load

import (
	"slices"

	"vitrine/internal/load/tree"
	"vitrine/internal/rule"
	"vitrine/internal/site"
)

// noCredits is the creditDefinition of a product without credits. It appears only in the JSON, not on pages.
const noCredits = "This product has no credits."

// withDefaults returns root, the content of product.yaml, with the default values of missing members that are optional
// in the file but required by the specification (wire contract §1). Each member is inserted after the member that
// precedes it in the specification. withDefaults doesn't modify root, because pages show only the members in the file.
func withDefaults(root *tree.Node) *tree.Node {
	at := slices.IndexFunc(root.Members, func(m tree.Member) bool { return m.Key == "pricing" })
	if at < 0 {
		return root
	}
	whole, pricing := *root, *root.Members[at].Value
	whole.Members, pricing.Members = slices.Clone(root.Members), slices.Clone(pricing.Members)
	whole.Members[at].Value = &pricing
	insert(&pricing, "billingPeriod", "creditDefinition", tree.Node{Kind: tree.Text, Text: noCredits})
	insert(&pricing, "creditDefinition", "unlimitedReps", tree.Node{Kind: tree.Bool, Text: "false"})
	insert(&pricing, "unlimitedReps", "unlimitedTeams", tree.Node{Kind: tree.Bool, Text: "false"})
	for i, m := range pricing.Members {
		if m.Key != "plans" {
			continue
		}
		plans := *m.Value
		plans.Items = slices.Clone(plans.Items)
		for j, item := range plans.Items {
			plan := *item
			plan.Members = slices.Clone(plan.Members)
			insert(&plan, "monthlyPrice", "includedCredits", tree.Node{Kind: tree.Number, Text: "0", Number: "0"})
			plans.Items[j] = &plan
		}
		pricing.Members[i].Value = &plans
	}
	return &whole
}

// insert adds a member to the map to. The new member follows the member with the key after, or is the first if there is
// no such member. insert does nothing if the map already contains key.
func insert(to *tree.Node, after, key string, value tree.Node) {
	if to.Get(key) != nil {
		return
	}
	at := slices.IndexFunc(to.Members, func(m tree.Member) bool { return m.Key == after })
	to.Members = slices.Insert(to.Members, at+1, tree.Member{Key: key, Value: &value})
}

// definedCredits reports the first plan that includes credits if product.yaml doesn't define a credit. Otherwise, the
// JSON would contain both noCredits and a plan with credits.
func definedCredits(r *report, root *tree.Node, p *site.Product) {
	if p.Pricing.CreditDefinition != "" {
		return
	}
	for _, plan := range p.Pricing.Plans {
		if plan.IncludedCredits > 0 {
			r.errorf(root.Get("pricing").Pos, "pricing.creditDefinition is missing, but the plan %q includes credits; define a credit", plan.Name).Code = rule.MissingKey
			return
		}
	}
}

// stating wraps read so that the reader also sets *there to true, which records that the member is present.
func stating(there *bool, read reader) reader {
	return reader{
		read: func(r *report, v value) {
			*there = true
			read.read(r, v)
		},
		draw: read.draw,
	}
}
