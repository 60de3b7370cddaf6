package check

import (
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"vitrine/internal/rule"
)

// sentences looks at each sentence of a block. section is the plan that the
// heading above is about, nil where it is about none.
func (d *drifter) sentences(section *planFacts) {
	text := d.block.Text
	if !d.speaks(text) {
		return
	}
	for start := 0; start < len(text); {
		end := sentenceEnd(text, start)
		d.sentence(start, end, section)
		start = end
	}
}

// speaks reports whether a text can be of what the check is about. Patterns are
// slow, and most prose is not.
func (d *drifter) speaks(text string) bool {
	return strings.Contains(text, " plan") || strings.ContainsAny(text, "0123456789") && (d.ofMoney(text) || strings.Contains(text, "credit"))
}

func (d *drifter) ofMoney(text string) bool {
	for _, mark := range d.words.marks {
		if strings.Contains(text, mark) {
			return true
		}
	}
	return false
}

// longestSentence is how many bytes are looked at together: what is longer is
// no sentence.
const longestSentence = 1000

// sentenceEnd is where the sentence that begins at start ends.
func sentenceEnd(text string, start int) int {
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

func (d *drifter) sentence(from, to int, section *planFacts) {
	text := d.block.Text[from:to]
	if !d.speaks(text) {
		return
	}
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

// price holds an amount against the plan that it is said of.
func (d *drifter) price(text string, from int, c claim, index int, all []claim, mentions []mention) {
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
			d.tell(from+c.start, rule.DriftPrice, "%q is not where prices start, which is %s a month in product.yaml; mend it", text[c.start:c.end], number(d.lowest))
		}
		return
	case len(mentions) == 0 && w.product.MatchString(before) && w.month.MatchString(after) && !d.isPrice(c.value):
		d.tell(from+c.start, rule.DriftPrice, "%q is the price of no plan in product.yaml; mend it", text[c.start:c.end])
		return
	default:
		return
	}
	if plan.price != c.value {
		d.tellPrice(shifted(c, from), plan)
	}
}

// included holds a number of credits against the plan that it is said of.
func (d *drifter) included(text string, from int, c claim, index int, all []claim, mentions []mention) {
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
		d.tellCredits(shifted(c, from), plan)
	}
}

// underHeading looks at a sentence without a plan's name below a heading that
// is one.
func (d *drifter) underHeading(text string, from int, money, credits []claim, plan *planFacts) {
	w := d.words
	if len(money) == 1 && w.month.MatchString(text[money[0].end:]) && money[0].value != plan.price &&
		!w.notPrice.MatchString(text) && !w.about.MatchString(text[:money[0].start]) {
		d.tellPrice(shifted(money[0], from), plan)
	}
	if len(credits) == 1 && w.month.MatchString(text[credits[0].end:]) && credits[0].value != plan.credits &&
		!w.notCredits.MatchString(text) && !w.about.MatchString(text[:credits[0].start]) {
		d.tellCredits(shifted(credits[0], from), plan)
	}
}

// tied finds the plan that stands right before or behind a number, with nothing
// between them but what ties the two.
func (d *drifter) tied(text string, c claim, mentions []mention, after, before func(string) bool) (*planFacts, bool) {
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

// listed reports whether a sentence first names all plans and then all numbers,
// in that order.
func listed(text string, all []claim, mentions []mention) bool {
	last := mentions[len(mentions)-1]
	return last.end <= all[0].start && !strings.Contains(text[mentions[0].end:last.start], ". ")
}

// approximate reports whether an amount is said to be about a price that it is
// near to.
func (d *drifter) approximate(before string, c claim, mentions []mention) bool {
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

func (d *drifter) isPrice(value float64) bool {
	for _, p := range d.plans {
		if p.price == value {
			return true
		}
	}
	return false
}

// claims finds the amounts of money, or the numbers of credits, in a text.
func (d *drifter) claims(text string, credits bool) []claim {
	pattern := d.words.money
	if credits {
		pattern = d.words.credits
	}
	if credits && !strings.Contains(text, "credit") || !credits && !d.ofMoney(text) {
		return nil
	}
	var out []claim
	for _, m := range pattern.FindAllStringSubmatchIndex(text, -1) {
		c := claim{start: m[0], end: m[1], credits: credits}
		digits := m[2:4]
		if digits[0] < 0 {
			digits = m[4:6]
		}
		value, ok := parseNumber(text[digits[0]:digits[1]])
		if !ok {
			continue
		}
		c.value = value
		if !credits && m[2] < 0 {
			// The pattern looks at the character behind the sign.
			c.end = digits[1] + len(strings.TrimRightFunc(text[digits[1]:c.end], func(r rune) bool {
				return r != '€' && r != '$' && r != '£' && !unicode.IsLetter(r)
			}))
		}
		if c.start > 0 {
			if r, _ := utf8.DecodeLastRuneInString(text[:c.start]); unicode.IsLetter(r) || unicode.IsDigit(r) || r == '-' || r == '–' {
				continue
			}
		}
		out = append(out, c)
	}
	return out
}

// mentions finds the names of plans in a text. At its start a name counts only
// with what makes it one, because every sentence begins with a capital.
func (d *drifter) mentions(text string) []mention {
	var out []mention
	for at := 0; at < len(text); {
		m := d.words.plan.FindStringSubmatchIndex(text[at:])
		if m == nil {
			return out
		}
		start, end := at+m[2], at+m[3]
		if plan := d.planOf(text[start:end]); plan != nil && d.isName(text, start, end) {
			out = append(out, mention{start, end, plan})
		}
		at = end
	}
	return out
}

// isName reports whether what is spelt like a plan's name is one: it is not
// followed by a word that makes it a part of another name, as in "Team Lead".
func (d *drifter) isName(text string, start, end int) bool {
	rest := text[end:]
	if strings.HasPrefix(rest, " ") && len(rest) > 1 {
		r, _ := utf8.DecodeRuneInString(rest[1:])
		if unicode.IsUpper(r) {
			return false
		}
	}
	if strings.HasPrefix(rest, "-") && len(rest) > 1 && rest[1] != ' ' {
		return false
	}
	before := strings.TrimRight(text[:start], " ")
	if before == "" || len(before) == len(text[:start]) {
		return true
	}
	// "Sales Team" is no plan.
	word := before[strings.LastIndexByte(before, ' ')+1:]
	r, _ := utf8.DecodeRuneInString(word)
	return !unicode.IsUpper(r) || len(before) == len(word) || word == d.product || d.planOf(word) != nil || strings.HasSuffix(word, ",") || strings.HasSuffix(word, ":")
}

// upTo is a sentence as far as it can say how a number at its offset is meant:
// what follows with ", so" is another thought.
func (w *driftWords) upTo(text string, end int) string {
	if i := w.further.FindStringIndex(text[end:]); i != nil {
		return text[:end+i[1]]
	}
	return text
}

// masked is a text with the names of plans in it covered, so that they are not
// taken for other words.
func masked(text string, mentions []mention) string {
	b := []byte(text)
	for _, m := range mentions {
		for i := m.start; i < m.end; i++ {
			b[i] = '_'
		}
	}
	return string(b)
}

func shifted(c claim, by int) claim {
	c.start, c.end = c.start+by, c.end+by
	return c
}

// parseNumber reads a number with separators of any kind: what stands before
// the last three digits groups them, what stands before one or two is a point.
func parseNumber(s string) (float64, bool) {
	s = strings.NewReplacer("\u00a0", "", "\u202f", "", "’", "", "'", "").Replace(s)
	last := strings.LastIndexAny(s, ".,")
	if last >= 0 {
		whole, fraction := s[:last], s[last+1:]
		whole = strings.NewReplacer(".", "", ",", "").Replace(whole)
		if len(fraction) == 3 {
			s = whole + fraction
		} else {
			s = whole + "." + fraction
		}
	}
	value, err := strconv.ParseFloat(s, 64)
	return value, err == nil
}

func number(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }
