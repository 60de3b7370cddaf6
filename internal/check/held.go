package check

import (
	"vitrine/internal/check/drift"
	"vitrine/internal/site"
)

// driftCheckers returns the drift checkers for the site's languages, keyed by tag.
func driftCheckers(s *site.Site) map[string]*drift.Checker {
	checkers := make(map[string]*drift.Checker)
	for _, v := range s.Views() {
		checkers[v.Language] = drift.NewIn(v.Config.Language, &v.Product, v.Original)
	}
	return checkers
}

// Held returns a phrase that lists the statements in a language that the check compares with product.yaml, or that
// explains why it compares none.
func Held(language string) string {
	switch drift.Knows(language) {
	case drift.Everything:
		return "prices, credits, and plan names"
	case drift.Prices:
		return "monthly prices, in tables and in sentences that contain only a price"
	case drift.Tables:
		return "prices in tables where most prices are correct"
	}
	return "not checked, because the language's price format is unknown; write {{ price … }}"
}
