package migrate

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"vitrine/internal/migrate/convert"
)

// imported imports a folder with the given files. It returns the result and a function that reads a file under the new
// site's content/.
func imported(t *testing.T, files map[string]string) (*Result, func(name string) string) {
	t.Helper()
	from := folderOfFiles(t, files)
	result, err := Import(t.Context(), Options{From: from, To: from + "-new", NoCheck: true})
	if err != nil {
		t.Fatal(err)
	}
	return result, func(name string) string {
		data, err := os.ReadFile(filepath.Join(from+"-new/content", name))
		if err != nil {
			t.Error(err)
		}
		return string(data)
	}
}

// Regression test: the import read the site in a test folder instead of the documentation.
func TestDetectionIgnoresSamples(t *testing.T) {
	for _, config := range []string{".vitepress/config.ts", "docusaurus.config.js", "mkdocs.yml"} {
		result, _ := imported(t, map[string]string{
			"__tests__/" + config: "site_name: a\n", "__tests__/a.md": "# Test\n", "__tests__/docs/a.md": "# Test\n", "__tests__/docs/b.md": "# Test\n",
			"website/" + config: "site_name: a\n", "website/docs/one.md": "# One\n",
		})
		if result.Pages == 0 {
			t.Errorf("%s: no pages", config)
		}
		for _, n := range result.Notes {
			if strings.HasPrefix(n.File, "__tests__") {
				t.Errorf("%s: read %s", config, n.File)
			}
		}
		if result.Pages > 2 {
			t.Errorf("%s: %d pages", config, result.Pages)
		}
	}
}

// Regression test: documentation whose pages have dates lost its sidebar.
func TestDatedDocumentation(t *testing.T) {
	for _, c := range []struct {
		name  string
		stats folderStats
		want  bool
	}{
		{"docs", folderStats{pages: 4, dated: 4}, true},
		{"guides", folderStats{pages: 4, dated: 4}, false},
		{"guides", folderStats{pages: 4, dated: 4, ordered: 4}, true},
		{"guides", folderStats{pages: 4}, true},
		{"blog", folderStats{pages: 4, ordered: 4}, false},
		{"docs", folderStats{pages: 1}, false},
		{"other", folderStats{pages: 4, ordered: 4}, true},
	} {
		if got := c.stats.documentation(c.name); got != c.want {
			t.Errorf("%s with %+v: got %t, want %t", c.name, c.stats, got, c.want)
		}
	}
}

// Regression test: folders with archived versions made an import fail.
func TestArchivedVersionsAreNotMissing(t *testing.T) {
	files := map[string]string{"docusaurus.config.js": "module.exports = {title: 'A', url: 'https://a.example', baseUrl: '/'}", "docs/a.md": "# A\n"}
	for _, name := range strings.Fields("a b c d e f g h") {
		files["versioned_docs_archived/version-1/"+name+".md"] = "# Old\n"
	}
	result, _ := imported(t, files)
	if n := result.Omitted["they belong to earlier versions; import them with --versions"]; n != 8 {
		t.Errorf("counted %d pages of versions, want 8", n)
	}
}

// A link to a page that isn't translated points to the page in the main language.
func TestUntranslatedLink(t *testing.T) {
	_, read := imported(t, map[string]string{
		"astro.config.mjs":         "export default defineConfig({integrations: [starlight({title: 'A', locales: {root: {label: 'English', lang: 'en'}, de: {label: 'Deutsch', lang: 'de'}}})]})",
		"src/content/docs/a.md":    "---\ntitle: A\n---\nx\n",
		"src/content/docs/de/b.md": "---\ntitle: B\n---\n[a](/de/a/) [c](/de/c/)\n", "src/content/docs/de/index.md": "---\ntitle: B\n---\nx\n",
	})
	if got := read("de/b.md"); !strings.Contains(got, "[a](/a) c (`/de/c/`)") {
		t.Errorf("got %q", got)
	}
}

// The import reads invalid YAML in front matter key by key, if each line belongs to a key.
func TestFrontMatterByLine(t *testing.T) {
	result, read := imported(t, map[string]string{
		"a.md": "---\ntitle: {@html ...}\ntags: [x, y]\ndescription: One: two\n---\nText.\n",
		"b.md": "---\ntitle: \"B\nno key here\n---\nText.\n", "index.md": "# Home\n",
	})
	if got, want := read("a.md"), "title: \"{@html ...}\"\ndescription: \"One: two\"\ntags: [x, \"y\"]\n"; !strings.Contains(got, want) {
		t.Errorf("got %q, want it to contain %q", got, want)
	}
	if len(result.Notes) != 1 || result.Notes[0].File != "b.md" {
		t.Errorf("got the notes %+v", result.Notes)
	}
}

// A link definition on two lines remains a definition.
func TestDefinitionOnTwoLines(t *testing.T) {
	_, read := imported(t, map[string]string{
		"_config.yml": "title: T\nurl: https://old.example\n", "index.md": "---\n---\n[x] y\n\n[x]:\n  https://old.example/a\n", "a.md": "---\ntitle: A\n---\nz\n",
	})
	if got := read("index.md"); !strings.Contains(got, "[x]:\n  /a\n") {
		t.Errorf("got %q", got)
	}
}

// Each imported fact has a comment that names the file and the key in the old site's settings.
func TestFacts(t *testing.T) {
	_, read := imported(t, map[string]string{
		"docusaurus.config.js": `module.exports = {title: 'Acorn', url: 'https://acorn.example', baseUrl: '/', favicon: 'img/icon.png',
			customFields: {contact: 'mailto:us@acorn.example', accentColor: 'red', primaryColor: '#12ab34'},
			themeConfig: {navbar: {logo: {src: 'img/logo.svg'}, items: [{href: 'https://github.com/acorn/kit', label: 'Code'}]},
				footer: {links: [{items: [{href: 'https://www.youtube.com/@acorn'}, {href: 'https://github.com/acorn/kit/issues/1'}, {href: 'https://discord.gg/x?y=z'}]}]}}};`,
		"static/img/logo.svg": `<svg xmlns="http://www.w3.org/2000/svg"/>`, "static/img/icon.png": "png", "docs/a.md": "# A\n",
	})
	for name, wants := range map[string][]string{
		"site.yaml": {"# The color is from docusaurus.config.js, customFields.primaryColor.\ntheme:\n  accent: #12ab34\n", "# theme: {logo: img/logo.svg}\n", "# theme: {favicon: img/icon.png}\n", "imported from docusaurus.config.js."},
		"product.yaml": {"# The address is from docusaurus.config.js, customFields.contact.\ncontact: us@acorn.example\n",
			"links:\n  # from docusaurus.config.js, themeConfig.navbar.items.href\n  github: https://github.com/acorn/kit\n  # from docusaurus.config.js, themeConfig.footer.links.items.href\n  youtube: https://www.youtube.com/@acorn\n"},
	} {
		got := read(name)
		for _, want := range wants {
			if !strings.Contains(strings.ReplaceAll(got, `"`, ""), want) {
				t.Errorf("%s lacks %q:\n%s", name, want, got)
			}
		}
		if strings.Contains(got, "discord") {
			t.Errorf("%s has a link with a query", name)
		}
	}
}

// The report lists non-constant content set by an attribute.
func TestSetContentIsReported(t *testing.T) {
	result, _ := imported(t, map[string]string{"astro.config.mjs": "export default {integrations: [starlight({title: 'A'})]}", "src/content/docs/index.mdx": "---\ntitle: A\n---\n<Fragment set:html={post.text} />\n"})
	if len(result.Notes) != 1 || result.Notes[0].What != "the content of <Fragment>" && result.Notes[0].What != "the content of <fragment>" || result.Notes[0].Line != 4 {
		t.Errorf("got %+v", []convert.Note(result.Notes))
	}
}

// A small site without a menu gets a menu with its pages, and a large site gets a menu with only its folders.
func TestShortMenuOfPages(t *testing.T) {
	files := map[string]string{"_config.yml": "title: T\n", "index.md": "---\n---\nx\n", "about.md": "---\ntitle: About\n---\nx\n", "404.md": "---\ntitle: Gone\n---\nx\n"}
	_, read := imported(t, files)
	if got := read("site.yaml"); !strings.Contains(got, "navigation:\n  - {label: About, path: /about}\n") || strings.Contains(got, "Gone") {
		t.Errorf("got %s", got)
	}
	for _, name := range strings.Fields("a b c d e f") {
		files[name+".md"] = "---\ntitle: A page\n---\nx\n"
	}
	if _, read = imported(t, files); !strings.Contains(read("site.yaml"), "navigation: []") {
		t.Errorf("got %s", read("site.yaml"))
	}
}
