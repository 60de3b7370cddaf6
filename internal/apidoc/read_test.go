package apidoc

import (
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"vitrine/internal/site"
)

// problemsIn returns the problems in a description, one per line.
func problemsIn(t *testing.T, text string, others map[string]string) string {
	t.Helper()
	pages, problems := Pages(Source{
		Word: keys, Page: &site.Page{Path: "/api"}, Files: []File{{Name: "content/a.yaml", Text: []byte(text)}},
		Read: func(name string) ([]byte, error) {
			if text, ok := others[name]; ok {
				return []byte(text), nil
			}
			return nil, fs.ErrNotExist
		},
	})
	if len(problems) > 0 && len(pages) > 0 {
		t.Errorf("%d pages in spite of problems", len(pages))
	}
	var lines []string
	for _, p := range site.SortProblems(problems) {
		lines = append(lines, p.String())
	}
	return strings.Join(lines, "\n")
}

// pagesOf returns the texts of the pages of a description without problems. The first page is a tag's.
func pagesOf(t *testing.T, text string) (texts []string) {
	t.Helper()
	pages, problems := Pages(Source{Word: keys, Page: &site.Page{Path: "/api"}, Files: []File{{Name: "a.yaml", Text: []byte(text)}}})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	for _, p := range pages {
		texts = append(texts, string(p.Text))
	}
	return texts
}

// All problems are reported in one run, each once and at its position, even if several references lead to it.
func TestAllProblems(t *testing.T) {
	got := problemsIn(t, `openapi: 3.0.3
info: {title: A, version: "1"}
paths:
  /a:
    get:
      summary: [A]
      parameters: {id: {}}
      responses:
        "200": {$ref: "#/components/responses/Good"}
        "400": {$ref: "#/components/responses/Good"}
        "500": bad
    put: {}
    delete: none
components:
  responses:
    Good:
      description: Good
      content: {application/json: {schema: {$ref: "parts.yaml#/Part"}}}
  schemas:
    A: {$ref: "#/components/schemas/B"}
    B: {$ref: "#/components/schemas/A"}
    C: {type: object, properties: {d: {$ref: "#/components/schemas/None"}, e: 5}}
    E: {$ref: "none.yaml#/A"}
    F: {$ref: "none.yaml#/B"}
`, map[string]string{"content/parts.yaml": "Part:\n  type: object\n  description: {}\n"})
	want := `content/a.yaml:6:16: error: summary: want text, found a list [V093]
content/a.yaml:7:19: error: parameters: want a list, found a map [V093]
content/a.yaml:11:16: error: 500: want a map, found the text "bad" [V093]
content/a.yaml:13:13: error: paths./a.delete: want a map, found the text "none" [V093]
content/a.yaml:20:15: error: this reference leads back to itself; correct the $ref [V093]
content/a.yaml:22:46: error: content/a.yaml has no value at "#/components/schemas/None"; correct the $ref [V093]
content/a.yaml:22:79: error: e: want a schema, found the number 5 [V093]
content/a.yaml:23:15: error: the description references content/none.yaml, which does not exist; correct the $ref, which is relative to the description's folder [V093]
content/parts.yaml:3:16: error: description: want text, found a map [V093]`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// A schema may contain itself, a Boolean schema allows every value, and a reference may name an item of a list or a key
// with a slash.
func TestSchemas(t *testing.T) {
	text := `openapi: 3.1.0
info: {title: A, version: 1}
paths:
  x-internal: {get: 5}
  /a/{b}:
    $ref: "#/components/pathItems/a~1b"
components:
  pathItems:
    a/b:
      post:
        requestBody: {$ref: "#/components/requestBodies/List"}
        responses: {x-none: 5, 201: {description: Done}}
  requestBodies:
    List:
      content:
        text/csv: {schema: true}
        text/plain:
        application/json: {schema: {$ref: "#/components/schemas/All/allOf/0"}, examples: {b: {value: 2}, a: {value: {n: 1000000}}}}
  schemas:
    All: {allOf: [{type: object, properties: {self: {$ref: "#/components/schemas/All"}, most: {type: integer, maximum: 1000000, minimum: 0.5}, any: {}}}]}
`
	pages := pagesOf(t, text)
	if len(pages) != 2 {
		t.Fatalf("%d pages", len(pages))
	}
	for _, want := range []string{
		"`application/json`\n\n- `any` refAny\n- `most` integer, refAtLeast 0.5, refAtMost 1000000\n- `self` object\n\n  - `any` refAny\n",
		"`text/csv`\n\nrefAny\n\n`text/plain`\n\n## ", "curl -X POST 'https://api.example.com/a/{b}'", "\"n\": 1000000", "::::details[`201` Done]",
	} {
		if !strings.Contains(pages[1], want) {
			t.Errorf("no %q in\n%s", want, pages[1])
		}
	}
}

// In OpenAPI 3.1, a reference can have other members, which override the referenced schema's. In 3.0, it can't.
func TestReferenceWithMembers(t *testing.T) {
	text := `openapi: 3.1.0
paths:
  /a:
    get:
      responses: {200: {description: A, content: {application/json: {schema: {$ref: "#/components/schemas/Node"}}}}}
components:
  schemas:
    Node:
      type: object
      description: A node.
      properties:
        left: {$ref: "#/components/schemas/Node", description: The left one., deprecated: true}
        name: {$ref: "#/components/schemas/Name", maxLength: 9}
        same: {$ref: "#/components/schemas/Node/properties/name", title: Same}
    Name: {type: string, description: A name.}
`
	for version, want := range map[string]string{
		"3.1.0": "- `left` object, **apiDeprecated**: The left one.\n\n  - `left` object, **apiDeprecated**: The left one.",
		"3.0.0": "- `left` object: A node.\n\n  - `left` object: A node.",
	} {
		pages := pagesOf(t, strings.Replace(text, "3.1.0", version, 1))
		if len(pages) != 2 || !strings.Contains(pages[1], want) {
			t.Errorf("%s: no %q in\n%s", version, want, pages)
		}
		limited := strings.Count(pages[1], "string, refLength 9: A name.")
		if (limited >= 2) != (version == "3.1.0") {
			t.Errorf("%s: %d members have a maximum length in\n%s", version, limited, pages[1])
		}
	}
}

// References with other members can follow each other, and their lists and properties are combined.
func TestChainOfReferencesWithMembers(t *testing.T) {
	text := `openapi: 3.1.0
paths:
  /a:
    $ref: "#/components/pathItems/A"
    post: {summary: Post an A, responses: {200: {$ref: "#/components/responses/R", description: Posted}}}
    parameters: [{$ref: "#/components/parameters/P", description: Mine}]
security: [{key: []}]
components:
  securitySchemes: {key: {type: http, scheme: bearer}}
  parameters: {P: {name: p, in: query, schema: {type: [string, null]}}}
  responses: {R: {description: Response, content: {application/json: {schema: {$ref: "#/components/schemas/Alias"}}}}}
  pathItems: {A: {get: {summary: Get an A, security: null}}}
  schemas:
    Alias: {$ref: "#/components/schemas/Middle"}
    Middle: {$ref: "#/components/schemas/Base", required: [more], properties: {more: {type: integer}}, allOf: [{properties: {part: {type: boolean}}}]}
    Base: {type: object, required: [id], properties: {id: {type: string}, opt: {type: string}}}
`
	pages := pagesOf(t, text)
	if len(pages) != 3 {
		t.Fatalf("%d pages", len(pages))
	}
	for _, want := range []string{
		"- `id` string, **apiRequired**\n- `more` integer, **apiRequired**\n- `opt` string\n- `part` boolean\n", "[`200` Posted]", "- `p` string refOr null: Mine",
	} {
		if !strings.Contains(pages[2], want) {
			t.Errorf("no %q in\n%s", want, pages[2])
		}
	}
	if get := pages[1]; !strings.Contains(get, "- `p` string refOr null: Mine") || !strings.Contains(get, "refToken") {
		t.Errorf("the path's parameter or the API's authentication is missing in\n%s", get)
	}
}

// A schema that contains itself many times, and a long chain of schemas, have pages of limited size.
func TestHostileSchemas(t *testing.T) {
	var wide, long strings.Builder
	for i := range 60 {
		fmt.Fprintf(&wide, "p%d: {$ref: '#/components/schemas/Node'}, ", i)
	}
	for i := range 3000 {
		fmt.Fprintf(&long, "    S%d: {type: array, items: {$ref: '#/components/schemas/S%d'}}\n", i, i+1)
	}
	head := "openapi: 3.0.0\npaths:\n  /a: {get: {responses: {200: {content: {application/json: {schema: {$ref: '#/components/schemas/%s'}}}}}}}\ncomponents:\n  schemas:\n"
	for name, text := range map[string]string{
		"wide": fmt.Sprintf(head, "Node") + "    Node: {type: object, properties: {" + wide.String() + "}, allOf: [{$ref: '#/components/schemas/Node'}, {$ref: '#/components/schemas/Node'}]}\n",
		"long": fmt.Sprintf(head, "S0") + long.String() + "    S3000: {type: string}\n",
	} {
		pages := pagesOf(t, text)
		if len(pages) != 2 {
			t.Fatalf("%s: %d pages", name, len(pages))
		}
		if size := len(pages[1]); size > 2<<20 {
			t.Errorf("%s: the page has %d bytes", name, size)
		}
	}
}

// A description with more keys and levels than settings may have is read, in YAML and in JSON.
func TestLargeDescription(t *testing.T) {
	var yaml, json strings.Builder
	yaml.WriteString("openapi: 3.0.0\npaths:\n")
	json.WriteString(`{"openapi": "3.0.0", "paths": {"/deep": {"get": {"responses": {"200": {"content": {"application/json": {"schema": `)
	for i := range 6000 {
		fmt.Fprintf(&yaml, "  /p%d:\n    get: {summary: 'Get: %d'}\n", i, i)
	}
	json.WriteString(strings.Repeat(`{"items": `, 50) + `{"type": "string", "format": "deep"}` + strings.Repeat("}", 50) + "}}}}}}}}")
	for name, c := range map[string]struct {
		text string
		want int
	}{"YAML": {yaml.String(), 6001}, "JSON": {json.String(), 2}} {
		if pages := pagesOf(t, c.text); len(pages) != c.want {
			t.Errorf("%s: %d pages, want %d", name, len(pages), c.want)
		}
	}
	text := strings.Replace(yaml.String(), "summary: 'Get: 5999'", "summary: *none", 1)
	if got := problemsIn(t, strings.Replace(text, "summary: 'Get: 7'", "summary: 'Get: 7", 1), nil); !strings.HasPrefix(got, "content/a.yaml:") || !strings.Contains(got, "not valid YAML") {
		t.Errorf("a missing quote: got %s", got)
	}
}
