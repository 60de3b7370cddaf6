package drift

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"vitrine/internal/load/suggest"
	"vitrine/internal/rule"
)

// planNames reports misspelled and unknown plan names in a sentence about prices, credits, or a change of plan. claims
// reports whether the sentence contains an amount or a number of credits.
func (d *pass) planNames(text string, from int, claims bool) {
	if !claims && !strings.Contains(text, "plan") {
		return
	}
	for _, m := range d.named(text, claims) {
		word := text[m[2]:m[3]]
		if slices.Contains(d.names, word) || d.partOfName(text, m[2]) {
			continue
		}
		article := strings.ToLower(strings.Fields(text[m[0]:m[2]])[0])
		capital := startsUpper(word)
		near := d.near(word)
		switch {
		case near != nil && (capital || article == "the" || article == "our" || article == "on" || article == "to"):
			d.report(from+m[2], rule.DriftName, "there is no plan %q in product.yaml; write %q", word, near.name)
		case near == nil && capital && article != "a" && article != "an" && word != d.product && !calendar(word) && !allCapitals(word):
			d.report(from+m[2], rule.DriftName, "there is no plan %q in product.yaml; write one of %s", word, strings.Join(d.names, ", "))
		}
	}
	if claims {
		d.oddNames(text, from)
	}
}

// named finds the words at which a plan's name is expected, such as "Team" in "the Team plan". It returns nil unless
// the sentence is about prices or plans.
func (d *pass) named(text string, claims bool) [][]int {
	if !mayName(text) {
		return nil
	}
	found := d.words.named.FindAllStringSubmatchIndex(text, -1)
	if len(found) == 0 || !claims && !d.words.planContext.MatchString(text) {
		return nil
	}
	return found
}

// oddNames reports misspelled plan names immediately before a price or a number of credits.
func (d *pass) oddNames(text string, from int) {
	claims := append(d.claims(text, false), d.claims(text, true)...)
	for _, m := range d.words.odd.FindAllStringSubmatchIndex(text, -1) {
		word := text[m[2]:m[3]]
		near := d.near(word)
		if near == nil || strings.HasPrefix(text[m[3]:], " plan") {
			continue
		}
		for _, c := range claims {
			ties := d.words.priceAfter
			if c.credits {
				ties = d.words.creditsAfter
			}
			if m[3] <= c.start && ties.MatchString(text[m[3]:c.start]) {
				d.report(from+m[2], rule.DriftName, "there is no plan %q in product.yaml; write %q", word, near.name)
				break
			}
		}
	}
}

// partOfName reports whether the last word of a multiword plan name starts at the given offset.
func (d *pass) partOfName(text string, at int) bool {
	rest := text[at:]
	for _, name := range d.names {
		if i := strings.LastIndexByte(name, ' '); i >= 0 && strings.HasPrefix(rest, name[i+1:]) && strings.HasSuffix(text[:at], name[:i+1]) {
			return true
		}
	}
	return false
}

// near returns the plan whose name differs from word only in case or by one slip; see oneSlip. It returns nil if word
// is a plan's name or there is no such plan.
func (d *pass) near(word string) *planFacts {
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

// oneSlip reports whether two words of at least four letters differ by one missing, added, or changed letter or by two
// swapped letters.
func oneSlip(word, other string) bool {
	a, b := []rune(word), []rune(other)
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(a) < 4 || len(b)-len(a) > 1 {
		return false
	}
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	if len(a) < len(b) {
		return slices.Equal(a[i:], b[i+1:])
	}
	if i+1 < len(a) && a[i] == b[i+1] && a[i+1] == b[i] && slices.Equal(a[i+2:], b[i+2:]) {
		return true
	}
	return i < len(a) && slices.Equal(a[i+1:], b[i+1:])
}

func startsUpper(word string) bool {
	r, _ := utf8.DecodeRuneInString(word)
	return unicode.IsUpper(r)
}

func allCapitals(word string) bool {
	return strings.ToUpper(word) == word
}

// calendar reports whether word is the English name of a day or a month, as in "the Monday plan".
func calendar(word string) bool {
	switch word {
	case "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday",
		"January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December":
		return true
	}
	return false
}
