package templates_test

import (
	"bytes"
	"fmt"
	"html/template"
	"io/fs"
	"path"
	"regexp"
	"strings"
	"testing"
	texttemplate "text/template"
	"time"

	"vitrine/templates"
)

var layouts = []string{"page", "home", "post", "list", "pricing", "search", "404"}

// functions are plain stand-ins for those that the renderer supplies.
func functions() map[string]any {
	escape := strings.NewReplacer(`<`, `\<`, `*`, `\*`, `_`, `\_`, "\n", " ").Replace
	return map[string]any{
		"asset":    func(name string) string { return "/assets/" + name },
		"abs":      func(path string) string { return base + path },
		"price":    func(number string) string { return "€" + number },
		"isoDate":  func(t time.Time) string { return t.Format(time.DateOnly) },
		"longDate": func(t time.Time) string { return t.Format("2 January 2006") },
		"mdtext":   escape,
		"mdcell":   func(s string) string { return strings.ReplaceAll(escape(s), "|", `\|`) },
		"humanize": strings.ToTitle,
		"word": func(key string, values ...any) string {
			for i := 1; i < len(values); i += 2 {
				key += fmt.Sprintf(" %v", values[i])
			}
			return key
		},
		"ownWord": func(key string) bool { return key == "unlimitedTeams" },
		"number":  func(n int64) string { return fmt.Sprint(n) },
		"mdurl":   strings.NewReplacer("(", "%28", ")", "%29").Replace,
	}
}

func renderHTML(t *testing.T, layout string, data any) string {
	t.Helper()
	tmpl, err := template.New("").Funcs(functions()).
		ParseFS(templates.FS, "layouts/base.html", "partials/*.html", "layouts/"+layout+".html")
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := tmpl.ExecuteTemplate(&out, "base", data); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func renderText(t *testing.T, name string, data any) string {
	t.Helper()
	tmpl, err := texttemplate.New(path.Base(name)).Funcs(functions()).ParseFS(templates.FS, "partials/*.md", name)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := tmpl.Execute(&out, data); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// TestHTML proves that every layout makes one whole document that needs
// nothing from elsewhere, whether the site says much or little.
func TestHTML(t *testing.T) {
	for _, layout := range layouts {
		for name, data := range map[string]layoutData[template.HTML]{
			"full":    full[template.HTML](layout, "<p>Content.</p>"),
			"minimal": minimal[template.HTML](layout),
		} {
			t.Run(layout+"/"+name, func(t *testing.T) {
				page := renderHTML(t, layout, data)
				for _, once := range []string{"<h1", "<main", "<title>", "</html>", `rel="stylesheet"`, `class="skip" href="#Main"`, `<html lang="en">`} {
					if n := strings.Count(page, once); n != 1 {
						t.Errorf("%q stands %d times in the page", once, n)
					}
				}
				// The search alone has a script, of its own host and in a file.
				if n := strings.Count(page, "<script"); n != strings.Count(page, `<script src="/assets/search.js" type="module"></script>`) || (n > 0) != (layout == "search") {
					t.Errorf("the page has %d scripts", n)
				}
				for _, never := range []string{"<style", "style=", "http://", "ZgotmplZ", "<no value>", "/>"} {
					if strings.Contains(page, never) {
						t.Errorf("the page holds %q", never)
					}
				}
				for _, url := range regexp.MustCompile(`https://[^"<\s]*`).FindAllString(page, -1) {
					if !strings.HasPrefix(url, base) {
						t.Errorf("the page names another host: %s", url)
					}
				}
				noRepeatedIDs(t, page)
				if name == "full" && !strings.Contains(page, "<p>Content.</p>") {
					t.Error("the page has lost its content")
				}
			})
		}
	}
}

func noRepeatedIDs(t *testing.T, page string) {
	t.Helper()
	seen := map[string]bool{}
	for _, id := range regexp.MustCompile(` id="([^"]*)"`).FindAllStringSubmatch(page, -1) {
		if seen[id[1]] {
			t.Errorf("the id %q stands twice", id[1])
		}
		// Headings' ids are lower case; the theme's own are not, so that the
		// two never meet.
		if id[1] == strings.ToLower(id[1]) {
			t.Errorf("the theme's id %q could meet a heading's", id[1])
		}
		seen[id[1]] = true
	}
}

// TestHead proves what search engines and agents find in a page's head.
func TestHead(t *testing.T) {
	article := renderHTML(t, "post", full[template.HTML]("post", ""))
	for _, want := range []string{
		"<title>Title &amp; all · Parley</title>",
		`<meta name="description" content="One line.">`,
		`<link rel="canonical" href="https://parley.example/blog/here">`,
		`<link rel="alternate" type="text/markdown" href="/blog/here.md">`,
		`<meta name="color-scheme" content="light dark">`,
		`<meta property="og:type" content="article">`,
		`<a href="/pricing" aria-current="page">`,
		`<a href="#three">`,
	} {
		if !strings.Contains(article, want) {
			t.Errorf("the article lacks %s", want)
		}
	}
	home := full[template.HTML]("home", "")
	home.Page.Path = "/"
	if page := renderHTML(t, "home", home); !strings.Contains(page, "<title>Parley</title>") {
		t.Error("the home page's title is not the site's alone")
	}
	if page := renderHTML(t, "404", minimal[template.HTML]("404")); strings.Contains(page, "canonical") {
		t.Error("the page for what is not there claims to be canonical")
	}
}

// TestTwins proves that every layout's Markdown stands on its own and is
// clean: the title first, blank lines single, one newline at the end, no HTML.
func TestTwins(t *testing.T) {
	for _, layout := range layouts {
		for name, data := range map[string]layoutData[string]{
			"full":    full(layout, "Content.\n"),
			"minimal": minimal[string](layout),
		} {
			t.Run(layout+"/"+name, func(t *testing.T) {
				text := renderText(t, "layouts/"+layout+".md", data)
				if !strings.HasPrefix(text, "# ") {
					t.Errorf("starts with %.20q", text)
				}
				cleanMarkdown(t, text)
				if name == "full" && !strings.Contains(text, "\n\nContent.\n") {
					t.Error("the text has lost its content")
				}
			})
		}
	}
}

// cleanMarkdown holds a text to the rules that whitespace control breaks.
func cleanMarkdown(t *testing.T, text string) {
	t.Helper()
	if strings.Contains(text, "\n\n\n") || !strings.HasSuffix(text, "\n") || strings.HasSuffix(text, "\n\n") {
		t.Errorf("blank lines are doubled, or the end is not one newline:\n%s", text)
	}
	if regexp.MustCompile(`(?m)[ \t]+$`).MatchString(text) {
		t.Errorf("a line ends in a space:\n%s", text)
	}
	if tag := regexp.MustCompile(`(?m)(^|[^\\])<[a-z]+[ >]`).FindString(text); tag != "" {
		t.Errorf("the text holds HTML, %q", tag)
	}
	if strings.Contains(text, "<no value>") {
		t.Error("a value is missing")
	}
	lines := strings.Split(text, "\n")
	for i := 1; i < len(lines)-1; i++ {
		if strings.HasPrefix(lines[i], "#") && (lines[i-1] != "" || lines[i+1] != "") {
			t.Errorf("no blank line around the heading %q", lines[i])
		}
		for _, block := range []string{"- ", "|"} {
			if strings.HasPrefix(lines[i], block) && lines[i-1] != "" && !strings.HasPrefix(lines[i-1], block) {
				t.Errorf("no blank line before %q", lines[i])
			}
			if strings.HasPrefix(lines[i], block) && lines[i+1] != "" && !strings.HasPrefix(lines[i+1], block) {
				t.Errorf("no blank line after %q", lines[i])
			}
		}
	}
}

// TestFacts proves that a fact reaches both representations of a page.
func TestFacts(t *testing.T) {
	facts := map[string][]string{
		"home": {"Sales leaders", "Coaches", "Roleplays", "Scorecards", "Starter", "€49", "Team", "€149.50", "€1490", "500", "One analysed call.", "unlimitedReps", "unlimitedTeams", "Enterprise", "For many.", base + "/team",
			"Fourteen days.", "Sign up.", "Call.", base + "/demo", base + "/signup", "hello@parley.example", "Second"},
		"pricing": {"EUR", "monthly", "Starter", "€49", "100", "Team", "€149.50", "€1490", "500", "One analysed call.", base + "/pricing", "For a team.", "Shared credits", "Enterprise", "Single sign-on", base + "/ask"},
		"post":    {"One line.", "2026-05-12", "2026-05-15", "The Parley team", "4 minutes", "calls", "practice", "/tags/calls", "Second"},
		"list":    {"One line.", "Second", "What came first.", "2026-05-05", "Page 2 of 3"},
		"search":  {"One line.", "Pages", "Blog", "Second", "And 7 more."},
		"page":    {"One line.", "2026-05-15"},
		"404":     {"llms.txt"},
	}
	markup := regexp.MustCompile(`</?(dd|dt|div)[^>]*>`)
	for layout, want := range facts {
		page := markup.ReplaceAllString(renderHTML(t, layout, full[template.HTML](layout, "")), "")
		text := renderText(t, "layouts/"+layout+".md", full(layout, ""))
		for _, fact := range want {
			if !strings.Contains(page, fact) {
				t.Errorf("%s.html lacks %q", layout, fact)
			}
			if !strings.Contains(text, fact) {
				t.Errorf("%s.md lacks %q", layout, fact)
			}
		}
	}
}

// hasTitle reports whether Markdown has an H1 outside of code.
func hasTitle(body string) bool {
	code := false
	for line := range strings.Lines(body) {
		if strings.HasPrefix(line, "```") {
			code = !code
		}
		if !code && strings.HasPrefix(line, "# ") {
			return true
		}
	}
	return false
}

// cliData is what the page about the command-line tool shows of it.
type cliData struct {
	Name, Path, SHA256Path, Version string
}

// TestPages proves that every page of the theme's own has front matter with a
// title, and no second title in its body.
func TestPages(t *testing.T) {
	data := struct {
		Site    siteData
		Product productData
		CLI     cliData
		Problem problemData
	}{
		full("page", "").Site, full("page", "").Product,
		cliData{"parley", "/cli/parley.mjs", "/cli/parley.mjs.sha256", "1.0.0"},
		problemData{base + "/problems/not-found", "Not found", 404, "Nothing is here.", "Check the path.", "{\n  \"status\": 404\n}"},
	}
	err := fs.WalkDir(templates.FS, "pages", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		t.Run(name, func(t *testing.T) {
			text := renderText(t, name, data)
			head, body, found := strings.Cut(strings.TrimPrefix(text, "---\n"), "---\n")
			if !found || !strings.HasPrefix(head, "title: ") {
				t.Fatalf("no front matter with a title:\n%s", text)
			}
			if hasTitle(body) {
				t.Error("the body has a title of its own")
			}
			if strings.Contains(name, "/problems/") && !strings.Contains(head, "unlisted: true") {
				t.Error("a problem's page is listed")
			}
			cleanMarkdown(t, text)
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
