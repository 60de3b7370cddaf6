package load

import (
	"fmt"
	"path"
	"strings"

	"vitrine/internal/load/shape"
	"vitrine/internal/load/suggest"
	"vitrine/internal/load/tree"
	"vitrine/internal/rule"
	"vitrine/internal/site"
)

// shortAuthors is a common wrong name of authors.yaml. The loader reports a file with this name but doesn't read it.
const shortAuthors = "content/authors.yml"

const (
	// maxAuthors is the maximum number of authors per page.
	maxAuthors = 20
	// maxPeople is the maximum number of people in authors.yaml.
	maxPeople = 10_000
)

// authorFields returns a reader for the settings of a person in authors.yaml.
func authorFields(a *site.Author) reader {
	return closed(
		field{"name", "the person's name, such as Ana Lima", "The person's name.", line(&a.Name, atMost(maxTag))},
		field{"picture", "", "The person's portrait: {src, alt}, or a path relative to content/ or content/static/.", optional(figure(&a.Picture, "The path of the picture, relative to content/ or content/static/.", false))},
		field{"url", "", "The URL of the person's website.", optional(text(&a.URL, isAbsoluteURI("https://lena.example")))},
		field{"bio", "", "A sentence or two about the person.", optional(line(&a.Bio))},
	)
}

// authors returns a reader for authors.yaml, which maps keys to people. The reader appends the people to *dst.
func authors(dst *[]*site.Author) reader {
	read := func(r *report, v value) {
		if v.Kind != tree.Map {
			r.errorf(v.Pos, "want a map of keys to people such as {ana: {name: Ana Lima}}, found %s", v.Describe())
			return
		}
		if len(v.Members) > maxPeople {
			r.errorf(v.Members[maxPeople].Pos, "found %d people, want at most %d; remove people without articles", len(v.Members), maxPeople).Code = rule.TooMuch
			return
		}
		lower := make(map[string]string)
		for i, m := range v.Members {
			if m.Bare {
				oddKey(r, v, i)
				continue
			}
			a := &site.Author{Key: m.Key, Pos: m.Pos}
			before := len(r.problems)
			authorFields(a).read(r, value{m.Value, m.Key, m.Pos})
			fold := strings.ToLower(m.Key)
			switch problem := slugProblem(m.Key); {
			case problem != "":
				r.problems = r.problems[:before]
				r.errorf(m.Pos, "the key is used in the address of the author page: %s", problem).Code = rule.WrongPath
			case lower[fold] != "":
				r.errorf(m.Pos, "the key %q differs only in case from %q; rename one of the two", m.Key, lower[fold]).Code = rule.SamePath
			default:
				lower[fold] = m.Key
				*dst = append(*dst, a)
			}
		}
	}
	return reader{read, func() shape.Shape {
		one := authorFields(new(site.Author)).draw()
		return shape.Shape{Kinds: []shape.Kind{shape.Map}, Others: &one, Names: isSlug().pattern}
	}}
}

// AuthorsShape returns the shape of content/authors.yaml.
func AuthorsShape() shape.Shape { return authors(new([]*site.Author)).draw() }

// readAuthors returns the people in root, the content of authors.yaml, and adds the problems in root to r.
func readAuthors(r *report, root *tree.Node) (people []*site.Author) {
	if root.Kind != tree.Null {
		authors(&people).read(r, value{root, "", root.Pos})
	}
	return people
}

// authors reads authors.yaml, if it exists, into s and its views. If only shortAuthors exists, it reports that file.
func (l *loader) authors(s *site.Site) {
	if _, err := l.folder.Stat(site.AuthorsFile); err != nil {
		if _, err := l.folder.Stat(shortAuthors); err == nil {
			l.problems = append(l.problems, site.Problem{Path: shortAuthors, Severity: site.Error, Code: rule.Unreadable,
				Text: "this file is ignored; rename it to " + path.Base(site.AuthorsFile)})
		}
		return
	}
	root, r := l.document(site.AuthorsFile, "a map of keys to people")
	if root == nil {
		return
	}
	s.Authors = readAuthors(r, root)
	placeholders(r, root)
	l.problems = append(l.problems, r.problems...)
	for _, v := range s.Languages {
		v.Authors = s.Authors
	}
}

// checkAuthors warns about an author in front matter that is probably a misspelled key from authors.yaml, or a person's
// name instead of the person's key. It also warns about pages that set a series but aren't articles.
func (l *loader) checkAuthors(s *site.Site) {
	keys := make([]string, len(s.Authors))
	known, byName := make(map[string]bool), make(map[string]string)
	for i, a := range s.Authors {
		keys[i], known[a.Key], byName[strings.ToLower(a.Name)] = a.Key, true, a.Key
	}
	for _, p := range s.Pages {
		for _, written := range p.Authors {
			if len(keys) == 0 || known[written.Target] {
				continue
			}
			meant, text := byName[strings.ToLower(written.Target)], "%q is a person's name in authors.yaml; write the key %q"
			if meant == "" {
				meant, text = suggest.Nearest(written.Target, keys), "%q is not in authors.yaml; did you mean %q?"
			}
			if meant != "" {
				problem := l.warnPage(p, written.Pos, rule.Author, "author: "+fmt.Sprintf(text, written.Target, meant))
				if byName[strings.ToLower(written.Target)] != "" || suggest.Same(written.Target, meant) || suggest.Slip(written.Target, meant) {
					problem.Fix = l.pageEdit(p, written, meant)
				}
			}
		}
		if p.Series != "" && !p.IsPost() {
			l.warnPage(p, p.SeriesPos, rule.Needless, "series: only articles under blog/ can be part of a series; move the page there, or remove the key")
		}
	}
}

// warnPage adds a warning about the front matter of p and returns the warning, so that the caller can set its fix.
func (l *loader) warnPage(p *site.Page, at site.Pos, code site.Code, text string) *site.Problem {
	l.problems = append(l.problems, site.Problem{Path: p.Source, Pos: at, Severity: site.Warning, Code: code, Text: text})
	return &l.problems[len(l.problems)-1]
}

// pageEdit returns the edit that replaces written, a value in the front matter of p, with replacement. The edit is zero
// if the page can't be read or the value isn't found.
func (l *loader) pageEdit(p *site.Page, written site.Reference, replacement string) site.Edit {
	source, err := l.folder.ReadFile(p.Source)
	if err != nil {
		return site.Edit{}
	}
	return site.EditValue(source, written.Pos, written.Target, replacement)
}

// bylines returns a reader for a page's author or list of authors. An author is a key in authors.yaml or a name.
func bylines(dst *[]site.Reference) reader {
	one := written(reader{
		read: func(r *report, v value) {
			var name string
			if line(&name, atMost(maxTag)).read(r, v); name != "" {
				*dst = append(*dst, site.Reference{Target: name, Pos: v.Pos})
			}
		},
		draw: func() shape.Shape { return drawText(shape.Plain, nil) },
	})
	several := few(maxAuthors, "authors; keep the most important", list(one))
	read := func(r *report, v value) {
		if v.Kind == tree.List {
			several.read(r, v)
			return
		}
		one.read(r, v)
	}
	return reader{read, func() shape.Shape {
		s := several.draw()
		s.Kinds, s.Pattern = append([]shape.Kind{shape.Text, shape.Number}, s.Kinds...), `\S`
		return s
	}}
}
