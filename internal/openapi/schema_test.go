package openapi

import (
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"vitrine/internal/artifact"
	"vitrine/internal/site"
)

// Published data matches its schema.
func TestSchemaAcceptsTheProduct(t *testing.T) {
	for _, name := range []string{"ProductInformation", "DiscoveryInformation"} {
		body := []byte(sampleJSON)
		if name == "DiscoveryInformation" {
			var err error
			if body, err = artifact.DiscoveryBody(body, "https://parley.example"); err != nil {
				t.Fatal(err)
			}
		}
		if err := compiled(t, "/components/schemas/"+name).Validate(value(t, string(body))); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	problem := compiled(t, "/components/schemas/Problem")
	for _, p := range artifact.ProblemTypes() {
		if err := problem.Validate(value(t, string(p.Body("https://parley.example")))); err != nil {
			t.Errorf("%s: %v", p.Slug, err)
		}
	}
}

// The schema enforces every rule of specification §2: the required members and the type of each member.
func TestSchemaErrors(t *testing.T) {
	schema := compiled(t, "/components/schemas/ProductInformation")
	for _, c := range []struct{ why, old, new string }{
		{"no name", `"name": "Parley",`, ``},
		{"no plans", `"plans"`, `"plan"`},
		{"no price", `"monthlyPrice"`, `"price"`},
		{"no contact", `"contact"`, `"mail"`},
		{"no links", `"links"`, `"urls"`},
		{"a number as a name", `"name": "Parley"`, `"name": 1`},
		{"a relative URL", `"url": "https://parley.example/"`, `"url": "/home"`},
		{"a link that is not a URI", `"https://parley.example/docs"`, `"docs"`},
		{"no e-mail address", `hello@parley.example`, `hello`},
		{"a price as text", `49.50`, `"49.50"`},
		{"a fraction of a credit", `"includedCredits": 500`, `"includedCredits": 0.5`},
		{"a flag as text", `"unlimitedReps": true`, `"unlimitedReps": "yes"`},
		{"an audience that is not a list", "[\n    \"Sales teams\"\n  ]", `"Sales teams"`},
		{"a number as a capability", `"Scorecards"`, `5`},
		{"steps that are not a list", "[\n      \"Sign up\"\n    ]", `"Sign up"`},
		{"a yearly price as text", `"badge": "new"`, `"yearlyPrice": "490"`},
		{"a number as a feature", `"badge": "new"`, `"features": [1]`},
		{"a plan's link that is not a URI", `"badge": "new"`, `"link": "/buy"`},
		{"a plan on request without a name", `"unlimitedTeams": false`, `"unlimitedTeams": false, "onRequest": [{"note": "Ask"}]`},
		{"a demo that is not a URI", `"demo": "https://parley.example/demo"`, `"demo": "ask us"`},
	} {
		changed := strings.Replace(sampleJSON, c.old, c.new, 1)
		if changed == sampleJSON {
			t.Fatalf("%s: nothing changed", c.why)
		}
		if schema.Validate(value(t, changed)) == nil {
			t.Errorf("%s: accepted", c.why)
		}
	}
	start, end := strings.Index(sampleJSON, `  "gettingStarted"`), strings.Index(sampleJSON, `  "contact"`)
	if err := schema.Validate(value(t, sampleJSON[:start]+sampleJSON[end:])); err != nil {
		t.Errorf("gettingStarted is optional: %v", err)
	}
}

// TestSchemasMatchTypes compares the table of schemas with the Go types in package site: they must have the same
// members with the same types.
func TestSchemasMatchTypes(t *testing.T) {
	for name, noun := range map[string]any{
		"ProductInformation": site.Product{}, "Pricing": site.Pricing{},
		"Plan": site.Plan{}, "PlanOnRequest": site.PlanOnRequest{}, "GettingStarted": site.GettingStarted{},
	} {
		i := slices.IndexFunc(schemas(), func(s schema) bool { return s.name == name })
		var got, want []string
		for _, p := range schemas()[i].properties {
			got = append(got, p.name+" "+typeOf(p.value))
		}
		for field := range reflect.TypeOf(noun).Fields() {
			if name == "Pricing" && slices.Contains([]string{"Columns", "PlanNames", "Comparison"}, field.Name) {
				continue // how pages show the plans, derived from them
			}
			if field.Name == "JSON" || field.Name == "Facts" || field.Type == reflect.TypeFor[site.Pos]() || strings.HasPrefix(field.Name, "States") {
				continue // not a member: the whole document, or metadata of a member
			}
			want = append(want, memberName(field.Name)+" "+typeFor(field))
		}
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%s:\n got %q\nwant %q", name, got, want)
		}
	}
}

// memberName returns the JSON name of a Go field.
func memberName(field string) string {
	if field == "URL" {
		return "url"
	}
	return strings.ToLower(field[:1]) + field[1:]
}

// typeFor returns the expected schema type of a Go field.
func typeFor(field reflect.StructField) string {
	switch field.Type {
	case reflect.TypeFor[[]string]():
		return "array of string"
	case reflect.TypeFor[[]site.Plan]():
		return "array of #/components/schemas/Plan"
	case reflect.TypeFor[[]site.PlanOnRequest]():
		return "array of #/components/schemas/PlanOnRequest"
	case reflect.TypeFor[[]site.Link]():
		return "object"
	case reflect.TypeFor[site.Pricing](), reflect.TypeFor[*site.GettingStarted]():
		return "#/components/schemas/" + field.Name
	case reflect.TypeFor[int64]():
		return "integer"
	case reflect.TypeFor[bool]():
		return "boolean"
	case reflect.TypeFor[time.Time]():
		return "string"
	}
	if strings.HasSuffix(field.Name, "Price") {
		return "number" // kept as written
	}
	return field.Type.String()
}

// typeOf returns the type of schema, or its $ref if it has one.
func typeOf(schema object) string {
	var text string
	for _, m := range schema {
		switch m.name {
		case "$ref", "type":
			text = m.value.(string)
		case "items":
			return "array of " + typeOf(m.value.(object))
		}
	}
	return text
}

func compiled(t *testing.T, pointer string) *jsonschema.Schema {
	t.Helper()
	schema, err := compiler(t, sample()).Compile("https://parley.example/openapi.json#" + pointer)
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

func value(t *testing.T, text string) any {
	t.Helper()
	v, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return v
}
