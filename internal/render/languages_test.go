package render

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"vitrine/internal/artifact"
	"vitrine/internal/plan"
)

// languagesSite returns the shared multilingual test site, with additional files.
func languagesSite(t *testing.T, more ...string) map[string]string {
	t.Helper()
	archive, err := txtar.ParseFile("../lab/rig/languages.txtar")
	if err != nil {
		t.Fatal(err)
	}
	files := make(map[string]string)
	for _, f := range archive.Files {
		files[f.Name] = string(f.Data)
	}
	for i := 0; i < len(more); i += 2 {
		files[more[i]] = more[i+1]
	}
	return files
}

var hreflang = regexp.MustCompile(`<link rel="alternate" href="([^"]*)" hreflang="([^"]*)">`)

// alternatesOf returns the addresses of translations in the <head> of the page at path, keyed by language tag.
func alternatesOf(b *built, path string) map[string]string {
	found := make(map[string]string)
	if len(b.resources[path].Variants) == 0 {
		return found
	}
	for _, m := range hreflang.FindAllStringSubmatch(string(b.resources[path].Variants[0].Body), -1) {
		found[m[2]] = strings.TrimPrefix(m[1], "https://acorn.example")
		if found[m[2]] == "" {
			found[m[2]] = "/"
		}
	}
	return found
}

// A page that links to its translations also links to itself, and the translations link to it. x-default is the page in
// the site's default language. <head>, the Link field, and the sitemap agree.
func TestLanguagesNameEachOther(t *testing.T) {
	b := build(t, languagesSite(t), withoutImages)
	sitemap := string(b.resources[plan.SitemapPath].Variants[0].Body)
	several := 0
	for _, p := range b.site.Pages {
		found := alternatesOf(b, p.Path)
		tag := b.site.View(p).Config.Language
		if len(found) == 0 {
			if len(p.Translations) > 1 && !p.Unlisted {
				t.Errorf("%s does not name a language", p.Path)
			}
			continue
		}
		several++
		if found[tag] != p.Path || found["x-default"] != found["en"] {
			t.Errorf("%s in %s names %v", p.Path, tag, found)
		}
		_, entry, _ := strings.Cut(sitemap, "<loc>"+string(b.renderer.url(p.Path))+"</loc>")
		entry, _, _ = strings.Cut(entry, "</url>")
		link := ""
		for _, f := range b.resources[p.Path].Variants[0].Fields {
			if f.Name == "Link" {
				link = f.Value
			}
		}
		for tag, other := range found {
			back := alternatesOf(b, other)
			if fmt.Sprint(back) != fmt.Sprint(found) {
				t.Errorf("%s names %v, and %s %v", p.Path, found, other, back)
			}
			url := string(b.renderer.url(other))
			if !strings.Contains(entry, `hreflang="`+tag+`" href="`+url+`"`) {
				t.Errorf("the sitemap has %q of %s, without %s in %s", entry, p.Path, url, tag)
			}
			if !strings.Contains(link, "<"+url+`>; rel="alternate"; hreflang="`+tag+`"`) {
				t.Errorf("the Link field of %s is %q, without %s in %s", p.Path, link, url, tag)
			}
		}
	}
	if several < 20 {
		t.Errorf("%d pages name their languages", several)
	}
}

// A Link field stays within the limits of servers: it names either all languages or none of them.
func TestLanguagesInLinkAreBounded(t *testing.T) {
	files := languagesSite(t)
	settings := files["content/site.yaml"]
	for _, tag := range []string{
		"bg", "cs", "da", "el", "es", "et", "fi", "fr", "ga", "hr", "hu", "it", "lt", "lv", "mt", "nl", "pl", "pt", "ro", "sk", "sl", "sv", "tr", "uk", "zh", "ko", "he", "hi",
		"en-GB", "en-AU", "fr-CA", "es-MX", "pt-BR", "zh-Hant", "de-AT", "de-CH", "sr", "mk",
	} {
		settings += "  " + tag + ": {}\n"
	}
	files["content/site.yaml"] = settings
	b := build(t, files, withoutImages)
	for _, path := range []string{"/", "/de", "/hi"} {
		if len(alternatesOf(b, path)) != 43 {
			t.Errorf("%s names %v", path, alternatesOf(b, path))
		}
		for _, f := range b.resources[path].Variants[0].Fields {
			if f.Name == "Link" && strings.Contains(f.Value, "hreflang") {
				t.Errorf("the Link field of %s has %d bytes", path, len(f.Value))
			}
		}
	}
	for _, f := range b.resources["/pricing"].Variants[0].Fields {
		if f.Name == "Link" && !strings.Contains(f.Value, `hreflang="ja"`) {
			t.Errorf("the Link field of a page in four languages is %s", f.Value)
		}
	}
}

// The pages about the JSON API, the tool, and the problems exist in each language, use its words, and link to pages in
// the same language. The problem types are the same in all languages.
func TestHelpersInEveryLanguage(t *testing.T) {
	b := build(t, languagesSite(t, "content/de/dok/werkzeug.md", "---\ntitle: Werkzeug\ntranslationOf: /cli\n---\nText.\n"), withoutImages)
	for tag, words := range map[string]string{"en": "Product information", "de": "Produktinformationen", "ja": "製品情報", "ar": "معلومات المنتج"} {
		at := ""
		if tag != "en" {
			at = "/" + tag
		}
		api := b.body(t, at+"/openapi")
		for _, want := range []string{words, "<html lang=\"" + tag, "GET /api/v1/marketing", "Schemas", at + "/problems", "&lt;/openapi&gt;; rel="} {
			if !strings.Contains(api, want) {
				t.Errorf("%s/openapi lacks %s", at, want)
			}
		}
		all := b.body(t, at+"/problems")
		for _, p := range artifact.ProblemTypes() {
			if !strings.Contains(all, at+p.Path()) {
				t.Errorf("%s/problems does not lead to %s%s", at, at, p.Path())
			}
			text := string(b.resources[at+p.Path()].Variants[1].Body)
			if !strings.Contains(text, "`https://acorn.example"+p.Path()+"`") || !strings.Contains(text, "(https://acorn.example"+at+"/problems") {
				t.Errorf("%s%s is %s", at, p.Path(), text)
			}
			if got := b.header(at+p.Path(), 0, "X-Robots-Tag"); got != "noindex" {
				t.Errorf("X-Robots-Tag of %s%s is %q", at, p.Path(), got)
			}
		}
		if found := alternatesOf(b, at+"/openapi"); len(found) != 5 || found["x-default"] != "/openapi" {
			t.Errorf("%s/openapi names %v", at, found)
		}
		if overview := b.body(t, at+"/llms.txt"); !strings.Contains(overview, "https://acorn.example"+at+"/openapi.md") {
			t.Errorf("%s/llms.txt is %s", at, overview)
		}
		if tag == "de" {
			continue
		}
		if footer := b.body(t, at+"/pricing"); !strings.Contains(footer, at+"/cli") || !strings.Contains(footer, at+"/openapi") || tag != "en" && strings.Contains(footer, `"/openapi"`) {
			t.Errorf("the footer of %s/pricing leads elsewhere", at)
		}
	}
	// A hand-written page about the tool replaces the theme's page.
	if names := alternatesOf(b, "/de/dok/werkzeug"); names["ja"] != "/ja/cli" || b.resources["/de/cli"].Path != "" || strings.Contains(b.body(t, "/de/preise"), "/cli") {
		t.Errorf("/de/cli stands beside its translation, which names %v", names)
	}
	if link := b.header("/api", 0, "Link"); !strings.Contains(link, "</openapi>") {
		t.Errorf("the operation's Link is %s", link)
	}
}

// If the operation's description has another path, that page contains the tables, and all links point to it. The site's
// templates are in its default language.
func TestTranslatedDocumentation(t *testing.T) {
	b := build(t, languagesSite(t, "content/de/schnittstelle.md", "---\ntitle: Die Schnittstelle\ntranslationOf: /openapi\n---\nText.\n",
		"templates/pages/cli.md", "---\ntitle: Our tool\n---\nText.\n", "templates/pages/docs/api.md", "---\ntitle: Our interface\n---\nText.\n"), withoutImages)
	if b.resources["/de/openapi"].Path != "" {
		t.Error("/de/openapi stands beside its translation")
	}
	for path, want := range map[string]string{
		"/de/schnittstelle": "GET /api/v1/marketing", "/de/problems": "/de/schnittstelle",
		"/cli": "Our tool", "/openapi": "Our interface", "/ja/cli": "コマンド", "/ja/openapi": "製品情報",
	} {
		if !strings.Contains(b.body(t, path), want) {
			t.Errorf("%s lacks %s", path, want)
		}
	}
}

// A site in one language doesn't mention languages, and resources shared by all languages exist once.
func TestOneLanguage(t *testing.T) {
	files := map[string]string{}
	for name, text := range languagesSite(t) {
		if !strings.HasPrefix(name, "content/de") && !strings.HasPrefix(name, "content/ja") && !strings.HasPrefix(name, "content/ar") && !strings.HasPrefix(name, "content/product.") {
			files[name] = text
		}
	}
	files["content/product.yaml"] = languagesSite(t)["content/product.yaml"]
	settings, _, _ := strings.Cut(files["content/site.yaml"], "languages:")
	files["content/site.yaml"] = settings
	b := build(t, files, withoutImages)
	for path, r := range b.resources {
		for _, v := range r.Variants {
			if text := string(v.Body); strings.Contains(text, "hreflang") && !strings.HasPrefix(path, "/assets/") || strings.Contains(fmt.Sprint(v.Fields), "Content-Language") {
				t.Errorf("%s speaks of languages", path)
			}
		}
	}
	several := build(t, languagesSite(t), withoutImages)
	for _, path := range artifact.OperationPaths() {
		if string(b.resources[path].Variants[0].Body) != string(several.resources[path].Variants[0].Body) {
			t.Errorf("%s is another in a site of several languages", path)
		}
	}
	var stemmers int
	for path := range several.resources {
		if strings.HasPrefix(path, "/assets/search-stemmer") {
			stemmers++
		}
	}
	if stemmers == 0 {
		t.Errorf("%d stemmers", stemmers)
	}
}
