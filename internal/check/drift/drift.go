// Package drift finds prose that contradicts the facts: amounts of money, numbers of credits, and names of plans that
// differ from product.yaml. It prefers a missed contradiction to a false alarm. It reports only statements about a
// named plan or about the product's price. It ignores sentences about the past, a sum, a difference, or a hypothetical
// case. It checks all of these statements only in English. In other languages, it checks only monthly prices, only
// price tables, or nothing, depending on the language; see Knows.
package drift

import (
	"bytes"
	"fmt"
	"math"
	"strconv"
	"strings"

	"vitrine/internal/lazyregexp"
	"vitrine/internal/markdown"
	"vitrine/internal/rule"
	"vitrine/internal/site"
)

// Checker compares pages with the facts of one product. It is safe for concurrent use.
type Checker struct {
	product string
	plans   []planFacts
	names   []string
	lowest  float64
	// words contains the patterns for English and is nil for other languages. local contains the patterns for another
	// language and is nil for English. Both are nil if there are no facts to compare.
	words *words
	local *local
}

// planFacts contains the facts about a plan that prose can state.
type planFacts struct {
	name    string
	price   float64
	written string
	credits float64
	// yearly is the yearly price, or 0 if there is none.
	yearly float64
}

// claim is an amount of money or a number of credits stated in text, with its byte offsets.
type claim struct {
	start, end int
	value      float64
	credits    bool
}

// mention is an occurrence of a plan's name in text, with its byte offsets.
type mention struct {
	start, end int
	plan       *planFacts
}

// New returns a checker for English pages.
func New(product *site.Product) *Checker {
	c := plansOf(product)
	if len(c.plans) > 0 {
		c.words = newWords(c.product, product.Pricing.Currency, c.names)
	}
	return c
}

// plansOf returns a checker that has the facts but no patterns.
func plansOf(product *site.Product) *Checker {
	c := &Checker{product: product.Name, lowest: math.Inf(1)}
	for _, plan := range product.Pricing.Plans {
		price, err := strconv.ParseFloat(plan.MonthlyPrice, 64)
		if err != nil || plan.Name == "" {
			continue
		}
		// If there is no yearly price, ParseFloat fails and returns 0.
		yearly, _ := strconv.ParseFloat(plan.YearlyPrice, 64)
		c.plans = append(c.plans, planFacts{plan.Name, price, plan.MonthlyPrice, float64(plan.IncludedCredits), yearly})
		c.names = append(c.names, plan.Name)
		if price > 0 {
			c.lowest = min(c.lowest, price)
		}
	}
	return c
}

// Page returns a problem for each statement in a page's description or prose that contradicts the facts. description
// returns the position of the page's description. Page calls it only if the description contradicts the facts.
func (c *Checker) Page(p *site.Page, doc *markdown.Document, description func() site.Pos) []site.Problem {
	d := &pass{Checker: c, page: p, source: doc.Source()}
	switch {
	case c.local != nil:
		c.local.page(d, doc, description)
		return d.problems
	case c.words == nil:
		return nil
	}
	d.description(doc.FrontMatter(), description)
	var section *planFacts
	var at *markdown.Prose
	d.place = func(offset int) (site.Pos, bool) {
		pos := at.Pos(offset)
		return pos, at.Fact(offset) || doc.Meant(pos.Line)
	}
	doc.Prose(func(block *markdown.Prose) {
		d.text, d.head, at = block.Text, block.Head, block
		switch {
		case block.Level > 0:
			section = d.planOf(string(block.Text))
			d.sentences(nil)
		case len(block.Head) > 0:
			d.row()
		default:
			d.sentences(section)
		}
	})
	return d.problems
}

// pass is the state of checking one page.
type pass struct {
	*Checker
	page     *site.Page
	problems []site.Problem
	// text is the text being checked. If it is a table row, head is the table's header.
	text, head []byte
	// place returns the position of the byte at an offset in text. right reports whether the text at the offset needs
	// no check, because it is an inserted fact or its line is marked with {{ meant }}.
	place func(at int) (pos site.Pos, right bool)
	// source is the content of the page's file, to which fixes apply.
	source []byte
}

// description checks the page's description.
func (d *pass) description(front []byte, place func() site.Pos) {
	if d.page.Description == "" {
		return
	}
	d.text, d.head = []byte(d.page.Description), nil
	d.place = func(int) (site.Pos, bool) {
		pos := place()
		return pos, meant.Match(lineOf(front, pos.Line))
	}
	if d.local != nil {
		d.local.sentences(d)
		return
	}
	d.sentences(nil)
}

// meant matches a front matter line that is marked with {{ meant }}.
var meant = lazyregexp.New(`\{\{\s*meant\s*\}\}`)

// report adds a warning about a contradiction at the given offset in the text. It does nothing if the text at the
// offset needs no check; see place.
func (d *pass) report(at int, code site.Code, format string, args ...any) {
	pos, right := d.place(at)
	if right {
		return
	}
	d.problems = append(d.problems, site.Problem{Path: d.page.Source, Pos: pos, Severity: site.Warning, Code: code,
		Text: fmt.Sprintf(format, args...) + ", or {{ meant }} at the end of the line if it is correct"})
}

// fix sets the fix of the problem with the index reported. The fix replaces text, at the problem's position, with fact.
// fix does nothing if report has skipped the problem, so that the index is out of range.
func (d *pass) fix(reported int, text, fact string) {
	if len(d.problems) == reported {
		return
	}
	p := &d.problems[reported]
	p.Fix = site.EditAt(d.source, p.Pos, text, fact)
}

func (d *pass) wrongPrice(c claim, plan *planFacts) {
	if c.value == plan.yearly && plan.yearly > 0 {
		// The yearly price is a fact too, even if the text doesn't mention a year.
		return
	}
	reported, text := len(d.problems), string(d.text[c.start:c.end])
	fact := fmt.Sprintf("{{ price %q }}", plan.name)
	d.report(c.start, rule.DriftPrice, "%q is not the price of %s, which is %s a month in product.yaml; write %s", text, plan.name, plan.written, fact)
	d.fix(reported, text, fact)
}

func (d *pass) wrongCredits(c claim, plan *planFacts) {
	reported, text := len(d.problems), string(d.text[c.start:c.end])
	name := plan.name
	if strings.ContainsAny(name, ". \t") {
		name = strconv.Quote(name)
	}
	fact := fmt.Sprintf("{{ pricing.plans.%s.includedCredits }}", name)
	d.report(c.start, rule.DriftCredits, "%q contradicts product.yaml, in which %s includes %s credits a month; write %s", text, plan.name, number(plan.credits), fact)
	if end := strings.IndexFunc(text, func(r rune) bool { return !strings.ContainsRune("0123456789.,", r) }); end > 0 {
		d.fix(reported, text, fact+text[end:])
	}
}

// lineOf returns the front matter line with the given number, counting from 1, or nil if there is none.
func lineOf(front []byte, number int) []byte {
	for text := range bytes.Lines(front) {
		if number--; number == 0 {
			return text
		}
	}
	return nil
}

// planOf returns the plan whose name is text, or nil if there is none. "The" may precede the name, and "plan" may
// follow it.
func (d *pass) planOf(text string) *planFacts {
	text = strings.TrimPrefix(strings.TrimSuffix(strings.TrimSpace(text), " plan"), "The ")
	for i := range d.plans {
		if d.plans[i].name == text {
			return &d.plans[i]
		}
	}
	return nil
}
