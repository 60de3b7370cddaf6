package build_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"vitrine/internal/build"
	"vitrine/internal/lab/rig"
	"vitrine/internal/serve"
	"vitrine/internal/serve/decide"
	"vitrine/internal/site"
)

// An invalid setting of the theme causes one problem, at the position of the setting in site.yaml. The message says
// what the setting must be.
func TestProblemsOfTheLook(t *testing.T) {
	const head = "content/site.yaml:3:" // the line after baseURL and title
	for name, c := range map[string]struct{ settings, want string }{
		"accent":                {`theme: {accent: brown}`, head + `17: error: theme.accent: want a color of six hexadecimal digits such as "#0b5e4c", found "brown" [V004]`},
		"pale accent":           {`theme: {accent: "#ffe97f"}`, head + `17: warning: theme.accent: #ffe97f has a contrast of 1.0:1 on the surfaces of the light scheme`},
		"logo":                  {`theme: {logo: brand/mark.svg}`, head + `15: error: theme.logo: there is no file content/static/brand/mark.svg; did you mean "brand/marks.svg"? [V024]`},
		"font":                  {`theme: {fonts: {text: brand/marks.svg}}`, head + `23: error: theme.fonts.text: brand/marks.svg is not a usable woff2 file: it does not start with "wOF2"`},
		"scheme":                {`theme: {scheme: darker}`, head + `17: error: theme.scheme: want auto, light, or dark; found "darker" [V004]`},
		"misspelled key":        {`theme: {akcent: "#7a3e00"}`, head + `9: error: unknown key "theme.akcent"; did you mean "accent"? [V003]`},
		"footer without label":  {`footer: [{path: /pricing}]`, head + `10: error: footer[0].label is missing; write the link text [V005]`},
		"broken footer link":    {`footer: [{label: Imprint, path: /imprint}]`, head + `33: error: footer: there is nothing at "/imprint"`},
		"footer without target": {`footer: [{label: Imprint}]`, head + `10: error: footer[0]: the link has no target; write a path such as /imprint, or a url [V004]`},
		"footer with two":       {`footer: [{label: Imprint, path: /, url: "https://a.example"}]`, head + `36: error: footer[0]: a link cannot have both path and url; remove one of the two [V004]`},
		"footer's anchor":       {`footer: [{label: Plans, path: "/pricing#plan"}]`, head + `31: error: "/pricing#plan": there is no heading with the anchor "#plan" on /pricing`},
		"footer to a file":      {`footer: [{label: Mark, path: /brand/marks.svg}]`, ""},
		"broken notice link":    {`notice: {text: News, path: /blog/seven}`, head + `28: error: notice: there is nothing at "/blog/seven"`},
		"old address":           {`notice: {text: News, path: /prices}`, head + `28: warning: notice: "/prices" is not the current address of /pricing; write "/pricing" [V026]`},
		"script without https":  {`scripts: [{src: "http://stats.example/s.js"}]`, head + `17: error: scripts[0].src: want an https address, found "http://stats.example/s.js"`},
		"script from any host":  {`scripts: [{src: "https://*.example/s.js"}]`, head + `17: error: scripts[0].src: want a host name with only ASCII letters, digits, hyphens, and dots; found "https://*.example/s.js" [V004]`},
		"script with a rule":    {`scripts: [{src: "https://a;img-src/s.js"}]`, head + `17: error: scripts[0].src: want a host name`},
		"script without src":    {`scripts: [{defer: true}]`, head + `11: error: scripts[0].src is missing; write the script's https address [V005]`},
		"unknown word":          {`words: {serch: Suche}`, head + `9: error: words: the theme has no word "serch"; did you mean "search"? [V003]`},
		"word lacks a form":     {`words: {minutes: {one: a minute}}`, head + `18: error: words.minutes: English has the plural forms one, other; write other too`},
		"word without place":    {`words: {updated: Neu}`, head + `18: error: words.updated: want a string with the placeholders {date}`},
		"no problem":            {`theme: {accent: "#7a3e00", logo: brand/marks.svg, favicon: brand/marks.svg, fonts: {text: system, headings: serif}, scheme: light}`, ""},
	} {
		files := rig.TinySite("Tiny", c.settings+"\n")
		files["content/pricing.md"] = "---\ntitle: Pricing\ndescription: What it costs.\nlayout: pricing\naliases: [/prices]\n---\n"
		files["content/static/brand/marks.svg"] = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"/>`
		_, problems, err := build.Check(context.Background(), build.Source{Root: rig.Site(t, files), NoSocialImages: true}, build.CheckOptions{}, build.Observer{})
		if err != nil {
			t.Fatal(err)
		}
		var found []string
		for _, p := range problems {
			if p.Path == "content/site.yaml" {
				found = append(found, p.String())
			}
		}
		if c.want == "" && len(found) > 0 || c.want != "" && (len(found) != 1 || !strings.HasPrefix(found[0], c.want)) {
			t.Errorf("%s: got\n%s\nwant\n%s", name, strings.Join(found, "\n"), c.want)
		}
	}
}

// The files that the settings of a theme name are published, and a page is rendered again if one of its files changes.
func TestLookIsPublished(t *testing.T) {
	files := rig.TinySite("Tiny", "theme: {accent: \"#7a3e00\", logo: mark.svg, fonts: {text: text.woff2}}\nscripts: [{src: \"https://Stats.example:8443/s.js\", defer: true}, {src: \"https://stats.example:8443/t.js\"}, {src: \"https://other.example/u.js\"}]\n")
	files["content/static/mark.svg"] = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 30 10"/>`
	files["content/static/text.woff2"] = "wOF2" + strings.Repeat("\x00", 4) + "\x00\x00\x00\x30" + strings.Repeat("\x00", 36)
	files["templates/layouts/page.html"] = `{{define "main"}}{{with .Site.Look}}<p>{{.Stylesheet}} {{.Logo.Path}} {{.Logo.Width}} {{.Logo.Height}} {{with .LogoDark}}dark{{end}} {{.Favicon.Path}} {{.Favicon.Type}} {{.Scheme}} {{.ThemeColorLight}} {{.ThemeColorDark}}</p>{{end}}{{range .Site.Scripts}}<i>{{.Src}} {{.Defer}}</i>{{end}}{{.Page.Content}}{{end}}`
	files["content/look.md"] = "---\ntitle: Look\ndescription: How it looks.\n---\n"
	root, out := rig.Site(t, files), t.TempDir()
	make := func() (page, policy string) {
		_, problems, err := build.Build(context.Background(), build.Source{Root: root, NoSocialImages: true}, build.Output{Out: out}, build.Observer{})
		if err != nil || site.HasErrors(problems) {
			t.Fatal(err, problems)
		}
		served, err := decide.NewSite(rig.Open(t, out))
		if err != nil {
			t.Fatal(err)
		}
		answer := httptest.NewRecorder()
		serve.NewHandler(served, serve.HandlerOptions{}).ServeHTTP(answer, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "https://tiny.example/look", nil))
		return answer.Body.String(), answer.Header().Get("Content-Security-Policy")
	}
	page, policy := make()
	for _, want := range []string{"<p>/assets/theme.", ".css /assets/site-logo.", ".svg 30 10  /assets/favicon.", ".svg image/svg&#43;xml auto #", "<i>https://Stats.example:8443/s.js true</i>"} {
		if !strings.Contains(page, want) {
			t.Errorf("no %s in %s", want, page)
		}
	}
	const both = "'self' https://stats.example:8443 https://other.example;"
	for _, want := range []string{"default-src 'none';", "script-src " + both, "connect-src " + both, "img-src 'self' data:;", "style-src 'self';"} {
		if !strings.Contains(policy, want) {
			t.Errorf("no %s in %s", want, policy)
		}
	}
	if strings.Count(policy, "https:") != 4 || strings.Contains(policy, "unsafe") {
		t.Errorf("the policy lets more through than was asked for: %s", policy)
	}
	css := regexp.MustCompile(`/assets/theme\.[0-9a-f]+\.css`).FindString(page)
	body, err := os.ReadFile(filepath.Join(out, "public", css))
	if err != nil || !strings.Contains(string(body), "--accent:#7a3e00;") || !regexp.MustCompile(`url\("/assets/site-text\.[0-9a-f]+\.woff2"\)`).Match(body) {
		t.Errorf("the stylesheet is %s, %v", body, err)
	}
	if err := os.WriteFile(filepath.Join(root, "content/static/mark.svg"), []byte(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 44 10"/>`), 0o666); err != nil {
		t.Fatal(err)
	}
	if page, _ := make(); !strings.Contains(page, ".svg 44 10 ") {
		t.Errorf("the page shows the last build's logo: %s", page)
	}
}
