package build

import (
	"context"
	"path"
	"slices"
	"strings"

	"vitrine/internal/rule"
	"vitrine/internal/site"
)

// found returns the problems, with the severities that the site and its pages set. It omits three kinds of problems:
// repeated reports of the same oversized image, text that contradicts the facts if the facts have errors, and problems
// that are caused by a folder for an unknown language (see strayFolders).
func (b *builder) found() []site.Problem {
	heavy, strays := make(map[string]bool), strayFolders(b.problems)
	return site.CapProblems(slices.DeleteFunc(site.SortProblems(b.switches.Apply(b.problems)), func(p site.Problem) bool {
		switch p.Code {
		case rule.HeavyImage:
			seen := heavy[p.Text]
			heavy[p.Text] = true
			return seen
		case rule.DriftPrice, rule.DriftCredits, rule.DriftName:
			return b.faulty[productFile]
		case rule.Orphan, rule.NoDescription, rule.SameTitle:
			return slices.ContainsFunc(strays, func(folder string) bool { return strings.HasPrefix(p.Path, folder) })
		}
		return false
	}))
}

// strayFolders returns the folders of languages that the site doesn't have. On the pages in such a folder, found omits
// the problems that the folder causes: orphan pages, missing descriptions, and duplicate titles.
func strayFolders(problems []site.Problem) (folders []string) {
	for _, p := range problems {
		if p.Code == rule.UnknownLanguage && path.Ext(p.Path) == "" {
			folders = append(folders, p.Path+"/")
		}
	}
	return folders
}

// finishChecks runs the checks for which all pages must have been checked.
func (b *builder) finishChecks(ctx context.Context) error {
	b.finishPages(b.checker.Finish())
	scripts, err := b.images.Vectors(ctx)
	if err != nil {
		return err
	}
	b.problems = append(b.problems, scripts...)
	answers, err := b.answers()
	if err != nil {
		return err
	}
	b.problems = append(b.problems, answers...)
	styles := b.checker.Stylesheets(b.folder.FS())
	b.problems = append(b.problems, styles...)
	b.otherProblems = slices.Concat(scripts, answers, styles)
	if b.opt.Outside == nil {
		return nil
	}
	outside, err := b.opt.Outside(ctx, b.checker.Outside())
	b.problems = append(b.problems, outside...)
	return err
}

// finishPages adds found, the problems that depend on several pages, to the problems of the run.
func (b *builder) finishPages(found []site.Problem) {
	b.problems = append(b.problems, slices.DeleteFunc(found, func(p site.Problem) bool {
		// Don't report a page with errors as an orphan. The page's path may be wrong, so that links to the page aren't
		// recognized.
		return p.Code == rule.Orphan && b.faulty[p.Path]
	})...)
}
