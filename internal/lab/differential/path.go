package differential

import (
	"strings"

	"vitrine/internal/artifact"
)

// UnderPath returns requests for a site in two languages under the path mount, such as "/acorn". The site must have a
// page /pricing. The requests are for mount itself with and without a suffix, for pages and their Markdown, for missing
// pages, and for the build ID. UnderPath also returns requests for the same paths outside mount.
func UnderPath(mount string) []Question {
	var targets []string
	for _, below := range []string{
		"", "/", ".md", ".html", "x", "x.md", "/.md", "/index.md", "/index.html", "/pricing", "/pricing.md", "/pricing.md?x=1", "/pricing/", "/pricing.html",
		"/nothing", "/nothing.md", "/blog/nothing.md", "/de", "/de.md", "/de/nothing", "/de/nothing.md", "/api.md", "/llms.txt", artifact.BuildPath, artifact.BuildPath + "?x=1",
	} {
		targets = append(targets, mount+below)
	}
	parent := mount[:strings.LastIndexByte(mount, '/')]
	for _, outside := range []string{"/", "/.md", "/index.md", "/pricing", "/pricing.md", "/nothing.md", "/de/nothing.md", "/api/nothing", artifact.BuildPath} {
		targets = append(targets, outside, parent+"/other"+outside)
	}
	var all []Question
	for _, target := range targets {
		add := func(method string, fields ...artifact.Field) {
			all = append(all, Question{Method: method, Target: target, Fields: fields, Body: -1})
		}
		add("GET")
		add("HEAD")
		add("OPTIONS")
		add("POST")
		for _, accept := range []string{"text/html", "text/markdown", "*/*", "text/html;q=0.5, text/markdown;q=0.2", "application/json"} {
			add("GET", artifact.Field{Name: "Accept", Value: accept})
		}
	}
	return all
}
