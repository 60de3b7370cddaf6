package load

import (
	"vitrine/internal/load/shape"
	"vitrine/internal/load/suggest"
	"vitrine/internal/load/tree"
	"vitrine/internal/rule"
	"vitrine/internal/site"
)

// levelPattern is what a rule can be set to.
const levelPattern = `^(off|warning|error)$`

// levels reads the levels of rules: {V014: off}. What is an error by its
// nature stays one.
func levels(dst *map[site.Code]site.Level) reader {
	read := func(r *report, v value) {
		if v.Kind != tree.Map {
			r.errorf(v.Pos, "%s: want a map of codes and levels such as {V014: off}, found %s", v.name, v.Describe())
			return
		}
		for _, m := range v.Members {
			if level, ok := ruleLevel(r, v, m); ok {
				if *dst == nil {
					*dst = make(map[site.Code]site.Level)
				}
				(*dst)[site.Code(m.Key)] = level
			}
		}
	}
	return reader{read, drawDiagnostics}
}

// ruleLevel reads the level of one rule.
func ruleLevel(r *report, v value, m tree.Member) (site.Level, bool) {
	known, ok := rule.Find(site.Code(m.Key))
	if !ok {
		hint := "vitrine explain lists them all"
		if near := suggest.Nearest(m.Key, codes()); near != "" {
			hint = "did you mean " + near + "?"
		}
		r.errorf(m.Pos, "%s: there is no rule %q; %s", v.name, m.Key, hint).Code = rule.UnknownKey
		return site.LevelDefault, false
	}
	level, ok := site.ParseLevel(m.Value.Text)
	if !ok || m.Value.Kind != tree.Text {
		r.errorf(m.Value.Pos, "%s: want off, warning or error, found %s", child(v, m.Key), m.Value.Describe())
		return site.LevelDefault, false
	}
	if known.Level == site.Error && level != site.LevelError {
		r.errorf(m.Value.Pos, "%s: %s is always an error, because the site could not be published with it; mend it instead", child(v, m.Key), known.Title)
		return site.LevelDefault, false
	}
	return level, true
}

func codes() []string {
	var out []string
	for _, r := range rule.All() {
		out = append(out, string(r.Code))
	}
	return out
}

// drawDiagnostics offers the rules that can be switched.
func drawDiagnostics() shape.Shape {
	s := shape.Shape{Kinds: []shape.Kind{shape.Map}}
	for _, r := range rule.All() {
		if r.Level == site.Warning {
			s.Fields = append(s.Fields, shape.Field{Name: string(r.Code), About: "How to tell of " + r.Title + ": off, warning or error.",
				Shape: shape.Shape{Kinds: []shape.Kind{shape.Text}, Pattern: levelPattern, Examples: []string{"off", "warning", "error"}}})
			continue
		}
		s.Fields = append(s.Fields, shape.Field{Name: string(r.Code), About: "Always an error: " + r.Title + ".",
			Shape: shape.Shape{Kinds: []shape.Kind{shape.Text}, Pattern: `^error$`, Examples: []string{"error"}}})
	}
	return s
}
