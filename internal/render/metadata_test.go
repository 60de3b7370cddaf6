package render

import (
	"bytes"
	"encoding/json"
	"maps"
	"regexp"
	"strings"
	"testing"

	"vitrine/internal/rule"
	"vitrine/internal/site"
)

var dataBlock = regexp.MustCompile(`(?s)<script type="application/ld\+json">(.*?)</script>`)

// graphOf returns the nodes of a page's structured data by type.
func graphOf(t *testing.T, page string) map[string]map[string]any {
	t.Helper()
	blocks := dataBlock.FindAllStringSubmatch(page, -1)
	if len(blocks) != 1 {
		t.Fatalf("%d blocks of data", len(blocks))
	}
	var doc struct {
		Context string           `json:"@context"`
		Graph   []map[string]any `json:"@graph"`
	}
	if err := json.Unmarshal([]byte(blocks[0][1]), &doc); err != nil {
		t.Fatal(err)
	}
	nodes := make(map[string]map[string]any)
	for _, n := range doc.Graph {
		nodes[n["@type"].(string)] = n
	}
	if doc.Context != schemaContext {
		t.Errorf("the context is %q", doc.Context)
	}
	return nodes
}

// Only the home page and price lists have structured data about the product, with an offer for each plan. Articles have
// a BlogPosting, and every page except the home page has breadcrumbs.
func TestStructuredData(t *testing.T) {
	b := build(t, posts(with("content/pricing.md", "---\ntitle: Pricing\n---\n", "content/a/index.md", "---\ntitle: A\n---\n", "content/a/b.md", "---\ntitle: B\nlayout: pricing\n---\n"), 1))
	for path, want := range map[string]string{
		"/": "Organization Product", "/pricing": "BreadcrumbList Organization Product",
		"/a/b": "BreadcrumbList Organization Product", "/a": "BreadcrumbList Organization",
		"/blog": "BreadcrumbList Organization", "/blog/post-000": "BlogPosting BreadcrumbList Organization",
	} {
		nodes := graphOf(t, b.body(t, path))
		var got []string
		for _, kind := range []string{"BlogPosting", "BreadcrumbList", "Organization", "Product"} {
			if nodes[kind] != nil {
				got = append(got, kind)
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %v, want %s", path, got, want)
		}
	}
	offers := graphOf(t, b.body(t, "/"))["Product"]["offers"].([]any)
	if len(offers) != 2 || offers[1].(map[string]any)["price"] != 49.5 || !strings.Contains(b.body(t, "/"), `"price":49.50,`) {
		t.Errorf("the offers are %v", offers)
	}
	crumbs := graphOf(t, b.body(t, "/a/b"))["BreadcrumbList"]["itemListElement"].([]any)
	var way []string
	for _, c := range crumbs {
		way = append(way, c.(map[string]any)["name"].(string)+" "+c.(map[string]any)["item"].(string))
	}
	if got, want := strings.Join(way, ", "), "Parley https://parley.example/, A https://parley.example/a, B https://parley.example/a/b"; got != want {
		t.Errorf("the way is %s, want %s", got, want)
	}
}

// hostile is text that would end an attribute, an element, or a data block.
const hostile = `</script><script>alert(1)</script><!-- "'&amp; ]]> \u2028 ` + "\u2028"

// Text from editors can't escape its context.
func TestMetadataIsSafe(t *testing.T) {
	b := build(t, posts(sampleFacts(), 1), func(s *site.Site) {
		s.Config.Title, s.Config.Description = hostile, hostile
		s.Product.Name, s.Product.Description = hostile, hostile
		s.Product.Capabilities, s.Product.Pricing.Plans[0].Name = []string{hostile}, hostile
		s.Authors = []*site.Author{{Key: "key", Name: hostile, Bio: hostile, URL: "https://parley.example/" + hostile}}
		for _, p := range s.Pages {
			p.Title, p.Description, p.Series, p.Tags = hostile, hostile, hostile, []string{hostile}
			p.Authors = []site.Reference{{Target: "key"}, {Target: hostile}}
		}
	})
	for path, r := range b.resources {
		if len(r.Variants) != 2 {
			continue
		}
		page := string(r.Variants[0].Body)
		scripts := strings.Count(page, "<script")
		if own := strings.Count(page, `<script type="application/ld+json">`) + strings.Count(page, `<script src="/assets/`); scripts != own {
			t.Errorf("%s has a script of an editor's", path)
		}
		if strings.Contains(page, "alert(1)</script>") || strings.Contains(page, "<!-- ") {
			t.Errorf("%s: a text left its place", path)
		}
		if path != "404" {
			graphOf(t, page)
		}
	}
	if title := graphOf(t, b.body(t, "/blog/post-000"))["BlogPosting"]["headline"]; title != hostile {
		t.Errorf("the headline is %q", title)
	}
}

// A page with its own image doesn't get a generated image. Pages with the same title share an image. A site can disable
// generated images.
func TestSocialImages(t *testing.T) {
	files := with(
		"content/own.md", "---\ntitle: Own\nimage: /pic.png\n---\n",
		"content/one.md", "---\ntitle: Same\n---\n",
		"content/two.md", "---\ntitle: Same\n---\n",
		"content/static/pic.png", "png",
	)
	b := build(t, posts(files, 45))
	image := regexp.MustCompile(`<meta property="og:image" content="https://parley\.example([^"]*)">`)
	of := func(path string) string {
		m := image.FindStringSubmatch(b.body(t, path))
		if m == nil {
			t.Fatalf("%s has no image", path)
		}
		return m[1]
	}
	if got := of("/own"); got != "/pic.png" {
		t.Errorf("the page's own image is %s", got)
	}
	if of("/one") != of("/two") || of("/one") == of("/") {
		t.Error("images are not shared by title")
	}
	if of("/blog") != of("/blog/page/3") {
		t.Error("the parts of a list have images of their own")
	}
	made := 0
	for path, r := range b.resources {
		if !strings.HasPrefix(path, socialFolder) {
			continue
		}
		if made++; !bytes.HasPrefix(r.Variants[0].Body, []byte("\x89PNG")) || b.header(path, 0, "Cache-Control") != "public, max-age=31536000, immutable" {
			t.Errorf("%s is no image that caches may keep", path)
		}
	}
	used := make(map[string]bool)
	for path, r := range b.resources {
		if len(r.Variants) == 2 && path != "404" && path != "/own" {
			used[of(path)] = true
		}
	}
	if made != len(used) {
		t.Errorf("%d images are made and %d used", made, len(used))
	}
	none := build(t, files, func(s *site.Site) { s.Config.Social.NoImages = true })
	for path := range none.resources {
		if strings.HasPrefix(path, socialFolder) {
			t.Errorf("%s is made", path)
		}
	}
	if strings.Contains(none.body(t, "/one"), "og:image") || !strings.Contains(none.body(t, "/one"), `content="summary"`) {
		t.Error("a page leads to an image that is not there")
	}
}

// memory is a Cache that counts its hits.
type memory struct {
	kept map[uint64][]byte
	hits int
}

func (m *memory) Get(key uint64) ([]byte, bool) {
	data, ok := m.kept[key]
	if ok {
		m.hits++
	}
	return data, ok
}

func (m *memory) Put(key uint64, data []byte) { m.kept[key] = data }

// Each image is generated only once. An image from the cache equals a new image, and the next build reuses an image
// unless its text has changed.
func TestSocialCache(t *testing.T) {
	b := build(t, with("content/a.md", "---\ntitle: A\n---\n"))
	a := b.renderer.lists.Pages["/a"]
	plain, _ := b.renderer.socialImage(a)
	cache := &memory{kept: make(map[uint64][]byte)}
	b.renderer.Cache = cache
	for i, hits := range []int{0, 1, 2} {
		got, ok := b.renderer.socialImage(a)
		if !ok || !bytes.Equal(got.Variants[0].Body, plain.Variants[0].Body) || cache.hits != hits {
			t.Errorf("turn %d: %t, %d hits", i, ok, cache.hits)
		}
	}
	changed := build(t, with("content/a.md", "---\ntitle: Another\n---\n"))
	if image, _ := changed.renderer.socialImage(changed.renderer.lists.Pages["/a"]); image.Path == plain.Path {
		t.Error("another text has the same image")
	}
}

// Characters that no font has are reported once per site, at one page.
func TestFontProblems(t *testing.T) {
	pages := with("content/a.md", "---\ntitle: བོད་ཡིག\n---\n", "content/b.md", "---\ntitle: བོད\n---\n", "content/c.md", "---\ntitle: 日本語 Ελληνικά ไทย\n---\n")
	for name, c := range map[string]struct {
		config, want string
	}{
		"a page":               {"", "content/a.md: warning: no available font contains 'བ' from the titles of this page and 1 more (Tibetan script), so the social image shows the site's name instead; add a font with these characters to templates/fonts, or set an image in the front matter [V067]"},
		"the name of the site": {"-", "content/a.md: warning: no available font contains 'བ' from the titles of this page and 1 more (Tibetan script), so the social image shows the logo instead; add a font with these characters to templates/fonts, or set an image in the front matter [V067]"},
	} {
		files := maps.Clone(pages)
		if c.config == "-" {
			files["content/site.yaml"] = strings.Replace(files["content/site.yaml"], "title: Parley", "title: བོད", 1)
		}
		b := build(t, files)
		var got []string
		for _, p := range b.problems {
			if p.Code == rule.NoLetters {
				got = append(got, p.String())
			}
		}
		if len(got) != 1 || got[0] != c.want {
			t.Errorf("%s: got\n%s\nwant\n%s", name, strings.Join(got, "\n"), c.want)
		}
	}
}

// A language tag with a country becomes a locale. openGraphLocale doesn't guess a missing country.
func TestOpenGraphLocale(t *testing.T) {
	for tag, want := range map[string]string{"en": "", "de-AT": "de_AT", "zh-Hant-TW": "zh_TW", "pt-BR": "pt_BR", "x": ""} {
		if got := openGraphLocale(tag); got != want {
			t.Errorf("%s: %q, want %q", tag, got, want)
		}
	}
}

// Only the home page describes the site and, if there is one, its search.
func TestWebSite(t *testing.T) {
	const site, search = `{"@type":"WebSite","@id":"https://parley.example/#website"`, `"urlTemplate":"https://parley.example/search?q={query}"},"query-input":"required name=query"`
	b := build(t, with("content/search.md", "---\ntitle: Find it\nlayout: search\n---\nText.\n", "content/plain.md", "---\ntitle: Plain\n---\nText.\n"))
	if home := b.body(t, "/"); !strings.Contains(home, site) || !strings.Contains(home, search) {
		t.Error("the home page does not describe the site and its search")
	}
	if strings.Contains(b.body(t, "/plain"), site) {
		t.Error("another page describes the site too")
	}
	if home := build(t, with("content/search.md", "---\ntitle: What we look for\n---\nText.\n")).body(t, "/"); !strings.Contains(home, site) || strings.Contains(home, "SearchAction") {
		t.Error("a site without a search has one in its description, or is not described")
	}
}

// A page's social image has alternative text even if the editor provides the image.
func TestWordsOfASharedImage(t *testing.T) {
	b := build(t, with("content/own.md", "---\ntitle: Own\nimage: ./own.png\n---\nText.\n", "content/own.png", "not looked at here"))
	for _, tag := range []string{`<meta property="og:image:alt" content="Own · Parley">`, `<meta name="twitter:image:alt" content="Own · Parley">`} {
		if !strings.Contains(b.body(t, "/own"), tag) {
			t.Errorf("no %s", tag)
		}
	}
}

// A page loads only its components' scripts and stylesheets. A component's stylesheet follows the theme's stylesheet,
// so that its rules can override the theme's rules.
func TestComponentAssets(t *testing.T) {
	b := build(t, with(
		"content/one.md", "# One\n\n::::tabs\n:::tab[A]\nb\n:::\n::::\n",
		"content/two.md", "# Two\n\n:::details[A]\nb\n:::\n\n:::clock\n:::\n",
		"content/index.md", "# Home\n\n:::note\nb\n:::\n",
		"templates/components/clock.html", "<p>clock</p>", "templates/components/clock.md", "clock", "templates/assets/clock.js", "1\n",
		"templates/assets/clock.css", ".clock { color: var(--accent) }\n",
	), withoutImages)
	for path, want := range map[string]string{"/one": "/assets/tabs.", "/two": "/assets/clock.", "/": ""} {
		html := string(b.resources[path].Variants[0].Body)
		for _, script := range []string{"/assets/tabs.", "/assets/clock."} {
			if asks := strings.Contains(html, `<script src="`+script); asks != (script == want) {
				t.Errorf("%s: asks for %s: %t\n%s", path, script, asks, html)
			}
		}
		own, theirs := strings.Index(html, `<link rel="stylesheet" href="/assets/clock.`), strings.Index(html, `<link rel="stylesheet" href="/assets/style.`)
		if path == "/two" && own < theirs || path != "/two" && own >= 0 {
			t.Errorf("%s: the component's stylesheet stands at %d, the theme's at %d\n%s", path, own, theirs, html)
		}
	}
}
