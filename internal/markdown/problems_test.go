package markdown

import (
	"bytes"
	"strconv"
	"strings"
	"testing"

	"vitrine/internal/rule"
)

// TestProblems compares problems and their positions with the expected ones, and checks that the output is safe.
func TestProblems(t *testing.T) {
	const head = "---\ntitle: ü\n---\n"
	p := New(Options{})
	for _, c := range []struct{ name, source, want string }{
		{"none", "# A\n\n[b](c) <https://d.ef> ![g](data:image/png;base64,AA)\n", ""},
		{"HTML without a meaning", "a\n\n<div>\nb\n</div>\n\n<!-- c -->\n", "x.md:6:1: error: <div> only affects a page's appearance; remove its tags and keep their content, or use a component such as :::note [V016]"},
		{"tags without their other halves", "äö <b>c</b> <i>\n\n- d <br> e</kbd>\n", "x.md:4:13: error: <i> is not closed; write </i> after its content, in the same paragraph, item, or quote [V016]\nx.md:6:11: error: </kbd> has no start tag here; remove it, or write <kbd> before it, in the same paragraph, item, or quote [V016]"},
		{"in a cell, a quote and a description", "> a <?b?>\n\n|c|\n|-|\n|<u>|\n\n![<s>](d)\n", "x.md:4:5: warning: this markup is dropped, like a comment; remove it, or write \\< for a literal < [V051]\nx.md:8:2: error: <u> is not supported; write <ins> for added text, or *…* for emphasis [V016]\nx.md:10:3: error: <s> is not closed; write </s> after its content, in the same paragraph, item, or quote [V016]"},
		{"no raw HTML", "`<b>` \\<b> a < b\n\n    <b>\n", ""},
		{"scripts", "[a](javascript:b) <vbscript:c>\n", "x.md:4:1: error: links to \"javascript:\" are not allowed; link to a page, a file, or an address with https:, http:, mailto:, or tel: [V017]\nx.md:4:19: error: links to \"vbscript:\" are not allowed; link to a page, a file, or an address with https:, http:, mailto:, or tel: [V017]"},
		{"other schemes", "[a](livescript:b) <mocha:c> [d](ftp://e.fg) [h](sms:1) [i](averylongschemethatnobodyknows:j)\n![k](mailto:l@m.no)\n",
			"x.md:4:1: error: links to \"livescript:\" are not allowed; link to a page, a file, or an address with https:, http:, mailto:, or tel: [V017]\nx.md:4:19: error: links to \"mocha:\" are not allowed; link to a page, a file, or an address with https:, http:, mailto:, or tel: [V017]\nx.md:4:29: error: links to \"ftp:\" are not allowed; link to a page, a file, or an address with https:, http:, mailto:, or tel: [V017]\nx.md:4:45: error: links to \"sms:\" are not allowed; link to a page, a file, or an address with https:, http:, mailto:, or tel: [V017]\nx.md:4:56: error: links to \"averylongschemethatnobodyknows:\" are not allowed; link to a page, a file, or an address with https:, http:, mailto:, or tel: [V017]\n" +
				"x.md:5:1: error: images with \"mailto:\" addresses are not allowed; use a file, or an address with https: or http: [V017]"},
		{"no schemes", "[a](mailto:b@c.de) [f](tel:+49123) [g](HTTP://h.ij) [k](./l:m) [n](?o:p) [q](1r:s) [t](u,v:w)\n", ""},
		{"disguises", "[a](JaVa&Tab;Script&colon;b)\n[c](&#1;java\\script:d)\n[e][f]\n\n[f]: <\tfile:///g>\n", "x.md:4:1: error: links to \"javascript:\" are not allowed; link to a page, a file, or an address with https:, http:, mailto:, or tel: [V017]\nx.md:6:1: error: links to \"file:\" are not allowed; link to a page, a file, or an address with https:, http:, mailto:, or tel: [V017]"},
		{"data", "[a](data:image/png,b) ![c](data:image/svg+xml,d) ![e](DATA:image/GIF;base64,f)\n", "x.md:4:1: error: links to \"data:\" are not allowed; link to a page, a file, or an address with https:, http:, mailto:, or tel: [V017]\nx.md:4:23: error: images with \"data:\" addresses are not allowed; use a file, or an address with https: or http: [V017]"},
		{"nowhere", "[a]() ![b](<>)\n", "x.md:4:1: warning: this link has no destination; write it between the parentheses [V018]\nx.md:4:7: warning: this image has no destination; write it between the parentheses [V018]"},
		{"footnotes", "a[^b]\n\n[^b]: c\n\n[^b]: d\n\n[^e]: f\n", "x.md:8:1: warning: footnote [^b] is already defined; remove one of the definitions [V019]\nx.md:10:1: warning: footnote [^e] is never referenced; remove it, or add a reference [V019]"},
		{"encoding", "a\n\xff\n", "x.md:5:1: error: this is not UTF-8; save the file as UTF-8 [V001]"},
		{"nesting", strings.Repeat(">", 101) + "a\n", "x.md:4:101: error: this block is nested more than 100 levels deep; flatten it [V020]"},
		{"a note in a link", "[a[^b]](c)[^b]\n\n[^b]: d\n", "x.md:4:3: warning: a footnote reference inside a link is shown as text; move it out of the link [V019]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := p.Parse("x.md", []byte(head+c.source), len(head))
			var got []string
			for _, problem := range d.Problems() {
				got = append(got, problem.String())
			}
			if text := strings.Join(got, "\n"); text != c.want {
				t.Errorf("problems\n%s\nwant\n%s", text, c.want)
			}
			html, twin := render(t, d)
			for _, bad := range []string{"<div>", "<i>", "<u>", "<?", "<!--", `"javascript`, "(javascript", "(vbscript", `"vbscript`, "file:", "svg"} {
				if c.name != "no raw HTML" && strings.Contains(html, bad) || strings.Contains(twin, bad) && c.name != "no raw HTML" {
					t.Errorf("%q is written\n%s\n%s", bad, html, twin)
				}
			}
		})
	}
}

// One mistake in an element with parts is reported as one problem, regardless of the number of affected parts. Two
// mistakes are two problems.
func TestOneProblemForAMistake(t *testing.T) {
	const outside, half = "outside the element", "is not closed"
	stray := func(in, part string) string {
		return "this content is in <" + in + "> but outside <" + part + ">; put all content inside <" + part
	}
	for source, want := range map[string][]string{
		"<dl>\none\n<b>two</b>\n<p>three</p>\nfour\n</dl>\n":              {"1: " + stray("dl", "dt> or <dd")},
		"<dl>\n\none\n\n<p>two</p>\n\n- three\n\n</dl>\n":                 {"3: " + stray("dl", "dt> or <dd")},
		"<dl>\n<div>one</div>\n<div>two</div>\n</dl>\n\n<dl>three</dl>\n": {"2: " + stray("dl", "dt> or <dd"), "6: " + stray("dl", "dt> or <dd")},
		"<ol>a<b>x</b>c<p>q</p><li>d</li></ol>\n":                         {"1: " + stray("ol", "li")},
		"<table><td>a<td>b<td>c</table>\n":                                {"1: " + stray("table", "tr")},
		"<table><tr>a<b>x</b>c</tr>\n<tr>d</tr></table>\n":                {"1: " + stray("tr", "td")},
		"<li>a</li>\n<li>b</li>\n\ntext\n\n<li>c</li>\n":                  {"1: " + outside, "6: " + outside},
		"<dt>a</dt><dd>b</dd>\n\n<dt>c</dt><dd>d</dd>\n":                  {"1: " + outside},
		"<dt>a</dt>\n<td>b</td>\n":                                        {"1: " + outside, "2: " + outside},
		"text <td>a</td> <td>b</td>\n":                                    {"1: <td> cannot appear inline"},
		"<b>\n\na\n\n- b\n\n1. c\n\n</b>\n":                               {"5: an inline element cannot contain this block"},
		"- <details>\n  x\n\n</details>\n":                                {"1: <details> " + half},
		"<details>\n\n> a\n> </details>\n":                                {"1: <details> " + half},
		"<sub>a\n\nb</sub> c</sub>\n":                                     {"1: <sub> " + half, "3: </sub> has no start tag"},
		"</sup>\n\n<sup>a\n":                                              {"1: </sup> has no start tag", "3: <sup> " + half},
	} {
		problems := New(Options{}).Parse("x.md", []byte(source), 0).Problems()
		ok := len(problems) == len(want)
		for i := range min(len(problems), len(want)) {
			line, text, _ := strings.Cut(want[i], ": ")
			ok = ok && strconv.Itoa(problems[i].Pos.Line) == line && strings.Contains(problems[i].Text, text)
		}
		if !ok {
			t.Errorf("%q has the problems %v, want %v", source, problems, want)
		}
	}
}

// A table with too many cells is one problem, even if several of its parts exceed the limit.
func TestTooManyCells(t *testing.T) {
	source := "<table>" + strings.Repeat("<tbody><tr>"+strings.Repeat("<td>a</td>", maxCells/2+1)+"</tr></tbody>", 4) + "</table>\n"
	problems := New(Options{}).Parse("x.md", []byte(source), 0).Problems()
	if len(problems) != 1 || problems[0].Code != rule.TooMuch {
		t.Errorf("got %v, want one problem", problems)
	}
}

// TestUnsafeTarget checks that a target set by a caller obeys the same rule as a destination.
func TestUnsafeTarget(t *testing.T) {
	d := New(Options{}).Parse("x.md", []byte("[a](b)"), 0)
	d.Links()[0].Target = " java\nscript:c"
	html, twin := render(t, d)
	if want := "<p><a href=\"#\">a</a></p>\n"; html != want {
		t.Errorf("HTML is %q, want %q", html, want)
	}
	if want := "[a](#)\n"; twin != want {
		t.Errorf("twin is %q, want %q", twin, want)
	}
}

// TestLimits checks that inputs designed to be slow are parsed quickly. Each input is a 100 KB page that would take
// seconds or fill memory without the limits. If a page is slow, the test fails by Go's timeout.
func TestLimits(t *testing.T) {
	t.Parallel()
	const size = 100_000
	fill := func(s string) string { return strings.Repeat(s, size/len(s)) }
	p := New(Options{}).With(newTestComponents(t))
	for name, source := range map[string]string{
		"quotes": fill(">"), "lists": fill("- "), "brackets": fill("["), "pairs": fill("[") + fill("]"),
		"stars": fill("*"), "openers": fill("*a "), "mixed": fill("*a ") + fill("a_ "), "emphasis": fill("*a **a "),
		"links": fill("[a]("), "images": fill("![") + "a" + fill("](b)"), "definitions": fill("[a]: b\n"),
		"references": fill("[a]\n"), "expansion": "[a]: <" + fill("x") + ">\n\n" + fill("[a]"),
		"cells": fill("|a") + "\n" + fill("|-") + "\n" + fill("|\n"), "pipes": "|a|\n|-|\n" + fill("|`\\|`|\n"),
		"tags": fill("<a "), "comments": fill("<!--"), "ticks": fill("`a``"), "notes": "[^a]: b\n\n" + fill("[^"),
		"one line of links": fill("[a](b)"), "headings": fill("# a\n"), "entities": fill("&#"), "strikes": fill("~a "),
		"items": fill("- a\n"), "details": fill("<details>\n"), "open tags": fill("<b>"), "end tags": fill("</b>"), "whole tags": fill("<b></b>"), "quotes in tags": "<p>" + fill("<a b=\"\n"),
		"nested tags": fill("<ul><li>"), "blocks of tags": fill("<dl>\n\n"), "rows": "<table>" + fill("<tr><td>"), "containers": fill(":::note\n"), "ends": fill(":::\n"), "both": fill(":::note\n:::\n"), "growing": fill("::::::note\n:::::note\n:::\n"),
		"labels": fill(":a["), "labels and ends": fill(":kbd[") + fill("]"), "badges": fill(":badge[a]"), "attributes": fill(":a{b=\""), "many attributes": ":::note{" + fill("a=b ") + "}\n", "code in labels": fill(":a[`"), "tags in labels": fill(":a[<a "),
		"anchors": fill("<a id=x></a>"), "breaks": fill("<br>"), "broken comments": "<p>" + fill("<!-"), "unknown": fill("<x y=z>\n"), "backslashes": fill("\\"), "shortcodes": fill("{{< a "), "tags of Liquid": fill("{% a "), "undefined notes": fill("[^a"), "letters below": fill("a~b"), "conflicts": fill("<<<<<<< a\n"), "fences": fill("> ```\n\n"),
		"addresses": fill("http://a"), "domains": fill("www.a_"), "mail": fill("a@b."), "alerts": fill("> [!FOO]\n\n"), "attributes of headings": fill("# a {#b}\n"), "zeros": fill("\x00"), "noise": fill("\xff\xc2\x80"),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := p.Parse("x.md", []byte(source), 0)
			html, twin := render(t, d)
			d.Problems()
			d.Links()
			d.Headings()
			d.Words()
			if max(len(html), len(twin)) > 60*len(source) {
				t.Errorf("%d bytes became %d of HTML and %d of Markdown", len(source), len(html), len(twin))
			}
		})
	}
}

// TestNoMutation checks that the parser doesn't modify the source, even if the slice has spare capacity, and that
// Documents of one Parser are independent. The race detector finds violations.
func TestNoMutation(t *testing.T) {
	p := New(Options{Highlight: true})
	source := []byte("# a\n\n```go\nx\n```\n\n    code without an endXYZ")
	room := source[:len(source)-3]
	before := bytes.Clone(source)
	done := make(chan string)
	for range 8 {
		go func() {
			var html bytes.Buffer
			if err := p.Parse("x.md", room, 0).WriteHTML(&html); err != nil {
				html.WriteString(err.Error())
			}
			done <- html.String()
		}()
	}
	first := <-done
	for range 7 {
		if html := <-done; html != first {
			t.Errorf("one gives %q, another %q", html, first)
		}
	}
	if !bytes.Equal(source, before) {
		t.Errorf("the source is %q, was %q", source, before)
	}
}
