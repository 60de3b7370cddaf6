package check

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/text/currency"
	"golang.org/x/text/language"
	"golang.org/x/text/message"

	"vitrine/internal/load/suggest"
	"vitrine/internal/markdown"
	"vitrine/internal/rule"
	"vitrine/internal/site"
)

// prices is what the drift check holds prose against. It finds amounts of
// money, numbers of credits and names of plans that contradict product.yaml. It
// would rather miss one than be wrong: it tells only of what a sentence, a row
// of a table or a heading says of a plan by name, or of the product's price,
// and keeps silent where a sentence speaks of the past, of a sum, of a
// difference, or of what is supposed. Its words are English.
type prices struct {
	product string
	plans   []planFacts
	names   []string
	lowest  float64
	// words find what drift is about; they are nil where there are no plans.
	words *driftWords
}

// planFacts are what a sentence can say of a plan.
type planFacts struct {
	name    string
	price   float64
	written string
	credits float64
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

// driftWords are the patterns of one product.
type driftWords struct {
	// marks are what an amount has in it.
	marks                       []string
	money, credits, plan, named *regexp.Regexp
	// after tie a number to the plan before it, before one to the plan behind it.
	priceAfter, priceBefore, creditsAfter, creditsBefore *regexp.Regexp
	notPrice, notCredits, otherUnit, otherCredits        *regexp.Regexp
	month, about, product, lowest                        *regexp.Regexp
	planContext, odd, further, meant                     *regexp.Regexp
	headNotPrice, headPrice, headNotCredits, headCredits *regexp.Regexp
}

func newPrices(s *site.Site) prices {
	p := prices{product: s.Product.Name, lowest: math.Inf(1)}
	for _, plan := range s.Product.Pricing.Plans {
		price, err := strconv.ParseFloat(plan.MonthlyPrice, 64)
		if err != nil || plan.Name == "" {
			continue
		}
		p.plans = append(p.plans, planFacts{plan.Name, price, plan.MonthlyPrice, float64(plan.IncludedCredits)})
		p.names = append(p.names, plan.Name)
		if price > 0 {
			p.lowest = min(p.lowest, price)
		}
	}
	if len(p.plans) > 0 {
		p.words = newDriftWords(p.product, s.Product.Pricing.Currency, p.names)
	}
	return p
}

// currencyForms is a pattern of how people write a currency, and what each form
// has in it.
func currencyForms(code string) (pattern string, marks []string) {
	forms, marks := []string{regexp.QuoteMeta(code)}, []string{code}
	if unit, err := currency.ParseISO(code); err == nil {
		symbol := message.NewPrinter(language.English).Sprint(currency.NarrowSymbol(unit))
		symbol = strings.TrimSpace(symbol)
		forms, marks = append(forms, regexp.QuoteMeta(symbol)), append(marks, symbol)
	}
	switch code {
	case "EUR":
		forms, marks = append(forms, "[Ee]uros?"), append(marks, "uro")
	case "USD", "CAD", "AUD", "NZD":
		forms, marks = append(forms, "dollars?", "US\\$"), append(marks, "dollar")
	case "GBP":
		forms, marks = append(forms, "pounds?"), append(marks, "pound")
	}
	return strings.Join(forms, "|"), marks
}

const numberForm = `\d+(?:[.,\x{00a0}\x{202f}’']\d+)*`

func newDriftWords(product, code string, names []string) *driftWords {
	sorted := slices.Clone(names)
	slices.SortFunc(sorted, func(a, b string) int { return len(b) - len(a) })
	for i, name := range sorted {
		sorted[i] = regexp.QuoteMeta(name)
	}
	any := strings.Join(sorted, "|")
	unit, marks := currencyForms(code)
	return &driftWords{
		marks:   marks,
		money:   regexp.MustCompile(`(?:` + unit + `)[ \x{00a0}\x{202f}]?(` + numberForm + `)(?:[ \x{00a0}](?:` + unit + `)\b)?|(` + numberForm + `)[ \x{00a0}\x{202f}]?(?:` + unit + `)(?:\b|\W|$)`),
		credits: regexp.MustCompile(`(` + numberForm + `)(?: (?:included|monthly|shared))?[ \x{00a0}-]credits?\b`),
		plan:    regexp.MustCompile(`(?:^|[^\pL\pN])(` + any + `)(?:$|[^\pL\pN])`),
		named:   regexp.MustCompile(`(?:\b[Tt]he|\b[Oo]ur|\b[Oo]n|\b[Tt]o|\b[Aa]n?|\b[Ee]ach|\b[Ee]very) (\pL[\pL\pN]*)( plan)\b`),
		priceAfter: regexp.MustCompile(`^(?: plan)?(?:’s|'s)?,?(?: (?:price|monthly price|fee))?(?: (?:now|still|only|just|already|currently|always|also|will|which|that))*` +
			`(?: ?(?:[:=(–—-]|costs?|cost|is|at|for|runs(?: at)?|comes to|sells for|goes for|starts? at|begins at|is priced at|priced at|is billed at|billed at|comes in at|charges|is available for|from|are|amounts to))` +
			`(?: (?:you|us|teams?|customers|a team))?(?: (?:now|still|only|just|exactly|a flat|flat))?[ \t]?$`),
		priceBefore:    regexp.MustCompile(`^(?: ?/ ?(?:month|mo)\b| (?:a|per|each|every) month| monthly)?,? (?:for|on|in|with|buys(?: you)?|gets you|pays for|is the price of|you get|is what)(?: the| our| you)? ?(?:the )?$`),
		creditsAfter:   regexp.MustCompile(`^(?: plan)?(?:’s|'s)?,?(?: (?:now|still|only|just|currently|also|which|that|will))*(?: ?(?:[:=(–—-]|includes?|comes with|has|gives|gets|offers|contains?|provides|brings|covers|with|holds|grants|starts with|renews|allowance is|allowance of|is|for))(?: (?:you|us|teams?|a team|a workspace|everyone))?(?: (?:now|only|just|exactly|a total of))?[ \t]?$`),
		creditsBefore:  regexp.MustCompile(`^(?: (?:a|per|each|every) month| monthly)?,? (?:on|in|with|for|of|come with|are included in|are part of|belong to|is what|included in)(?: the| our)? $`),
		notPrice:       regexp.MustCompile(`(?i)\b(?:was|were|used to|until|previous(?:ly)?|former(?:ly)?|before|earlier|old|originally|last year|in 20\d\d|raised?|rose|lower(?:ed)?|reduced|drop(?:ped)?|increased?|instead of|rather than|more than|less than|cheaper|dearer|difference|sav(?:e|es|ed|ing|ings)|discount|off|refund(?:ed)?|credit note|deposit|VAT|tax|taxes|would|could|might|if|imagine|suppose|say|example|hypothetical|twice|double|half|total|altogether|together|combined|sum|both|two|three|four|five|six|seven|eight|nine|ten|twelve|competitors?|elsewhere|others?|another|budget(?:s|ed)?|spend|spends|spent|revenue|deal|deals|quota|not|never|no longer|wrong|nobody|between|beyond|extra|add-on|additional|each additional|remaining|rest|under|over|up to|above|below|fewer|average)\b|\bdo(?:es)?n[’']t\b|\bisn[’']t\b`),
		notCredits:     regexp.MustCompile(`(?i)\b(?:was|were|used|uses|use|using|until|previous(?:ly)?|former(?:ly)?|before|old|originally|raised?|rose|reduced|increased?|instead of|more|less|fewer|difference|would|could|might|if|imagine|suppose|say|example|twice|double|half|total|altogether|together|needs?|needed|spen[dt]s?|leaves?|left|remaining|remain(?:s|ed)?|rest|over|beyond|extra|additional|buys?|bought|consumes?|costs? (?:you )?\d|takes?|per rep|each rep|per person|free|trial|not|never|no longer|wrong|week(?:ly|s)?|days?|daily|year(?:ly|s)?|annual(?:ly)?|quarter|half|average|after|about \d+ of|of (?:its|their|the|your|our)|first|last|under|up to|at least|most|above|below|new workspace|two|three|four|five|six|seven|eight|nine|ten|times)\b|\bdo(?:es)?n[’']t\b|\bisn[’']t\b`),
		otherUnit:      regexp.MustCompile(`^(?:\.?\d)*(?:,? (?:a|an|per|each|every) |/|-?a-)\s?(?:year|yr|annum|week|day|hour|quarter|rep|reps|seat|user|person|head|call|credit|review|team|participant|session|employee|member)|^ (?:yearly|annually|in all|more|less|off|in total|over|cheaper|dearer|extra|apart|budget|deal|worth|discount|once)\b`),
		otherCredits:   regexp.MustCompile(`^ (?:(?:a|per|each|every) (?:week|day|year|quarter|rep|person|call|user|head)|more|less|fewer|left|over|extra|short|to spare|apart|remaining|later|used|per (?:week|day|year|rep|person|call))\b`),
		month:          regexp.MustCompile(`^ ?(?:/ ?(?:month|mo)\b|(?:a|per|each|every) (?:calendar )?month\b|monthly\b)`),
		about:          regexp.MustCompile(`(?i)\b(?:about|around|roughly|approximately|nearly|almost|some|circa|ca\.) $`),
		product:        regexp.MustCompile(`(?:^|[^\pL])` + regexp.QuoteMeta(product) + ` (?:now |still |only |just )*(?:costs|is priced at|is available for|sells for) (?:you |a team )?(?:only |just )?$`),
		lowest:         regexp.MustCompile(`(?:\b[Pp]lans|\b[Pp]rices|\b[Pp]ricing|\b[Ss]ubscriptions|` + regexp.QuoteMeta(product) + `) (?:now |still )*(?:start|starts|begin|begins) (?:at|from|with) (?:only |just )?$`),
		planContext:    regexp.MustCompile(`\d[ \x{00a0}-]?credits?\b|(?:` + unit + `) ?\d|\d ?(?:` + unit + `)|\b(?:per|a|each) month\b|/month|(?i:\b(?:upgrade[sd]?|upgrading|downgrade[sd]?|downgrading|subscribe[sd]?|subscription|switch(?:es|ed)? to|pricing|price list)\b)`),
		meant:          regexp.MustCompile(`\{\{\s*meant\s*\}\}`),
		further:        regexp.MustCompile(`^[^,;]*[,;] (?:so|and|but|because|while|where|enough)\b`),
		odd:            regexp.MustCompile(`(?:^|[^\pL\pN])(\p{Lu}\pL{3,})(?:$|[^\pL\pN])`),
		headNotPrice:   regexp.MustCompile(`(?i)year|annual|per |/|\bwas\b|old|before|former|difference|total|extra|sav|credit|rep|call|example|team size|budget|change`),
		headPrice:      regexp.MustCompile(`(?i)price|cost|fee|month|` + unit),
		headNotCredits: regexp.MustCompile(`(?i)per (?:rep|call|person|week|day|year|credit)|used|need|left|price|cost|week|year|extra|old|before|was|change|difference`),
		headCredits:    regexp.MustCompile(`(?i)\bcredits?\b`),
	}
}

// drift finds what contradicts product.yaml in a page's prose.
func (c *Checker) drift(f *Findings, p *site.Page, doc *markdown.Document) {
	if c.prices.words == nil {
		return
	}
	d := &drifter{prices: &c.prices, f: f, page: p}
	var section *planFacts
	d.description(doc.FrontMatter())
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
}

// drifter looks at one page.
type drifter struct {
	*prices
	f    *Findings
	page *site.Page
	// text is what is looked at, head the head of the table that it is in.
	text, head []byte
	// place is where a byte of the text is written, and whether it is right
	// whatever it says: it is a fact, or its line is meant.
	place func(at int) (pos site.Pos, right bool)
}

// description looks at the page's description, which search results show beside
// the page's own words.
func (d *drifter) description(front []byte) {
	if d.page.Description == "" {
		return
	}
	d.text, d.head = []byte(d.page.Description), nil
	d.place = func(int) (site.Pos, bool) {
		pos := keyPlace(front, "description", "")
		return pos, d.words.meant.Match(lineOf(front, pos.Line))
	}
	d.sentences(nil)
}

// tell reports a contradiction, unless its line says that it is meant or the
// words come from product.yaml themselves.
func (d *drifter) tell(at int, code site.Code, format string, args ...any) {
	pos, right := d.place(at)
	if right {
		return
	}
	d.f.add(d.page, pos, site.Warning, code, fmt.Sprintf(format, args...)+", or {{ meant }} at the end of the line if it is right")
}

func (d *drifter) tellPrice(c claim, plan *planFacts) {
	d.tell(c.start, rule.DriftPrice, "%q is not the price of %s, which is %s a month in product.yaml; write {{ price %q }}", d.text[c.start:c.end], plan.name, plan.written, plan.name)
}

func (d *drifter) tellCredits(c claim, plan *planFacts) {
	d.tell(c.start, rule.DriftCredits, "%q is not what %s includes, which is %s credits a month in product.yaml; write {{ pricing.plans.%s.includedCredits }}",
		d.text[c.start:c.end], plan.name, number(plan.credits), plan.name)
}

// planOf is the plan that a heading is about: its text is the name, or the name
// and "plan".
func (d *drifter) planOf(text string) *planFacts {
	text = strings.TrimPrefix(strings.TrimSuffix(strings.TrimSpace(text), " plan"), "The ")
	for i := range d.plans {
		if d.plans[i].name == text {
			return &d.plans[i]
		}
	}
	return nil
}

// near is the plan whose name a word nearly is, nil where it is one or none.
func (d *drifter) near(word string) *planFacts {
	if slices.Contains(d.names, word) {
		return nil
	}
	name := suggest.Nearest(word, d.names)
	for i := range d.plans {
		if d.plans[i].name == name && (strings.EqualFold(name, word) || oneSlip(strings.ToLower(name), strings.ToLower(word))) {
			return &d.plans[i]
		}
	}
	return nil
}
