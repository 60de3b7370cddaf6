package render

import (
	"strings"
	"testing"
)

// The settings can disable the visible links to machine-readable formats. Header fields and <head> still link to them.
func TestMachinesOff(t *testing.T) {
	site := func(machines string) map[string]string {
		return acorn(t, "content/site.yaml", "baseURL: https://acorn.example\ntitle: Acorn\n"+machines,
			"content/plain.md", "---\ntitle: Plain\n---\nText.\n")
	}
	on, off := build(t, site(""), withoutImages), build(t, site("machines: {menu: false, footer: false, changes: false, cli: false}\n"), withoutImages)
	for _, part := range []string{`data-copy-page="/plain.md"`, `id="Page-menu"`, "<p>For machines:"} {
		if !strings.Contains(on.body(t, "/plain"), part) {
			t.Errorf("by default, a page lacks %s", part)
		}
		if strings.Contains(off.body(t, "/plain"), part) {
			t.Errorf("a page has %s though it is off", part)
		}
	}
	for _, path := range []string{"/changes", "/changes.json", "/changes.xml", "/cli", "/cli/acorn.mjs", "/cli/acorn.mjs.sha256"} {
		if on.resources[path].Path == "" {
			t.Errorf("by default, there is no %s", path)
		}
		if off.resources[path].Path != "" {
			t.Errorf("there is a %s though it is off", path)
		}
	}
	for _, path := range []string{"/llms.txt", "/.well-known/agent-skills/acorn/SKILL.md", "/plain"} {
		if body := off.body(t, path); strings.Contains(body, "/changes") || strings.Contains(body, "/cli") {
			t.Errorf("%s names a page that is off:\n%s", path, body)
		}
	}
	html := off.body(t, "/plain")
	if !strings.Contains(off.header("/plain", 0, "Link"), `</plain.md>; rel="alternate"`) ||
		!strings.Contains(html, `<link rel="alternate" type="text/markdown" href="/plain.md">`) ||
		!strings.Contains(html, `<aside class="agents"`) {
		t.Errorf("the page does not name its Markdown to machines:\n%s", html)
	}
}

// The header and the menu show the action button from site.yaml, in the page's language.
func TestAction(t *testing.T) {
	b := build(t, acorn(t, "content/site.yaml", "baseURL: https://acorn.example\ntitle: Acorn\naction: {label: Plant <one>, path: /spring}\n"+
		"languages:\n  de: {action: {label: Pflanzen, url: \"https://acorn.example/de\"}}\n  fr: {}\n"), withoutImages)
	for path, want := range map[string]string{
		"/spring": `href="/spring">Plant &lt;one&gt;</a>`,
		"/de":     `href="https://acorn.example/de">Pflanzen</a>`,
		"/fr":     "",
	} {
		tiny, large := `<a class="button tiny" `+want, `<a class="button" `+want
		page := b.body(t, path)
		if want != "" && (strings.Count(page, tiny) != 1 || !strings.Contains(page, large)) || want == "" && strings.Contains(page, "button tiny") {
			t.Errorf("%s lacks %s, or has an action in another language:\n%s", path, want, page)
		}
	}
	if got := build(t, acorn(t), withoutImages).body(t, "/spring"); strings.Contains(got, "button tiny") {
		t.Error("a site without an action has one")
	}
}
