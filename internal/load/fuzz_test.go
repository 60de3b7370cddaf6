package load

import (
	"strings"
	"testing"
	"time"

	"vitrine/internal/load/tree"
	"vitrine/internal/site"
)

// FuzzFrontMatter checks that reading a page never panics, that the body is inside the source, that all positions are
// valid, and that each problem is a single line.
func FuzzFrontMatter(f *testing.F) {
	f.Add("---\ntitle: A\ndate: 2026-01-01\ntags: [a, b]\n---\n# A\n")
	f.Add("+++\ntitle = \"A\"\ndate = 2026-01-01\n[params]\nx = 1\n+++\nText")
	f.Add("{\n  \"title\": \"A\",\n  \"order\": 1\n}\n\nText")
	f.Add(";;;\n{\"title\": \"A\", \"aliases\": [\"/a\"]}\n;;;\n")
	f.Add("\r\n---\r\nslug: a\r\nimage: b\r\n---\r\n")
	f.Add("\n ---\ndraft: yes\n ---\n")
	f.Fuzz(func(t *testing.T, source string) {
		if len(source) > 8192 {
			return
		}
		r := &report{path: "content/blog/page.md"}
		p := pageSetting{zone: time.UTC, now: now(), titleOf: firstHeading}.readPage(r, []byte(source))
		if p == nil || p.Body < 0 || p.Body > len(source) {
			t.Fatalf("page %+v", p)
		}
		if pathProblem(p.Path) != "" || site.Reserved(p.Path) && reservedFolder(p.Source) == "" && !site.HasErrors(r.problems) {
			t.Fatalf("path %q", p.Path)
		}
		holdProblems(t, r.problems, source)
		if !site.HasErrors(r.problems) && (p.Title == "" || p.Date.IsZero() || p.Layout == "") {
			t.Fatalf("an incomplete page passes: %+v", p)
		}
	})
}

// FuzzProduct checks that reading product.yaml never panics, that all positions are valid, and that each problem is a
// single line. A product has JSON, with the members required by the specification, if and only if there are no errors.
func FuzzProduct(f *testing.F) {
	f.Add("name: Parley\nurl: https://parley.example\ndescription: D\naudience: [a]\ncapabilities: []\npricing: {currency: EUR, billingPeriod: month, creditDefinition: C, unlimitedReps: true, unlimitedTeams: false, plans: [{name: A, monthlyPrice: 49.50, includedCredits: 1_000, x: .5}], url: https://parley.example}\ncontact: a@b.c\nlinks: {a: 'mailto:a@b.c'}\nmore: [0x1F, ~, true]\n")
	f.Add("name: Parley\nurl: https://parley.example\ndescription: D\naudience: [a]\ncapabilities: []\npricing: {currency: EUR, billingPeriod: month, unlimitedReps: true, unlimitedTeams: false, plans: [{name: A, monthlyPrice: 49.50, includedCredits: 1_000}], url: https://parley.example}\ncontact: a@b.c\nlinks: {a: 'mailto:a@b.c'}\nmore: [0x1F, ~, true]\n")
	f.Add("name: |\n  a\npricing:\n  plans:\n  - name: b\n    monthlyPrice: -1\n")
	f.Fuzz(func(t *testing.T, source string) {
		if len(source) > 8192 {
			return
		}
		r := &report{path: productPath}
		root, faults := tree.YAML([]byte(source), 1)
		r.faults(faults)
		if root != nil {
			p := readProduct(r, root)
			if failed := site.HasErrors(r.problems); failed != (p.JSON == nil) {
				t.Fatalf("errors %t, JSON %q", failed, p.JSON)
			}
			if p.JSON != nil {
				holdJSON(t, p.JSON)
			}
		}
		holdProblems(t, r.problems, source)
	})
}

// holdJSON checks that a product's JSON contains the required members, and that the strict parser reads it and writes
// it back unchanged.
func holdJSON(t *testing.T, document []byte) {
	root, faults := tree.JSON(document, 1)
	if faults != nil {
		t.Fatalf("%v in %s", faults, document)
	}
	for _, name := range []string{"name", "url", "description", "audience", "capabilities", "pricing", "contact", "links"} {
		if root.Get(name) == nil {
			t.Fatalf("no %s in %s", name, document)
		}
	}
	again, err := root.JSON()
	if err != nil || string(again) != string(document) {
		t.Fatalf("%v: %s is not %s", err, again, document)
	}
}

func holdProblems(t *testing.T, problems []site.Problem, source string) {
	lines := strings.Split(source, "\n")
	for _, p := range problems {
		if p.Line < 1 || p.Line > len(lines) || p.Col < 1 || p.Col > len([]rune(lines[p.Line-1]))+1 {
			t.Fatalf("not in the source: %v", p)
		}
		if strings.ContainsAny(p.Text, "\n\r") || p.Text == "" {
			t.Fatalf("not one line: %q", p.Text)
		}
	}
}
