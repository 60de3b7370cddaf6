package locale

import (
	"fmt"

	"golang.org/x/text/language"
)

// Name returns the name of the language in the language itself, such as "français". If CLDR doesn't know that name, as
// for Klingon, Name returns the English name.
func (l *Locale) Name() string {
	for lang := l.tag; !lang.IsRoot(); lang = lang.Parent() {
		if lang.String() == "sr-Latn" {
			return "srpski" // which x/text calls Serbo-Croatian
		}
		if name := selfName(lang); name != "" {
			return name
		}
	}
	return l.EnglishName()
}

// EnglishName returns the English name of the language, for messages to authors. If CLDR doesn't have the name, it
// returns the language's tag.
func (l *Locale) EnglishName() string {
	if name := englishName(l.tag); name != "" {
		return name
	}
	return l.tag.String()
}

// named returns the name of a language from the lines of the given kind. of returns the parts of the language's tag.
// named looks up the language with its script or region and, if there is no line for that tag, the language alone.
// script and region are the parts of the tag that the name doesn't express. ok is false if there is no line for either
// tag.
func named(kind string, of func() (language.Base, language.Script, language.Region)) (name string, script language.Script, region language.Region, ok bool) {
	base, script, region := of()
	if script.String() == "Zzzz" {
		script = language.Script{}
	}
	if region.String() == "ZZ" {
		region = language.Region{}
	}
	byScript, okScript := find(kind, base.String()+"-"+script.String())
	byRegion, okRegion := find(kind, base.String()+"-"+region.String())
	switch hasScript := okScript && script != (language.Script{}); {
	case okRegion && region != (language.Region{}) && (!hasScript || region.String() < script.String()):
		return byRegion, script, language.Region{}, true
	case hasScript:
		return byScript, language.Script{}, region, true
	}
	name, ok = find(kind, base.String())
	return name, script, region, ok
}

// selfName reimplements display.Self.Name of golang.org/x/text/language/display, because that package's tables are
// large. It returns "" for a language in a script other than its default script.
func selfName(lang language.Tag) string {
	t, _ := language.All.Compose(lang)
	base, script, region := t.Raw()
	none := language.Script{}
	if script == none && region != (language.Region{}) {
		if s, _ := t.Script(); s != usualScript(base) {
			script = s
		}
	}
	name, script, _, ok := named("self", func() (language.Base, language.Script, language.Region) { return base, script, region })
	if !ok || script != none && script != usualScript(base) {
		return ""
	}
	return name
}

func usualScript(base language.Base) language.Script {
	tag, _ := language.Raw.Compose(base)
	script, _ := tag.Script()
	return script
}

// englishName reimplements display.English.Tags().Name of golang.org/x/text/language/display. If the name doesn't
// express all parts of the tag, the other parts follow the name in parentheses. It returns "" for an unknown language.
func englishName(t language.Tag) string {
	if c, err := (language.All &^ language.SuppressScript).Canonicalize(t); err == nil {
		t = c
	}
	_, ownScript, ownRegion := t.Raw()
	name, script, region, ok := named("english", t.Raw)
	for ok && name == "" {
		if t = t.Parent(); t == language.Und {
			return ""
		}
		name, _, _, ok = named("english", t.Raw)
		script, region = ownScript, ownRegion
	}
	if !ok {
		return ""
	}
	return name + parts(script, region)
}

// parts returns a space and the English names of a script and a region in parentheses, to append to the name of a
// language. It omits a name that CLDR doesn't have, and returns "" if both names are missing.
func parts(script language.Script, region language.Region) string {
	var scriptName, regionName string
	if script != (language.Script{}) {
		scriptName, _ = find("script", script.String())
	}
	if region != (language.Region{}) {
		regionName, _ = find("region", region.String())
	}
	switch {
	case scriptName != "" && regionName != "":
		return fmt.Sprintf(" (%s, %s)", scriptName, regionName)
	case scriptName != "" || regionName != "":
		return fmt.Sprintf(" (%s%s)", scriptName, regionName)
	}
	return ""
}
