package search_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"vitrine/internal/search"
)

// page returns a page whose Markdown is text under title. Its headings' anchors are formed from their words.
func page(path, title, text string) search.Page {
	p := search.Page{Path: path, Title: title, Twin: []byte("# " + title + "\n\n" + text + "\n")}
	for line := range strings.Lines(text) {
		if heading, ok := strings.CutPrefix(strings.TrimSpace(line), "## "); ok {
			p.Headings = append(p.Headings, search.Heading{ID: strings.ReplaceAll(strings.ToLower(heading), " ", "-"), Text: heading})
		}
	}
	return p
}

// paths returns the paths of a search's results.
func (a *answer) paths() []string {
	var list []string
	for _, r := range a.Results {
		list = append(list, r.Path)
	}
	return list
}

// show joins parts, enclosing matches in brackets.
func show(parts []part) string {
	var out strings.Builder
	for _, p := range parts {
		if p[1] == true {
			fmt.Fprintf(&out, "[%s]", p[0])
		} else {
			fmt.Fprint(&out, p[0])
		}
	}
	return out.String()
}

// filler adds enough pages that the index needs several files.
func filler(pages []search.Page) []search.Page {
	for i := range 300 {
		text := "## Part\n\n"
		for j := range 60 {
			text += fmt.Sprintf("qx%dz%d ", i, j)
		}
		pages = append(pages, page(fmt.Sprintf("/filler/%d", i), fmt.Sprintf("Filler %d", i), text))
	}
	return pages
}

// Searches find the expected pages, whether the index has one file or many.
func TestSearch(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		language string
		pages    []search.Page
		// queries contains the paths of the expected results, keyed by query.
		queries map[string]string
	}{
		{"en", []search.Page{
			page("/install", "Installing the connector", "Run the program.\n\n## Requirements\n\nYou need a configuration file and v2.5 of `foo_bar`.\n"),
			page("/prices", "Plans and prices", "A team pays for every seat. See [installation](https://elsewhere.example/hidden).\n"),
			page("/cafe", "A café", "The naïve approach to ordering. Documentation of the connection.\n\n## Opening hours\n\nEvery day.\n"),
			page("/html", "Markup <b>bold</b>", "It says <script>alert(1)</script> & \"quotes\" there.\n"),
		}, map[string]string{
			"install": "/install /prices", "INSTALLED": "/install /prices", "price": "/prices", "priced": "/prices",
			"cafe": "/cafe", "CAFÉ": "/cafe", "naive": "/cafe", "configuration installing": "/install",
			"confguration": "/install", "cofniguration": "/install", "konfigurasion": "/install", "documentaton": "/cafe", "dcoumentatoin": "/cafe",
			"requirments": "/install", "conn": "/install /cafe", "docum": "/cafe", "foo": "/install", "bar v2": "/install",
			"hidden": "", "elsewhere": "", "zzzzzz": "", "seet": "", "": "", "script": "/html", "<b>": "/html", "opening hour": "/cafe", "  seat  ": "/prices",
		}},
		{"de", []search.Page{
			page("/haus", "Häuser kaufen", "Die Straße führt zum Haus.\n"), page("/preis", "Preisübersicht", "Verkäufer und Verkäufe."),
		}, map[string]string{"haus": "/haus", "Hauser": "/haus", "HÄUSER": "/haus", "strasse": "/haus", "verkauf": "/preis", "Preisuebersicht": "/preis", "preisubersich": "/preis"}},
		{"fr", []search.Page{page("/r", "Réserver une table", "Vous avez réservé. L’eau est fraîche."), page("/m", "Le marché", "Rien.")},
			map[string]string{"réservations": "/r", "reserve": "/r", "eau": "/r", "fraiche": "/r", "marche": "/m", "marchés": "/m"}},
		{"ja", []search.Page{page("/ja", "日本語の検索", "東京都の井戸水と料金プラン。"), page("/other", "価格", "大阪の水道。")},
			map[string]string{"検索": "/ja", "東京": "/ja", "料金プラン": "/ja", "水": "/ja /other", "水道": "/other", "プラソ": "/ja", "価格表": "/other"}},
		{"ko", []search.Page{page("/ko", "가격 안내", "우리는 검색을 제공합니다.")}, map[string]string{"가격": "/ko", "검색": "/ko", "색을": "/ko", "없는": ""}},
		{"ar", []search.Page{page("/ar", "المدرسة الكبيرة", "كتب أحمد الرسالة إلى المعلمين."), page("/b", "مُحَمَّد", "على"), page("/wasla", "ٱلشجرة", "و")},
			map[string]string{"مدرسة": "/ar", "مدرسه": "/ar", "احمد": "/ar", "معلم": "/ar", "محمد": "/b", "علي": "/b", "شجرة": "/wasla", "ٱلشجرة": "/wasla", "الشجرة": "/wasla"}},
		{"ru", []search.Page{page("/ru", "Учителя и книги", "Ёлка.")}, map[string]string{"книга": "/ru", "книгами": "/ru", "елка": "/ru", "ёлки": "/ru"}},
		{"he", []search.Page{page("/he", "שָׁלוֹם", "עולם"), page("/arch", "ארכיונים", "ארץ.")}, map[string]string{"שלום": "/he", "שלומ": "/he", "ארצ": "/arch", "ארכיון": "/arch", "עולן": ""}},
		// The script of a word, not the language of the page, determines how it is split.
		{"en", []search.Page{page("/node", "Node.js入門", "ﾃﾞｰﾀを読む。 It installs Ｎｏｄｅ．"), page("/quran", "ٱلكتاب", "المدرسة"), page("/th", "ภาษาไทย", "ไม่มีช่องว่าง")},
			map[string]string{"Node.js入門": "/node", "入門": "/node", "門": "/node", "データ": "/node", "ﾃﾞｰﾀ": "/node", "テ\u3099ータ": "/node", "デ": "/node", "installing": "/node", "node": "/node", "入問": "", "الكتاب": "/quran", "المدرسه": "/quran", "ไทย": "/th", "ย": "/th"}},
	} {
		for _, apart := range []bool{false, true} {
			pages := c.pages
			if apart {
				pages = filler(slices.Clone(pages))
			}
			x := index(t, c.language, apart, pages)
			if depth := x.start["depth"]; (depth == 0) == apart || !apart && x.files != 1 {
				t.Errorf("%s: %d files, %v deep", c.language, x.files, depth)
			}
			var queries []string
			for q := range c.queries {
				queries = append(queries, q)
			}
			for i, a := range x.find(t, false, queries...) {
				got := a.paths()
				slices.Sort(got)
				want := strings.Fields(c.queries[queries[i]])
				slices.Sort(want)
				if !slices.Equal(got, want) || a.Count != len(want) {
					t.Errorf("%s: %q in an index of %d files: %d, %q, want %q", c.language, queries[i], x.files, a.Count, got, want)
				}
			}
		}
	}
}

// A match in a title ranks above a match in a heading, which ranks above a match in text. A short page about a word
// ranks above a long page that mentions it.
func TestRanking(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("other words stand here ", 100)
	x := index(t, "en", false, []search.Page{
		page("/mention", "Something", "A widget. "+long), page("/text", "Another", "The widget is a widget among widgets."),
		page("/heading", "Third", "## A widget\n\n"+long), page("/title", "The widget", long), page("/none", "None", long),
	})
	answers := x.find(t, false, "widget", "widget another")
	if got := answers[0].paths(); !slices.Equal(got, []string{"/title", "/heading", "/text", "/mention"}) {
		t.Errorf("the order is %q", got)
	}
	if got := answers[1].paths(); !slices.Equal(got, []string{"/text"}) {
		t.Errorf("with both words: %q", got)
	}
}

// A page with Aside set ranks after pages that only mention a word, but first for a word in its title.
func TestPagesAsideRankLast(t *testing.T) {
	t.Parallel()
	tool := page("/tool", "The tool", "## A widget\n\nThe widget is a widget among widgets.")
	tool.Aside = true
	x := index(t, "en", false, []search.Page{tool, page("/mention", "Something", "A widget and a tool. "+strings.Repeat("other words stand here ", 40))})
	answers := x.find(t, false, "widget", "tool")
	if got := answers[0].paths(); !slices.Equal(got, []string{"/mention", "/tool"}) {
		t.Errorf("the order is %q", got)
	}
	if got := answers[1].paths(); !slices.Equal(got, []string{"/tool", "/mention"}) {
		t.Errorf("the order for the title is %q", got)
	}
}

// A page with the word in its title ranks above articles that contain it everywhere else, and a short title ranks above
// a long one. Words in tables are found but not shown in results.
func TestTitlesRankFirst(t *testing.T) {
	t.Parallel()
	article := func(path string) search.Page {
		p := page(path, "What we changed in spring", "## The bearing\n\n"+strings.Repeat("A bearing and a bearing. ", 20))
		p.Description, p.Tags = "Why the bearing of the wheel is new.", []string{"bearing"}
		return p
	}
	x := index(t, "en", false, []search.Page{
		article("/blog/one"), article("/blog/two"), page("/long", "How the team that looks after wheels replaced a bearing in one day", "Text."),
		page("/bearings", "Bearings of the H3", "Sizes follow.\n\n| Part | Size |\n| --- | --- |\n| Front | 7201B |\n"),
	})
	answers := x.find(t, false, "bearing", "7201b")
	if got := answers[0].paths(); !slices.Equal(got, []string{"/bearings", "/long", "/blog/one", "/blog/two"}) {
		t.Errorf("the order is %q", got)
	}
	if got := answers[1].paths(); !slices.Equal(got, []string{"/bearings"}) {
		t.Fatalf("a size in a table finds %q", got)
	}
	for _, r := range answers[1].Results {
		for _, s := range r.Sections {
			if text := show(s.Snippet); strings.Contains(text, "7201") || strings.Contains(text, "Part Size") {
				t.Errorf("the snippet %q has a row of a table", text)
			}
		}
	}
}

// Results link to the section that contains the words and show the surrounding text, even on long pages.
func TestSnippets(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("Nothing of note happens here at all. ", 600)
	x := index(t, "en", false, []search.Page{
		page("/doc", "Guide", "Begin here.\n\n## First steps\n\n"+long+"\n\n## Last steps\n\n"+long+"Then the engine & <i> starts quickly. "+long+"\n"),
		page("/two", "Second", "An engine.\n\n## Engines\n\nMany.\n"), page("/ja", "その他", "東京都の井戸水。"),
	})
	answers := x.find(t, false, "engines start", "engine", "井戸水")
	for _, want := range []struct {
		in            int
		path, heading string
		snippet       string
	}{
		{0, "/doc#last-steps", "Last steps", "the [engine] & <i> [starts] quickly."},
		{1, "/two#engines", "[Engines]", "Many."},
		{2, "/ja", "", "東京都の[井戸水]。"},
	} {
		found := false
		for _, r := range answers[want.in].Results {
			for _, s := range r.Sections {
				text := show(s.Snippet)
				found = found || s.Path == want.path && show(s.Heading) == want.heading && strings.Contains(text, want.snippet)
				if len(text) > 260 {
					t.Errorf("a snippet has %d bytes", len(text))
				}
			}
		}
		if !found {
			t.Errorf("%q is not in %v", want.snippet, answers[want.in].Results)
		}
	}
}

// The text of a section contains no Markdown syntax.
func TestSections(t *testing.T) {
	t.Parallel()
	got := search.Sections("# Title\n\nA *few* **words**, `co_de*`, [a link](https://x.example/(a) \"t\") and <https://y.example>.\n\n"+
		"- one\n- [x] two\n1. three\n> quote\n\n## Own heading\n\nsnake_case _em_ \\* 1 &lt; 2 ![alt](i.png)\n\n"+
		"| a | b |\n| --- | --: |\n| 1 | 2 |\n\n```go\n# no heading\nx := `a`\n```\n\n## Of the layout\n\nEnd ~~old~~ ~5.\n",
		[]search.Heading{{ID: "own", Text: "Own heading"}, {ID: "later", Text: "Later"}})
	want := [][3]string{
		{"", "", "A few words, co_de*, a link and . one two three quote"},
		{"own", "Own heading", "snake_case em * 1 < 2 alt # no heading x := `a` Of the layout End old ~5."},
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// The same pages produce the same files, and a changed page leaves most files unchanged.
func TestIndexIsStable(t *testing.T) {
	t.Parallel()
	build := func(pages []search.Page) map[string]bool {
		files := make(map[string]bool)
		if _, err := builder(records(t, "en", "", pages)).Build(func(body []byte) (uint64, error) {
			files[string(body)] = true
			return write(t, t.TempDir(), body), nil
		}); err != nil {
			t.Fatal(err)
		}
		return files
	}
	pages := filler(nil)
	first, second := build(pages), build(slices.Clone(pages))
	pages[150].Twin = append(pages[150].Twin, "One more sentence.\n"...)
	changed := build(pages)
	kept := 0
	for body := range first {
		if !second[body] {
			t.Error("the same pages give another index")
		}
		if changed[body] {
			kept++
		}
	}
	if kept < len(first)*2/3 {
		t.Errorf("after an edit %d files of %d are as they were", kept, len(first))
	}
}

// The destination of a link is not text, regardless of its length. After many unclosed marks, however, a long
// destination becomes text because the search for its end is then limited. Without the limit, the time would be
// quadratic in the number of marks.
func TestLongMarks(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("data/", 4<<10)
	got := search.Sections("A ![picture]("+long+") [link](<"+long+">) <https://x.example/"+long+"> `"+long+"` end\n", nil)
	if want := [][3]string{{"", "", "A picture link " + long + " end"}}; !slices.Equal(got, want) {
		t.Errorf("got %.200q", got)
	}
	if got := search.Sections(strings.Repeat("](", 9)+long+")", nil); !strings.Contains(got[0][2], long) {
		t.Errorf("after eight marks without an end a ninth is followed as far: %.200q", got)
	}
}
