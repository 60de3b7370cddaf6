package site

import "slices"

// ComparedFeature is a row of the table that compares plans.
type ComparedFeature struct {
	Name string // the feature
	In   []bool // whether each plan includes the feature, in the order of `.PlanNames`
}

// ArrangePlans sets p's fields PlanNames, Columns, and Comparison. The caller must set the names and features of the
// plans first.
func ArrangePlans(p *Pricing) {
	p.PlanNames = nil
	for _, plan := range p.Plans {
		p.PlanNames = append(p.PlanNames, plan.Name)
	}
	for _, plan := range p.OnRequest {
		p.PlanNames = append(p.PlanNames, plan.Name)
	}
	p.Columns, p.Comparison = Columns(len(p.PlanNames)), p.compare()
}

// Columns returns the number of columns in which to arrange n cards, as a word from "one" to "four". The last row is
// full or lacks only one card.
func Columns(n int) string {
	switch {
	case n == 1:
		return "one"
	case n%4 == 0:
		return "four"
	case n%3 == 0 || n > 4 && n%3 == 2:
		return "three"
	}
	return "two"
}

// compare returns the rows of the table that compares the plans: one row for each feature, in the order written, with
// the plans that include the feature. It returns nil if no two plans share a feature, because a comparison would then
// be useless.
func (p *Pricing) compare() []ComparedFeature {
	var lists [][]string
	for _, plan := range p.Plans {
		lists = append(lists, plan.Features)
	}
	for _, plan := range p.OnRequest {
		lists = append(lists, plan.Features)
	}
	var rows []ComparedFeature
	shared := false
	for i, features := range lists {
		for _, feature := range features {
			at := slices.IndexFunc(rows, func(row ComparedFeature) bool { return row.Name == feature })
			if at < 0 {
				at = len(rows)
				rows = append(rows, ComparedFeature{feature, make([]bool, len(lists))})
			} else {
				shared = true
			}
			rows[at].In[i] = true
		}
	}
	if !shared {
		return nil
	}
	return rows
}
