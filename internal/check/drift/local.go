package drift

import (
	"bytes"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"vitrine/internal/lazyregexp"
	"vitrine/internal/locale"
	"vitrine/internal/markdown"
	"vitrine/internal/site"
)

// Extent specifies which statements in a language a Checker compares with the facts.
type Extent int

// The extents, from the smallest to the largest.
const (
	// Nothing means that the Checker compares no statements, as in languages without a price format in CLDR.
	Nothing Extent = iota
	// Tables are price tables, recognized by their content.
	Tables
	// Prices are prices in tables and in sentences about a plan's monthly price.
	Prices
	// Everything is prices, credits, and plan names.
	Everything
)

// Knows returns the extent for the language tag.
func Knows(language string) Extent {
	family := locale.Family(language)
	switch {
	case slices.Contains(family, "en"):
		return Everything
	case phrasesOf(family) != nil:
		return Prices
	case locale.New(language).Known():
		return Tables
	}
	return Nothing
}

// NewIn returns a checker for pages in language, with the extent returned by Knows. original is the product in the
// site's default language, whose plan names translated pages may also use. It is nil if language is the default.
func NewIn(language string, product, original *site.Product) *Checker {
	extent := Knows(language)
	if extent == Everything {
		return New(product)
	}
	c := plansOf(product)
	if extent != Nothing && len(c.plans) > 0 {
		c.local = newLocal(language, c, product, original)
	}
	return c
}

// local checks prices in a language other than English. To avoid false alarms, it misses most contradictions.
type local struct {
	// money matches an amount. The first or the second group captures the number.
	money *lazyregexp.Regexp
	// decimal is the decimal separator if the currency has three decimals, which look like thousands, or "" otherwise.
	decimal string
	// plans maps each name that a page may use for a plan to the plan.
	plans map[string]*planFacts
	// phrases are the language's patterns, or nil if the language is unknown.
	phrases *phrases
}

// phrases are the patterns that connect an amount with a plan.
type phrases struct {
	// name matches a plan's name. open matches a word that may precede a name. noun matches a word that follows a name
	// and marks it as a plan.
	name, open, noun *lazyregexp.Regexp
	// tie matches the words that connect a name and an amount. month matches a monthly unit after an amount, and
	// monthly matches a monthly unit before an amount.
	tie, month, monthly *lazyregexp.Regexp
	// head matches the header of a price column. other matches text about an amount that isn't today's monthly price.
	head, other *lazyregexp.Regexp
}

// localNumber matches a number with up to two decimals. The digits may be in groups of three, in groups as in Hindi
// (groups of two before a final group of three), or without groups.
const localNumber = `(?:\p{Nd}{1,3}(?:[.,٬’'，\x{00a0}\x{202f}\x{2009} ]\p{Nd}{3})+|\p{Nd}{1,2}(?:,\p{Nd}{2})+,\p{Nd}{3}|\p{Nd}+)(?:[.,٫．]\p{Nd}{1,2})?`

func newLocal(language string, c *Checker, product, original *site.Product) *local {
	code := product.Pricing.Currency
	forms := locale.New(language).Forms(code)
	l := &local{plans: make(map[string]*planFacts)}
	digits := localNumber
	if locale.Fraction(code) >= 3 {
		l.decimal = forms.Decimal
		digits = strings.Replace(digits, `{1,2})?`, `{1,3})?`, 1)
	}
	unit, _ := currencyForms(code)
	unit = regexp.QuoteMeta(forms.Symbol) + "|" + unit + "|" + currencyNames(code)
	const gap, none = `[ \x{00a0}\x{202f}]?`, `(?:[.,][-–—])?` // in place of missing decimals
	l.money = lazyregexp.New(`(?:` + unit + `)` + gap + `(` + digits + `)` + none + `|(` + digits + `)` + none + gap + `(?:` + unit + `)`)
	var names []string
	add := func(name string, plan *planFacts) {
		if plan != nil && l.plans[name] == nil {
			l.plans[name], names = plan, append(names, regexp.QuoteMeta(name))
		}
	}
	for i := range c.plans {
		add(c.plans[i].name, &c.plans[i])
	}
	for i, plan := range product.Pricing.Plans {
		if original != nil && i < len(original.Pricing.Plans) {
			// Both lists have the same order. Translated pages may also use the original names.
			add(original.Pricing.Plans[i].Name, l.plans[plan.Name])
		}
	}
	slices.SortFunc(names, func(a, b string) int { return len(b) - len(a) })
	if said := phrasesOf(locale.Family(language)); said != nil {
		l.phrases = said.compile(names)
	}
	return l
}

// page checks one page.
func (l *local) page(d *pass, doc *markdown.Document, description func() site.Pos) {
	d.description(doc.FrontMatter(), description)
	var at *markdown.Prose
	d.place = func(offset int) (site.Pos, bool) {
		pos := at.Pos(offset)
		return pos, at.Fact(offset) || doc.Meant(pos.Line)
	}
	var open table
	doc.Prose(func(block *markdown.Prose) {
		d.text, d.head, at = block.Text, block.Head, block
		switch {
		case len(block.Head) > 0:
			if string(block.Head) != open.head {
				open.close(d)
				open = table{head: string(block.Head)}
			}
			l.row(d, &open)
			return
		case block.Level == 0:
			l.sentences(d)
		}
		open.close(d)
		open = table{}
	})
	open.close(d)
}

// amounts finds the amounts of money in text. An amount that is part of a range, a sum, a longer number, or a longer
// word has the value -1, which isn't a price.
func (l *local) amounts(text string) (all []claim) {
	for _, m := range l.money.FindAllStringSubmatchIndex(text, -1) {
		digits := m[2:4]
		if digits[0] < 0 {
			digits = m[4:6]
		}
		c := claim{start: m[0], end: m[1], value: -1}
		if value, ok := l.value(text[digits[0]:digits[1]]); ok && !continued(text, c) {
			c.value = value
		}
		all = append(all, c)
	}
	return all
}

// continued reports whether c is part of a longer number or word, a range, or a calculation.
func continued(text string, c claim) bool {
	before, after := text[:c.start], text[c.end:]
	last, _ := utf8.DecodeLastRuneInString(before)
	next, _ := utf8.DecodeRuneInString(after)
	near := strings.TrimRight(before, " \u00a0\u202f")
	sign, size := utf8.DecodeLastRuneInString(near)
	left, _ := utf8.DecodeLastRuneInString(strings.TrimRight(near[:len(near)-size], " \u00a0\u202f"))
	switch {
	case isWord(last), strings.ContainsRune("+±×*/", sign):
		return true
	case strings.ContainsRune("-–—−~〜～", sign) && (sign == last || unicode.IsDigit(left)):
		return true
	}
	return unicode.IsDigit(next) || strings.ContainsRune("-–—+%", next) || goesOn(text, c.end)
}

// isWord reports whether r is a digit, or a letter that forms a word with adjacent letters. It returns false for
// letters in Korean, which appends particles to words, and in scripts without spaces between words.
func isWord(r rune) bool {
	return unicode.IsDigit(r) || unicode.IsLetter(r) && r != 'ー' && !unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

// goesOn reports whether the offset at is within a word.
func goesOn(text string, at int) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:at])
	after, _ := utf8.DecodeRuneInString(text[at:])
	return isWord(before) && isWord(after)
}

// value parses a number in the digits of any script. It returns false if text isn't a number.
func (l *local) value(text string) (float64, bool) {
	var b strings.Builder
	for _, r := range text {
		switch {
		case unicode.IsDigit(r):
			b.WriteByte('0' + digit(r))
		case r == '٫' || r == '．':
			b.WriteByte('.')
		case r == '٬' || r == '，':
			b.WriteByte(',')
		case !unicode.IsSpace(r):
			b.WriteRune(r)
		}
	}
	if whole, fraction, found := strings.Cut(b.String(), l.decimal); found && l.decimal != "" {
		value, err := strconv.ParseFloat(strings.NewReplacer(".", "", ",", "", "\u00a0", "").Replace(whole)+"."+fraction, 64)
		return value, err == nil
	}
	return parseNumber(b.String())
}

// digit returns the value of a digit of any script. In Unicode, the digits of each script are consecutive.
func digit(r rune) byte {
	for _, in := range unicode.Nd.R16 {
		if r <= rune(in.Hi) {
			return byte((r - rune(in.Lo)) % 10)
		}
	}
	for _, in := range unicode.Nd.R32 {
		if r <= rune(in.Hi) {
			return byte((r - rune(in.Lo)) % 10)
		}
	}
	return 0
}

// sentences reports wrong prices in the sentences that contain exactly one plan name and exactly one amount.
func (l *local) sentences(d *pass) {
	if l.phrases == nil || !l.hasDigit(d.text) {
		return
	}
	for start := 0; start < len(d.text); {
		end := start + sentenceLength(d.text[start:])
		l.sentence(d, string(d.text[start:end]), start)
		start = end
	}
}

// hasDigit reports whether text contains a digit of any script.
func (l *local) hasDigit(text []byte) bool {
	return hasDigit(text) || bytes.ContainsFunc(text, func(r rune) bool { return r > unicode.MaxASCII && unicode.IsDigit(r) })
}

// sentenceLength returns the length in bytes of the first sentence in text. An ASCII period, exclamation mark, question
// mark, or semicolon ends a sentence only before a space or at the end of text.
func sentenceLength(text []byte) int {
	for i, r := range string(text) {
		switch r {
		case '。', '！', '？', '؟', '۔', '।':
			return i + utf8.RuneLen(r)
		case '.', '!', '?', ';':
			if i+1 == len(text) || text[i+1] == ' ' {
				return i + 1
			}
		}
	}
	return len(text)
}

func (l *local) sentence(d *pass, text string, from int) {
	all := l.amounts(text)
	if len(all) != 1 || all[0].value < 0 {
		return
	}
	c, p := all[0], l.phrases
	names := p.name.FindAllStringIndex(text, -1)
	if len(names) != 1 || names[0][1] > c.start {
		return
	}
	start, end := names[0][0], names[0][1]
	between, after := text[end:c.start], text[c.end:]
	switch {
	case goesOn(text, start), goesOn(text, end), !p.open.MatchString(text[:start]) && !p.noun.MatchString(between):
		// The text isn't the plan's name: it is part of a longer word, or a common noun with the same spelling.
	case !p.tie.MatchString(between), !p.month.MatchString(after) && !p.monthly.MatchString(between), p.other.MatchString(text[:c.start] + " " + after):
	default:
		l.hold(d, c, from, l.plans[text[start:end]])
	}
}

// hold reports the amount c if it differs from the plan's prices.
func (l *local) hold(d *pass, c claim, from int, plan *planFacts) {
	if c.value != plan.price {
		d.wrongPrice(shifted(c, from), plan)
	}
}

// table is the state of checking the prices of plans in a table.
type table struct {
	head string
	// columns contains the columns with amounts, keyed by column number.
	columns map[int]*column
}

// column contains the number of amounts that match their plans' prices, and the problems with the other amounts.
type column struct {
	right int
	wrong []site.Problem
}

// row checks the prices in a table row that names exactly one plan. It considers only cells that consist of an amount,
// optionally with words such as "per month".
func (l *local) row(d *pass, in *table) {
	cells, heads := strings.Split(string(d.text), "\t"), strings.Split(string(d.head), "\t")
	var plan *planFacts
	for _, cell := range cells {
		if p := l.plans[strings.TrimSpace(cell)]; p != nil {
			if plan != nil {
				return
			}
			plan = p
		}
	}
	if plan == nil {
		return
	}
	at := 0
	for i, cell := range cells {
		from := at
		at += len(cell) + 1
		all := l.amounts(cell)
		if len(all) != 1 || all[0].value < 0 || i >= len(heads) || strings.TrimSpace(cell[:all[0].start]) != "" {
			continue
		}
		c, rest := all[0], strings.TrimSpace(cell[all[0].end:])
		if p := l.phrases; p != nil {
			if p.head.MatchString(heads[i]) && !p.other.MatchString(heads[i]) && (rest == "" || p.month.MatchString(rest) && !p.other.MatchString(rest)) {
				l.hold(d, c, from, plan)
			}
			continue
		}
		if rest == "" {
			in.add(d, i, c, from, plan)
		}
	}
}

// add records an amount in a column, for a language in which price columns can't be recognized by their headers.
func (t *table) add(d *pass, number int, c claim, from int, plan *planFacts) {
	if t.columns[number] == nil {
		if t.columns == nil {
			t.columns = make(map[int]*column)
		}
		t.columns[number] = new(column)
	}
	in := t.columns[number]
	if c.value == plan.price {
		in.right++
		return
	}
	before := len(d.problems)
	d.wrongPrice(shifted(c, from), plan)
	in.wrong = append(in.wrong, d.problems[before:]...)
	d.problems = d.problems[:before]
}

// close reports the wrong prices in a table with only one column of amounts. It assumes that the column contains prices
// if at least two of its amounts, and more than half of them, match the plans' prices.
func (t *table) close(d *pass) {
	if len(t.columns) != 1 {
		return
	}
	for _, in := range t.columns {
		if in.right >= 2 && in.right > len(in.wrong) {
			d.problems = append(d.problems, in.wrong...)
		}
	}
}
