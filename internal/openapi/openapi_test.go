package openapi

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"vitrine/internal/artifact"
	"vitrine/internal/site"
)

// sampleJSON contains every member in the specification, two additional members, and numbers whose formatting must be
// preserved.
const sampleJSON = `{
  "name": "Parley",
  "url": "https://parley.example/",
  "description": "Practice for sales calls & <more>",
  "audience": [
    "Sales teams"
  ],
  "capabilities": [
    "Roleplays",
    "Scorecards"
  ],
  "pricing": {
    "currency": "EUR",
    "billingPeriod": "month",
    "creditDefinition": "One credit is one minute",
    "unlimitedReps": true,
    "unlimitedTeams": false,
    "plans": [
      {
        "name": "Starter",
        "monthlyPrice": 49.50,
        "includedCredits": 500,
        "badge": "new"
      }
    ],
    "url": "https://parley.example/pricing"
  },
  "gettingStarted": {
    "offer": "Free for 14 days",
    "steps": [
      "Sign up"
    ],
    "demo": "https://parley.example/demo"
  },
  "contact": "hello@parley.example",
  "links": {
    "docs": "https://parley.example/docs",
    "terms": "https://parley.example/terms"
  },
  "founded": 2020
}
`

func sample() *site.Site {
	return &site.Site{
		Config: site.Config{BaseURL: "https://parley.example", Title: "Parley", Documentation: "/docs/api"},
		Product: site.Product{
			Name: "Parley", URL: "https://parley.example/", Contact: "hello@parley.example",
			Links: []site.Link{{Key: "docs", URL: "https://parley.example/docs"}, {Key: "terms", URL: "https://parley.example/terms"}},
			JSON:  []byte(sampleJSON),
		},
	}
}

func document(t *testing.T, s *site.Site) []byte {
	t.Helper()
	b, err := Document(s)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// parsed returns the site's OpenAPI document, decoded into Go values.
func parsed(t *testing.T, s *site.Site) map[string]any {
	t.Helper()
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(document(t, s)))
	if err != nil {
		t.Fatal(err)
	}
	return v.(map[string]any)
}

// at returns the value reached by following the member names from v.
func at(t *testing.T, v any, names ...string) any {
	t.Helper()
	for _, name := range names {
		members, ok := v.(map[string]any)
		if !ok || members[name] == nil {
			t.Fatalf("no %s in %v", name, names)
		}
		v = members[name]
	}
	return v
}

// compiler returns a schema compiler loaded with the document, with format assertions enabled.
func compiler(t *testing.T, s *site.Site) *jsonschema.Compiler {
	t.Helper()
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource("https://parley.example/openapi.json", parsed(t, s)); err != nil {
		t.Fatal(err)
	}
	return c
}

// The examples match the site's responses, with members in their original order and numbers as written.
func TestExamplesAreTheRealBodies(t *testing.T) {
	text := string(document(t, sample()))
	for _, want := range []string{
		`"monthlyPrice": 49.50`, `"founded": 2020`, `& <more>`,
		`"apiDescription": "https://parley.example/openapi.json"`,
		`"type": "https://parley.example/problems/unsupported-query-parameters"`,
		`"example": "\"instance\";q=120;w=60"`, `"example": "\"instance\";r=119;t=60"`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the document lacks %s", want)
		}
	}
	var document struct {
		Components struct {
			Responses map[string]struct {
				Content map[string]struct{ Example json.RawMessage }
			}
		}
	}
	if err := json.Unmarshal([]byte(text), &document); err != nil {
		t.Fatal(err)
	}
	var compact, want bytes.Buffer
	example := document.Components.Responses["ProductInformation"].Content["application/json"].Example
	if err := json.Compact(&compact, example); err != nil {
		t.Fatal(err)
	}
	if err := json.Compact(&want, []byte(sampleJSON)); err != nil {
		t.Fatal(err)
	}
	if compact.String() != want.String() {
		t.Errorf("the example is %s, want %s", &compact, &want)
	}
}

// Every header's example matches its schema, all references in responses resolve, and every component is used.
func TestHeaderExamples(t *testing.T) {
	c := compiler(t, sample())
	root := parsed(t, sample())
	for name, h := range at(t, root, "components", "headers").(map[string]any) {
		schema, err := c.Compile("https://parley.example/openapi.json#/components/headers/" + name + "/schema")
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(at(t, h, "example")); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	text := string(document(t, sample()))
	for kind, components := range at(t, root, "components").(map[string]any) {
		for name := range components.(map[string]any) {
			if !strings.Contains(text, `"#/components/`+kind+`/`+name+`"`) {
				t.Errorf("%s %s is not used", kind, name)
			}
		}
	}
	for _, piece := range strings.Split(text, `"$ref": "#/`)[1:] {
		pointer, _, _ := strings.Cut(piece, `"`)
		at(t, root, strings.Split(pointer, "/")...)
	}
}

// The document describes exactly these operations and responses, and every name is unique.
func TestOperations(t *testing.T) {
	root := parsed(t, sample())
	want := map[string]string{
		"get":     "200 304 400 405 412 417 429 431 500 501 505",
		"head":    "200 304 400 405 412 417 429 431 500 501 505",
		"options": "204 400 417 429 431 501 505",
	}
	seen := map[string]bool{}
	for _, path := range artifact.OperationPaths() {
		for method, statuses := range want {
			operation := at(t, root, "paths", path, method)
			id := at(t, operation, "operationId").(string)
			if seen[id] {
				t.Errorf("two operations are called %s", id)
			}
			seen[id] = true
			var got []string
			for status := range at(t, operation, "responses").(map[string]any) {
				got = append(got, status)
			}
			slices.Sort(got)
			if strings.Join(got, " ") != statuses {
				t.Errorf("%s %s: responses %q, want %q", method, path, got, statuses)
			}
		}
	}
	if at(t, root, "paths", artifact.OperationPath, "get", "operationId") != artifact.OperationID {
		t.Errorf("the operation isn't called %s", artifact.OperationID)
	}
	if security, ok := root["security"].([]any); !ok || len(security) != 0 {
		t.Errorf("security is %v, want []", root["security"])
	}
}

// TestResponseHeaders compares the headers of each response with specification §4.1 and wire contract §1.
func TestResponseHeaders(t *testing.T) {
	root := parsed(t, sample())
	counters := []string{"RateLimit", "RateLimit-Policy", "X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"}
	for status, more := range map[string][]string{
		"200": {"ETag", "Cache-Control", "Vary", "Link", "Deprecation", "Sunset", "Access-Control-Allow-Origin", "Access-Control-Expose-Headers"},
		"304": {"ETag", "Cache-Control", "Vary", "Date"},
		"400": {"Cache-Control"},
		"405": {"Cache-Control", "Allow"},
		"412": {"Cache-Control"},
		"429": {"Cache-Control", "Retry-After"},
		"500": {"Cache-Control"},
	} {
		reference := at(t, root, "paths", "/api", "get", "responses", status, "$ref").(string)
		response := at(t, root, strings.Split(strings.TrimPrefix(reference, "#/"), "/")...)
		for _, name := range append(slices.Clone(counters), more...) {
			at(t, response, "headers", name, "$ref")
		}
		_, content := response.(map[string]any)["content"]
		if content != (status != "304") {
			t.Errorf("%s: content is %t", status, content)
		}
	}
}

// An announced retirement marks the version as deprecated, and the examples contain the real dates.
func TestRetirement(t *testing.T) {
	s := sample()
	if strings.Contains(string(document(t, s)), `"deprecated"`) {
		t.Error("deprecated without an announcement")
	}
	s.Config.Retirement = &site.Retirement{
		Deprecation: time.Date(2028, 2, 29, 0, 0, 0, 0, time.UTC),
		Sunset:      time.Date(2028, 12, 31, 0, 0, 0, 0, time.UTC),
	}
	root := parsed(t, s)
	if at(t, root, "paths", "/api/v1/marketing", "get", "deprecated") != true {
		t.Error("the version isn't deprecated")
	}
	if _, marked := at(t, root, "paths", "/api", "get").(map[string]any)["deprecated"]; marked {
		t.Error("discovery is deprecated, but doesn't belong to a version")
	}
	if got := at(t, root, "components", "headers", "Deprecation", "example"); got != "@1835395200" {
		t.Errorf("Deprecation is %v", got)
	}
	if got := at(t, root, "components", "headers", "Sunset", "example"); got != "Sun, 31 Dec 2028 00:00:00 GMT" {
		t.Errorf("Sunset is %v", got)
	}
}

// A document depends only on its site.
func TestDocumentIsDeterministic(t *testing.T) {
	first := document(t, sample())
	if !bytes.Equal(first, document(t, sample())) {
		t.Error("two documents of one site differ")
	}
	if !bytes.HasPrefix(first, []byte("{\n  \"openapi\": \"3.1.1\",\n")) || !bytes.HasSuffix(first, []byte("}\n")) {
		t.Errorf("not indented by two spaces with a final newline: %.60q", first)
	}
}

// A product that is not a JSON object causes an error instead of a broken document.
func TestDocumentErrors(t *testing.T) {
	for _, body := range []string{"", "{", "[]", "null", "{} {}"} {
		s := sample()
		s.Product.JSON = []byte(body)
		if b, err := Document(s); err == nil {
			t.Errorf("%q: accepted as %.40q", body, b)
		}
	}
}

// The reference contains the document's operations, responses, header fields, and members.
func TestReference(t *testing.T) {
	r := NewReference(sample())
	var document map[string]any
	raw, err := Document(sample())
	if err == nil {
		err = json.Unmarshal(raw, &document)
	}
	if err != nil {
		t.Fatal(err)
	}
	operations := 0
	for path, item := range document["paths"].(map[string]any) {
		for method, of := range item.(map[string]any) {
			operations++
			described := of.(map[string]any)
			i := slices.IndexFunc(r.Operations, func(o Operation) bool { return o.ID == described["operationId"] })
			if i < 0 {
				t.Fatalf("%s %s is missing", method, path)
			}
			o := r.Operations[i]
			if o.Path != path || o.Method != strings.ToUpper(method) || len(o.Statuses) != len(described["responses"].(map[string]any)) {
				t.Errorf("%s %s is %+v", method, path, o)
			}
		}
	}
	if operations != len(r.Operations) {
		t.Errorf("there are %d operations, want %d", len(r.Operations), operations)
	}
	components := document["components"].(map[string]any)
	if got, want := len(r.Responses), len(components["responses"].(map[string]any)); got != want {
		t.Errorf("there are %d responses, want %d", got, want)
	}
	for _, a := range r.Responses {
		if a.Status == "" || a.Description == "" || strings.Contains(a.Description, "`") {
			t.Errorf("a response is %+v", a)
		}
	}
	for _, f := range append(slices.Clone(r.Parameters), r.Headers...) {
		if f.Name == "" || f.Type == "" || f.Description == "" {
			t.Errorf("a header is %+v", f)
		}
	}
	for _, f := range r.Headers {
		if len(f.Statuses) == 0 {
			t.Errorf("no response contains %s", f.Name)
		}
	}
	i := slices.IndexFunc(r.Schemas, func(s Schema) bool { return s.Name == "Pricing" })
	var members []string
	for _, m := range r.Schemas[i].Members {
		members = append(members, strings.TrimSpace(m.Name+": "+m.Type+" "+m.Of))
	}
	if want := "plans: array of object Plan"; !slices.Contains(members, want) {
		t.Errorf("the members of Pricing are %q, want %q among them", members, want)
	}
}
