// Package drift finds prose that contradicts the facts: amounts of money, numbers
// of credits and names of plans that are not those of product.yaml. It promises to
// miss one rather than to be wrong: it reports only what a sentence, a row of a
// table or a heading says of a plan by name, or of the product's price, and keeps
// silent where a sentence speaks of the past, of a sum, of a difference, or of
// what is supposed. It knows English best; of other languages it looks at prices, or at tables of them alone.
package drift

import (
	"bytes"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"

	"vitrine/internal/markdown"
	"vitrine/internal/rule"
	"vitrine/internal/site"
)

// Checker holds pages against the facts of one product. It is safe for concurrent
// use.
type Checker struct {
	product string
	plans   []planFacts
	names   []string
	lowest  float64
	// words find what drift is about in English, local in another language; both are nil where there is nothing to find.
	words *words
	local *local
}

// planFacts are what a sentence can say of a plan.
type planFacts struct {
	name    string
	price   float64
	written string
	credits float64
	// yearly is the price of a year, 0 where there is none.
	yearly float64
}

// claim is a number that a text says of something.
type claim struct {
	start, end int
	value      float64
	credits    bool
}

// mention is the name of a plan in a text.
type mention struct {
	start, end int
	plan       *planFacts
}

// New returns a checker for pages in English.
func New(product *site.Product) *Checker {
	c := plansOf(product)
	if len(c.plans) > 0 {
		c.words = newWords(c.product, product.Pricing.Currency, c.names)
	}
	return c
}

// plansOf returns a checker that knows the facts and no words.
func plansOf(product *site.Product) *Checker {
	c := &Checker{product: product.Name, lowest: math.Inf(1)}
	for _, plan := range product.Pricing.Plans {
		price, err := strconv.ParseFloat(plan.MonthlyPrice, 64)
		if err != nil || plan.Name == "" {
			continue
		}
		// Without a yearly price there is nothing to parse, and 0 is none.
		yearly, _ := strconv.ParseFloat(plan.YearlyPrice, 64)
		c.plans = append(c.plans, planFacts{plan.Name, price, plan.MonthlyPrice, float64(plan.IncludedCredits), yearly})
		c.names = append(c.names, plan.Name)
		if price > 0 {
			c.lowest = min(c.lowest, price)
		}
	}
	return c
}

// Page finds what contradicts the facts in a page's description and prose.
// description says where the page's description is written; it is asked only
// where something is wrong there.
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

// pass looks at one page.
type pass struct {
	*Checker
	page     *site.Page
	problems []site.Problem
	// text is what is looked at, head the head of the table that it is in.
	text, head []byte
	// place is where a byte of the text is written, and whether it is right
	// whatever it says: it is a fact, or its line is meant.
	place func(at int) (pos site.Pos, right bool)
	// source is the page's file, in which what is wrong can be fixed.
	source []byte
}

// description looks at the page's description, which search results show beside
// the page's own words.
func (d *pass) description(front []byte, place func() site.Pos) {
	if d.page.Description == "" {
		return
	}
	d.text, d.head = []byte(d.page.Description), nil
	d.place = func(int) (site.Pos, bool) {
		pos := place()
		return pos, isMeant(lineOf(front, pos.Line))
	}
	if d.local != nil {
		d.local.sentences(d)
		return
	}
	d.sentences(nil)
}

// isMeant reports whether a line of front matter says that it is right.
func isMeant(line []byte) bool { return regexp.MustCompile(`\{\{\s*meant\s*\}\}`).Match(line) }

// report reports a contradiction, unless its line says that it is meant or the
// words come from product.yaml themselves.
func (d *pass) report(at int, code site.Code, format string, args ...any) {
	pos, right := d.place(at)
	if right {
		return
	}
	d.problems = append(d.problems, site.Problem{Path: d.page.Source, Pos: pos, Severity: site.Warning, Code: code,
		Text: fmt.Sprintf(format, args...) + ", or {{ meant }} at the end of the line if it is right"})
}

// fix has the problem that was reported last say the fact in place of a text that
// stands at its place.
func (d *pass) fix(reported int, text, fact string) {
	if len(d.problems) == reported {
		return
	}
	p := &d.problems[reported]
	p.Fix = site.EditAt(d.source, p.Pos, text, fact)
}

func (d *pass) wrongPrice(c claim, plan *planFacts) {
	if c.value == plan.yearly && plan.yearly > 0 {
		// It is a fact too, whether the words speak of a year or not.
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
	d.report(c.start, rule.DriftCredits, "%q is not what %s includes, which is %s credits a month in product.yaml; write %s", text, plan.name, number(plan.credits), fact)
	if end := strings.IndexFunc(text, func(r rune) bool { return !strings.ContainsRune("0123456789.,", r) }); end > 0 {
		d.fix(reported, text, fact+text[end:])
	}
}

// lineOf is a line of front matter, nil where there is no such line.
func lineOf(front []byte, number int) []byte {
	for text := range bytes.Lines(front) {
		if number--; number == 0 {
			return text
		}
	}
	return nil
}

// planOf is the plan that a heading is about: its text is the name, or the name
// and "plan".
func (d *pass) planOf(text string) *planFacts {
	text = strings.TrimPrefix(strings.TrimSuffix(strings.TrimSpace(text), " plan"), "The ")
	for i := range d.plans {
		if d.plans[i].name == text {
			return &d.plans[i]
		}
	}
	return nil
}
