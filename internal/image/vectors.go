package image

import (
	"context"
	"strings"

	"vitrine/internal/image/file"
	"vitrine/internal/ordered"
	"vitrine/internal/rule"
	"vitrine/internal/site"
)

// Vectors returns the problems with all SVG files and other XML files of the site, even if no page shows them. A
// browser that opens such a file at the file's own URL treats the file as a document of the site, so scripts in the
// file have the site's permissions. The cache records clean SVG files so that later builds don't inspect them again.
func (g *Gallery) Vectors(ctx context.Context) ([]site.Problem, error) {
	var vectors []*imageFile
	for _, name := range g.paths() {
		if strings.HasSuffix(strings.ToLower(name), ".svg") {
			vectors = append(vectors, g.images[name])
		}
	}
	var problems []site.Problem
	err := ordered.Each(ctx, vectors,
		func(_ context.Context, i *imageFile) ([]site.Problem, error) { return g.scripts(i.File), nil },
		func(found []site.Problem) error {
			problems = append(problems, found...)
			return nil
		})
	for _, f := range g.documents {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		problems = append(problems, g.documentScripts(f)...)
	}
	return problems, err
}

// documentScripts returns the problems with an XML file other than an SVG.
func (g *Gallery) documentScripts(f site.File) []site.Problem {
	var found []file.Finding
	data, err := g.read(f)
	if err == nil {
		found, err = file.DocumentScripts(data)
	}
	return scriptProblems(f, "document", found, err)
}

// scriptProblems returns one problem for each script found in f. If err isn't nil, it returns another problem, because
// f wasn't inspected completely. kind is the kind of file that messages name.
func scriptProblems(f site.File, kind string, found []file.Finding, err error) []site.Problem {
	var problems []site.Problem
	add := func(pos site.Pos, text string) {
		problems = append(problems, site.Problem{Path: f.Source, Pos: pos, Severity: site.Error, Code: rule.ScriptInImage, Text: "the " + kind + " " + text})
	}
	for _, s := range found {
		add(site.Pos{Line: s.Line, Col: s.Col}, "contains "+s.Text)
	}
	if err != nil {
		add(site.Pos{}, "cannot be checked for scripts: "+err.Error())
	}
	return problems
}

func (g *Gallery) scripts(f site.File) []site.Problem {
	hash, data, err := g.digest(f)
	key, clean := keyOf(hash, scriptPart), false
	if err == nil && g.kept(key, &clean) && clean {
		return nil
	}
	if err == nil && data == nil {
		data, err = g.read(f)
	}
	if err != nil {
		return scriptProblems(f, "SVG", nil, err)
	}
	if !file.IsMarkup(data) {
		// Browsers don't read the file as a document. If a page shows the file, Show reports the problem.
		return nil
	}
	found, err := file.Scripts(data)
	problems := scriptProblems(f, "SVG", found, err)
	if problems == nil {
		g.keep(key, true)
	}
	return problems
}
