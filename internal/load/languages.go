package load

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"golang.org/x/text/language"

	"vitrine/internal/facts"
	"vitrine/internal/folder"
	"vitrine/internal/load/shape"
	"vitrine/internal/load/tree"
	"vitrine/internal/rule"
	"vitrine/internal/site"
)

// languages returns a reader for the settings of the site's additional languages. c.Language must be set before the
// reader is used.
func languages(c *site.Config) reader {
	fields := func(l *site.Language) reader {
		return closed(
			field{"name", "", "The language's name in the language switch. Default: the name in the language itself, such as Deutsch.", optional(line(&l.Name, atMost(maxTag)))},
			field{"title", "", "The site's name in this language. Default: the site's title.", optional(line(&l.Title, atMost(maxTitle)))},
			field{"description", "", "One sentence about the site, in this language. Default: the description in product.TAG.yaml, or the site's description if that file has none.", optional(line(&l.Description))},
			field{"navigation", "", "The main navigation in this language. Default: the site's navigation, with links to the translated pages.", optional(navigation(&l.Navigation))},
			field{"footer", "", "Links in the footer of pages in this language. Default: the site's footer.", optional(footer(&l.Footer))},
			field{"notice", "", "A bar at the top of every page in this language. Default: no bar.", optional(notice(&l.Notice))},
			field{"action", "", "A button in the header of every page in this language. Default: no button.", optional(action(&l.Action))},
			field{"whenToUse", "", "When programs should use the site as a source, in this language. Default: the site's setting.", optional(lines(&l.WhenToUse))},
			field{"whenNotToUse", "", "When programs should not use the site as a source, in this language. Default: the site's setting.", optional(lines(&l.WhenNotToUse))},
			field{"cannot", "", "What the JSON API and the command-line tool cannot do, in this language. Default: the site's setting.", optional(lines(&l.Cannot))},
			field{"words", "", "Replacements for the theme's words in this language: a map from the words' keys to strings, such as {contents: Inhalt}.", optional(words(&l.Words))},
		)
	}
	read := func(r *report, v value) {
		if v.Kind != tree.Map {
			r.errorf(v.Pos, "%s: want a map of language tags to settings such as {de: {title: …}, ja: {}}, found %s", v.name, v.Describe())
			return
		}
		if len(v.Members) > maxLanguages {
			r.errorf(v.Members[maxLanguages].Pos, "%s: found %d languages, want at most %d, because the build creates every page of the theme in each language; remove some languages", v.name, len(v.Members), maxLanguages).Code = rule.TooMuch
			return
		}
		for i, m := range v.Members {
			if m.Bare {
				oddKey(r, v, i)
				continue
			}
			l := site.Language{Tag: m.Key, Pos: m.Pos}
			if problem := tagProblem(c, m.Key); problem != "" {
				p := r.errorf(m.Pos, "%s: %s", v.name, problem)
				p.Code = rule.WrongLanguage
				_, right, ok := strings.Cut(problem, "; write ")
				if ok {
					r.fix(p, m.Pos, m.Key, right)
				}
				// Continue, so that problems in the language's settings are reported too. If only the tag's case is
				// wrong, use the corrected tag.
				if l.Tag = ""; strings.EqualFold(right, m.Key) {
					l.Tag = right
				}
			}
			if m.Value.Kind != tree.Null {
				fields(&l).read(r, value{m.Value, child(v, m.Key), m.Pos})
			}
			if l.Tag != "" {
				c.Languages = append(c.Languages, l)
			}
		}
	}
	return reader{read, func() shape.Shape {
		one := fields(new(site.Language)).draw().OrNull()
		return shape.Shape{Kinds: []shape.Kind{shape.Map}, Others: &one, Names: isLanguage().pattern}
	}}
}

// tagProblem returns the reason why tag can't be the tag of an additional language, or "" if it can.
func tagProblem(c *site.Config, tag string) string {
	if problem := languageTag(tag); problem != "" {
		return problem
	}
	parsed := language.Make(tag)
	const most = 35 // RFC 5646 §4.4.1
	switch usual := parsed.String(); {
	case len(tag) > most:
		return tooLong(tag, most)
	case strings.EqualFold(tag, usual) && tag != usual && tag != strings.ToLower(tag):
		return fmt.Sprintf("the tag %s must start with lowercase letters, like its page folder; write %s", tag, usual)
	case parsed == language.Make(c.Language):
		return fmt.Sprintf("%s is the site's main language; move its settings to the top level of site.yaml, and remove the key", tag)
	case site.Reserved("/" + tag):
		return fmt.Sprintf("/%s belongs to the JSON API, and the language's pages would be under it; use a longer tag, such as %s-Latn", tag, tag)
	}
	for _, other := range c.Languages {
		if language.Make(other.Tag) == parsed {
			return fmt.Sprintf("%s is already listed, as %s; remove one of the two", tag, other.Tag)
		}
	}
	return ""
}

// views sets s.Languages to a view of the site for each language, with the language's settings and facts, and sets
// l.values. The caller must have read the settings and the facts. The pages don't have to be read yet.
func (l *loader) views(s *site.Site) {
	l.values = map[string]*facts.Values{"": facts.New(s.Config.Language, &s.Product)}
	if len(s.Config.Languages) == 0 {
		return
	}
	s.Languages = []*site.Site{{Config: s.Config, Product: s.Product, Now: s.Now}}
	for i := range s.Config.Languages {
		said := &s.Config.Languages[i]
		v := &site.Site{Config: s.Config, Now: s.Now, Language: said.Tag, Original: &s.Product, OwnLanguage: s.Config.Language}
		v.Product, v.Untranslated = l.overlay(s, said.Tag)
		inLanguage(v, said)
		s.Languages = append(s.Languages, v)
		l.values[said.Tag] = facts.Translated(said.Tag, &v.Product, s.Config.Language, &s.Product)
	}
}

// documentation sets the path of the page that describes the JSON API in each language. If site.yaml sets no path,
// documentation first chooses an unused path for the default language. In another language, documentation uses the path
// of the page whose translationOf is the default language's path. If there is no such page, it uses the default
// language's path with the language's prefix.
func documentation(s *site.Site) {
	if s.Config.Documentation == "" {
		s.Config.Documentation = freeDocumentation(s)
		if len(s.Languages) > 0 {
			s.Languages[0].Config.Documentation = s.Config.Documentation
		}
	}
	for _, v := range s.Languages {
		v.Config.Documentation = v.At(s.Config.Documentation)
	}
	for _, p := range s.Pages {
		if p.Translates() == s.Config.Documentation {
			s.View(p).Config.Documentation = p.Path
		}
	}
}

// freeDocumentation returns the first of /openapi, /openapi-2, and so on that isn't the path of a page, a file, or an
// alias in any language. The paths of drafts and scheduled pages are also taken.
func freeDocumentation(s *site.Site) string {
	const usual = "/openapi"
	taken := make(map[string]bool)
	take := func(path string) {
		if !strings.Contains(path, usual) {
			return
		}
		taken[path] = true
		for _, v := range s.Languages {
			if below, ok := strings.CutPrefix(path, "/"+v.Language+"/"); ok && v.Language != "" {
				taken["/"+below] = true
			}
		}
	}
	for _, pages := range [][]*site.Page{s.Pages, s.Withheld} {
		for _, p := range pages {
			take(p.Path)
			for _, a := range p.Aliases {
				take(a.Path)
			}
		}
	}
	for _, f := range s.Files {
		// A file without an extension can also have one of these paths.
		take(f.Path)
	}
	path := usual
	for n := 2; taken[path]; n++ {
		path = fmt.Sprintf("%s-%d", usual, n)
	}
	return path
}

// inLanguage replaces settings of v, a view with the site's settings, with the settings in said. If said has no notice,
// action, or words, the view doesn't have any either. For other missing settings, the view keeps the site's values,
// except that a translated description of the product replaces the site's description.
func inLanguage(v *site.Site, said *site.Language) {
	c := &v.Config
	c.Language, c.Notice, c.Action, c.Words = said.Tag, said.Notice, said.Action, said.Words
	if usual := language.Make(said.Tag).String(); strings.EqualFold(usual, said.Tag) {
		// The tag in URLs may be in lower case. Elsewhere, the tag has its canonical case.
		c.Language = usual
	}
	if said.Title != "" {
		c.Title = said.Title
	}
	switch translated := v.Product.Description != v.Original.Description; {
	case said.Description != "":
		c.Description = said.Description
	case translated:
		c.Description = strings.Join(strings.Fields(v.Product.Description), " ")
	}
	for _, list := range []struct{ own, said *[]string }{
		{&c.WhenToUse, &said.WhenToUse}, {&c.WhenNotToUse, &said.WhenNotToUse}, {&c.Cannot, &said.Cannot},
	} {
		if *list.said != nil {
			*list.own = *list.said
		}
	}
}

// languageFiles warns about files and folders for languages that the site doesn't have: translated facts, and folders
// that probably contain pages in such a language. It also warns about a folder for the default language and about names
// that differ from one of the site's languages only in case.
func (l *loader) languageFiles(c *site.Config) {
	entries, err := l.tree.List(folder.Content)
	if err != nil {
		return
	}
	warn := func(name, format string, args ...any) {
		l.problems = append(l.problems, site.Problem{Path: printable(name), Severity: site.Warning, Code: rule.UnknownLanguage, Text: fmt.Sprintf(format, args...)})
	}
	for _, e := range entries {
		name := path.Join(folder.Content, e.Name())
		if tag := overlayTag(name); tag != "" && !e.IsDir() {
			if !l.unsure && site.LanguageOf(c, folder.Content+"/"+tag+"/") == "" {
				warn(name, "the language %s is not configured, so this file is not used; add it under languages: in site.yaml, as in {%s: {}}, or remove the file", tag, tag)
			}
			continue
		}
		// On a site with several languages, a two-letter folder name is probably the tag of a language.
		if tag := e.Name(); e.IsDir() && len(c.Languages) > 0 && !l.unsure && len(tag) == 2 && languageTag(tag) == "" && site.LanguageOf(c, name+"/") == "" {
			if tag == c.Language {
				warn(name, "%s is the site's main language, but the pages in this folder are published under /%s; move them to content/", tag, tag)
			} else if !slices.ContainsFunc(c.Languages, func(said site.Language) bool { return strings.EqualFold(said.Tag, tag) }) {
				warn(name, "the language %s is not configured, so the pages in this folder are published in %s; add it under languages: in site.yaml, as in {%s: {}}, or rename the folder", tag, c.Language, tag)
			}
		}
		if tag := e.Name(); e.IsDir() && l.strayLanguage(c, tag) {
			if _, err := l.folder.Stat(strings.TrimSuffix(productPath, ".yaml") + "." + tag + ".yaml"); err != nil {
				warn(name, "the language %s is not configured, so the pages in this folder are published in %s; add it under languages: in site.yaml, as in {%s: {}}, or rename the folder", tag, c.Language, tag)
			}
		}
		for _, said := range c.Languages {
			if stem, _ := site.CutPage(e.Name()); stem != said.Tag && strings.EqualFold(stem, said.Tag) {
				warn(name, "pages in %s belong in the folder %s, with exactly this spelling; rename this folder", said.Tag, said.Tag)
			}
		}
	}
}

// overlayTag returns the language tag in the name of a file with translated facts, content/product.TAG.yaml, or "" for
// other names.
func overlayTag(name string) string {
	tag, ok := strings.CutPrefix(name, folder.Content+"/product.")
	if !ok {
		return ""
	}
	if tag, ok = strings.CutSuffix(tag, ".yaml"); !ok || strings.ContainsAny(tag, "./_") || languageTag(tag) != "" {
		return ""
	}
	return tag
}

// IsOverlay reports whether name is a file with translated facts, such as content/product.de.yaml.
func IsOverlay(name string) bool { return overlayTag(name) != "" }
