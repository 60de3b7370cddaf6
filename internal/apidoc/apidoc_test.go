package apidoc

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"vitrine/internal/site"
	"vitrine/internal/words"
	"vitrine/templates"
)

const shop = `openapi: 3.1.0
info: {title: Shop, version: "1"}
servers: [{url: "https://api.shop.example/v1"}]
security: [{key: []}]
tags:
  - {name: Orders & more, description: "What people <b>order</b>. And more."}
paths:
  /orders/{id}:
    parameters:
      - {name: id, in: path, required: true, schema: {type: string}, description: "See [it](/nowhere), $5."}
    get:
      tags: [Orders & more]
      operationId: getOrder
      summary: Get an order
      deprecated: true
      responses:
        "200":
          description: The order
          content: {application/json: {schema: {$ref: "#/components/schemas/Order"}}}
        default: {description: A problem}
  /orders:
    post:
      tags: [Orders & more]
      summary: Create an order
      requestBody: {content: {application/json: {schema: {$ref: "#/components/schemas/Order"}}}}
      responses: {"201": {description: Created}}
    get:
      responses: {"200": {description: All}}
components:
  securitySchemes:
    key: {type: http, scheme: bearer}
  schemas:
    Order:
      type: object
      required: [id]
      properties:
        note: {type: [string, "null"], maxLength: 9}
        id: {type: string, format: uuid}
        count: {type: integer, exclusiveMinimum: 0, default: 1}
        parent: {$ref: "#/components/schemas/Order"}
`

// keys is a Word function that returns the key and the first placeholder's value instead of the string.
func keys(key string, values ...any) string {
	if len(values) > 0 {
		return fmt.Sprint(key, " ", values[1])
	}
	return key
}

// A description becomes a page for each tag and operation, in the order of the tags, at addresses derived from their
// names.
func TestPages(t *testing.T) {
	pages, problems := Pages(Source{Word: keys, Page: &site.Page{Path: "/api", Layout: "docs"}, Files: []File{{Name: "content/api/openapi.yaml", Path: "/api/openapi.yaml", Text: []byte(shop)}}})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	var got []string
	texts := make(map[string]string)
	for _, p := range pages {
		got = append(got, p.Path+" "+p.Title+" "+p.Badge+" "+p.Operation+" | "+p.Description)
		texts[p.Path] = string(p.Text)
	}
	want := `/api/orders-more Orders & more   | What people order.
/api/orders-more/get-order Get an order GET GET | GET /orders/{id}
/api/orders-more/post-orders Create an order POST POST | POST /orders
/api/operations apiOperations   | GET /orders
/api/operations/get-orders GET /orders GET GET | GET /orders`
	if strings.Join(got, "\n") != want {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), want)
	}
	for _, want := range []string{
		"# Get an order\n\n`GET` `/orders/{id}`\n", ":::warning\nrefDeprecated\n:::", "- `key`: refToken `Authorization: Bearer …`\n",
		"- `id` string, **apiRequired**: See it, \\$5.\n", "curl 'https://api.shop.example/v1/orders/ID' \\\n  -H 'Authorization: Bearer YOUR_TOKEN'",
		"::::details[`200` The order]{#status-200 open}\n`application/json`\n", "- `id` string (uuid), **apiRequired**\n- `count` integer, apiDefault `1`\n- `note` string refOr null, refLength 9\n",
		"::::details[`default` A problem]{#status-default}\nrefNoBody\n", "```go\n", "```python\n", ":::tab[JavaScript]\n",
	} {
		if !strings.Contains(texts["/api/orders-more/get-order"], want) {
			t.Errorf("no %q in\n%s", want, texts["/api/orders-more/get-order"])
		}
	}
	if text := texts["/api/orders-more"]; !strings.Contains(text, "| [Create an order](/api/orders-more/post-orders) | `POST /orders` |") || strings.Contains(text, "<b>") || !strings.Contains(text, "(/api/openapi.yaml)") {
		t.Errorf("the page of the tag is\n%s", text)
	}
}

// The text around types is in the page's language, but the type names are always the JSON Schema names.
func TestLanguages(t *testing.T) {
	description := strings.Replace(shop, "count: {type: integer", "kinds: {type: array, items: {type: string}, deprecated: true}\n        size: {enum: [s, m]}\n        count: {type: integer, maximum: 1000", 1)
	for tag, want := range map[string][]string{
		"en": {"- `key`: a token in the header `Authorization", "string (uuid), **required**", "integer, at most 1000, default `1`", "string or null, at most 9 characters", "array of string, **deprecated**", "any, one of `s`, `m`"},
		"de": {"- `key`: ein Token im Header `Authorization", "string (uuid), **erforderlich**", "integer, höchstens 1000, Standardwert `1`", "string oder null, höchstens 9 Zeichen", "Array aus string, **veraltet**", "beliebig, eins von `s`, `m`"},
		"ja": {"ヘッダー `Authorization: Bearer …` のトークン", "string (uuid), **必須**", "integer, 1000以下, 既定値 `1`", "string または null, 9文字以内", "string の配列, **非推奨**", "任意の型, 次のいずれか `s`, `m`"},
	} {
		t.Run(tag, func(t *testing.T) {
			pages, problems := Pages(Source{Word: theme(t, tag), Page: &site.Page{Path: "/api"}, Files: []File{{Name: "a.yaml", Text: []byte(description)}}})
			if len(problems) > 0 {
				t.Fatal(problems)
			}
			at := slices.IndexFunc(pages, func(p *site.Page) bool { return strings.HasSuffix(p.Path, "/get-order") })
			for _, want := range want {
				if text := string(pages[at].Text); !strings.Contains(text, want) {
					t.Errorf("no %q in\n%s", want, text)
				}
			}
		})
	}
}

// theme returns a Word function with the theme's words in the language with the given tag.
func theme(t *testing.T, tag string) func(key string, values ...any) string {
	t.Helper()
	var files []words.File
	for _, tag := range []string{"en", tag} {
		text, err := fs.ReadFile(templates.FS, "words/"+tag+".yaml")
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, words.File{Name: tag + ".yaml", Language: tag, Text: text})
	}
	list, problems := words.New(words.Sources{Files: files, Language: tag})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	return func(key string, values ...any) string {
		text, err := list.Text(key, values...)
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
}

// An invalid description causes one error in its file.
func TestWrongDescription(t *testing.T) {
	for text, want := range map[string]string{
		"":                        "a.yaml:1:1: error: want an OpenAPI description with openapi, info, and paths; found nothing [V093]",
		"openapi: 3.0.0\ninfo: [": "a.yaml:2:7: error: ",
		"swagger: \"2.0\"\n":      "a.yaml:1:1: error: this is Swagger 2.0; convert it to OpenAPI 3.0 or 3.1 [V093]",
		"info: {}\nopenapi: 2\n":  "a.yaml:2:10: error: openapi: want 3.0 or 3.1, found the number 2 [V093]",
		"openapi: 3.0.3\ninfo: {title: A, version: \"1\"}\n":                                                                      "a.yaml:1:1: error: paths is missing; add the paths of the API with their operations [V093]",
		strings.Replace(shop, `parent: {$ref: "#/components/schemas/Order"}`, `parent: {$ref: "#/components/schemas/Nosuch"}`, 1): "a.yaml:40:24: error: ",
		strings.Replace(shop, `"What people <b>order</b>. And more."`, `{$ref: "text.yaml"}`, 1):                                  "a.yaml:6:40: error: ",
		strings.Replace(shop, "responses: {\"200\": {description: All}}", `$ref: "all.yaml"`, 1):                                  "a.yaml:28:7: error: paths./orders.get: an operation cannot be a reference",
	} {
		pages, problems := Pages(Source{Word: keys, Page: &site.Page{Path: "/api"}, Files: []File{{Name: "a.yaml", Text: []byte(text)}}})
		if len(pages) > 0 || len(problems) != 1 || !strings.HasPrefix(problems[0].String(), want) {
			t.Errorf("%.40q: got %v, want %s", text, problems, want)
		}
	}
}

// A summary that is too long for a title becomes the operation's text.
func TestLongSummary(t *testing.T) {
	long := "**Start here.** " + strings.Repeat("It makes orders, see [orders](/orders). ", 3)
	text := strings.NewReplacer("summary: Create an order", "summary: \""+long+"\"", "summary: Get an order", "summary: Get an [order](/orders)").Replace(shop)
	pages, problems := Pages(Source{Word: keys, Page: &site.Page{Path: "/api"}, Files: []File{{Name: "a.yaml", Text: []byte(text)}}})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	if p := pages[1]; p.Title != "Get an order" {
		t.Errorf("a link stays in the title: %q", p.Title)
	}
	if p := pages[2]; p.Title != "POST /orders" || p.Description != "Start here." || !strings.Contains(string(p.Text), "**Start here.** It makes orders, see orders.") {
		t.Errorf("title %q, description %q, text %q", p.Title, p.Description, p.Text)
	}
}

// Prose from a description contains no HTML, headings, broken links, or Markdown extensions of Vitrine.
func TestProse(t *testing.T) {
	for text, want := range map[string]string{
		"a <br/> <a href='/x'>b</a> <!-- c --> d": "a  b  d",
		"## Head\n\ntext":                         "**Head**\n\ntext",
		"[a](/b\n) b":                             "a b",
		"see [a](/b":                              "see a",
		"[a](/b) [c](https://d.example) ![e](f)":  "a [c](https://d.example) e",
		"`a <b> $c$` {{d}} $e$":                   "`a <b> $c$` \\{{d}} \\$e\\$",
		"```json {a}\n<b>\n# c\n```\n:::note":     "```json\n<b>\n# c\n```\n\\:::note",
		"````\n```\n<b>\n```\n````\n<b>c":         "````\n```\n<b>\n```\n````\nc",
		"a < b":                                   "a \\< b",
	} {
		if got := prose(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

// A code span keeps backticks at its ends.
func TestCode(t *testing.T) {
	for text, want := range map[string]string{"a": "`a`", " a\n b ": "`a b`", "`a": "`` `a ``", "a``b": "```a``b```"} {
		if got := code(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

// A description may reference other files of the site. A missing or external file causes one error at the position of
// the reference.
func TestOtherFiles(t *testing.T) {
	whole := strings.Replace(shop, `parent: {$ref: "#/components/schemas/Order"}`, `parent: {$ref: "parts/order.yaml#/Parent"}`, 1)
	for name, c := range map[string]struct{ ref, want string }{
		"found":          {"parts/order.yaml#/Parent", ""},
		"missing":        {"parts/none.yaml#/Parent", "content/shop/a.yaml:40:24: error: the description references content/shop/parts/none.yaml, which does not exist; correct the $ref, which is relative to the description's folder [V093]"},
		"other host":     {"https://x.example/o.yaml#/Parent", "content/shop/a.yaml:40:24: error: the description references https://x.example/o.yaml, which is not one of the site's files; copy it next to the description, and reference the copy [V093]"},
		"unknown member": {"parts/order.yaml#/None", "content/shop/a.yaml:"},
	} {
		t.Run(name, func(t *testing.T) {
			text := strings.Replace(whole, "parts/order.yaml#/Parent", c.ref, 1)
			pages, problems := Pages(Source{
				Word: keys, Page: &site.Page{Path: "/shop"}, Files: []File{{Name: "content/shop/a.yaml", Text: []byte(text)}},
				Read: func(name string) ([]byte, error) {
					if name != "content/shop/parts/order.yaml" {
						return nil, fs.ErrNotExist
					}
					return []byte("Parent: {type: object, properties: {deep: {type: string}}}\n"), nil
				},
			})
			switch {
			case c.want != "" && (len(problems) != 1 || !strings.HasPrefix(problems[0].String(), c.want)):
				t.Errorf("got %v, want %s", problems, c.want)
			case c.want == "" && (len(problems) > 0 || !slices.ContainsFunc(pages, func(p *site.Page) bool { return strings.Contains(string(p.Text), "- `deep` string") })):
				t.Errorf("the other file's member is missing: %v", problems)
			}
		})
	}
}

// The first sentence of an operation's text is the page's description, so the page's text begins after it.
func TestRestOfOperation(t *testing.T) {
	for text, want := range map[string]string{
		"Lists orders.": "",
		"Lists orders. Use `after` for the next page.": "Use `after` for the next page.",
		"Lists orders.\n\n- one\n- two":                "- one\n- two",
		"Lists **all** orders. They are new.":          "Lists **all** orders. They are new.",
		"Lists\norders. They are new.":                 "Lists\norders. They are new.",
		"":                                             "",
	} {
		o := &operation{definition: &definition{description: text}, method: "GET", path: "/orders"}
		if got := o.rest(); got != want {
			t.Errorf("the rest of %q is %q, want %q", text, got, want)
		}
	}
}
