package contract

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite docs/project/contract.md")

// claim is an entry in claims.txt, with its proofs.
type claim struct {
	id, words string
	// heading is the heading above the claim, within its section, or "".
	heading string
	// tests, awaited, and permits are the lines under the claim, without their first word.
	tests, awaited []string
	permits        string
	cases          []*Case
	files          []string // the file of each case
}

// section is a heading of claims.txt with its claims.
type section struct {
	title  string
	claims []*claim
}

// readClaims reads claims.txt.
func readClaims(t *testing.T) []*section {
	t.Helper()
	source, err := os.ReadFile("claims.txt")
	if err != nil {
		t.Fatal(err)
	}
	var sections []*section
	var last *claim
	var heading string
	for i, l := range strings.Split(strings.TrimSpace(string(source)), "\n") {
		below, isBelow := strings.CutPrefix(l, "\t")
		word, rest, _ := strings.Cut(below, " ")
		switch {
		case l == "" || strings.HasPrefix(l, "#"):
		case word == "==":
			_, title, _ := strings.Cut(rest, " ")
			sections = append(sections, &section{title: title})
		case strings.HasPrefix(l, "-- "):
			heading = strings.TrimPrefix(l, "-- ")
		case !isBelow && len(sections) > 0:
			last = &claim{id: word, words: rest, heading: heading}
			heading = ""
			s := sections[len(sections)-1]
			s.claims = append(s.claims, last)
		case isBelow && word == "test" && last != nil:
			last.tests = append(last.tests, rest)
		case isBelow && word == "awaits" && last != nil:
			last.awaited = append(last.awaited, rest)
		case isBelow && word == "permits" && last != nil:
			last.permits = rest
		default:
			t.Errorf("claims.txt:%d: cannot read %q", i+1, l)
		}
	}
	return sections
}

// loadExchanges returns the exchanges of the contract.
func loadExchanges(t *testing.T) []*File {
	t.Helper()
	files, err := Load(Files())
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// proofs returns the claims with the cases that prove them.
func proofs(t *testing.T) []*section {
	t.Helper()
	sections := readClaims(t)
	byID := make(map[string]*claim)
	for _, s := range sections {
		for _, c := range s.claims {
			if byID[c.id] != nil {
				t.Errorf("claims.txt has %s twice", c.id)
			}
			byID[c.id] = c
		}
	}
	for _, f := range loadExchanges(t) {
		for _, c := range f.Cases {
			for _, id := range c.Claims {
				if byID[id] == nil {
					t.Errorf("%s:%d: claims.txt has no %s", f.Name, c.Line, id)
					continue
				}
				byID[id].cases = append(byID[id].cases, c)
				byID[id].files = append(byID[id].files, f.Name)
			}
		}
	}
	return sections
}

// Every claim of the contract has an exchange or a test that proves it, except permissions and claims that are marked
// as lacking a test.
func TestEveryClaimIsProven(t *testing.T) {
	for _, s := range proofs(t) {
		for _, c := range s.claims {
			if len(c.cases) == 0 && len(c.tests) == 0 && len(c.awaited) == 0 && c.permits == "" {
				t.Errorf("nothing proves %s: %s", c.id, c.words)
			}
			if c.permits != "" && len(c.cases) > 0 {
				t.Errorf("%s is a permission, yet exchanges say that they prove it", c.id)
			}
		}
	}
}

// The Go tests named in claims exist.
func TestNamedTestsExist(t *testing.T) {
	for _, s := range readClaims(t) {
		for _, c := range s.claims {
			for _, named := range c.tests {
				dir, function, _ := strings.Cut(named, " ")
				if !hasTest(t, dir, function) {
					t.Errorf("%s: package %s has no test function %q", c.id, dir, function)
				}
			}
		}
	}
}

// hasTest reports whether the tests of a package declare a function with the given name.
func hasTest(t *testing.T, dir, function string) bool {
	t.Helper()
	names, err := filepath.Glob(filepath.Join("..", "..", filepath.FromSlash(dir), "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	declaration := regexp.MustCompile(`(?m)^func ` + regexp.QuoteMeta(function) + `\(`)
	return slices.ContainsFunc(names, func(name string) bool {
		source, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		return declaration.Match(source)
	})
}

// docs/project/contract.md matches the claims and the exchanges.
func TestDocument(t *testing.T) {
	name := filepath.Join("..", "..", "docs", "project", "contract.md")
	want := document(proofs(t), loadExchanges(t))
	if *update {
		if err := os.WriteFile(name, []byte(want), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Errorf("docs/project/contract.md is out of date; run: go test ./internal/contract -update")
	}
}

// document returns the text of docs/project/contract.md.
func document(sections []*section, files []*File) string {
	var b strings.Builder
	claims, awaited := 0, 0
	for _, s := range sections {
		claims += len(s.claims)
		for _, c := range s.claims {
			awaited += min(1, len(c.awaited))
		}
	}
	exchanges, cases := 0, 0
	for _, f := range files {
		exchanges += f.Exchanges()
		cases += len(f.Cases)
	}
	untested := ""
	if awaited > 0 {
		untested = fmt.Sprintf(" Claims without a test yet: %d.", awaited)
	}
	fmt.Fprintf(&b, `<!-- ---
description: "How a Vitrine site must respond to HTTP requests, claim by claim, with the test of each claim."
sidebar: The contract
order: 1
aliases: [/contract]
--- -->

# The contract and its tests <a id="what-the-service-promises-and-what-proves-it"></a>

<!-- Written by "go test ./internal/contract -update"; edit internal/contract/claims.txt and the exchanges. -->

Look up how a Vitrine site must respond to a request and which tests check the response: search for a path, status, or header field. The
contract consists of %d claims. Each claim ends with its tests in italics:

- *accept (2)*: two cases in the file accept.txt in [internal/contract/exchanges](../../internal/contract/exchanges). The files contain
  %d HTTP exchanges (requests with their required responses) in %d cases.
- *internal/load.TestLoad*: a Go test in that package, for a claim that exchanges can't test, such as a claim about time.
- *not tested*: no test, for the reason after the colon.%s

An ID such as W3-9 contains the source, section, and number of a claim. S stands for [the specification](specification.md), and W for the more
detailed [wire contract](wire-contract.md). L, F, and O stand for the last three sections. The claims use these terms:

`, claims, exchanges, cases, untested)
	b.WriteString("- **The operation** returns the facts as JSON. Its paths are `/api/v1/marketing`, the alias `/api/marketing`, and the entry point `/api`.\n" +
		"  Unless a claim names another path, sections S4.1 and W1 are about these paths.\n" +
		"- **The allowance** is the rate limit of the operation. **The rate-limit fields** are `RateLimit-Policy`, `RateLimit`, `X-RateLimit-Limit`,\n" +
		"  `X-RateLimit-Remaining`, and `X-RateLimit-Reset`.\n" +
		"- **A problem** is the JSON body of an error response (RFC 9457).\n")
	for _, s := range sections {
		fmt.Fprintf(&b, "\n## %s\n", s.title)
		for i, c := range s.claims {
			if c.heading != "" {
				fmt.Fprintf(&b, "\n### %s\n", c.heading)
			}
			if i == 0 || c.heading != "" {
				b.WriteString("\n")
			}
			fmt.Fprintf(&b, "- **%s**: %s *%s*\n", c.id, escaped(c.words), escaped(c.proof()))
		}
	}
	return b.String()
}

// proof returns the exchange files and tests that prove the claim.
func (c *claim) proof() string {
	var parts []string
	for i := 0; i < len(c.files); {
		n := i
		for n < len(c.files) && c.files[n] == c.files[i] {
			n++
		}
		part := strings.TrimSuffix(c.files[i], ".txt")
		if n > i+1 {
			part += fmt.Sprintf(" (%d)", n-i)
		}
		parts = append(parts, part)
		i = n
	}
	for _, named := range c.tests {
		parts = append(parts, strings.ReplaceAll(named, " ", "."))
	}
	for _, owed := range c.awaited {
		dir, what, _ := strings.Cut(owed, " ")
		parts = append(parts, "no test yet in "+dir+": "+what)
	}
	if c.permits != "" {
		parts = append(parts, "not tested: "+c.permits)
	}
	return strings.Join(parts, "; ")
}

// escaped escapes s for Markdown, except in code spans.
func escaped(s string) string {
	parts := strings.Split(s, "`")
	for i := 0; i < len(parts); i += 2 {
		parts[i] = strings.NewReplacer("<", `\<`, "*", `\*`, "_", `\_`, "[", `\[`).Replace(parts[i])
	}
	return strings.Join(parts, "`")
}

// Each file has fewer counted requests than the allowance permits, only the last file plays last, and the cases of a
// file have different titles.
func TestFilesAreWellFormed(t *testing.T) {
	files := loadExchanges(t)
	for i, f := range files {
		if n := f.Counted(); n >= 120 {
			t.Errorf("%s: %d requests count toward the allowance of 120", f.Name, n)
		}
		if f.Last != (i == len(files)-1) {
			t.Errorf("%s: only one file plays last", f.Name)
		}
		titles := make(map[string]bool)
		for _, c := range f.Cases {
			if titles[c.Title] {
				t.Errorf("%s:%d: another case has this title", f.Name, c.Line)
			}
			titles[c.Title] = true
		}
	}
}
