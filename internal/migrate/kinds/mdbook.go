package kinds

import (
	"path"
	"strings"

	"vitrine/internal/lazyregexp"
	"vitrine/internal/migrate/convert"
	"vitrine/internal/migrate/oldsite"
	"vitrine/internal/migrate/source"
)

// Mdbook returns the kind for mdBook books. See https://rust-lang.github.io/mdBook/format/.
func Mdbook() *oldsite.Kind {
	return &oldsite.Kind{Name: "mdbook", Detect: func(s *source.Folder) (string, bool) {
		if name := oldsite.FindConfig(s, "book.toml", "SUMMARY.md"); name != "" {
			return path.Clean("." + strings.TrimSuffix("/"+path.Dir(name), "/src")), true
		}
		return ".", false
	}, Read: readMdbook, Docs: true, Whole: true, Syntax: convert.Syntax{
		Expand: mdbookIncludes, Lines: func(_ *convert.Converter, text string) string { return rustFences(text) },
		Tags: map[string]convert.Handler{"listing": bookListing}, Unseen: rustFences}}
}

var summaryLink = lazyregexp.New(`(?m)^([ \t]*)(?:[-*+][ \t]+)?\[((?:[^\[\]]|\[[^\]]*\]|\\.)*)\]\(<?([^)>\n]*)>?\)`)

func readMdbook(im *oldsite.Site) error {
	config := im.SettingsOf("book.toml")
	im.ReadSettings(config, oldsite.SettingKeys{Base: "output/html/site-url", Title: "book/title", Description: "book/description", Language: "book/language", Repository: "output/html/git-repository-url"})
	dir, ok := source.Inside(im.Base, source.Fallback(source.TextAt(config, "book/src"), "src"))
	if !ok {
		dir = path.Join(im.Base, "src")
	}
	list := path.Join(dir, "SUMMARY.md")
	summary, err := im.Src.Text(list)
	if err != nil {
		im.Failed(list, "the list of chapters", err)
	}
	for _, m := range source.Members(source.Get(config, "output", "html", "redirect")) {
		to := source.Text(m.Value)
		if !strings.HasPrefix(to, "/") {
			to = path.Join("/", path.Dir(m.Key), to)
		}
		im.Redirected(im.BasePath+m.Key, to)
	}
	chapters := map[string]string{}
	var home strings.Builder
	for _, m := range summaryLink.FindAllStringSubmatch(summary, -1) {
		if m[3] == "" {
			continue
		}
		home.WriteString(m[1] + "- [" + m[2] + "](" + m[3] + ")\n")
		name, ok := source.Inside(dir, source.Unescape(strings.TrimPrefix(m[3], "./")))
		if !ok || chapters[name] != "" || strings.Contains(m[3], "://") {
			continue
		}
		if !im.Src.Has(name) {
			im.Note(convert.Note{File: list, What: "the chapter " + m[2], Why: "its file " + m[3] + " does not exist", Do: "create the file"})
			continue
		}
		chapters[name] = source.Fallback(convert.Plain(m[2]), "Untitled")
	}
	im.StaticDirs = []string{dir}
	begins, byName := false, map[string]*oldsite.Page{}
	im.Content(dir, oldsite.Rules{Skip: func(name, rel string) bool {
		left := source.IsPage(name) && chapters[name] == ""
		if left && rel != "SUMMARY.md" {
			im.Note(convert.Note{File: name, What: "the file " + rel, Why: "SUMMARY.md does not list it, so mdBook does not publish it", Do: "copy it manually if you need it"})
		}
		return left
	}, Page: func(p *oldsite.Page, rel string) {
		im.SetAddress(p, pageStem(rel), ".html", "README", "index")
		begins = begins || p.Index && p.Address == im.BasePath+"/"
		p.GiveLabel(chapters[p.Source])
		byName[p.Source] = p
	}})
	(&oldsite.Sidebar{Site: im, Find: func(name string) *oldsite.Page {
		return byName[path.Join(dir, source.Unescape(name))]
	}}).Read(summaryTree(bookParts(summary)))
	if !begins {
		im.Add(&oldsite.Page{Document: convert.Document{Source: list, Title: source.Fallback(im.Title, "The book"), Body: home.String(), Address: im.BasePath + "/"}, Made: true, Index: true})
	}
	return nil
}

// bookParts converts the titles of a book's parts to second-level headings, which summaryTree reads as groups. It
// removes the first heading, because that heading is the title of the summary.
func bookParts(summary string) string {
	if head := partTitle.FindStringIndex(summary); head != nil && strings.TrimSpace(summary[:head[0]]) == "" {
		summary = summary[head[1]:]
	}
	return partTitle.ReplaceAllString(summary, "## $1")
}

var partTitle = lazyregexp.New(`(?m)^#[ \t]+(.*)$`)

var (
	bookInclude = lazyregexp.New(`(\\?)\{\{\s*#(include|rustdoc_include|playground|playpen)\s+([^\s}]+)[^}]*\}\}`)
	bookTitle   = lazyregexp.New(`(?m)\\?\{\{\s*#title\s+([^}]*)\}\}`)
)

// mdbookIncludes returns text with the included files inserted, even in code.
func mdbookIncludes(c *convert.Converter, text string) string {
	return convert.ReplaceAll(bookInclude, bookTitle.ReplaceAllString(text, ""), func(m []string) string {
		if m[1] != "" {
			return m[0][1:]
		}
		name, spec, _ := strings.Cut(m[3], ":")
		s, full, ok := c.File(convert.Within(name, path.Dir(c.Page.Source)), spec)
		if !ok {
			return c.Missing(m[2], m[0])
		}
		s = strings.TrimRight(s, "\n")
		if spec == "" {
			var shown []string
			for line := range strings.SplitSeq(s, "\n") {
				if !convert.AnchorMark.MatchString(line) {
					shown = append(shown, line)
				}
			}
			s = strings.Join(shown, "\n")
		}
		if m[2] == "playground" || m[2] == "playpen" {
			return convert.CodeFence("rust", s)
		}
		if source.IsPage(full) && strings.Contains(s, "{{#") {
			// Paths in the included file are relative to that file's folder.
			was := c.Page
			c.Page = &convert.Document{Source: full, Text: s, Front: was.Front}
			c.Depth++
			s = mdbookIncludes(c, s)
			c.Depth--
			c.Page = was
		}
		return s
	})
}

// rustFences returns text without the lines of Rust code that mdBook hides, and without the options, such as compiler
// flags, in the info strings of fences.
func rustFences(text string) string {
	var b strings.Builder
	f := convert.NewFences(false)
	rust := false
	for line := range strings.Lines(text) {
		was := f.Length
		code := f.Line(strings.TrimSuffix(line, "\n"))
		switch {
		case was == 0 && f.Length > 0:
			_, _, info := convert.FenceOf(line)
			rust = strings.HasPrefix(info, "rust")
			if i := strings.IndexAny(info, ", "); i > 0 {
				line = strings.Replace(line, info, info[:i], 1)
			}
		case code && rust && f.Length > 0:
			trimmed := strings.TrimLeft(line, " \t")
			if strings.HasPrefix(trimmed, "# ") || strings.TrimSpace(trimmed) == "#" {
				continue
			}
			if strings.HasPrefix(trimmed, "##") {
				line = strings.Replace(line, "##", "#", 1)
			}
		}
		b.WriteString(line)
	}
	return b.String()
}

// bookListing converts a listing, as used in the Rust project's books, to a figure. The listing's number and caption
// become the caption of the figure, and the name of the file precedes the code.
func bookListing(c *convert.Converter, n *convert.Node) convert.Piece {
	body := c.Inner(n)
	if file := n.Tag.Get("file-name"); file != "" {
		body = "Filename: " + file + "\n\n" + body
	}
	caption := ""
	if number := n.Tag.Get("number"); number != "" {
		caption = "Listing " + number
	}
	if s := strings.TrimSpace(c.Markdown(n.Tag.Get("caption"))); s != "" {
		caption = strings.TrimPrefix(caption+": "+s, ": ")
	}
	if caption == "" {
		return convert.Piece{Text: body, Block: true}
	}
	return convert.Container("figure", caption, "", body)
}

// MarkdownFolder returns the kind for a folder of Markdown without a generator.
func MarkdownFolder() *oldsite.Kind {
	return &oldsite.Kind{Name: "markdown", Detect: func(s *source.Folder) (string, bool) {
		for _, name := range s.Names {
			if source.IsPage(name) {
				return ".", true
			}
		}
		return ".", false
	}, Read: func(im *oldsite.Site) error {
		dir := pagesFolder(im.Src)
		if im.StaticDirs = []string{".", "public", "static"}; dir != "." {
			im.Statics("public", "/", "static")
			im.Statics("static", "/", "static")
		}
		im.Content(dir, oldsite.Rules{Page: func(p *oldsite.Page, rel string) {
			p.Mdx = componentLine.MatchString(p.Body)
			im.SetAddress(p, pageStem(rel), "", "index", "_index", "readme")
			if own := source.TextAt(p.Front, "permalink"); strings.HasPrefix(own, "/") {
				p.Address = own
			}
		}})
		return nil
	}, Whole: true, Syntax: convert.Syntax{Math: true, Lines: folderLines, Attrs: true}}
}

// folderLines returns text with directives converted. On a page without directives, it also converts the admonitions of
// Python-Markdown, because the folder may be the docs folder of a MkDocs site without its settings.
func folderLines(c *convert.Converter, text string) string {
	if strings.Contains("\n"+text, "\n!!! ") && !strings.Contains(text, ":::") {
		text = pyText(c, strings.Split(text, "\n"), 0)
	}
	return convert.Directives(c, text)
}

// pagesFolder returns the folder whose structure corresponds to the addresses. If the source is an app that renders its
// content or src/content folder, as with Next.js or Nuxt, pagesFolder returns that folder. Otherwise, it returns the
// whole source. At most a tenth of the app's Markdown files, such as README.md, may be outside that folder.
func pagesFolder(s *source.Folder) string {
	for _, dir := range []string{"content", "src/content"} {
		inside, all := 0, 0
		for _, name := range s.Names {
			if source.IsPage(name) {
				if all++; strings.HasPrefix(name, dir+"/") {
					inside++
				}
			}
		}
		if s.Has("package.json") && 10*inside >= 9*all {
			return dir
		}
	}
	return "."
}

// componentLine matches a line of MDX: the end of a component, a component without content, or an import.
var componentLine = lazyregexp.New(`(?m)^[ \t]*</[A-Z][A-Za-z.]*>[ \t]*$|^import [\w{}*, ]+ from ['"][^'"]+['"];?$|^[ \t]*<[A-Z][A-Za-z.]*(?: [^<>]*)?/>[ \t]*$`)
