package markdown

import (
	"strings"
	"testing"

	"vitrine/internal/facts"
	"vitrine/internal/site"
)

// testFacts returns the facts used in the tests.
func testFacts() *facts.Values {
	text := func(s string) *site.Fact { return &site.Fact{Kind: site.TextFact, Text: s} }
	number := func(s string) *site.Fact { return &site.Fact{Kind: site.NumberFact, Text: s} }
	plan := func(name, price, credits string) *site.Fact {
		return &site.Fact{Kind: site.MapFact, Keys: []string{"name", "monthlyPrice", "includedCredits"}, Items: []*site.Fact{text(name), number(price), number(credits)}}
	}
	root := &site.Fact{Kind: site.MapFact,
		Keys: []string{"name", "capabilities", "pricing", "contact", "links", "odd"},
		Items: []*site.Fact{
			text("Parley"),
			{Kind: site.ListFact, Items: []*site.Fact{text("Voice *role-play*"), text("1. Feedback\nfor {{ all }}")}},
			{Kind: site.MapFact, Keys: []string{"currency", "plans"}, Items: []*site.Fact{text("EUR"), {Kind: site.ListFact, Items: []*site.Fact{plan("Starter", "19", "40"), plan("Team", "49.50", "1200")}}}},
			text("hello@parley.example"),
			{Kind: site.MapFact, Keys: []string{"signup"}, Items: []*site.Fact{text("https://app.parley.example/signup?a=b&c=(d")}},
			text("a_b_ <c> & `d` [e](f) \\{{ g }}"),
		}}
	return facts.New("en", &site.Product{Facts: root, Pricing: site.Pricing{Currency: "EUR", Plans: []site.Plan{
		{Name: "Starter", MonthlyPrice: "19", IncludedCredits: 40, StatesCredits: true}, {Name: "Team", MonthlyPrice: "49.50", IncludedCredits: 1200, StatesCredits: true}}}})
}

// TestFacts compares the HTML and the twin of expressions with the expected output: in text, in destinations and
// titles, as a paragraph, and in code, where expressions aren't expanded.
func TestFacts(t *testing.T) {
	p := New(Options{}).WithFacts(testFacts())
	const signup = "https://app.parley.example/signup?a=b&amp;c=(d"
	for _, c := range []struct{ name, source, html, twin string }{
		{"in a text", "We are {{ name }}, not {{name}}s.\n", "<p>We are Parley, not Parleys.</p>\n", "We are Parley, not Parleys.\n"},
		{"a number in its own form", "{{ pricing.plans.Team.monthlyPrice }} {{ pricing.plans.0.monthlyPrice }}\n", "<p>49.50 19</p>\n", "49.50 19\n"},
		{"a price", "{{ price \"Team\" }} {{ price 'Starter' }} {{price “Team”}}\n", "<p>€49.50 €19 €49.50</p>\n", "€49.50 €19 €49.50\n"},
		{"in emphasis and a heading", "# About *{{ name }}*\n", "<h1 id=\"about-parley\">About <em>Parley</em></h1>\n", "# About *Parley*\n"},
		{"not in code", "`{{ name }}` \n\n    {{ name }}\n\n```\n{{ name }}\n```\n", "<p><code>{{ name }}</code></p>\n<pre tabindex=\"0\"><code>{{ name }}\n</code></pre>\n<pre tabindex=\"0\"><code>{{ name }}\n</code></pre>\n", "`{{ name }}`\n\n```\n{{ name }}\n```\n\n```\n{{ name }}\n```\n"},
		{"escaped", "\\{{ name }} {\\{ name }} \\{{{ name }}}\n", "<p>{{ name }} {{ name }} {Parley}</p>\n", "\\{{ name }} \\{{ name }} {Parley}\n"},
		{"markup in a fact is text", "{{ odd }}\n", "<p>a_b_ &lt;c&gt; &amp; `d` [e](f) \\{{ g }}</p>\n", "a_b\\_ \\<c> & \\`d\\` \\[e](f) \\\\\\{{ g }}\n"},
		{"an address is a link", "{{ contact }} [a {{ contact }}](/b)\n", "<p><a href=\"mailto:hello@parley.example\">hello@parley.example</a> <a href=\"/b\">a hello@parley.example</a></p>\n", ""},
		{"destinations", "[a]({{ links.signup }}) [b](<{{ links.signup }}>) [c]({{links.signup}}#d \"{{ name }} e\") [f][g]\n\n[g]: {{ links.signup }}\n", "<p><a href=\"" + signup + "\">a</a> <a href=\"" + signup + "\">b</a> <a href=\"" + signup + "#d\" title=\"Parley e\">c</a> <a href=\"" + signup + "\">f</a></p>\n", ""},
		{"images", "![{{ name }}]({{ links.signup }})\n", "<p><img src=\"" + signup + "\" alt=\"Parley\"></p>\n", ""},
		{"escaped in a destination", "[a](\\{{b}} '\\{{ c }}')\n", "<p><a href=\"%7B%7Bb%7D%7D\" title=\"{{ c }}\">a</a></p>\n", ""},
		{"a list", "a\n\n{{ capabilities }}\n\nb\n", "<p>a</p>\n<ul>\n<li>Voice *role-play*</li>\n<li>1. Feedback for {{ all }}</li>\n</ul>\n<p>b</p>\n", "a\n\n- Voice \\*role-play\\*\n- 1\\. Feedback for \\{{ all }}\n\nb\n"},
		{"a table", "{{ plans }}\n", "<div class=\"table\" role=\"region\" tabindex=\"0\" aria-label=\"Table\">\n<table>\n<thead>\n<tr>\n<th>Plan</th>\n<th class=\"align-right\">Price per month</th>\n<th class=\"align-right\">Credits per month</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>Starter</td>\n<td class=\"align-right\">€19</td>\n<td class=\"align-right\">40</td>\n</tr>\n<tr>\n<td>Team</td>\n<td class=\"align-right\">€49.50</td>\n<td class=\"align-right\">1,200</td>\n</tr>\n</tbody>\n</table>\n</div>\n", "| Plan | Price per month | Credits per month |\n| --- | --: | --: |\n| Starter | €19 | 40 |\n| Team | €49.50 | 1,200 |\n"},
		{"meant on its own line", "{{ meant }}\na\n{{ meant }}\nb\n{{ meant }}\n", "<p>a\nb</p>\n", "a\nb\n"},
		{"meant", "a {{ meant }}\nb {{ meant }} c\n{{ meant }} d  {{ meant }}\n\n{{ meant }}\n\n| e {{ meant }} |\n|-|\n", "<p>a\nb c\nd</p>\n<div class=\"table\" role=\"region\" tabindex=\"0\" aria-label=\"Table\">\n<table>\n<thead>\n<tr>\n<th>e</th>\n</tr>\n</thead>\n</table>\n</div>\n", "a\nb c\nd\n\n| e |\n| --- |\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := p.Parse("x.md", []byte(c.source), 0)
			html, twin := render(t, d)
			if html != c.html {
				t.Errorf("HTML\n%s\nwant\n%s", html, c.html)
			}
			if c.twin != "" && twin != c.twin {
				t.Errorf("twin\n%s\nwant\n%s", twin, c.twin)
			}
			if problems := d.Problems(); len(problems) > 0 {
				t.Errorf("problems %v", problems)
			}
			checkTwin(t, p, []byte(c.source))
		})
	}
}

// TestFactProblems checks that a missing fact is reported at its position in the source, even after other expressions.
func TestFactProblems(t *testing.T) {
	p := New(Options{}).WithFacts(testFacts())
	for _, c := range []struct{ name, source, want string }{
		{"a misspelled fact", "ü {{ name }} {{ nmae }}\n", `x.md:1:14: error: unknown fact "nmae"; did you mean "name"? [V021]`},
		{"a misspelled part of a path", "{{ pricing.plans.Teem.monthlyPrice }}\n", `x.md:1:1: error: unknown fact "pricing.plans.Teem"; did you mean "pricing.plans.Team"? [V021]`},
		{"a plan", "a {{ price \"team\" }}\n", `x.md:1:3: error: unknown plan "team"; did you mean "Team"? [V021]`},
		{"a price without a plan", "a {{ price }}\n", `x.md:1:3: error: price requires a plan name; write {{ price "Starter" }} [V021]`},
		{"nothing", "a {{ }}\n", `x.md:1:3: error: the braces are empty; write a fact's path, such as {{ name }}, or \{{ for literal braces [V021]`},
		{"a map", "{{ pricing }}\n", `x.md:1:1: error: "pricing" is a map, not a string; use one of its members: pricing.currency and pricing.plans [V021]`},
		{"a list of maps", "{{ pricing.plans }}\n", `x.md:1:1: error: "pricing.plans" is a list of maps, not a string; use one of its items, such as pricing.plans.Starter [V021]`},
		{"a list in a sentence", "a {{ capabilities }}\n", `x.md:1:3: error: "capabilities" is a list, which needs its own paragraph on a page; use one of its items here, such as capabilities.0 [V023]`},
		{"a table in a list item", "- {{ plans }} b\n", `x.md:1:3: error: "plans" is a table, which needs its own paragraph on a page; use one value here, such as pricing.currency [V023]`},
		{"a destination", "[{{ name }}]({{ links.singup }})\n", `x.md:1:14: error: unknown fact "links.singup"; did you mean "links.signup"? [V021]`},
		{"a definition, once", "[a] [b][a]\n\n[a]: {{ links.singup }}\n", `x.md:3:6: error: unknown fact "links.singup"; did you mean "links.signup"? [V021]`},
		{"open braces", "a {{ name\n}}\n", `x.md:1:3: warning: {{ is not closed on its line and is shown unchanged; add }}, or write \{{ for literal braces [V022]`},
		{"a shortcode", "{{ plan }}\n", `x.md:1:1: error: unknown fact "plan"; did you mean {{ plans }}? [V021]`},
		{"a quote", "{{ pricing.\"a }}\n", `x.md:1:1: error: this path has no closing quote; add " after the name [V021]`},
		{"a dot", "{{ pricing. }}\n", `x.md:1:1: error: a name is missing before or after a dot; write a path such as pricing.currency [V021]`},
		{"member of a string", "{{ name.first }}\n", `x.md:1:1: error: unknown fact "name.first": "name" is a string and has no members [V021]`},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, problem := range p.Parse("x.md", []byte(c.source), 0).Problems() {
				got = append(got, problem.String())
			}
			if text := strings.Join(got, "\n"); text != c.want {
				t.Errorf("problems\n%s\nwant\n%s", text, c.want)
			}
			checkTwin(t, p, []byte(c.source))
		})
	}
}

// TestFactUses checks that a document records the facts that it uses and the lines marked with {{ meant }}.
func TestFactUses(t *testing.T) {
	p := New(Options{}).WithFacts(testFacts())
	d := p.Parse("x.md", []byte("{{ pricing.plans.1.name }} {{ price \"Team\" }} [a]({{ links.signup }}) `{{ contact }}`\nb {{ meant }}\n"), 0)
	if got, want := strings.Join(d.Facts(), " "), "links.signup pricing.currency pricing.plans.Team.monthlyPrice pricing.plans.Team.name"; got != want {
		t.Errorf("facts %s, want %s", got, want)
	}
	if d.Meant(1) || !d.Meant(2) {
		t.Error("want line 2 meant, and no other")
	}
}

// TestNoFacts checks that braces are text if there are no facts.
func TestNoFacts(t *testing.T) {
	html, twin := render(t, New(Options{}).Parse("x.md", []byte("{{ name }} {{\n"), 0))
	if html != "<p>{{ name }} {{</p>\n" || twin != "{{ name }} {{\n" {
		t.Errorf("HTML %q, twin %q", html, twin)
	}
}

// FuzzFacts checks the package's guarantee for any page with facts: the twin contains no expressions but has the same
// meaning as the page.
func FuzzFacts(f *testing.F) {
	for _, seed := range []string{
		"a {{ name }} *{{ odd }}* {{ contact }}\n", "[a]({{ links.signup }} '{{ name }}') ![{{ odd }}](<{{ contact }}>)\n",
		"> {{ plans }}\n\n- {{ capabilities }}\n\n  {{ capabilities }}\n", "{{ meant }} a {{ meant }} b\n===\n",
		"\\{{ a }} {{{ name }}} {{ x\n}} `{{ b }}`\n", "| {{ name }} | {{ odd }} |\n|-|-|\n| {{ meant }} a | {{ price \"Team\" }} |\n",
		"[{{ name }}]: {{ links.signup }} '{{ odd }}'\n\n[{{ name }}]\n", "a[^1]\n\n[^1]: {{ plans }}\n",
	} {
		f.Add([]byte(seed))
	}
	p := New(Options{}).WithFacts(testFacts())
	f.Fuzz(func(t *testing.T, source []byte) {
		if len(source) > 1<<12 {
			return
		}
		p.Parse("x.md", source, 0).Facts()
		checkTwin(t, p, source)
	})
}
