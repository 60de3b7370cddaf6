package load

import (
	"math/big"
	"strings"

	"vitrine/internal/load/tree"
	"vitrine/internal/rule"
	"vitrine/internal/site"
)

// samePlans warns about indistinguishable plans: two with the same name, and two that are highlighted. It also warns about
// ambiguous prices.
func samePlans(r *report, root *tree.Node) {
	pricing := root.Get("pricing")
	if pricing == nil || pricing.Value.Kind != tree.Map {
		return
	}
	names := make(map[string]site.Pos)
	var highlighted site.Pos
	for _, key := range []string{"plans", "onRequest"} {
		list := pricing.Value.Get(key)
		if list == nil || list.Value.Kind != tree.List {
			continue
		}
		for _, plan := range list.Value.Items {
			if plan.Kind != tree.Map {
				continue
			}
			if name := plan.Get("name"); name != nil && name.Value.Kind == tree.Text {
				folded := strings.ToLower(strings.TrimSpace(name.Value.Text))
				if first, taken := names[folded]; !taken {
					names[folded] = name.Value.Pos
				} else if folded != "" {
					r.warnf(name.Value.Pos, "the plan in line %d has the name %q too; give each plan its own name", first.Line, name.Value.Text).Code = rule.SamePlan
				}
			}
			lowYear(r, plan)
			mark := plan.Get("highlight")
			if mark == nil || mark.Value.Kind != tree.Bool || mark.Value.Text != "true" {
				continue
			}
			if highlighted != (site.Pos{}) {
				r.warnf(mark.Value.Pos, "the plan in line %d is highlighted too; highlight the one that most customers want", highlighted.Line).Code = rule.SamePlan
				continue
			}
			highlighted = mark.Value.Pos
		}
	}
}

// lowYear warns about a yearly price below the price of a month: it's probably the price of a month that is paid yearly.
func lowYear(r *report, plan *tree.Node) {
	month, year := plan.Get("monthlyPrice"), plan.Get("yearlyPrice")
	if month == nil || year == nil || month.Value.Kind != tree.Number || year.Value.Kind != tree.Number {
		return
	}
	var m, y big.Rat
	if _, ok := m.SetString(month.Value.Number); !ok {
		return
	}
	if _, ok := y.SetString(year.Value.Number); ok && y.Sign() > 0 && y.Cmp(&m) < 0 {
		r.warnf(year.Value.Pos, "the yearly price %s is lower than the monthly price %s; write the price of a whole year", year.Value.Text, month.Value.Text).Code = rule.SamePlan
	}
}
