package artifact_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"unicode"

	"vitrine/internal/artifact"
)

// TestProblemBody checks the bytes of a problem: the order of members, two spaces of indentation,
// and policies only on a 429.
func TestProblemBody(t *testing.T) {
	for slug, want := range map[string]string{
		artifact.ProblemUnsupportedQuery: `{
  "type": "https://parley.example/problems/unsupported-query-parameters",
  "title": "Unsupported query parameters",
  "status": 400,
  "detail": "This resource does not support query parameters, but the request has at least one.",
  "resolution": "Send the request again without the query string."
}
`,
		artifact.ProblemAllowanceExhausted: `{
  "type": "https://parley.example/problems/allowance-exhausted",
  "title": "Request allowance exhausted",
  "status": 429,
  "detail": "This server instance has received as many requests as its allowance permits in the current window. All callers share the allowance.",
  "resolution": "Wait at least the number of seconds in the Retry-After field, then send the request again. Product information may be cached and reused for five minutes.",
  "violated-policies": [
    "instance"
  ]
}
`,
	} {
		p, ok := artifact.ProblemBySlug(slug)
		if !ok {
			t.Fatalf("no type %s", slug)
		}
		if got := string(p.Body("https://parley.example")); got != want {
			t.Errorf("%s is\n%swant\n%s", slug, got, want)
		}
	}
}

// TestProblemTypes checks that the types match wire contract §4 and are complete: titles are phrases, and details and
// resolutions are sentences.
func TestProblemTypes(t *testing.T) {
	want := map[string]int{
		"unsupported-query-parameters": 400, "malformed-request": 400, "expectation-failed": 417, "header-fields-too-large": 431,
		"not-implemented": 501, "version-not-supported": 505, "not-found": 404, "method-not-allowed": 405,
		"precondition-failed": 412, "allowance-exhausted": 429, "internal-error": 500,
	}
	types := artifact.ProblemTypes()
	if len(types) != len(want) {
		t.Errorf("%d types, want %d", len(types), len(want))
	}
	if !slices.IsSortedFunc(types, func(a, b artifact.ProblemType) int { return a.Status - b.Status }) {
		t.Error("the types aren't sorted by status")
	}
	for _, p := range types {
		if want[p.Slug] != p.Status {
			t.Errorf("%s has status %d, want %d", p.Slug, p.Status, want[p.Slug])
		}
		if p.Title == "" || strings.HasSuffix(p.Title, ".") || !unicode.IsUpper(rune(p.Title[0])) {
			t.Errorf("%s: the title %q is not a phrase", p.Slug, p.Title)
		}
		for _, text := range []string{p.Detail, p.Resolution} {
			if !strings.HasSuffix(text, ".") || !unicode.IsUpper(rune(text[0])) {
				t.Errorf("%s: %q is not a sentence", p.Slug, text)
			}
		}
		if got := slices.Equal(p.Policies, []string{"instance"}); got != (p.Status == 429) {
			t.Errorf("%s: policies %q", p.Slug, p.Policies)
		}
		var body struct {
			Type   string
			Status int
		}
		if err := json.Unmarshal(p.Body("https://parley.example"), &body); err != nil {
			t.Fatal(err)
		}
		if body.Status != p.Status || body.Type != "https://parley.example"+p.Path() {
			t.Errorf("%s: the body is %+v", p.Slug, body)
		}
	}
	if _, ok := artifact.ProblemBySlug("teapot"); ok {
		t.Error("found a type teapot")
	}
}

// TestDiscoveryBody checks that the link follows the unchanged members and is not added twice, and that other JSON
// values are rejected.
func TestDiscoveryBody(t *testing.T) {
	for _, c := range []struct{ product, want string }{
		{"{\n  \"name\": \"Parley\",\n  \"price\": 49.50\n}\n",
			"{\n  \"name\": \"Parley\",\n  \"price\": 49.50,\n  \"apiDescription\": \"https://parley.example/openapi.json\"\n}\n"},
		{`{"a":{}}`, "{\"a\":{},\n  \"apiDescription\": \"https://parley.example/openapi.json\"\n}\n"},
		{"{}\n", "{\n  \"apiDescription\": \"https://parley.example/openapi.json\"\n}\n"},
		{`{"apiDescription": "mine"}`, `{"apiDescription": "mine"}`},
	} {
		before := c.product + "x"
		product := []byte(before)[:len(c.product)] // with capacity that an append could overwrite
		got, err := artifact.DiscoveryBody(product, "https://parley.example")
		if err != nil || string(got) != c.want {
			t.Errorf("DiscoveryBody(%q) = %q, error %v, want %q", c.product, got, err, c.want)
		}
		if string(product[:len(before)]) != before {
			t.Errorf("DiscoveryBody modified %q", c.product)
		}
	}
	for _, product := range []string{"", "null", "[]", "{", `"x"`} {
		if got, err := artifact.DiscoveryBody([]byte(product), "https://parley.example"); err == nil {
			t.Errorf("%q became %q", product, got)
		}
	}
}
