package load

import (
	"fmt"
	"time"

	"vitrine/internal/folder"
	"vitrine/internal/load/shape"
	"vitrine/internal/site"
)

// The shapes of this file are drawn by the readers themselves, so they cannot
// say anything else than what Load does.

// ProductShape says what content/product.yaml holds.
func ProductShape() shape.Shape {
	s := open(productFields(new(site.Product))...).draw()
	s.Never = []string{reservedMember}
	return s
}

// ConfigShape says what content/site.yaml holds.
func ConfigShape() shape.Shape {
	return closed(configFields(new(site.Config))...).draw()
}

// PageShape says what the front matter of a page holds; there may be none.
func PageShape() shape.Shape {
	return frontMatter(new(site.Page), new(string), time.UTC).draw().OrNull()
}

// NameProblem returns why a name of a page, without its ending, cannot be its
// path below the site's root, or "".
func NameProblem(name string) string {
	if name == "" {
		return "it is empty"
	}
	if problem := pathProblem("/" + name); problem != "" {
		return problem
	}
	if reserved("/" + name) {
		return fmt.Sprintf(reservedText, "/"+name)
	}
	if folder.Ignored(name) {
		return "files whose names begin so are not published"
	}
	return ""
}
