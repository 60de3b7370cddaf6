package check

import "strings"

// row looks at a row of a table with a cell that is a plan's name: its amounts
// are the plan's price where the column is about prices, and its numbers the
// plan's credits where the column is about credits.
func (d *drifter) row() {
	if !hasDigit(d.text) || !d.mayNamePlan(d.text) {
		return
	}
	cells, heads := strings.Split(string(d.text), "\t"), strings.Split(string(d.head), "\t")
	plan := d.rowPlan(cells)
	if plan == nil {
		return
	}
	at := 0
	for i, cell := range cells {
		head := ""
		if i < len(heads) {
			head = heads[i]
		}
		d.cell(plan, at, strings.TrimSpace(cell), head)
		at += len(cell) + 1
	}
}

// rowPlan is the plan of a row, nil where none or several are named.
func (d *drifter) rowPlan(cells []string) *planFacts {
	var plan *planFacts
	for _, cell := range cells {
		if p := d.planOf(cell); p != nil {
			if plan != nil {
				return nil
			}
			plan = p
		}
	}
	return plan
}

func (d *drifter) cell(plan *planFacts, at int, cell, head string) {
	w := d.words
	money := d.claims(cell, false)
	if len(money) == 1 && w.headPrice.MatchString(head) && !w.headNotPrice.MatchString(strings.ReplaceAll(head, "per month", "month")) &&
		!w.otherUnit.MatchString(cell[money[0].end:]) && !w.notPrice.MatchString(cell) && money[0].value != plan.price {
		d.tellPrice(shifted(money[0], at), plan)
	}
	if !w.headCredits.MatchString(head) || w.headNotCredits.MatchString(head) || len(money) > 0 {
		return
	}
	digits := strings.TrimSuffix(strings.TrimSuffix(cell, " credits"), " a month")
	if value, ok := parseNumber(digits); ok && value != plan.credits {
		d.tellCredits(claim{start: at, end: at + len(cell), value: value, credits: true}, plan)
	}
}
