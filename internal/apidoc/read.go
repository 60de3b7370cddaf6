package apidoc

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"

	"vitrine/internal/load/tree"
	"vitrine/internal/rule"
	"vitrine/internal/site"
)

// read reads a description. The problems are in the file, at the place that is wrong if that is known.
func read(f File) (*openapi3.T, []site.Problem) {
	fault := func(at site.Pos, format string, args ...any) (*openapi3.T, []site.Problem) {
		return nil, []site.Problem{{Path: f.Name, Pos: at, Severity: site.Error, Code: rule.Description, Text: fmt.Sprintf(format, args...)}}
	}
	root, faults := parse(f)
	if len(faults) > 0 && strings.Contains(faults[0].Text, "more than") {
		// The reader of settings has bounds that descriptions of large APIs exceed.
		return load(f, &tree.Node{Pos: site.Pos{Line: 1, Col: 1}}, fault)
	}
	if len(faults) > 0 {
		return fault(faults[0].Pos, "%s", faults[0].Text)
	}
	first := site.Pos{Line: 1, Col: 1}
	if root.Kind != tree.Map {
		return fault(first, "want an OpenAPI description with openapi, info, and paths, found %s", root.Describe())
	}
	switch version := root.Get("openapi"); {
	case version == nil && root.Get("swagger") != nil:
		return fault(root.Get("swagger").Pos, "this is Swagger 2.0; convert it to OpenAPI 3.0 or 3.1")
	case version == nil:
		return fault(first, `openapi is missing; write "openapi: 3.1.0"`)
	case !strings.HasPrefix(version.Value.Text, "3.0") && !strings.HasPrefix(version.Value.Text, "3.1"):
		return fault(version.Value.Pos, "openapi: want 3.0 or 3.1, found %s", version.Value.Describe())
	case root.Get("paths") == nil && root.Get("webhooks") == nil:
		return fault(first, "paths is missing; write the paths of the API with their operations")
	}
	return load(f, root, fault)
}

// load reads a description with the library. It follows no reference to another file.
func load(f File, root *tree.Node, fault func(site.Pos, string, ...any) (*openapi3.T, []site.Problem)) (*openapi3.T, []site.Problem) {
	doc, err := openapi3.NewLoader().LoadFromData(f.Text)
	if err != nil {
		return fault(placeOf(f.Text, root, err.Error()), "%s", explain(err))
	}
	return doc, nil
}

// parse reads the syntax of a description, for the places of what is wrong.
func parse(f File) (*tree.Node, []tree.Fault) {
	if bytes.HasPrefix(bytes.TrimSpace(f.Text), []byte("{")) {
		return tree.JSON(f.Text, 1)
	}
	return tree.YAML(f.Text, 1)
}

// explain returns the parser's error on one line.
func explain(err error) string {
	text := oneLine(err.Error())
	if strings.Contains(text, "external") || strings.Contains(text, "encountered disallowed") {
		return text + "; put all of the description into one file"
	}
	return text + "; correct it, or check the file with an OpenAPI editor"
}

var quoted = regexp.MustCompile(`"(#?/[^"]+)"`)

// placeOf finds the reference that an error names, and returns its position.
func placeOf(text []byte, root *tree.Node, message string) site.Pos {
	for _, found := range quoted.FindAllStringSubmatch(message, -1) {
		for number, line := range strings.Split(string(text), "\n") {
			if at := strings.Index(line, found[1]); at >= 0 {
				return site.Pos{Line: number + 1, Col: at + 1}
			}
		}
	}
	return root.Pos
}
