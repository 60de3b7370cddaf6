package config_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"vitrine/internal/lab/rig"
	"vitrine/internal/serve/decide"
)

// ruleExpression parses an expression of Cloudflare's rules and evaluates it for a request. Cloudflare's engine has no
// installable release, so this type implements the parts of the language that our documentation uses, according to
// Cloudflare's reference. An unknown word fails the test.
type ruleExpression struct {
	words  []string
	path   string
	accept []string
}

var ruleWord = regexp.MustCompile(`"[^"]*"|\[\*\]|[()\[\],]|[\w.]+`)

// holds reports whether an expression is true for the request. It panics if it can't parse the complete expression.
func (e ruleExpression) holds(text string) bool {
	e.words = ruleWord.FindAllString(text, -1)
	if left := strings.TrimSpace(ruleWord.ReplaceAllString(text, "")); left != "" {
		panic("the expression has " + left)
	}
	is := e.or()
	if len(e.words) > 0 {
		panic(fmt.Sprintf("the expression continues with %q", e.words))
	}
	return is
}

// take consumes the next word if it equals word.
func (e *ruleExpression) take(word string) bool {
	if len(e.words) > 0 && e.words[0] == word {
		e.words = e.words[1:]
		return true
	}
	return false
}

func (e *ruleExpression) must(words ...string) {
	for _, w := range words {
		if !e.take(w) {
			panic(fmt.Sprintf("there is no %s before %q", w, e.words))
		}
	}
}

func (e *ruleExpression) or() bool {
	is := e.and()
	for e.take("or") {
		is = e.and() || is
	}
	return is
}

func (e *ruleExpression) and() bool {
	is := e.one()
	for e.take("and") {
		is = e.one() && is
	}
	return is
}

func (e *ruleExpression) one() bool {
	switch {
	case e.take("not"):
		return !e.one()
	case e.take("("):
		is := e.or()
		e.must(")")
		return is
	case e.take("any"):
		e.must("(")
		is := e.compare()
		e.must(")")
		return is
	case e.take("starts_with"):
		e.must("(")
		values := e.values()
		e.must(",")
		is := strings.HasPrefix(values[0], e.text())
		e.must(")")
		return is
	}
	return e.compare()
}

// compare evaluates a comparison of values.
func (e *ruleExpression) compare() bool {
	values := e.values()
	how := e.words[0]
	e.words = e.words[1:]
	with := e.text()
	return slices.ContainsFunc(values, func(v string) bool {
		switch how {
		case "eq":
			return v == with
		case "ne":
			return v != with
		case "contains":
			return strings.Contains(v, with)
		}
		panic("there is no comparison " + how)
	})
}

// values returns the values of a field, or of a function of a field.
func (e *ruleExpression) values() []string {
	switch {
	case e.take("lower"):
		e.must("(")
		var values []string
		for _, v := range e.values() {
			values = append(values, strings.ToLower(v))
		}
		e.must(")", "[*]")
		return values
	case e.take("http.request.uri.path"):
		return []string{e.path}
	}
	e.must("http.request.headers", "[", `"accept"`, "]", "[*]")
	return e.accept
}

func (e *ruleExpression) text() string {
	word := e.words[0]
	e.words = e.words[1:]
	return strings.Trim(word, `"`)
}

// The rules for Cloudflare's proxy map any Accept field in the form that programs send to one of two values, and don't
// affect the operation.
func TestCloudflareRules(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(rig.Root(t), "docs/guides/behind.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(text), "### Cloudflare's proxy\n")
	rules := regexp.MustCompile("(?s)sets? `Accept` to `([^`]*)`.*?```text\n(.*?)```").FindAllStringSubmatch(section, -1)
	if len(rules) != 2 {
		t.Fatalf("%d rules in %s", len(rules), section)
	}
	becomes := func(path string, accept ...string) string {
		value := ""
		for _, rule := range rules { // the last matching rule wins
			if (ruleExpression{path: path, accept: accept}).holds(strings.ReplaceAll(rule[2], "\n", " ")) {
				value = rule[1]
			}
		}
		return value
	}
	for _, path := range []string{"/api", "/api/v1/marketing", "/api/x"} {
		if got := becomes(path, "text/markdown"); got != "" {
			t.Errorf("at %s Accept becomes %s", path, got)
		}
	}
	if got := becomes("/pricing"); got != "text/html" {
		t.Errorf("without Accept it becomes %q", got)
	}
	if got := becomes("/apiary", "text/html", "Text/Markdown"); got != "text/markdown" {
		t.Errorf("Accept on two lines becomes %q", got)
	}
	// A weight of Markdown below 1 is treated as a preference for HTML. That is wrong if no listed type has a greater
	// weight.
	r := rand.New(rand.NewPCG(9110, 9))
	same, asked := 0, 0
	for range 3000 {
		accept := acceptField(r)
		plain := regexp.MustCompile(`(?i)\A(?:(?:text/(?:markdown|html|\*)|\*/\*|application/json)(?:;q=(?:1|0|0\.5|0\.9))?(?:, ?|$))+\z`).MatchString(accept)
		want := map[bool]string{true: "text/markdown", false: "text/html"}[decide.PrefersMarkdown(accept)]
		got := becomes("/pricing", accept)
		if got == want {
			same++
		}
		if plain {
			asked++
		}
		if plain && got != want && !(got == "text/html" && regexp.MustCompile(`(?i)markdown;q=0\.[1-9]`).MatchString(accept)) {
			t.Errorf("Accept: %s becomes %s, want %s", accept, got, want)
		}
	}
	if asked < 100 {
		t.Errorf("%d fields alone are written as programs write them", asked)
	}
	// The evidence page contains the number.
	evidence, err := os.ReadFile(filepath.Join(rig.Root(t), "docs/project/evidence.md"))
	if err != nil {
		t.Fatal(err)
	}
	if figure := fmt.Sprintf("%d,%03d of 3,000 random and malformed fields", same/1000, same%1000); !strings.Contains(string(evidence), figure) {
		t.Errorf("docs/project/evidence.md lacks %q", figure)
	}
}
