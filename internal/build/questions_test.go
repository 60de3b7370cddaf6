package build

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"
)

// The response at the address of each question must contain the expected answer. Otherwise, there is one problem, at
// the position of the question. A question about a scheduled page is checked only after the page is published.
func TestQuestions(t *testing.T) {
	e := newPolyglot(t, 3)
	e.noCards = true
	e.write("content/later.md", "---\ntitle: Later\ndate: 2030-01-01\n---\n\nText.\n")
	source := Source{Root: e.root, Now: time.Date(2026, 7, 1, 12, 0, 0, 0, time.UTC)}
	for _, c := range []struct{ in, answer, budget, want string }{
		{"/pricing", `'{{ plans }}', '{{ price "Starter" }}'`, "2000", ""},
		{"/pricing.md", `"Plan"`, "", ""},
		{"/index.md", `"See the blog"`, "", ""},
		{"/api/v1/marketing", `'{{ price "Starter" }}', '{{ audience }}'`, "400", ""},
		{"/api", `'{{ price "Starter" }}'`, "", ""},
		{"/llms.txt", `'{{ description }}', "Starter: €49"`, "1000", ""},
		{"/de/llms.txt", `'{{ description }}', Vertrieb`, "", ""},
		{"/de/pricing", `'{{ plans }}'`, "", ""},
		{"/later", `nothing`, "", ""},
		{"/pricing", `"€50", '{{ name }} has no such word'`, "", `content/questions.yaml:3:12: error: "What?" is not answered by the Markdown of /pricing, which does not contain "€50"; write the answer there, or correct the question [V069]` +
			"\n" + `content/questions.yaml:3:19: error: "What?" is not answered by the Markdown of /pricing, which does not contain "Parley has no such word" ({{ name }} has no such word); write the answer there, or correct the question [V069]`},
		{"/llms.txt", `"no such word"`, "", `content/questions.yaml:3:12: error: "What?" is not answered by /llms.txt, which does not contain "no such word"; write the answer there, or correct the question [V069]`},
		{"/de/llms.txt", `Sales`, "", `content/questions.yaml:3:12: error: "What?" is not answered by /de/llms.txt, which does not contain "Sales"; write the answer there, or correct the question [V069]`},
		{"/api/v1/marketing", `'{{ price "Starter" }}'`, "1", `content/questions.yaml:4:11: error: "What?" is answered by /api/v1/marketing only after N tokens, at the end of "49" ({{ price "Starter" }}), and the budget is 1; move the answer up, or raise the budget [V070]`},
		{"/pricing", `"Plan"`, "1", `content/questions.yaml:4:11: error: "What?" is answered by the Markdown of /pricing only after N tokens, at the end of "Plan", and the budget is 1; move the answer up, or raise the budget [V070]`},
		{"/pricng", `a`, "", `content/questions.yaml:2:7: error: "What?" cannot be checked: there is nothing at "/pricng"; did you mean "/pricing"? [V068]`},
		{"/prices", `a`, "", `content/questions.yaml:2:7: error: "What?" cannot be checked: "/prices" is not the current address of /pricing; write "/pricing" [V068]`},
		{"/logo.svg", `a`, "", `content/questions.yaml:2:7: error: "What?" cannot be checked: "/logo.svg" is not a page; write the path of a page, /llms.txt, or /api/v1/marketing [V068]`},
		{"/blog/llms.txt", `a`, "", `content/questions.yaml:2:7: error: "What?" cannot be checked: "/blog/llms.txt" does not exist; write /llms.txt [V068]`},
		{"/pricing", `"?!"`, "", `content/questions.yaml:3:12: error: "?!" has no searchable words; write the content that the answer must contain [V068]` +
			"\n" + `content/questions.yaml:3:12: error: "What?" is not answered by the Markdown of /pricing, which does not contain "?!"; write the answer there, or correct the question [V069]`},
	} {
		text := fmt.Sprintf("- question: What?\n  in: %s\n  answer: [%s]\n  budget: %s\n", c.in, c.answer, c.budget)
		e.write("content/questions.yaml", text)
		_, problems, err := Check(t.Context(), source, CheckOptions{}, Observer{})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, p := range problems {
			if line := p.String(); p.Path == questionsFile {
				if i := strings.Index(line, "only after "); i >= 0 {
					rest := strings.TrimLeft(line[i+len("only after "):], "0123456789")
					line = line[:i] + "only after N" + rest
				}
				got = append(got, line)
			}
		}
		if strings.Join(got, "\n") != c.want {
			t.Errorf("%s\n--- got\n%s\n--- want\n%s", text, strings.Join(got, "\n"), c.want)
		}
	}
}

// If a fact changes, the expected answer changes too. The questions aren't published.
func TestQuestionsFollowFacts(t *testing.T) {
	e := newEditor(t, 5)
	e.noCards = true
	e.write("content/questions.yaml", "- {question: What does it cost?, in: /pricing, answer: ['{{ price \"Starter\" }}', each month], budget: 3000}\n")
	e.write("content/pricing.md", "---\ntitle: Pricing\naliases: [/prices]\n---\n\n## Plans\n\n{{ plans }}\n\nEach month.\n")
	for _, price := range []int{49, 51} {
		e.write("content/product.yaml", product(price))
		if o := e.build(e.warm); o.failed != "" {
			t.Fatalf("%s: %s", o.failed, o.problems)
		}
	}
	for name := range builtFiles(t, e.warm) {
		if strings.Contains(name, "questions.") && !strings.HasSuffix(name, "schemas/questions.json") {
			t.Errorf("%s is published", name)
		}
	}
	e.write("content/pricing.md", strings.Replace(e.read("content/pricing.md"), "Each month", "Now and then", 1))
	if o := e.build(e.warm); o.failed == "" || !strings.Contains(o.problems, "V069") {
		t.Errorf("a page that no longer answers is published: %s", o.problems)
	}
	if err := os.Remove(e.path("content/questions.yaml")); err != nil {
		t.Fatal(err)
	}
	if o := e.build(e.warm); o.failed != "" {
		t.Errorf("without questions: %s", o.problems)
	}
}

// An answer that contains an address of the site expects the base URL of the build.
func TestQuestionsWithAnotherBase(t *testing.T) {
	e := newPolyglot(t, 1)
	e.noCards = true
	e.write("content/questions.yaml", "- question: Where?\n  in: /llms.txt\n  answer: [https://parley.example/api/v1/marketing]\n")
	for _, base := range []string{"", "https://preview.example"} {
		_, problems, err := Check(t.Context(), Source{Root: e.root, BaseURL: base}, CheckOptions{}, Observer{})
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range problems {
			if p.Path == questionsFile {
				t.Errorf("for %q: %s", base, p)
			}
		}
	}
}
