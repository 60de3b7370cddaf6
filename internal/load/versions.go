package load

import (
	"fmt"
	"strings"

	"vitrine/internal/load/shape"
	"vitrine/internal/rule"
	"vitrine/internal/site"
)

// versions reads the versions of the documentation.
func versions(dst *[]site.Version) reader {
	return each(dst, func(v *site.Version) reader {
		return noting(&v.Pos, closed(
			field{"path", "the folder of the version's pages, such as docs/v1", "The folder that holds the version's pages, relative to content/, such as docs/v1.", folderPath(&v.Path)},
			field{"label", "readers' name for it, such as 1.x", "The version's name for readers, such as 1.x.", line(&v.Label, atMost(maxBadge))},
			field{"state", "", "Whether the version is maintained, or unmaintained because it gets no more corrections; maintained without it.", optional(state(&v.Unmaintained))},
		))
	})
}

// folderPath reads the path of a folder in content/ as a URL path.
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

// state reads whether a version is maintained.
func state(unmaintained *bool) reader {
	known := check{func(s string) string {
		if s != "maintained" && s != "unmaintained" {
			return fmt.Sprintf("want maintained or unmaintained, found %q", s)
		}
		return ""
	}, "^(maintained|unmaintained)$", []string{"maintained", "unmaintained"}}
	read := func(r *report, v value) {
		if s, ok := textOf(r, v, known); ok {
			*unmaintained = s == "unmaintained"
		}
	}
	return reader{read, func() shape.Shape { return drawText(shape.Plain, []check{known}) }}
}

// checkVersions reports the versions that have no pages.
func (l *loader) checkVersions(s *site.Site) {
	for _, v := range s.Config.Versions {
		found := v.Path == ""
		for _, p := range s.Pages {
			found = found || p.Path == v.Path || strings.HasPrefix(p.Path, v.Path+"/")
		}
		if !found {
			l.problems = append(l.problems, site.Problem{Path: configPath, Pos: v.Pos, Severity: site.Error, Code: rule.Version,
				Text: fmt.Sprintf("versions: there are no pages in content%s; write them, or remove the version", v.Path)})
		}
	}
}
