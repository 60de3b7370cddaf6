// Package rule defines the rules that a site is checked against. Each rule has a stable code, a level, and a page that
// explains the rule with a wrong and a right example. A code is never reused. A problem that would break the output is
// always an error, regardless of the settings of the site or a page.
package rule

import (
	"embed"
	"fmt"
	"slices"
	"strings"

	"vitrine/internal/site"
)

// Rule is a rule that a site can violate.
type Rule struct {
	Code site.Code
	// Level is the default level. If it is Error, a site can't change it.
	Level site.Severity
	// Title is the name of the problem, in a few words.
	Title string
	// Strict reports whether --strict turns the warning into an error.
	Strict bool
	// ErrorFor describes the violations that are errors although Level is Warning. It is "" if there are none.
	ErrorFor string
}

//go:embed text/*.md
var texts embed.FS

// Find returns the rule with the given code. It returns false if there is no such rule.
func Find(code site.Code) (Rule, bool) {
	all := All()
	i := slices.IndexFunc(all, func(r Rule) bool { return r.Code == code })
	if i < 0 {
		return Rule{}, false
	}
	return all[i], true
}

// Explain returns r's documentation page as Markdown, starting with a heading.
func (r Rule) Explain() (string, error) {
	text, err := texts.ReadFile("text/" + string(r.Code) + ".md")
	if err != nil {
		return "", fmt.Errorf("explaining %s: %w", r.Code, err)
	}
	level := "An error. You can't turn it off, because Vitrine can't publish a site with this problem."
	if r.Level == site.Warning {
		level = fmt.Sprintf("A warning. To change its level, set `diagnostics: {%s: off}` (or `error`) in site.yaml, or in a page's front matter.", r.Code)
	}
	if r.Strict {
		level += " With `--strict`, it is an error."
	}
	if r.ErrorFor != "" {
		level += " It is an error for " + r.ErrorFor + "."
	}
	return fmt.Sprintf("# %s: %s\n\n%s\n\n%s\n", r.Code, r.Title, level, strings.TrimSpace(string(text))), nil
}

// Switches contains the levels that a site and its pages set.
type Switches struct {
	// Site contains the levels from site.yaml.
	Site map[site.Code]site.Level
	// Pages contains the levels from front matter, keyed by the page's source. A page's level takes precedence over the
	// site's.
	Pages map[string]map[site.Code]site.Level
	// Strict turns the warnings of strict rules into errors; see Rule.Strict.
	Strict bool
}

// Of returns the levels that a site and its pages set. strict is the value of the field Strict.
func Of(s *site.Site, strict bool) Switches {
	w := Switches{Site: s.Config.Diagnostics, Pages: make(map[string]map[site.Code]site.Level), Strict: strict}
	for _, pages := range [][]*site.Page{s.Pages, s.Withheld} {
		for _, p := range pages {
			if len(p.Diagnostics) > 0 {
				w.Pages[p.Source] = p.Diagnostics
			}
		}
	}
	return w
}

// Apply sets each warning to its configured level, drops the warnings that are turned off, and assigns a code to each
// problem without one. Errors always remain errors. The result uses the memory of problems.
func (w Switches) Apply(problems []site.Problem) []site.Problem {
	kept := problems[:0]
	for _, p := range problems {
		if p.Code == "" {
			p.Code = codeOf(p.Path)
		}
		if p.Severity == site.Warning {
			level := w.level(p)
			if level == site.LevelOff {
				continue
			}
			if level == site.LevelError {
				p.Severity = site.Error
			}
		}
		kept = append(kept, p)
	}
	return kept
}

// level returns the level of the warning p from the first of these: the page's setting, the site's setting, and Strict.
// The default is warning.
func (w Switches) level(p site.Problem) site.Level {
	if level := w.Pages[p.Path][p.Code]; level != site.LevelDefault {
		return level
	}
	if level := w.Site[p.Code]; level != site.LevelDefault {
		return level
	}
	if w.Strict {
		if r, ok := Find(p.Code); ok && r.Strict {
			return site.LevelError
		}
	}
	return site.LevelWarning
}

// codeOf returns the code for a problem without a code: Template for a path in templates/, and WrongValue otherwise.
func codeOf(path string) site.Code {
	if strings.HasPrefix(path, "templates/") {
		return Template
	}
	return WrongValue
}
