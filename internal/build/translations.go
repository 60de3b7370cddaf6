package build

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"vitrine/internal/history"
	"vitrine/internal/plan"
	"vitrine/internal/rule"
	"vitrine/internal/site"
)

// An Untranslated is a missing or outdated translation in one of a site's languages.
type Untranslated struct {
	// Page is the path of the original page. It is "" for a translation of facts or of words of the theme.
	Page string
	// Facts reports whether the missing translations are strings of product.yaml.
	Facts bool
	// Language is the tag of the language, in canonical case.
	Language string
	// State describes the problem, such as "missing".
	State string
	// Source is the name of the file to edit. If the translation of a page is missing, it is the file of the original.
	Source string
	// Pos is the position in Source.
	Pos site.Pos
}

// untranslated returns the missing and outdated translations: hand-written pages that are missing in a language,
// translations whose last commit is older than the original's, and strings of product.yaml and words of the theme
// without a translation.
func (b *builder) untranslated(ctx context.Context) ([]Untranslated, error) {
	dates, err := history.Read(ctx, b.opt.Root)
	if err != nil {
		return nil, err
	}
	waiting := make(map[string]bool)
	for _, p := range b.site.Withheld {
		waiting[p.Path] = true
	}
	var all []Untranslated
	for _, p := range b.site.Pages {
		if p.Text != nil || plan.IsNotFound(p) || originalOf(p) != p {
			continue
		}
		for _, v := range b.site.Views() {
			row := Untranslated{Page: p.Path, Language: v.Config.Language, Source: p.Source, Pos: site.Pos{Line: 1, Col: 1}}
			switch there := p.In(v.Language); {
			case there == p:
				continue
			case (there == nil || there.Text != nil) && waiting[v.At(p.Local())]:
				row.State = "a draft, or not due yet"
			case there == nil || there.Text != nil:
				row.State = "missing"
			default:
				was, is := dates[p.Source], dates[there.Source]
				if is.IsZero() || !is.Before(was) {
					continue
				}
				row.Source, row.State = there.Source, "older than its original"
			}
			all = append(all, row)
		}
	}
	all = append(all, b.untranslatedFacts()...)
	for i, v := range b.site.Views() {
		keys, count := b.theme.MissingWords(v)
		if len(keys) == 0 {
			continue
		}
		row := Untranslated{Language: v.Config.Language, Source: configFile, Pos: site.Pos{Line: 1, Col: 1}}
		if i > 0 {
			row.Pos = b.site.Config.Languages[i-1].Pos
		}
		row.State = fmt.Sprintf("%d of %d missing: %s", len(keys), count, someOf(keys))
		all = append(all, row)
	}
	slices.SortStableFunc(all, func(x, y Untranslated) int {
		// Facts and words of the theme, which have no page, come last.
		return cmp.Or(cmp.Compare(min(1, len(y.Page)), min(1, len(x.Page))), cmp.Compare(x.Page, y.Page))
	})
	return all, nil
}

// untranslatedFacts returns an Untranslated for each language in which pages show untranslated strings of product.yaml.
func (b *builder) untranslatedFacts() (rows []Untranslated) {
	for _, v := range b.site.Languages {
		if len(v.Untranslated) == 0 {
			continue
		}
		paths := make([]string, len(v.Untranslated))
		for i, text := range v.Untranslated {
			paths[i] = text.Path
		}
		rows = append(rows, Untranslated{
			Language: v.Config.Language, Facts: true, Source: productFile, Pos: v.Untranslated[0].Pos,
			State: fmt.Sprintf("%d missing: %s", len(paths), someOf(paths)),
		})
	}
	return rows
}

// someOf joins the first six keys with commas, and adds an ellipsis if there are more.
func someOf(keys []string) string {
	const named = 6
	if len(keys) > named {
		return strings.Join(keys[:named], ", ") + ", …"
	}
	return strings.Join(keys, ", ")
}

// originalOf returns the page with which the translations of p are compared. That is the first hand-written page among
// p and its translations, in the order of the site's languages, or p if all of these pages are from the theme.
func originalOf(p *site.Page) *site.Page {
	for _, t := range p.Translations {
		if t.Text == nil {
			return t
		}
	}
	return p
}

// untranslatedProblems returns a problem for each element of all if strict is true, and nil otherwise.
func untranslatedProblems(all []Untranslated, strict bool) []site.Problem {
	if !strict {
		return nil
	}
	problems := make([]site.Problem, len(all))
	for i, u := range all {
		problems[i] = site.Problem{Path: u.Source, Pos: u.Pos, Severity: site.Warning, Code: rule.Untranslated}
		switch {
		case u.Facts:
			problems[i].Text = fmt.Sprintf("facts in %s: %s; add them to content/product.%s.yaml", u.Language, u.State, u.Language)
		case u.Page == "":
			problems[i].Text = fmt.Sprintf("theme words in %s: %s; add them to templates/words/%s.yaml", u.Language, u.State, u.Language)
		case u.State == "missing":
			problems[i].Text = fmt.Sprintf("%s does not exist in %s; translate it", u.Page, u.Language)
		default:
			problems[i].Text = fmt.Sprintf("%s in %s: %s; review the translation", u.Page, u.Language, u.State)
		}
	}
	return problems
}
