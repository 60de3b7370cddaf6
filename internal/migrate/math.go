package migrate

import (
	"path"
	"slices"
	"strings"

	"vitrine/internal/lazyregexp"
	"vitrine/internal/migrate/source"
)

// mathName matches the names of TeX renderers in a site's settings or templates.
var mathName = lazyregexp.New(`(?i)katex|mathjax|remark-math|arithmatex|dollarmath|markdown-it-math|texmath|\bmath\s*[:=]\s*true`)

// hasMath reports whether the old site renders TeX between dollar signs, according to its kind, its pages, or its
// settings.
func (im *importer) hasMath() bool {
	if im.Kind.Math {
		return true
	}
	for _, p := range im.Pages {
		if source.TextAt(p.Front, "math", "katex", "mathjax", "usemathjax", "use_math") != "" {
			return true
		}
	}
	settings := []string{".yml", ".yaml", ".toml", ".html", ".js", ".mjs", ".cjs", ".ts", ".mts", ".py", ".json", ".njk", ".astro"}
	for _, name := range im.Src.Names {
		if !slices.Contains(settings, path.Ext(name)) || strings.Contains(name, "lock") || strings.Count(name, "/") > 5 {
			continue
		}
		if text, err := im.Src.Text(name); err == nil && len(text) < 256<<10 && mathName.MatchString(text) {
			return true
		}
	}
	return false
}
