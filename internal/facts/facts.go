// Package facts provides the values of product.yaml by name, so that pages don't need to repeat them. The text between
// "{{" and "}}" is an expression:
//
//   - a path, such as name, links.signup, or pricing.plans.Team.monthlyPrice,
//     whose parts are keys of maps, and names or indexes (from 0) of list
//     items; a part that contains a dot must be in quotes;
//   - price "Team", the monthly price of a plan, in the format of the site's
//     language and currency; price "Team" yearly, the plan's yearly price;
//   - plans, the price list, as a table; or
//   - meant, which produces nothing, and tells the drift check that its line
//     is correct.
//
// A number keeps its written form. The error for an invalid expression suggests the nearest valid expression. Every
// value lists the facts that it uses.
package facts

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"vitrine/internal/lazyregexp"
	"vitrine/internal/load/suggest"
	"vitrine/internal/locale"
	"vitrine/internal/site"
)

// Values expands expressions to the facts of one product in one language. It is safe for concurrent use.
type Values struct {
	product site.Product
	locale  *locale.Locale
	money   func(amount string) (string, error)
	price   *lazyregexp.Regexp
	// original is the product in the default language, or nil. Expressions may also use the plan names in original.
	original *site.Product
	// own is the language tag of original and of the strings in foreign.
	own string
	// foreign is the set of strings that aren't translated, and are therefore in the language own. Each string is
	// joined into one line.
	foreign map[string]bool
}

// New returns the values of the facts of product for pages in language, a BCP 47 tag.
func New(language string, product *site.Product) *Values {
	l := locale.New(language)
	return &Values{
		product: *product,
		locale:  l,
		money:   Price(l, language, product.Pricing.Currency),
		price:   lazyregexp.New(`^price(?:\s+(.*))?$`),
	}
}

// Translated returns the values of the facts of product in a language other than own, the site's default. original is
// the product in the default language, or nil. The facts of original must have the same structure as the facts of
// product. Pages may refer to plans by their original names.
func Translated(language string, product *site.Product, own string, original *site.Product) *Values {
	v := New(language, product)
	if v.original = original; original != nil {
		v.own, v.foreign = own, foreignTexts(product.Facts, original.Facts)
	}
	return v
}

// Price returns a function that formats prices in a currency for pages in a language. In a right-to-left language, the
// function isolates each price, so that the amount and the symbol keep their order in any context (Unicode UAX #9, FSI
// and PDI).
func Price(l *locale.Locale, language, currency string) func(amount string) (string, error) {
	format := l.Money(currency).Format
	if site.Direction(language) != "rtl" {
		return format
	}
	return func(amount string) (string, error) {
		text, err := format(amount)
		if err != nil {
			return "", err
		}
		return "\u2068" + text + "\u2069", nil
	}
}

// Form is the presentation of an expression's value.
type Form uint8

// The forms of a value.
const (
	Inline Form = iota // inline text
	List               // a list of strings
	Table              // rows of cells, starting with the header
	Meant              // nothing
)

// Value is the value of an expression.
type Value struct {
	Form Form
	// Text is the value if Form is Inline, on one line.
	Text string
	// Items are the items of a List.
	Items []string
	// Rows are the rows of a Table. The first row contains keys of the theme's strings.
	Rows [][]string
	// Uses are the paths of the facts in the value.
	Uses []string
}

// Size returns the number of bytes of text in the value.
func (v *Value) Size() int {
	size := len(v.Text)
	for _, item := range v.Items {
		size += len(item)
	}
	for _, row := range v.Rows {
		for _, cell := range row {
			size += len(cell)
		}
	}
	return size
}

// Expand returns the value of an expression, which must not include its braces. The error describes the problem and its
// solution. If product.yaml can't be read, Expand returns the expression itself as text and no error, because the
// problem with the file is reported separately.
func (f *Values) Expand(expression string) (Value, error) {
	expression = strings.TrimSpace(expression)
	if expression == "meant" {
		return Value{Form: Meant}, nil
	}
	if f.product.Facts == nil || f.product.Facts.Kind != site.MapFact {
		return Value{Text: expression}, nil
	}
	switch {
	case expression == "":
		return Value{}, errors.New(`the braces are empty; write a fact's path, such as {{ name }}, or \{{ for literal braces`)
	case strings.HasPrefix(expression, "{"):
		return Value{}, errors.New(`a fact has two braces on each side; write {{ name }}, or \{{ for literal braces`)
	case strings.HasPrefix(expression, "price(") && f.product.Facts.Member("price") == nil:
		return Value{}, fmt.Errorf("price does not take parentheses; write {{ price %q }}", f.firstPlan())
	case strings.HasPrefix(expression, "<"), strings.HasPrefix(expression, "%"):
		return Value{}, fmt.Errorf("{{%s}} is a Hugo shortcode, which Vitrine does not support; write the text itself", expression)
	case expression == "plans" && len(f.product.Pricing.Plans) == 0 && f.hasNoPlans():
		return Value{}, errors.New("product.yaml has no plans to show; add one to pricing.plans, or remove {{ plans }}")
	case expression == "plans":
		return f.plans(), nil
	}
	if call := f.price.FindStringSubmatch(expression); call != nil && f.product.Facts.Member("price") == nil {
		return f.planPrice(call[1])
	}
	return f.path(expression)
}

// Text is like Expand, but returns an error if the value is a list or a table. It is for places that allow only text.
func (f *Values) Text(expression string) (Value, error) {
	v, err := f.Expand(expression)
	switch {
	case err != nil:
		return v, err
	case v.Form == List:
		return v, fmt.Errorf("%q is a list, which needs its own paragraph on a page; use one of its items here, such as %s.0", strings.TrimSpace(expression), v.Uses[0])
	case v.Form == Table:
		return v, fmt.Errorf("%q is a table, which needs its own paragraph on a page; use one value here, such as pricing.currency", strings.TrimSpace(expression))
	}
	return v, nil
}

// Fact returns the text of an expression. Templates call it as {{ fact "contact" }}.
func (f *Values) Fact(expression string) (string, error) {
	v, err := f.Text(expression)
	return v.Text, err
}

// path returns the value of an expression that is a path of a fact.
func (f *Values) path(expression string) (Value, error) {
	var original *site.Fact
	if f.original != nil {
		original = f.original.Facts
	}
	fact, path, err := lookup(f.product.Facts, original, expression)
	if err != nil {
		return Value{}, f.unknown(expression, err)
	}
	v := Value{Uses: []string{path}}
	switch fact.Kind {
	case site.MissingFact:
		return Value{Text: expression}, nil
	case site.NoFact:
		return v, fmt.Errorf("the fact %q is empty; set its value in product.yaml", path)
	case site.MapFact:
		return v, fmt.Errorf("%q is a map, not a string; use one of its members: %s", path, enumerate(prefixed(path, fact.Keys)))
	case site.ListFact:
		v.Form = List
		for _, item := range fact.Items {
			if item.Kind == site.MapFact || item.Kind == site.ListFact || item.Kind == site.NoFact {
				return v, fmt.Errorf("%q is a list of %ss, not a string; use one of its items, such as %s", path, strings.TrimPrefix(describe(item), "a "), Join(path, names(fact)[0]))
			}
			v.Items = append(v.Items, oneLine(item.Text))
		}
		return v, nil
	}
	if v.Text = oneLine(fact.Text); v.Text == "" {
		return v, fmt.Errorf("the fact %q is empty; set its value in product.yaml", path)
	}
	return v, nil
}

// unknown returns an error that suggests a keyword, such as price, if the expression resembles one. Otherwise, it
// returns err.
func (f *Values) unknown(expression string, err error) error {
	word, _, _ := strings.Cut(expression, " ")
	if near := suggest.Nearest(word, []string{"price", "plans", "meant"}); near != "" && !strings.Contains(err.Error(), "did you mean") {
		if near == "price" {
			near = `price "` + f.firstPlan() + `"`
		}
		return fmt.Errorf("unknown fact %q; did you mean {{ %s }}?", expression, near)
	}
	return err
}

// planPrice returns the price of a plan. argument is the plan's name, with or without quotes. The result is the yearly
// price if "yearly" follows the name, or the monthly price otherwise.
func (f *Values) planPrice(argument string) (Value, error) {
	name := unquote(strings.TrimSpace(argument))
	if p := f.plan(name); p != nil {
		return f.planned(p, p.MonthlyPrice, ".monthlyPrice"), nil
	}
	if period, yearly := strings.CutSuffix(name, " yearly"); yearly {
		name = unquote(strings.TrimSpace(period))
		switch p := f.plan(name); {
		case p != nil && p.YearlyPrice == "":
			return Value{}, fmt.Errorf("the plan %q has no yearly price; set its yearlyPrice in product.yaml, or write {{ price %q }} for the monthly price", name, name)
		case p != nil:
			return f.planned(p, p.YearlyPrice, ".yearlyPrice"), nil
		}
	}
	if name == "" {
		return Value{}, fmt.Errorf("price requires a plan name; write {{ price %q }}", f.firstPlan())
	}
	if bare := strings.Trim(name, `\"“”„ `); f.plan(bare) != nil {
		return Value{}, fmt.Errorf("the quotes around %q are doubled or escaped; write {{ price %q }}", bare, bare)
	}
	var known []string
	for _, p := range f.product.Pricing.Plans {
		known = append(known, p.Name)
	}
	if near := suggest.Nearest(name, known); near != "" {
		return Value{}, fmt.Errorf("unknown plan %q; did you mean %q?", name, near)
	}
	if len(known) == 0 {
		return Value{}, fmt.Errorf("unknown plan %q; product.yaml has no plans, so add the plan to pricing.plans", name)
	}
	return Value{}, fmt.Errorf("unknown plan %q; the plans are %s", name, enumerate(known))
}

// hasNoPlans reports whether the list of plans exists and is empty. The loader reports a missing or invalid list.
func (f *Values) hasNoPlans() bool {
	pricing := f.product.Facts.Member("pricing")
	if pricing == nil || pricing.Kind != site.MapFact {
		return false
	}
	plans := pricing.Member("plans")
	return plans != nil && plans.Kind == site.ListFact && len(plans.Items) == 0
}

// plan returns the plan that has the given name in the page's language or, if there is none, in the original facts. It
// returns nil if there is no such plan.
func (f *Values) plan(name string) *site.Plan {
	named := func(p site.Plan) bool { return p.Name == name }
	plans := f.product.Pricing.Plans
	at := slices.IndexFunc(plans, named)
	if at < 0 && f.original != nil {
		at = slices.IndexFunc(f.original.Pricing.Plans, named)
	}
	if at < 0 || at >= len(plans) {
		return nil
	}
	return &plans[at]
}

// planned returns amount, one of p's prices, in the format of the page's language and currency. member is the key of
// the price, with a leading dot.
func (f *Values) planned(p *site.Plan, amount, member string) Value {
	text, err := f.money(amount)
	if err != nil {
		// The loader has already reported the invalid price at its position.
		text = amount
	}
	return Value{Text: text, Uses: []string{"pricing.currency", Join("pricing.plans", p.Name) + member}}
}

func (f *Values) firstPlan() string {
	if plans := f.product.Pricing.Plans; len(plans) > 0 {
		return plans[0].Name
	}
	return "Team"
}

// plans returns the price list as a table. The table has a column for credits only if a plan includes credits.
func (f *Values) plans() Value {
	v := Value{Form: Table, Uses: []string{"pricing.currency", "pricing.plans"}}
	credits := slices.ContainsFunc(f.product.Pricing.Plans, func(p site.Plan) bool { return p.IncludedCredits > 0 })
	head := []string{"plan", "pricePerMonth"}
	if credits {
		head = append(head, "creditsPerMonth")
	}
	v.Rows = append(v.Rows, head)
	for _, p := range f.product.Pricing.Plans {
		price, err := f.money(p.MonthlyPrice)
		if err != nil {
			price = p.MonthlyPrice
		}
		row := []string{oneLine(p.Name), price}
		switch {
		case credits && p.StatesCredits:
			row = append(row, f.locale.Number(p.IncludedCredits))
		case credits:
			row = append(row, "–")
		}
		v.Rows = append(v.Rows, row)
	}
	return v
}

// unquote returns name without the pair of quotes around it, if any. It accepts several kinds of quotes, because
// editors and word processors insert different quotes.
func unquote(name string) string {
	for _, pair := range []string{`""`, `''`, "``", "“”", "„“", "‘’", "«»"} {
		quotes := []rune(pair)
		if inner, ok := strings.CutPrefix(name, string(quotes[0])); ok {
			if inner, ok = strings.CutSuffix(inner, string(quotes[1])); ok {
				return inner
			}
		}
	}
	return name
}

func prefixed(path string, names []string) []string {
	out := make([]string, len(names))
	for i, name := range names {
		out[i] = Join(path, name)
	}
	return out
}

// oneLine joins an editor's multiline text into one line.
func oneLine(text string) string {
	return strings.Join(strings.Fields(text), " ")
}
