package migrate

import (
	"path"
	"regexp"
	"strings"
)

// mdbook reads books of mdBook: https://rust-lang.github.io/mdBook/format/.
func mdbook() *kind {
	return &kind{name: "mdbook", detect: func(s *source) (string, bool) {
		if name := findConfig(s, "book.toml", "SUMMARY.md"); name != "" {
			return path.Clean("." + strings.TrimSuffix("/"+path.Dir(name), "/src")), true
		}
		return ".", false
	}, read: readMdbook, docs: true, syntax: syntax{
		expand: mdbookIncludes, lines: func(_ *conv, text string) string { return rustFences(text) },
		tags: map[string]handler{"listing": bookListing}, unseen: rustFences}}
}

var summaryLink = regexp.MustCompile(`(?m)^([ \t]*)(?:[-*+][ \t]+)?\[((?:[^\[\]]|\[[^\]]*\]|\\.)*)\]\(<?([^)>\n]*)>?\)`)

func readMdbook(im *oldSite) error {
	config := im.settingsOf("book.toml")
	im.readSettings(config, settingKeys{base: "output/html/site-url", title: "book/title", description: "book/description", language: "book/language", repository: "output/html/git-repository-url"})
	dir, ok := inside(im.base, fallback(textAt(config, "book/src"), "src"))
	if !ok {
		dir = path.Join(im.base, "src")
	}
	list := path.Join(dir, "SUMMARY.md")
	summary, err := im.src.text(list)
	if err != nil {
		im.failed(list, "the list of chapters", err)
	}
	for _, m := range members(get(config, "output", "html", "redirect")) {
		to := text(m.Value)
		if !strings.HasPrefix(to, "/") {
			to = path.Join("/", path.Dir(m.Key), to)
		}
		im.redirected(im.basePath+m.Key, to)
	}
	type chapter struct {
		label string
		place int
	}
	chapters := map[string]chapter{}
	var home strings.Builder
	for _, m := range summaryLink.FindAllStringSubmatch(summary, -1) {
		if m[3] == "" {
			continue
		}
		home.WriteString(m[1] + "- [" + m[2] + "](" + m[3] + ")\n")
		name, ok := inside(dir, unescape(strings.TrimPrefix(m[3], "./")))
		if !ok || chapters[name].place > 0 || strings.Contains(m[3], "://") {
			continue
		}
		if !im.src.has(name) {
			im.note(Note{File: list, What: "the chapter " + m[2], Why: "its file " + m[3] + " is not there", Do: "write it"})
			continue
		}
		chapters[name] = chapter{plain(m[2]), len(chapters) + 1}
	}
	im.staticDirs = []string{dir}
	begins := false
	im.content(dir, reading{skip: func(name, rel string) bool {
		left := isPage(name) && chapters[name].place == 0
		if left && rel != "SUMMARY.md" {
			im.note(Note{File: name, What: "the file " + rel, Why: "SUMMARY.md does not name it, so that mdBook does not publish it", Do: "copy it by hand where it is wanted"})
		}
		return left
	}, page: func(p *page, rel string) {
		im.stand(p, pageStem(rel), ".html", "README", "index")
		begins = begins || p.index && p.address == im.basePath+"/"
		p.giveOrder(chapters[p.source].place)
		p.giveLabel(chapters[p.source].label)
	}})
	if !begins {
		im.add(&page{document: document{source: list, title: fallback(im.title, "The book"), body: home.String(), address: im.basePath + "/"}, made: true, index: true})
	}
	return nil
}

var (
	bookInclude = regexp.MustCompile(`(\\?)\{\{\s*#(include|rustdoc_include|playground|playpen)\s+([^\s}]+)[^}]*\}\}`)
	bookTitle   = regexp.MustCompile(`(?m)\\?\{\{\s*#title\s+([^}]*)\}\}`)
)

// mdbookIncludes puts files into a text, in code too.
func mdbookIncludes(c *conv, text string) string {
	return replaceAll(bookInclude, bookTitle.ReplaceAllString(text, ""), func(m []string) string {
		if m[1] != "" {
			return m[0][1:]
		}
		name, spec, _ := strings.Cut(m[3], ":")
		s, full, ok := c.file(within(name, path.Dir(c.page.source)), spec)
		if !ok {
			return c.missing(m[2], m[0])
		}
		s = strings.TrimRight(s, "\n")
		if spec == "" {
			var shown []string
			for line := range strings.SplitSeq(s, "\n") {
				if !anchorMark.MatchString(line) {
					shown = append(shown, line)
				}
			}
			s = strings.Join(shown, "\n")
		}
		if m[2] == "playground" || m[2] == "playpen" {
			return codeFence("rust", s)
		}
		if isPage(full) && strings.Contains(s, "{{#") {
			// What it includes is named from its own folder.
			was := c.page
			c.page = &document{source: full, text: s, front: was.front}
			c.depth++
			s = mdbookIncludes(c, s)
			c.depth--
			c.page = was
		}
		return s
	})
}

// rustFences takes out the lines of Rust that a book hides, and what a fence tells the
// compiler.
func rustFences(text string) string {
	var b strings.Builder
	f := newFences(false)
	rust := false
	for line := range strings.Lines(text) {
		was := f.length
		code := f.line(strings.TrimSuffix(line, "\n"))
		switch {
		case was == 0 && f.length > 0:
			_, _, info := fenceOf(line)
			rust = strings.HasPrefix(info, "rust")
			if i := strings.IndexAny(info, ", "); i > 0 {
				line = strings.Replace(line, info, info[:i], 1)
			}
		case code && rust && f.length > 0:
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

// bookListing is the listing of the Rust project's books: code with a number, a name and
// a caption.
func bookListing(c *conv, n *node) piece {
	body := c.inner(n)
	if file := n.tag.get("file-name"); file != "" {
		body = "Filename: " + file + "\n\n" + body
	}
	caption := ""
	if number := n.tag.get("number"); number != "" {
		caption = "Listing " + number
	}
	if s := strings.TrimSpace(c.markdown(n.tag.get("caption"))); s != "" {
		caption = strings.TrimPrefix(caption+": "+s, ": ")
	}
	if caption == "" {
		return piece{text: body, block: true}
	}
	return container("figure", caption, "", body)
}

// markdownFolder reads a folder of Markdown without a generator.
func markdownFolder() *kind {
	return &kind{name: "markdown", detect: func(s *source) (string, bool) {
		for _, name := range s.names {
			if isPage(name) {
				return ".", true
			}
		}
		return ".", false
	}, read: func(im *oldSite) error {
		im.staticDirs = []string{".", "public", "static"}
		im.content(".", reading{page: func(p *page, rel string) {
			p.mdx = componentLine.MatchString(p.body)
			im.stand(p, pageStem(rel), "", "index", "_index", "readme")
			if own := textAt(p.front, "permalink"); strings.HasPrefix(own, "/") {
				p.address = own
			}
		}})
		return nil
	}, syntax: syntax{lines: directives, attrs: true}}
}

// componentLine is a line of MDX: a component that begins and ends, or an import.
var componentLine = regexp.MustCompile(`(?m)^[ \t]*</[A-Z][A-Za-z.]*>[ \t]*$|^import [\w{}*, ]+ from ['"][^'"]+['"];?$|^[ \t]*<[A-Z][A-Za-z.]*(?: [^<>]*)?/>[ \t]*$`)
