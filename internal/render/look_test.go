package render

import (
	"io/fs"
	"strings"
	"testing"

	"vitrine/templates"
)

// TestStylesheetClampsTheAccent pins the formulas that package brand copies. That package's tests prove that every
// accent results in enough contrast. The proof applies to the stylesheet only if both clamp to the same values.
func TestStylesheetClampsTheAccent(t *testing.T) {
	css, err := fs.ReadFile(templates.FS, "assets/style.css")
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{
		"--tint: .006;",
		"--bg: light-dark(#fff, oklch(from var(--accent) .17 min(c, var(--tint)) h));",
		"--text: light-dark(oklch(from var(--accent) .21 min(c, var(--tint) * 2) h), oklch(from var(--accent) .955 min(c, var(--tint)) h));",
		"--surface: light-dark(oklch(from var(--accent) .98 min(c, var(--tint)) h), color-mix(in oklab, var(--text) 3%, var(--bg)));",
		"--edge: color-mix(in oklab, var(--text) 48%, var(--bg));",
		"--muted: color-mix(in oklab, var(--text) 70%, var(--bg));",
		"--link: light-dark(oklch(from var(--accent) min(l, .49) min(c, .2) h), oklch(from var(--accent) max(l, .76) min(c, .14) h));",
		"--fill: light-dark(oklch(from var(--accent) clamp(.25, l, .52) min(c, .22) h), oklch(from var(--accent) .52 min(c, .22) h));",
		"--fill-over: oklch(from var(--fill) calc(l - .05) c h);",
		"--soft: light-dark(oklch(from var(--accent) .962 min(c, .02) h), oklch(from var(--accent) .26 min(c, .045) h));",
	} {
		if !strings.Contains(string(css), "\n  "+line) {
			t.Errorf("the stylesheet lacks %q", line)
		}
	}
}

// The site's icon is next to the site's name in the header, in the menu, and in the footer. A logo replaces both the
// icon and the name.
func TestMark(t *testing.T) {
	const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"/>`
	for theme, marks := range map[string]int{"{favicon: icon.svg}": 3, "{favicon: icon.svg, logo: icon.svg}": 0, "{scheme: light}": 0} {
		b := build(t, with("content/site.yaml", sampleFacts()["content/site.yaml"]+"theme: "+theme+"\n", "content/static/icon.svg", icon), withoutImages)
		if got := strings.Count(b.body(t, "/"), `<img class="mark" src="/assets/site-icon.`); got != marks {
			t.Errorf("theme %s: the mark appears %d times, want %d", theme, got, marks)
		}
	}
}

// Each cell of the plan comparison names its plan, for readers who can't see the column's header.
func TestComparisonNamesPlans(t *testing.T) {
	facts := strings.NewReplacer("includedCredits: 40}", "features: [Calls]}", "includedCredits: 120}", "features: [Calls, Reviews]}").Replace(sampleFacts()["content/product.yaml"])
	page := build(t, with("content/product.yaml", facts, "content/pricing.md", "---\ntitle: Pricing\nlayout: pricing\n---\n"), withoutImages).body(t, "/pricing")
	const yes = `<svg viewBox="0 0 24 24" aria-hidden="true"><path d="m5 12.5 4.5 4.5L19 7.5"/></svg><span class="sr">Yes</span></td>`
	for _, want := range []string{`<td data-plan="Starter">` + yes + `<td data-plan="Team">` + yes, `<td data-plan="Starter">–</td><td data-plan="Team">` + yes} {
		if !strings.Contains(page, want) {
			t.Errorf("no %s in\n%s", want, page)
		}
	}
}

// The site's stylesheet comes after all other stylesheets, including the components' stylesheets, so its rules override
// theirs.
func TestOwnStylesheetIsLast(t *testing.T) {
	b := build(t, with(
		"templates/assets/site.css", ".files { color: red; }",
		"content/files.md", "---\ntitle: Files\n---\n:::filetree\n- go.mod\n:::\n",
	))
	page := b.body(t, "/files")
	if last := strings.LastIndex(page, `<link rel="stylesheet"`); !strings.Contains(page, "/assets/filetree.") || !strings.HasPrefix(page[last:], `<link rel="stylesheet" href="/assets/site.`) {
		t.Errorf("the last stylesheet is not the site's:\n%.2000s", page)
	}
}
