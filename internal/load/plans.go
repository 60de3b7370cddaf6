package load

import (
	"math/big"
	"strconv"
	"strings"

	"vitrine/internal/load/tree"
	"vitrine/internal/locale"
	"vitrine/internal/rule"
	"vitrine/internal/site"
)

// samePlans warns about plans with the same name, a second highlighted plan, and implausible prices (see lowYear and
// longPrices).
func samePlans(r *report, root *tree.Node) {
	pricing := root.Get("pricing")
	if pricing == nil || pricing.Value.Kind != tree.Map {
		return
	}
	currency := ""
	if named := pricing.Value.Get("currency"); named != nil && named.Value.Kind == tree.Text {
		currency = named.Value.Text
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
					r.warnf(name.Value.Pos, "the plan on line %d is also named %q; give each plan its own name", first.Line, name.Value.Text).Code = rule.SamePlan
				}
			}
			lowYear(r, plan)
			longPrices(r, plan, currency)
			mark := plan.Get("highlight")
			if mark == nil || mark.Value.Kind != tree.Bool || mark.Value.Text != "true" {
				continue
			}
			if highlighted != (site.Pos{}) {
				r.warnf(mark.Value.Pos, "the plan on line %d is highlighted too; highlight only the plan that most customers want", highlighted.Line).Code = rule.SamePlan
				continue
			}
			highlighted = mark.Value.Pos
		}
	}
}

// lowYear warns about a yearly price that is lower than the monthly price. Such a yearly price is probably the price
// per month for yearly billing.
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
		r.warnf(year.Value.Pos, "the yearly price %s is lower than the monthly price %s; write the price for a full year", year.Value.Text, month.Value.Text).Code = rule.SamePlan
	}
}

// longPrices warns about prices with more decimals than their currency has. Customers can't pay 9.505 francs, and
// readers may mistake the decimals for thousands.
func longPrices(r *report, plan *tree.Node, currency string) {
	if currencyCode(currency) != "" {
		return
	}
	most := locale.Fraction(currency)
	for _, key := range []string{"monthlyPrice", "yearlyPrice"} {
		price := plan.Get(key)
		if price == nil || price.Value.Kind != tree.Number {
			continue
		}
		if n := locale.Decimals(price.Value.Number); n > most {
			r.warnf(price.Value.Pos, "%s has %d decimals, but amounts in %s have %s; write the price that customers pay", price.Value.Text, n, currency, decimalsOf(most)).Code = rule.SamePlan
		}
	}
}

// decimalsOf formats a number of decimals for a message: "none" for 0, and digits otherwise.
func decimalsOf(decimals int) string {
	if decimals == 0 {
		return "none"
	}
	return strconv.Itoa(decimals)
}
