package render

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"
	"unicode/utf8"

	"vitrine/internal/plan"
	"vitrine/internal/record"
	"vitrine/internal/render/media"
	"vitrine/internal/render/theme"
	"vitrine/internal/site"
	"vitrine/templates"
)

// llmsFile is the reference parser's result for an llms.txt.
type llmsFile struct {
	title, summary, info string
	sections             map[string][]llmsLink
	order                []string
}

type llmsLink struct{ title, url, desc string }

// The patterns of the reference parser (llms_txt, parse_llms_file).
var (
	llmsSection = regexp.MustCompile(`(?m)^##\s*(.*?$)`)
	llmsStart   = regexp.MustCompile(`(?ms)^#\s*(.+?$)\n+(?:^>\s*(.+?$)$)?\n+(.*)`)
	llmsLine    = regexp.MustCompile(`-\s*\[([^\]]+)\]\(([^\)]+)\)(?::\s*(.*))?`)
)

// parseLLMs is a port of the reference parser. It fails the test if the reference parser would fail or would read a
// link that differs from the link in the file.
func parseLLMs(t *testing.T, text string) llmsFile {
	t.Helper()
	f := llmsFile{sections: make(map[string][]llmsLink)}
	places := llmsSection.FindAllStringSubmatchIndex(text, -1)
	start := text
	for i, p := range places {
		if i == 0 {
			start = text[:p[0]]
		}
		end := len(text)
		if i+1 < len(places) {
			end = places[i+1][0]
		}
		name := text[p[2]:p[3]]
		if _, twice := f.sections[name]; twice {
			t.Errorf("the section %q stands twice", name)
		}
		f.order = append(f.order, name)
		f.sections[name] = nil
		for line := range strings.Lines(strings.TrimSpace(text[p[1]:end])) {
			line = strings.TrimRight(line, "\n")
			if strings.TrimSpace(line) == "" {
				continue
			}
			m := llmsLine.FindStringSubmatch(line)
			if m == nil || m[0] != line {
				t.Errorf("in %q stands what is no link: %q", name, line)
				continue
			}
			f.sections[name] = append(f.sections[name], llmsLink{m[1], m[2], m[3]})
		}
	}
	m := llmsStart.FindStringSubmatch(strings.TrimSpace(start))
	if m == nil {
		t.Fatalf("no title and text:\n%s", start)
	}
	f.title, f.summary, f.info = m[1], m[2], m[3]
	return f
}

// checkLLMs checks a site's llms.txt, and the files that it links to, against wire contract §5.
func checkLLMs(t *testing.T, b *built) llmsFile {
	t.Helper()
	text := b.body(t, plan.LLMsPath)
	f := parseLLMs(t, text)
	if n := utf8.RuneCountInString(text); n >= llmsBudget {
		t.Errorf("llms.txt has %d characters", n)
	}
	if f.title != "Parley" || f.summary == "" || strings.TrimSpace(f.info) == "" || strings.Contains(text, "\r") {
		t.Errorf("title %q, summary %q, text %q", f.title, f.summary, f.info)
	}
	if last := f.order[len(f.order)-1]; last != "Optional" {
		t.Errorf("the last section is %q", last)
	}
	for name, links := range f.sections {
		for _, l := range links {
			path := strings.TrimPrefix(l.url, b.site.Config.BaseURL)
			if _, ok := b.resources[unescaped(path)]; !ok || path == l.url {
				t.Errorf("%s does not resolve", l.url)
			}
			if !strings.HasSuffix(l.url, ".md") && !strings.HasSuffix(l.url, "/llms.txt") {
				t.Errorf("%s in %s is no Markdown", l.url, name)
			}
		}
	}
	return f
}

func unescaped(path string) string {
	return strings.NewReplacer("%28", "(", "%29", ")", "%20", " ").Replace(path)
}

// Parsers can read llms.txt even if titles and descriptions contain Markdown syntax, or if a page looks like a section
// of another kind.
func TestLLMsHostile(t *testing.T) {
	b := build(t, with(
		"content/optional.md", "---\ntitle: Optional\n---\n",
		"content/optional/below.md", "---\ntitle: \"[Below] (it)](x)\"\ndescription: \"- [no](link): at # all\"\n---\n",
		"content/pages/index.md", "---\ntitle: Pages\n---\n",
		"content/pages/one(1).md", "---\ntitle: Parentheses\n---\n",
		"content/orphans/deep/one.md", "---\ntitle: Deep\n---\n",
		"content/blog/a.md", "---\ntitle: \"## A\"\ndate: 2026-01-01\n---\n",
	))
	f := checkLLMs(t, b)
	for section, want := range map[string]string{
		"Optional (/optional)": "(Below) (it))(x)", "Pages (/pages)": "Parentheses", "deep": "Deep", "Blog": "## A",
	} {
		if links := f.sections[section]; len(links) != 1 || links[0].title != want {
			t.Errorf("%s: %v, want %q", section, links, want)
		}
	}
	// A page's description is plain text, like the product's description.
	if note, want := f.sections["Optional (/optional)"][0].desc, `\- \[no\](link): at # all`; note != want {
		t.Errorf("the description is %q, want %q", note, want)
	}
}

// If llms.txt would be too long, its longest sections move to separate files, and small sections stay in llms.txt. Each
// file is within the budget and readable by the same parser, and no page is missing.
func TestLLMsSplit(t *testing.T) {
	files := sampleFacts()
	for i := range 900 {
		files[fmt.Sprintf("content/blog/post-%03d.md", i)] = fmt.Sprintf("---\ntitle: Post %d\ndate: 2024-01-%02d\ndescription: %s\n---\n", i, 1+i%28, strings.Repeat("word ", 15))
	}
	files["content/docs/index.md"] = "---\ntitle: Docs\n---\n"
	files["content/docs/one.md"] = "---\ntitle: One\n---\n"
	b := build(t, files, withoutImages)
	f := checkLLMs(t, b)
	if links := f.sections["Docs"]; len(links) == 0 || links[0].title != "One" {
		t.Errorf("the small section is %v", links)
	}
	listed := make(map[string]bool)
	parts := make(map[string]bool)
	for _, part := range f.sections["Blog"] {
		parts[part.url] = true
	}
	for _, part := range f.sections["Blog"] {
		text := b.body(t, strings.TrimPrefix(part.url, b.site.Config.BaseURL))
		if n := utf8.RuneCountInString(text); n >= llmsBudget {
			t.Errorf("%s has %d characters", part.url, n)
		}
		if got := b.header(strings.TrimPrefix(part.url, b.site.Config.BaseURL), 0, "Content-Type"); got != media.Markdown && strings.HasSuffix(part.url, ".md") {
			t.Errorf("%s is %s", part.url, got)
		}
		for _, links := range parseLLMs(t, text).sections {
			for _, l := range links {
				if !parts[l.url] {
					listed[l.url] = true
				}
			}
		}
	}
	if len(listed) != 900 || len(f.sections["Blog"]) < 2 {
		t.Errorf("%d articles are listed in %d parts", len(listed), len(f.sections["Blog"]))
	}
}

// A section of more than a hundred pages has its own llms.txt, regardless of line lengths. Pages in the folder link to
// this llms.txt, and each of its parts links to the next part. Pages in other folders link to the site's llms.txt.
func TestLLMsByPath(t *testing.T) {
	files := sampleFacts()
	files["content/docs/index.md"] = "---\ntitle: Docs\n---\n"
	files["content/docs/deep/index.md"] = "---\ntitle: Deep\n---\n"
	for i := range 120 {
		files[fmt.Sprintf("content/docs/deep/p%03d.md", i)] = fmt.Sprintf("---\ntitle: Page %d\n---\n", i)
	}
	for i := range 900 {
		files[fmt.Sprintf("content/manual/p%03d.md", i)] = fmt.Sprintf("---\ntitle: Page %d\ndescription: %s\n---\n", i, strings.Repeat("word ", 15))
	}
	files["content/small/one.md"] = "---\ntitle: One\n---\n"
	b := build(t, files, withoutImages)
	f := checkLLMs(t, b)
	if links := f.sections["Docs"]; len(links) != 1 || links[0].url != "https://parley.example/docs/llms.txt" {
		t.Errorf("the documentation is %v", links)
	}
	own := parseLLMs(t, b.body(t, "/docs/llms.txt"))
	if links := own.sections["Docs"]; len(links) < 121 || own.summary == "" || !strings.Contains(own.info, "https://parley.example/llms.txt") {
		t.Errorf("/docs/llms.txt has %d links, %q", len(links), own.info)
	}
	for page, llms := range map[string]string{"/docs": "/docs/llms.txt", "/docs/deep/p001": "/docs/llms.txt", "/manual/p899": "/manual/llms.txt", "/small/one": "/llms.txt", "/": "/llms.txt"} {
		want := "<" + llms + `>; rel="describedby"; type="text/plain"`
		twin := strings.Replace(page+".md", "/.md", "/index.md", 1)
		for _, link := range []string{b.header(page, 0, "Link"), b.header(page, 1, "Link"), b.header(twin, 0, "Link")} {
			if !strings.Contains(link, want) {
				t.Errorf("%s: no %s in %s", page, want, link)
			}
		}
		html := b.body(t, page)
		if _, rest, _ := strings.Cut(html, "<body>\n"); !strings.Contains(html, `<link rel="describedby" href="`+llms+`"`) ||
			!strings.HasPrefix(rest, `<aside class="agents"`) || !strings.Contains(rest[:400], `<a href="`+twin+`" type="text/markdown" tabindex="-1">`) || !strings.Contains(rest[:400], `<a href="`+llms+`" tabindex="-1">llms.txt</a>`) {
			t.Errorf("%s: its body begins %.400s", page, rest)
		}
		// The pointer line links to the llms.txt of the site and of a large section.
		wants := []string{"\n\n<https://parley.example" + page + ">", "(https://parley.example/llms.txt)"}
		if llms != "/llms.txt" {
			wants = append(wants, " · <https://parley.example"+llms+">\n")
		}
		text := b.body(t, twin)
		for _, want := range wants {
			if !strings.Contains(text, want) {
				t.Errorf("%s lacks %q and begins %.300s", twin, want, text)
			}
		}
	}
	listed := 0
	for path := "/manual/llms.txt"; path != ""; {
		text, next := b.body(t, path), ""
		if n := utf8.RuneCountInString(text); n >= llmsBudget {
			t.Errorf("%s has %d characters", path, n)
		}
		for _, links := range parseLLMs(t, text).sections {
			for _, l := range links {
				if local := strings.TrimPrefix(l.url, "https://parley.example"); strings.HasPrefix(local, "/llms/") {
					next = local
				} else {
					listed++
				}
			}
		}
		path = next
	}
	if listed != 900 {
		t.Errorf("from part to part there are %d pages of 900", listed)
	}
}

// On the smallest site, with and without articles, at least nine of ten links in llms.txt point to Markdown. llms.txt
// also links to other files.
func TestLLMsOfASmallSite(t *testing.T) {
	files := sampleFacts()
	files["content/blog/a.md"] = "---\ntitle: A\ndate: 2026-01-01\n---\n"
	for name, b := range map[string]*built{"bare": build(t, sampleFacts()), "with an article": build(t, files)} {
		f, all, markdown := checkLLMs(t, b), 0, 0
		for _, links := range f.sections {
			for _, l := range links {
				all++
				if strings.HasSuffix(l.url, ".md") {
					markdown++
				}
			}
		}
		if all < 3 || markdown*10 < all*9 {
			t.Errorf("%s: %d links of %d are Markdown", name, markdown, all)
		}
		for _, path := range []string{"/openapi.json", "/api", "/llms-full.txt", "/sitemap.xml"} {
			if !strings.Contains(f.info, "`https://parley.example"+path+"`") {
				t.Errorf("%s: %s is not named", name, path)
			}
		}
	}
}

// A request for a sitemap in Markdown is redirected to the list of all pages, unless the site has its own resource
// there.
func TestMarkdownMap(t *testing.T) {
	found := func(b *built) string { return b.resources["/sitemap.md"].Location }
	if b := build(t, with("content/search.md", "---\ntitle: Find it\nlayout: search\n---\nText.\n")); found(b) != "/search.md" {
		t.Errorf("/sitemap.md leads to %q", found(b))
	}
	if b := build(t, with("content/search.md", "---\ntitle: Find it\nlayout: search\n---\nText.\n", "content/sitemap.md", "---\ntitle: Our map\n---\nText.\n")); found(b) != "" {
		t.Errorf("a page's own Markdown at /sitemap.md became %q", found(b))
	}
}

// The collected text of many pages stays within its budget. Only the oldest articles are omitted, no other pages, and
// the file lists all omitted articles.
func TestFullTextBudget(t *testing.T) {
	s := &site.Site{Config: site.Config{BaseURL: "https://parley.example", Title: "Parley", Language: "en"}}
	used, _, err := theme.Load(s, fstest.MapFS{}, templates.FS, nil)
	if err != nil {
		t.Fatal(err)
	}
	r := &Renderer{site: s, theme: used}
	f := fullText{path: plan.LLMsFullPath, budget: 1000}
	text := []byte(strings.Repeat("x", 99) + "\n")
	for i := range 30 {
		p := &site.Page{Path: fmt.Sprintf("/blog/%02d", i)}
		rank := 30 - i // the last page is the newest
		if i == 3 {
			p.Path, rank = "/page", 0
		}
		f.add(pageText{page: p, size: len(text), text: func() ([]byte, error) { return text, nil }, rank: rank, turn: i})
		if f.size > f.budget {
			t.Fatalf("%d bytes are kept", f.size)
		}
	}
	f.sort()
	files, err := r.fullText(t.Context(), &f, "All")
	if err != nil {
		t.Fatal(err)
	}
	got := string(files[0].Variants[0].Body)
	for i := 21; i < 30; i++ {
		if !strings.Contains(got, fmt.Sprintf("Source: https://parley.example/blog/%02d\n", i)) {
			t.Errorf("the new article %d is left out", i)
		}
	}
	if !strings.Contains(got, "Source: https://parley.example/page\n") {
		t.Error("the page is left out")
	}
	if !strings.Contains(got, "\n- https://parley.example/blog/20.md\n") || strings.Contains(got, "Source: https://parley.example/blog/20\n") {
		t.Error("it does not say what is left out")
	}
}

// The line that links to llms.txt follows the title in every twin except the twin of the 404 page, and isn't in the
// collected text.
func TestPointer(t *testing.T) {
	b := build(t, posts(with("content/a.md", "---\ntitle: A\ntags: [x]\n---\n> Begins with a quotation.\n"), 3))
	for path, r := range b.resources {
		if len(r.Variants) != 2 || path == "404" {
			continue
		}
		lines := strings.SplitN(string(r.Variants[1].Body), "\n", 5)
		if !strings.HasPrefix(lines[0], "# ") || lines[1] != "" || !strings.Contains(lines[2], "(https://parley.example/llms.txt)") || lines[3] != "" {
			t.Errorf("%s begins with %q", path, lines)
		}
	}
	if strings.Contains(b.body(t, plan.LLMsFullPath), "for language models") {
		t.Error("the line is repeated in llms-full.txt")
	}
}

// pointed keeps the title in the first line of a twin, and writes the pointer line after the title.
func TestPointedKeepsTitle(t *testing.T) {
	for twin, want := range map[string]string{
		"# A\n\nText.\n": "# A\n\nLINE\n\nText.\n",
		"# A\n":          "# A\n\nLINE\n",
		"# A":            "# A\nLINE\n",
		"# A\nText.\n":   "# A\n\nLINE\n\nText.\n",
		"Text.\n":        "LINE\n\nText.\n",
		"":               "LINE\n",
	} {
		var out bytes.Buffer
		var twinOf record.Twin
		if noteTwin(&twinOf, &out, []byte(twin), []byte("LINE\n")); out.String() != want {
			t.Errorf("%q gives %q, want %q", twin, &out, want)
		}
		if plain, err := plainTwin(&twinOf, out.Bytes()); err != nil || string(plain) != twin {
			t.Errorf("%q without the line is %q, %v; want %q", &out, plain, err, twin)
		}
	}
}

// shortText accepts text up to a number of bytes, not counting line ends.
func TestShortText(t *testing.T) {
	short := shortText{left: 4}
	for _, text := range []string{"ab\n", "\n\n", "c\nd"} {
		if _, err := short.Write([]byte(text)); err != nil {
			t.Fatalf("%q: %v", text, err)
		}
	}
	if _, err := short.Write([]byte("e")); !errors.Is(err, errLong) {
		t.Errorf("one byte more gives %v", err)
	}
	if got := short.text.String(); got != "ab\n\n\nc\nd" {
		t.Errorf("got %q", got)
	}
}
