package load

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"vitrine/internal/load/shape"
	"vitrine/internal/rule"
	"vitrine/internal/site"
)

// versions returns a reader for the versions of the documentation.
func versions(dst *[]site.Version) reader {
	return each(dst, func(v *site.Version) reader {
		return noting(&v.Pos, closed(
			field{"path", "the folder of the version's pages, such as docs/v1", "The folder that contains the version's pages, relative to content/.", folderPath(&v.Path)},
			field{"label", "the version's name for readers, such as 1.x", "The version's name for readers, such as 1.x.", line(&v.Label, atMost(maxBadge))},
			field{"state", "", "Whether the version still gets fixes. If it does not, the notice on the version's pages says so. Default: maintained.", optional(state(&v.Unmaintained))},
			field{"noindex", "", "Whether to keep the version's pages out of search engines and the sitemap. Default: false.", unlessNull(truth(&v.NoIndex))},
		))
	})
}

// folderPath returns a reader that stores the path of a folder in content/ as a URL path.
func folderPath(dst *string) reader {
	known := check{func(s string) string {
		trimmed := strings.Trim(s, "/")
		if trimmed == "" {
			return "want the folder of the version's pages, such as docs/v1"
		}
		return plainPath("/" + trimmed)
	}, "", []string{"docs/v2", "docs/v1"}}
	read := func(r *report, v value) {
		if s, ok := textOf(r, v, known); ok {
			*dst = "/" + strings.Trim(s, "/")
		}
	}
	return reader{read, func() shape.Shape { return drawText(shape.Plain, []check{known}) }}
}

// state returns a reader for a version's state, which is "maintained" or "unmaintained".
func state(unmaintained *bool) reader {
	known := oneOf("maintained", "unmaintained")
	read := func(r *report, v value) {
		if s, ok := textOf(r, v, known); ok {
			*unmaintained = s == "unmaintained"
		}
	}
	return reader{read, func() shape.Shape { return drawText(shape.Plain, []check{known}) }}
}

// checkVersions reports versions with the same folder or label, and versions whose folders contain no published pages
// or aren't documentation.
func (l *loader) checkVersions(s *site.Site) {
	versions := s.Config.Versions
	for i, v := range versions {
		problem := unlike(versions[:i], v)
		if problem == "" && v.Path != "" {
			problem = folderProblem(s, v)
		}
		if problem != "" {
			l.problems = append(l.problems, site.Problem{Path: configPath, Pos: v.Pos, Severity: site.Error, Code: rule.Version, Text: "versions: " + problem})
		}
	}
}

// unlike returns a message if a version in before has the same folder or label as v, or "" otherwise.
func unlike(before []site.Version, v site.Version) string {
	for _, other := range before {
		switch {
		case v.Path != "" && v.Path == other.Path:
			return fmt.Sprintf("the folder %s is listed twice; remove one of the two", v.Path[1:])
		case v.Label != "" && v.Label == other.Label:
			return fmt.Sprintf("the label %q is also used by %s; give each version its own label", v.Label, other.Path[1:])
		}
	}
	return ""
}

// folderProblem returns a message if a version's folder has no published pages or isn't documentation, or "" otherwise.
func folderProblem(s *site.Site, v site.Version) string {
	folder := "content" + v.Path
	in := func(p *site.Page) bool { return p.Local() == v.Path || within(p.Local(), v.Path) }
	if !slices.ContainsFunc(s.Pages, in) {
		if slices.ContainsFunc(s.Withheld, in) {
			return fmt.Sprintf("all pages in %s are drafts or scheduled; publish one, or remove the version until then", folder)
		}
		return fmt.Sprintf("there are no pages in %s; add pages, or remove the version", folder)
	}
	layouts := make(map[string]string, len(s.Pages))
	for _, p := range s.Pages {
		layouts[p.Path] = p.Layout
	}
	for _, p := range s.Pages {
		if in(p) && layoutAbove(layouts, site.At(p.Language, v.Path)) != "docs" {
			folder = "content" + site.At(p.Language, v.Path)
			return fmt.Sprintf("the pages in %s are not documentation; write \"layout: docs\" in %s/index.md", folder, folder)
		}
	}
	return ""
}

// layoutAbove returns the layout of the page at the given path or of the nearest page above it, or "" if there is none.
// For a folder without an index page, layoutAbove therefore returns the layout of the nearest page above.
func layoutAbove(layouts map[string]string, at string) string {
	for {
		if layout, ok := layouts[at]; ok || at == "/" {
			return layout
		}
		at = path.Dir(at)
	}
}
