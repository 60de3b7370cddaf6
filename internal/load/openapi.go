package load

import (
	"path"
	"strings"

	"vitrine/internal/load/shape"
	"vitrine/internal/load/tree"
	"vitrine/internal/rule"
	"vitrine/internal/site"
)

// descriptions returns a reader for the path of an OpenAPI description, or a list of such paths.
func descriptions(dst *[]site.Reference) reader {
	check := descriptionChecks()[0]
	one := func(r *report, v value) {
		if s, ok := textOf(r, v, check); ok {
			*dst = append(*dst, site.Reference{Target: s, Pos: v.Pos})
		}
	}
	item := reader{one, func() shape.Shape { return drawText(shape.Plain, descriptionChecks()) }}
	read := func(r *report, v value) {
		if v.Kind == tree.Text {
			one(r, v)
			return
		}
		list(item).read(r, v)
	}
	return reader{read, func() shape.Shape {
		s := list(item).draw()
		s.Kinds, s.Pattern, s.Examples = append(s.Kinds, shape.Text), check.pattern, check.examples
		return s
	}}
}

// descriptionName returns a problem unless s is the relative path of a YAML or JSON file in the page's folder.
func descriptionName(s string) string {
	switch strings.ToLower(path.Ext(s)) {
	case ".yaml", ".yml", ".json":
		if !strings.HasPrefix(s, "/") && !strings.Contains(s, "://") && !strings.HasPrefix(path.Clean(s), "..") {
			return ""
		}
	}
	return "want the path of an OpenAPI description under the page's folder, such as openapi.yaml"
}

// apiLayout reports a page that has the key openapi without layout: api, or vice versa. It also replaces the api layout
// with the documentation layout.
func apiLayout(r *report, p *site.Page, root *tree.Node) {
	switch {
	case p.Layout == "api" && len(p.OpenAPI) == 0 && absent(root, "openapi"):
		r.errorf(placeOf(root, "layout"), `layout: api needs an API description; write "openapi: openapi.yaml"`).Code = rule.MissingKey
	case p.Layout != "api" && len(p.OpenAPI) > 0:
		r.errorf(placeOf(root, "openapi"), `openapi takes effect only with "layout: api"; add that line, or remove openapi`).Code = rule.Needless
		p.OpenAPI = nil
	}
	if p.Layout == "api" {
		p.Layout = "docs"
	}
}

func descriptionChecks() []check {
	return []check{{descriptionName, `\.(ya?ml|json)$`, []string{"openapi.yaml"}}}
}
