package build_test

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"vitrine/internal/build"
	"vitrine/internal/lab/rig"
	"vitrine/templates"
)

// secondTheme returns the files of a site with its own theme.
func secondTheme(t *testing.T) map[string]string {
	t.Helper()
	archive, err := txtar.ParseFile("testdata/second-theme.txtar")
	if err != nil {
		t.Fatal(err)
	}
	files := make(map[string]string)
	for _, f := range archive.Files {
		files[f.Name] = string(f.Data)
	}
	for i := range 24 {
		files[fmt.Sprintf("content/blog/day-%02d.md", i+1)] = fmt.Sprintf(
			"---\ntitle: Day %d\ndescription: What happened.\nauthor: The matron\ndate: 2025-05-%02d\ntags: [Snow]\n---\n\n## Morning\n\nQuiet.\n", i+1, i+1)
	}
	return files
}

// A theme that shares no files with the built-in theme can show everything that the built-in theme shows.
func TestSecondTheme(t *testing.T) {
	files := secondTheme(t)
	for _, folder := range []string{"layouts", "text"} {
		own, err := fs.ReadDir(templates.FS, folder)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range own {
			if files["templates/"+folder+"/"+f.Name()] == "" {
				t.Errorf("the second theme has no %s/%s", folder, f.Name())
			}
		}
	}
	root, out := rig.Site(t, files), t.TempDir()
	_, problems, err := build.Build(context.Background(), build.Source{Root: root, NoSocialImages: true}, build.Output{Out: out}, build.Observer{})
	if err != nil || len(problems) > 0 {
		t.Fatal(err, problems)
	}
	const asset = `/assets/[a-z-]+\.[0-9a-f]{16}\.`
	for name, want := range map[string][]string{
		"index.html": {
			`<html lang="en" class="scheme-auto">`, `<title>Welcome \| Lindenhof</title>`, `content="#fffdf7" media="\(prefers-color-scheme: light`, `content="#101418" media`,
			`<link rel="stylesheet" href="/assets/style\.`, `<link rel="stylesheet" href="/assets/theme\.`, `<link rel="icon" href="/assets/site-icon\.[0-9a-f]+\.svg" type="image/svg`,
			`<script type="application/ld\+json">`, `<script src="https://stats.example/count.js" defer></script>`, `<div class="k-flag"><a href="/imprint">Open on Sundays</a>`,
			`<img src="/assets/site-logo\.[0-9a-f]+\.svg" width="30" height="10" alt="Lindenhof"><img src="/assets/site-logo-dark\.`,
			`<a href="/docs" class="k-other">Leaflets</a>`, `<form class="search" action="/search" role="search" data-index="/search.json">`, `<button>Look up</button>`, `src="` + asset + `js" type="module"`,
			`<p class="k-hero">Lindenhof is`, `<p>The door is open.</p>`, `<li>Sets bones</li>`, `<li>Hikers</li>`,
			`<tr><th>Visitor</th><td>€0</td><td></td><td>0</td><td>For a first look.</td><td><a href="https://clinic.example/visit">Choose Visitor</a>`,
			`<tr class="k-best"><th>Neighbour</th><td>€49.50</td><td>€1,490</td><td>1,200</td><td><br>\+ A room with a view<br>\+ Tea</td>`,
			`<tr class="k-ask"><th>Village</th><td colspan="3">Price on request</td><td>For all of it.<br>\+ A nurse who comes</td><td><a href="mailto:village@clinic.example">Ask about Village`,
			`EUR, month, One credit is one visit., Nurses: false, true,`, `The first visit is free. Ring. Come. <a href="https://clinic.example/tour">`,
			`<div class="k-news"><ul class="k-rows"><li><a href="/blog/day-24">Day 24</a> <time>2025-05-24</time> What happened. <i>Snow</i>`,
			`<a class="k-link" href="https://clinic.example/book">Book appointment</a>`, `<a class="k-people" href="/imprint">Imprint</a><a class="k-people" href="https://valley.example/">`,
			`<a class="k-machines" href="/cli">Terminal</a>`, `<a class="k-feed" href="/feed.xml">`, `<a class="k-twin" href="/index.md">`, `<address>hello@clinic.example 12 beds</address>`,
		},
		"index.md":        {`\* \*\*Neighbour\*\*: €49.50, €1,490 per year, Most popular A room with a view; Tea; <https://clinic.example/join>`, `\* \*\*Village\*\*: Price on request`, `\* \[Day 24\]\(https://clinic.example/blog/day-24\), 2025-05-24: What happened.`, `From \[Lindenhof\]\(https://clinic.example/\), see \[the overview\]`},
		"pricing.html":    {`<a href="/pricing" class="k-here">Fees</a>`, `<table class="k-prices">`, `Pay at the desk.`},
		"pricing.md":      {`\* \*\*Visitor\*\*: €0. For a first look. <https://clinic.example/visit>`, "\n\nPay at the desk.\n"},
		"imprint.html":    {`Under the trees. <b class="k-badge">new</b>`, `<img class="k-picture" src="/brand/mark.svg"`},
		"imprint.md":      {`Clinic: Lindenhof`, `Under the trees. :badge\[new\]`},
		"docs.html":       {`<a href="/docs" class="k-here">`, `<a href="/docs" class="k-level-0 k-here">Leaflets</a><a href="/docs/bones" class="k-level-1">Folder Bones</a><a href="/docs/bones/arm" class="k-level-2">Arm</a>`},
		"docs/bones.html": {`Folder Bones</h1>`, `<ul class="k-rows"><li><a href="/docs/bones/arm">A broken arm</a>`},
		"docs/bones/arm.html": {
			`<a href="/docs" class="k-inside">Leaflets</a>`, `/ <a href="/">Welcome</a> / <a href="/docs">Leaflets</a> / <a href="/docs/bones">Folder Bones</a> <`,
			`<p class="k-book"><a href="/docs">Leaflets</a>`, `class="k-level-1 k-open">Folder Bones`, `class="k-level-2 k-here k-open">Arm`, `class="k-level-2 k-beside">Leg`,
			`<li class="k-depth-2"><a href="#rest">Rest</a></li><li class="k-depth-3"><a href="#how-long">`,
			`<a class="k-edit" href="https://github.com/lindenhof/site/edit/main/content/docs/bones/arm.md">Improve this leaflet</a>`,
			`<a class="k-back" href="/docs/bones">Folder Bones</a><a class="k-on" href="/docs/bones/leg">A broken leg</a>`,
			`<div class="k-dose" id="[^"]+"><strong>Tea</strong> day <a href="/imprint">Tea</a> <p>With <strong>honey</strong>`, `<em>card</em></div>`, `<script src="/assets/dose\.[0-9a-f]+\.js" defer>`,
		},
		"docs/bones/arm.md":        {`Dose of Tea, per day: https://clinic.example/imprint\n\nWith \*\*honey\*\*`, `\* Beside: \[Leg\]\(https://clinic.example/docs/bones/leg\)`, `\* Before: Folder Bones`, `\* Behind: A broken leg`, `\* Edit: <https://github.com/`},
		"openapi.html":             {`<li class="k-depth-2"><a href="#Schemas">Schemas</a>`, `<pre>GET /api/v1/marketing [a-zA-Z]+ .*200`, `<h3>ProductInformation</h3><p>name: `},
		"openapi.md":               {"\\* `GET /api/v1/marketing`"},
		"blog.html":                {`Day 24</a>`, `<p class="k-parts">1 of 2<a class="k-on" href="/blog/page/2">Diary \(2/2\)`},
		"blog/page/2.html":         {`<p class="k-parts">2 of 2<a class="k-back" href="/blog">Diary`, `Day 1</a>`},
		"blog/page/2.md":           {`# Diary \(2/2\)`, `Part 2 of 2`, `\[Day 1\]`},
		"tags/snow.html":           {`<h1 class="k-title">All about Snow</h1>`, `Day 1</a>`},
		"tags/snow.md":             {`# All about Snow`},
		"blog/day-12.html":         {`<p class="k-by">The matron 12 May 2025 1/[0-9]+ <a class="k-tag" href="/tags/snow">Snow</a>`, `<a href="#morning">`, `<a class="k-back" href="/blog/day-1[13]">`, `<a class="k-on" href="/blog/day-1[13]">`},
		"blog/day-12.md":           {`By The matron, 2025-05-12, \[Snow\]\(https://clinic.example/tags/snow\)`, `Before: Day 1[13]`},
		"changes.html":             {`<p class="k-changes">Nobody wrote down what changed.</p>`, `<a class="k-feed" href="/changes.json">`},
		"changes.md":               {`Nobody wrote down what changed.`},
		"search.html":              {`<form class="search k-big" action="/search#All" data-index="/search.json" data-instead="All">`, `aria-label="Search terms"`, `<a href="/docs/bones/leg">A broken leg</a>`},
		"search.md":                {`\[A broken leg\]`},
		"404.html":                 {`<h1 class="k-title">Wrong corridor</h1>`, `<p class="k-lost">No such room.</p>`},
		"404.md":                   {`Lost\? No such room.`},
		"cli.html":                 {`<code>lindenhof</code> [0-9.]+ from <a href="/cli/lindenhof.mjs">`},
		"problems/not-found.html":  {`<code>https://clinic.example/problems/not-found</code> 404: `, `language-json`},
		"llms.txt":                 {`Second theme. For: Ask it for opening hours. Not for: Do not ask it for a diagnosis. It cannot operate.`, `- \[A broken leg\]\(https://clinic.example/docs/bones/leg(\.md)?\): What to do with it.`, `- \[All of it\]`},
		"robots.txt":               {`# Second theme`, `Content-Signal: search=yes, ?ai-train=no`, `User-agent: [A-Za-z]+[^*]*Disallow: /`, `Sitemap: https://clinic.example/sitemap.xml`},
		".well-known/security.txt": {`# Second theme`, `Expires: 20[0-9-]+T`, `Canonical: https://clinic.example/.well-known/security.txt`},
	} {
		body, err := os.ReadFile(filepath.Join(out, "public", name))
		if err != nil {
			t.Error(err)
			continue
		}
		for _, part := range want {
			if !regexp.MustCompile(part).Match(body) {
				t.Errorf("%s lacks %s:\n%.4000s", name, part, body)
			}
		}
	}
	builtIn := regexp.MustCompile(`class="(wrap|sheet|top|foot|frame|hero|band|entries|plans|tree|contents|crumbs|turn|notice|skip)\b|page\.[0-9a-f]+\.js|scheme\.[0-9a-f]+\.js`)
	pages := 0
	err = filepath.WalkDir(filepath.Join(out, "public"), func(name string, d fs.DirEntry, err error) error {
		if err != nil || !slices.Contains([]string{".html", ".md"}, filepath.Ext(name)) {
			return err
		}
		body, err := os.ReadFile(name)
		if found := builtIn.Find(body); found != nil || strings.Contains(string(body), "ZgotmplZ") {
			t.Errorf("%s has %q of the built-in theme", name, found)
		}
		pages++
		return err
	})
	if err != nil || pages < 80 {
		t.Errorf("%d pages were looked at, %v", pages, err)
	}
}

// An unknown name in a template causes one problem, at the position of the name. The message lists the known names.
func TestMistakesOfTemplates(t *testing.T) {
	for file, c := range map[string]struct{ text, want string }{
		"layouts/page.html":         {`{{define "main"}}{{.Page.Titel}}{{end}}`, `1:25: error: .Page.Titel: unknown field "Titel"; did you mean "Title"? (the fields are API, Author, `},
		"layouts/page.md":           {"# {{.Page.Title}}\n{{.Page.Sidbar}}", `2:8: error: .Page.Sidbar: unknown field "Sidbar"; did you mean "Sidebar"? (the fields are API, Author, `},
		"layouts/docs.html":         {`{{define "main"}}{{range .Page.Sidebar}}{{.Depth}}{{end}}{{end}}`, `1:43: error: .Depth: unknown field "Depth"; the fields are Badge, Beside, Current, Ends, Group, Icon, Image, Label, Level, `},
		"partials/footer.html":      {`{{define "footer"}}{{range .Site.Footer}}{{.Title}}{{end}}{{end}}`, `1:44: error: .Title: unknown field "Title"; the fields are Current, Label, Language, Path, Within`},
		"text/llms.txt":             {"{{range .Sections}}{{.Link}}{{end}}", `1:22: error: .Link: unknown field "Link"; did you mean "Links"? (the fields are Links, Title)`},
		"text/robots.txt":           {"{{.Signal}}", `1:3: error: .Signal: unknown field "Signal"; did you mean "Signals"? (the fields are Canonical, Contact, `},
		"text/pointer.txt":          {"{{.Site.Tilte}}", `1:8: error: .Site.Tilte: unknown field "Tilte"; did you mean "Title"? (the fields are Action, Admin, AgentsGetMarkdown, `},
		"text/lists.txt":            {strings.Replace(secondTheme(t)["templates/text/lists.txt"], ".Folder}", ".Foldr}", 1), `5:44: error: .Foldr: unknown field "Foldr"; did you mean "Folder"? (the fields are Author, Count, Folder, Number, Parts, Tag, Title)`},
		"pages/cli.md":              {"---\ntitle: Tool\n---\n{{.CLI.Nam}}", `4:7: error: .CLI.Nam: unknown field "Nam"; did you mean "Name"? (the fields are Name, Path, SHA256Path, Version)`},
		"components/dose.html":      {"{{.Lable}}", `1:3: error: .Lable: unknown field "Lable"; did you mean "Label"? (the fields are Attributes, Children, Content, ID, `},
		"components/dose.md":        {"{{.Titel}}", `1:3: error: .Titel: unknown field "Titel"; the fields are Attributes, Children, Content, ID, `},
		"partials/unasked-for.html": {`{{define "x"}}{{pricee 3}}{{end}}`, `1:1: error: unknown function "pricee"; did you mean "price"? (the functions are abs, and, asset, `},
	} {
		files := secondTheme(t)
		files["templates/"+file] = c.text
		if strings.HasPrefix(file, "partials/footer") {
			files["templates/layouts/base.html"] = strings.Replace(files["templates/layouts/base.html"], `"k-foot"`, `"footer"`, 1)
		}
		_, problems, err := build.Check(context.Background(), build.Source{Root: rig.Site(t, files), NoSocialImages: true}, build.CheckOptions{}, build.Observer{})
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		if len(problems) != 1 || !strings.HasPrefix(problems[0].String(), "templates/"+file+":"+c.want) {
			t.Errorf("%s: got %d problems\n%.2000v\nwant\n%s", file, len(problems), problems, c.want)
		}
	}
	files := secondTheme(t)
	files["templates/text/lists.txt"] = `{{define "tag-title"}}x{{end}}`
	_, problems, err := build.Check(context.Background(), build.Source{Root: rig.Site(t, files), NoSocialImages: true}, build.CheckOptions{}, build.Observer{})
	if want := `templates/text/lists.txt: error: the template "tag-description" is missing; write {{define "tag-description"}}…{{end}}`; err != nil || len(problems) != 1 || !strings.HasPrefix(problems[0].String(), want) {
		t.Errorf("got %v, %v; want %s", problems, err, want)
	}
}
