package drift

import (
	"regexp"
	"slices"
	"strings"

	"golang.org/x/text/currency"
	"golang.org/x/text/language"
	"golang.org/x/text/message"

	"vitrine/internal/lazyregexp"
	"vitrine/internal/locale"
)

// words are the English patterns for one product.
type words struct {
	// marks are strings such as "€" and "EUR". Every amount contains at least one of them.
	marks []string
	// thousandths reports whether the currency has three decimals, which look like a group of thousands.
	thousandths                 bool
	money, credits, plan, named *lazyregexp.Regexp
	// The After patterns match the text between a plan's name and a number after the name. The Before patterns match
	// the text between a number and a plan's name after the number.
	priceAfter, priceBefore, creditsAfter, creditsBefore *lazyregexp.Regexp
	notPrice, notCredits, otherUnit, otherCredits        *lazyregexp.Regexp
	month, about, product, lowest                        *lazyregexp.Regexp
	planContext, odd, further                            *lazyregexp.Regexp
	headNotPrice, headPrice, headNotCredits, headCredits *lazyregexp.Regexp
}

// currencyForms returns a pattern that matches every way to write a currency in English, and a string for each way; see
// words.marks.
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

func newWords(product, code string, names []string) *words {
	sorted := slices.Clone(names)
	slices.SortFunc(sorted, func(a, b string) int { return len(b) - len(a) })
	for i, name := range sorted {
		sorted[i] = regexp.QuoteMeta(name)
	}
	any := strings.Join(sorted, "|")
	unit, marks := currencyForms(code)
	return &words{
		marks: marks, thousandths: locale.Fraction(code) >= 3,
		money:   lazyregexp.New(`(?:` + unit + `)[ \x{00a0}\x{202f}]?(` + numberForm + `)(?:[ \x{00a0}](?:` + unit + `)\b)?|(` + numberForm + `)[ \x{00a0}\x{202f}]?(?:` + unit + `)(?:\b|\W|$)`),
		credits: lazyregexp.New(`(` + numberForm + `)(?: (?:included|monthly|shared))?[ \x{00a0}-]credits?\b`),
		plan:    lazyregexp.New(`(?:^|[^\pL\pN])(` + any + `)(?:$|[^\pL\pN])`),
		named:   lazyregexp.New(`(?:\b[Tt]he|\b[Oo]ur|\b[Oo]n|\b[Tt]o|\b[Aa]n?|\b[Ee]ach|\b[Ee]very) (\pL[\pL\pN]*)( plan)\b`),
		priceAfter: lazyregexp.New(`^(?: plan)?(?:’s|'s)?,?(?: (?:price|monthly price|fee))?(?: (?:now|still|only|just|already|currently|always|also|will|which|that))*` +
			`(?: ?(?:[:=(–—-]|costs?|cost|is|at|for|runs(?: at)?|comes to|sells for|goes for|starts? at|begins at|is priced at|priced at|is billed at|billed at|comes in at|charges|is available for|from|are|amounts to))` +
			`(?: (?:you|us|teams?|customers|a team))?(?: (?:now|still|only|just|exactly|a flat|flat))?[ \t]?$`),
		priceBefore:    lazyregexp.New(`^(?: ?/ ?(?:month|mo)\b| (?:a|per|each|every) month| monthly)?,? (?:for|on|in|with|buys(?: you)?|gets you|pays for|is the price of|you get|is what)(?: the| our| you)? ?(?:the )?$`),
		creditsAfter:   lazyregexp.New(`^(?: plan)?(?:’s|'s)?,?(?: (?:now|still|only|just|currently|also|which|that|will))*(?: ?(?:[:=(–—-]|includes?|comes with|has|gives|gets|offers|contains?|provides|brings|covers|with|holds|grants|starts with|renews|allowance is|allowance of|is|for))(?: (?:you|us|teams?|a team|a workspace|everyone))?(?: (?:now|only|just|exactly|a total of))?[ \t]?$`),
		creditsBefore:  lazyregexp.New(`^(?: (?:a|per|each|every) month| monthly)?,? (?:on|in|with|for|of|come with|are included in|are part of|belong to|is what|included in)(?: the| our)? $`),
		notPrice:       lazyregexp.New(`(?i)\b(?:was|were|used to|until|previous(?:ly)?|former(?:ly)?|before|earlier|old|originally|last year|in 20\d\d|raised?|rose|lower(?:ed)?|reduced|drop(?:ped)?|increased?|instead of|rather than|more than|less than|cheaper|dearer|difference|sav(?:e|es|ed|ing|ings)|discount|off|refund(?:ed)?|credit note|deposit|VAT|tax|taxes|would|could|might|if|imagine|suppose|say|example|hypothetical|twice|double|half|total|altogether|together|combined|sum|both|two|three|four|five|six|seven|eight|nine|ten|twelve|competitors?|elsewhere|others?|another|budget(?:s|ed)?|spend|spends|spent|revenue|deal|deals|quota|not|never|no longer|wrong|nobody|between|beyond|extra|add-on|additional|each additional|remaining|rest|under|over|up to|above|below|fewer|average)\b|\bdo(?:es)?n[’']t\b|\bisn[’']t\b`),
		notCredits:     lazyregexp.New(`(?i)\b(?:was|were|used|uses|use|using|until|previous(?:ly)?|former(?:ly)?|before|old|originally|raised?|rose|reduced|increased?|instead of|more|less|fewer|difference|would|could|might|if|imagine|suppose|say|example|twice|double|half|total|altogether|together|needs?|needed|spen[dt]s?|leaves?|left|remaining|remain(?:s|ed)?|rest|over|beyond|extra|additional|buys?|bought|consumes?|costs? (?:you )?\d|takes?|per rep|each rep|per person|free|trial|not|never|no longer|wrong|week(?:ly|s)?|days?|daily|year(?:ly|s)?|annual(?:ly)?|quarter|half|average|after|about \d+ of|of (?:its|their|the|your|our)|first|last|under|up to|at least|most|above|below|new workspace|two|three|four|five|six|seven|eight|nine|ten|times)\b|\bdo(?:es)?n[’']t\b|\bisn[’']t\b`),
		otherUnit:      lazyregexp.New(`^(?:\.?\d)*(?:,? (?:a|an|per|each|every) |/|-?a-)\s?(?:year|yr|annum|week|day|hour|quarter|rep|reps|seat|user|person|head|call|credit|review|team|participant|session|employee|member)|^ (?:yearly|annually|in all|more|less|off|in total|over|cheaper|dearer|extra|apart|budget|deal|worth|discount|once)\b`),
		otherCredits:   lazyregexp.New(`^ (?:(?:a|per|each|every) (?:week|day|year|quarter|rep|person|call|user|head)|more|less|fewer|left|over|extra|short|to spare|apart|remaining|later|used|per (?:week|day|year|rep|person|call))\b`),
		month:          lazyregexp.New(`^ ?(?:/ ?(?:month|mo)\b|(?:a|per|each|every) (?:calendar )?month\b|monthly\b)`),
		about:          lazyregexp.New(`(?i)\b(?:about|around|roughly|approximately|nearly|almost|some|circa|ca\.) $`),
		product:        lazyregexp.New(`(?:^|[^\pL])` + regexp.QuoteMeta(product) + ` (?:now |still |only |just )*(?:costs|is priced at|is available for|sells for) (?:you |a team )?(?:only |just )?$`),
		lowest:         lazyregexp.New(`(?:\b[Pp]lans|\b[Pp]rices|\b[Pp]ricing|\b[Ss]ubscriptions|` + regexp.QuoteMeta(product) + `) (?:now |still )*(?:start|starts|begin|begins) (?:at|from|with) (?:only |just )?$`),
		planContext:    lazyregexp.New(`\d[ \x{00a0}-]?credits?\b|(?:` + unit + `) ?\d|\d ?(?:` + unit + `)|\b(?:per|a|each) month\b|/month|(?i:\b(?:upgrade[sd]?|upgrading|downgrade[sd]?|downgrading|subscribe[sd]?|subscription|switch(?:es|ed)? to|pricing|price list)\b)`),
		further:        lazyregexp.New(`^[^,;]*[,;] (?:so|and|but|because|while|where|enough)\b`),
		odd:            lazyregexp.New(`(?:^|[^\pL\pN])(\p{Lu}\pL{3,})(?:$|[^\pL\pN])`),
		headNotPrice:   lazyregexp.New(`(?i)year|annual|per |/|\bwas\b|old|before|former|difference|total|extra|sav|credit|rep|call|example|team size|budget|change`),
		headPrice:      lazyregexp.New(`(?i)price|cost|fee|month|` + unit),
		headNotCredits: lazyregexp.New(`(?i)per (?:rep|call|person|week|day|year|credit)|used|need|left|price|cost|week|year|extra|old|before|was|change|difference`),
		headCredits:    lazyregexp.New(`(?i)\bcredits?\b`),
	}
}
