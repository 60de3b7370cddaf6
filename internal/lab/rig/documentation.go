package rig

import (
	"fmt"
	"strings"
)

// DocumentationSite returns the files of a documentation site, keyed by name. The site has two versions, two languages,
// and an API reference in each language. things is the number of resources in the API, each with five operations. One
// page contains math, a diagram, code from a file, and components.
func DocumentationSite(things int) map[string]string {
	files := VersionsSite()
	for _, language := range []string{"", "de/"} {
		files["content/"+language+"docs/reference/index.md"] = "---\ntitle: API " + language + "\ndescription: All calls.\nlayout: api\nopenapi: openapi.yaml\n---\nCall it.\n"
		files["content/"+language+"docs/reference/openapi.yaml"] = descriptionOf(things)
		files["content/"+language+"docs/reference/parts.yaml"] = "Thing: {type: object, required: [id], properties: {id: {type: string}, parent: {$ref: '#/Thing'}}}\n"
	}
	files["examples/plan.go"] = "package plan\n\nfunc Plan() {}\n"
	files["content/docs/plan.svg"] = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0h9v9z"/></svg>`
	files["content/docs/how.md"] = "---\ndescription: How it plans.\n---\n# How\n\nIt takes $n^2$ steps.\n\n```mermaid\ngraph LR\n  A --> B\n```\n\n```go file=examples/plan.go#L3\n```\n\n" +
		"::::columns\n:::column\n## Before\n:::\n:::column\n- after\n:::\n::::\n\n::::fields\n:::field[id]{type=string required}\nThe thing.\n:::\n::::\n\n" +
		":::zoom[The plan]\n![A plan](plan.svg)\n:::\n\n::::cards\n::card{link=install.md}\n::::\n"
	return files
}

// descriptionOf returns the OpenAPI description of an API with five operations for each thing.
func descriptionOf(things int) string {
	var b strings.Builder
	b.WriteString("openapi: 3.1.0\ninfo: {title: Acorn, version: '3'}\nservers: [{url: 'https://api.acorn.example'}]\nsecurity: [{key: []}]\npaths:\n")
	for n := range things {
		fmt.Fprintf(&b, "  /things%d:\n", n)
		for _, method := range []string{"get", "post", "put", "patch", "delete"} {
			fmt.Fprintf(&b, "    %s: {tags: [Things %d], operationId: %sThing%d, parameters: [{name: at, in: query, schema: {type: string}}], responses: {'200': {description: Done, content: {application/json: {schema: {$ref: 'parts.yaml#/Thing'}}}}}}\n",
				method, n%6, method, n)
		}
	}
	b.WriteString("components: {securitySchemes: {key: {type: http, scheme: bearer}}}\n")
	return b.String()
}
