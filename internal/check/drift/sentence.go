package drift

import (
	"math"
	"strings"

	"vitrine/internal/rule"
)

// sentences checks each sentence in a block. section is the plan named in the heading above the block, or nil.
func (d *pass) sentences(section *planFacts) {
	text := d.text
	if !d.words.relevant(text) {
		return
	}
	relevant := d.words.relevant
	if !hasDigit(text) {
		relevant = hasPlanWord
	}
	for start := 0; start < len(text); {
		end := sentenceEnd(text, start)
		if relevant(text[start:end]) {
			d.sentence(string(text[start:end]), start, section)
		}
		start = end
	}
}

// longestSentence is the number of bytes after which sentenceEnd splits text at a space. Longer text isn't a sentence.
const longestSentence = 1000

// sentenceEnd returns the end offset of the sentence that starts at start.
func sentenceEnd(text []byte, start int) int {
	for i := start; i < len(text); i++ {
		switch text[i] {
		case '.', '!', '?', ';':
			if i+1 == len(text) || text[i+1] == ' ' {
				return i + 1
			}
		case ' ':
			if i-start > longestSentence {
				return i + 1
			}
		}
	}
	return len(text)
}

// sentence compares the statements in a sentence with the facts. from is the offset of the sentence in the block.
func (d *pass) sentence(text string, from int, section *planFacts) {
	money := d.claims(text, false)
	credits := d.claims(text, true)
	d.planNames(text, from, len(money)+len(credits) > 0)
	if len(money)+len(credits) == 0 {
		return
	}
	mentions := d.mentions(text)
	if len(mentions) == 0 && section != nil {
		d.underHeading(text, from, money, credits, section)
		return
	}
	for i, c := range money {
		d.price(text, from, c, i, money, mentions)
	}
	for i, c := range credits {
		d.included(text, from, c, i, credits, mentions)
	}
}

// price compares c, an amount, with the price of its plan. In a sentence about the lowest price, it compares c with the
// lowest price of all plans. In a sentence about the product's price, it compares c with every plan's price.
func (d *pass) price(text string, from int, c claim, index int, all []claim, mentions []mention) {
	w := d.words
	before, after := text[:c.start], text[c.end:]
	if w.otherUnit.MatchString(after) || d.approximate(before, c, mentions) {
		return
	}
	plan, tied := d.tied(text, c, mentions, w.priceAfter.MatchString, w.priceBefore.MatchString)
	switch {
	case w.notPrice.MatchString(w.upTo(masked(text, mentions), c.end)):
		return
	case len(mentions) == len(all) && len(all) > 1 && listed(text, all, mentions):
		plan = mentions[index].plan
	case tied:
	case len(mentions) == 1 && len(all) == 1 && w.month.MatchString(after):
		plan = mentions[0].plan
	case len(mentions) == 0 && w.lowest.MatchString(before):
		if c.value != d.lowest && !math.IsInf(d.lowest, 1) {
			d.report(from+c.start, rule.DriftPrice, "%q contradicts the lowest price, which is %s a month in product.yaml; correct the text or product.yaml", text[c.start:c.end], number(d.lowest))
		}
		return
	case len(mentions) == 0 && w.product.MatchString(before) && w.month.MatchString(after) && !d.isPrice(c.value):
		d.report(from+c.start, rule.DriftPrice, "%q is not the price of any plan in product.yaml; correct the text or product.yaml", text[c.start:c.end])
		return
	default:
		return
	}
	if plan.price != c.value {
		d.wrongPrice(shifted(c, from), plan)
	}
}

// included compares c, a number of credits, with the credits of its plan.
func (d *pass) included(text string, from int, c claim, index int, all []claim, mentions []mention) {
	w := d.words
	if w.otherCredits.MatchString(text[c.end:]) || w.notCredits.MatchString(w.upTo(masked(text, mentions), c.end)) || w.about.MatchString(text[:c.start]) {
		return
	}
	plan, tied := d.tied(text, c, mentions, w.creditsAfter.MatchString, w.creditsBefore.MatchString)
	switch {
	case len(mentions) == len(all) && len(all) > 1 && listed(text, all, mentions):
		plan = mentions[index].plan
	case tied:
	case len(mentions) == 1 && len(all) == 1 && (w.month.MatchString(text[c.end:]) || strings.Contains(text, "includ")):
		plan = mentions[0].plan
	default:
		return
	}
	if plan.credits != c.value {
		d.wrongCredits(shifted(c, from), plan)
	}
}

// underHeading checks a sentence that doesn't name a plan. plan is the plan named in the heading above the sentence.
func (d *pass) underHeading(text string, from int, money, credits []claim, plan *planFacts) {
	w := d.words
	if len(money) == 1 && w.month.MatchString(text[money[0].end:]) && money[0].value != plan.price &&
		!w.notPrice.MatchString(text) && !w.about.MatchString(text[:money[0].start]) {
		d.wrongPrice(shifted(money[0], from), plan)
	}
	if len(credits) == 1 && w.month.MatchString(text[credits[0].end:]) && credits[0].value != plan.credits &&
		!w.notCredits.MatchString(text) && !w.about.MatchString(text[:credits[0].start]) {
		d.wrongCredits(shifted(credits[0], from), plan)
	}
}

// tied returns the plan whose name precedes or follows c, separated only by connecting words such as "costs". It
// returns false if there is no such plan. after reports whether the text between a preceding name and c consists of
// such words, and before reports the same for the text between c and a following name.
func (d *pass) tied(text string, c claim, mentions []mention, after, before func(string) bool) (*planFacts, bool) {
	for i := len(mentions) - 1; i >= 0; i-- {
		if m := mentions[i]; m.end <= c.start {
			if after(text[m.end:c.start]) {
				return m.plan, true
			}
			break
		}
	}
	for _, m := range mentions {
		if m.start >= c.end {
			return m.plan, before(text[c.end:m.start])
		}
	}
	return nil, false
}

// listed reports whether all plan names precede the first number, without a period between the names, as in "Starter
// and Team cost 9 and 29 euros".
func listed(text string, all []claim, mentions []mention) bool {
	last := mentions[len(mentions)-1]
	return last.end <= all[0].start && !strings.Contains(text[mentions[0].end:last.start], ". ")
}

// approximate reports whether before, the text in front of c, presents c as an approximation, and the approximation is
// close enough. The amount must be within 10% of the price of a plan mentioned in the sentence. If the sentence
// mentions no plan, any amount is close enough.
func (d *pass) approximate(before string, c claim, mentions []mention) bool {
	if !d.words.about.MatchString(before) {
		return false
	}
	for _, m := range mentions {
		if math.Abs(m.plan.price-c.value) <= m.plan.price/10 {
			return true
		}
	}
	return len(mentions) == 0
}

func (d *pass) isPrice(value float64) bool {
	for _, p := range d.plans {
		if p.price == value {
			return true
		}
	}
	return false
}

// row checks a table row in which exactly one plan is named. In price columns, amounts must match the plan's price. In
// credit columns, numbers must match the plan's credits.
func (d *pass) row() {
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

// rowPlan returns the only plan named in the cells of a row, or nil if the cells name no plan or several plans.
func (d *pass) rowPlan(cells []string) *planFacts {
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

func (d *pass) cell(plan *planFacts, at int, cell, head string) {
	w := d.words
	money := d.claims(cell, false)
	if len(money) == 1 && w.headPrice.MatchString(head) && !w.headNotPrice.MatchString(strings.ReplaceAll(head, "per month", "month")) &&
		!w.otherUnit.MatchString(cell[money[0].end:]) && !w.notPrice.MatchString(cell) && money[0].value != plan.price {
		d.wrongPrice(shifted(money[0], at), plan)
	}
	if !w.headCredits.MatchString(head) || w.headNotCredits.MatchString(head) || len(money) > 0 {
		return
	}
	digits := strings.TrimSuffix(strings.TrimSuffix(cell, " credits"), " a month")
	if value, ok := parseNumber(digits); ok && value != plan.credits {
		d.wrongCredits(claim{start: at, end: at + len(cell), value: value, credits: true}, plan)
	}
}
