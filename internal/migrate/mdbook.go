package migrate

import (
	"path"
	"regexp"
	"strings"

	"vitrine/internal/load/tree"
)

// mdbook reads books of mdBook: https://rust-lang.github.io/mdBook/format/.
func mdbook() *kind {
	return &kind{name: "mdbook", detect: func(s *source) (string, bool) {
		if name := findConfig(s, "book.toml"); name != "" {
			return path.Dir(name), true
		}
		for _, name := range s.names {
			if path.Base(name) == "SUMMARY.md" && strings.Count(name, "/") < 3 {
				return strings.TrimSuffix(path.Dir(name), "/src"), true
			}
		}
		return ".", false
	}, read: readMdbook, expand: mdbookIncludes, lines: func(c *conv, text string) string { return rustFences(text) }, docs: true,
		tags: map[string]handler{"listing": bookListing}, anchors: mdbookID, unseen: rustFences}
}

var summaryLink = regexp.MustCompile(`^([ \t]*)(?:[-*+][ \t]+)?\[((?:[^\[\]]|\[[^\]]*\]|\\.)*)\]\(<?([^)>]*)>?\)`)

func readMdbook(im *importer) error {
	config := &tree.Node{Kind: tree.Map}
	if name := path.Join(im.base, "book.toml"); im.src.has(name) {
		read, err := im.src.data(name)
		if err != nil {
			im.failed(name, "the settings", err)
		} else {
			config = read
		}
	}
	im.config = config
	im.title, im.description, im.language = textAt(config, "book/title"), oneLine(textAt(config, "book/description"), maxLine), languageTag(textAt(config, "book/language"))
	if base := strings.Trim(textAt(config, "output/html/site-url"), "/"); base != "" && !strings.Contains(base, ":") {
		im.basePath = "/" + base
	}
	im.repository = textAt(config, "output/html/git-repository-url")
	dir, ok := inside(im.base, fallback(textAt(config, "book/src"), "src"))
	if !ok {
		dir = path.Join(im.base, "src")
	}
	im.contentDirs, im.staticDirs = []string{dir}, []string{dir}
	summary, err := im.src.text(path.Join(dir, "SUMMARY.md"))
	if err != nil {
		im.failed(path.Join(dir, "SUMMARY.md"), "the list of chapters", err)
	}
	if n := get(config, "output", "html", "redirect"); n != nil {
		for _, m := range n.Members {
			im.redirects = append(im.redirects, [2]string{im.basePath + m.Key, path.Join("/", path.Dir(m.Key), text(m.Value))})
			if strings.HasPrefix(text(m.Value), "/") {
				im.redirects[len(im.redirects)-1][1] = text(m.Value)
			}
		}
	}
	chapters := map[string]bool{}
	place := 0
	for line := range strings.Lines(summary) {
		m := summaryLink.FindStringSubmatch(line)
		if m == nil || strings.TrimSpace(m[3]) == "" || strings.Contains(m[3], "://") {
			continue
		}
		name, ok := inside(dir, unescape(strings.TrimPrefix(m[3], "./")))
		if !ok || chapters[name] {
			continue
		}
		chapters[name] = true
		if !im.src.has(name) {
			im.note(Note{File: path.Join(dir, "SUMMARY.md"), What: "the chapter " + m[2], Why: "its file " + m[3] + " is not there", Do: "write it"})
			continue
		}
		p, ok := im.readPage(name)
		if !ok {
			continue
		}
		place++
		im.chapter(p, strings.TrimPrefix(name, dir+"/"), plain(m[2]), place)
	}
	for _, name := range im.src.below(dir) {
		rel := strings.TrimPrefix(name, dir+"/")
		switch {
		case isPage(name) && !chapters[name] && rel != "SUMMARY.md":
			im.note(Note{File: name, What: "the file " + rel, Why: "SUMMARY.md does not name it, so that mdBook does not publish it", Do: "copy it by hand where it is wanted"})
		case !isPage(name):
			im.files = append(im.files, &file{source: name, address: im.basePath + "/" + rel, linked: !isAsset(name)})
		}
	}
	im.bookHome(summary, dir)
	return nil
}

func (im *importer) chapter(p *page, rel, label string, place int) {
	at := pageStem(rel)
	p.address = im.basePath + "/" + at + ".html"
	if base := path.Base(at); strings.EqualFold(base, "README") || base == "index" {
		p.index = true
		p.address = im.basePath + strings.TrimSuffix("/"+strings.TrimSuffix(path.Dir(at), "."), "/") + "/"
	}
	add := func(key string, n *tree.Node) {
		if p.front.Get(key) == nil {
			p.front.Members = append(p.front.Members, tree.Member{Key: key, Value: n})
		}
	}
	add("order", &tree.Node{Kind: tree.Number, Text: itoa(place), Number: itoa(place)})
	add("sidebar_label", &tree.Node{Kind: tree.Text, Text: label})
	im.add(p)
}

// bookHome makes the page at which the book begins, where no chapter is that.
func (im *importer) bookHome(summary, dir string) {
	for _, p := range im.pages {
		if p.index && p.address == im.basePath+"/" {
			return
		}
	}
	var b strings.Builder
	for line := range strings.Lines(summary) {
		if m := summaryLink.FindStringSubmatch(line); m != nil && m[3] != "" {
			b.WriteString(m[1] + "- [" + m[2] + "](" + m[3] + ")\n")
		}
	}
	im.add(&page{source: path.Join(dir, "SUMMARY.md"), made: true, index: true, title: fallback(im.title, "The book"), body: b.String(), address: im.basePath + "/"})
}

var (
	bookInclude = regexp.MustCompile(`\\?\{\{\s*#(include|rustdoc_include|playground|playpen)\s+([^\s}]+)[^}]*\}\}`)
	bookTitle   = regexp.MustCompile(`(?m)\\?\{\{\s*#title\s+([^}]*)\}\}`)
)

// mdbookIncludes puts files into a text, in code too.
func mdbookIncludes(c *conv, text string) string {
	text = bookTitle.ReplaceAllString(text, "")
	return bookInclude.ReplaceAllStringFunc(text, func(raw string) string {
		if strings.HasPrefix(raw, `\`) {
			return raw[1:]
		}
		m := bookInclude.FindStringSubmatch(raw)
		name, spec, _ := strings.Cut(m[2], ":")
		full, ok := inside(path.Dir(c.page.source), name)
		s, err := "", error(nil)
		if ok {
			s, err = c.im.src.text(full)
		}
		if !ok || err != nil || c.size > maxText {
			return c.leave(&tag{form: alone, name: "{" + m[1], raw: raw})
		}
		c.im.includes[full] = true
		switch {
		case spec == "":
		case spec[0] >= '0' && spec[0] <= '9' || spec[0] == ':':
			s = linesOf(s, spec)
		default:
			region, found := regionOf(s, spec)
			if !found {
				return c.leave(&tag{form: alone, name: "{" + m[1], raw: raw})
			}
			s = region
		}
		c.size += len(s)
		if spec == "" {
			var shown []string
			for line := range strings.SplitSeq(s, "\n") {
				if !anchorMark.MatchString(line) {
					shown = append(shown, line)
				}
			}
			s = strings.Join(shown, "\n")
		}
		s = strings.TrimRight(s, "\n")
		if m[1] == "playground" || m[1] == "playpen" {
			return codeFence("rust", s)
		}
		if isPage(full) && c.depth < 8 && strings.Contains(s, "{{#") {
			c.depth++
			s = mdbookIncludes(&conv{im: c.im, kind: c.kind, page: &page{source: full, text: s, front: c.page.front}, depth: c.depth, size: c.size, seen: map[string]int{}}, s)
			c.depth--
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
		return piece{body, true}
	}
	return container("figure", caption, "", body)
}

// mdbookID makes an anchor as mdBook does: other signs are left out, white space is "-".
func mdbookID(text string) string { return slug(text) }

// markdownFolder reads a folder of Markdown without a generator.
func markdownFolder() *kind {
	return &kind{name: "markdown", detect: func(s *source) (string, bool) {
		for _, name := range s.names {
			if isPage(name) {
				return ".", true
			}
		}
		return ".", false
	}, read: func(im *importer) error {
		im.contentDirs, im.staticDirs = []string{"."}, []string{".", "public", "static"}
		for _, name := range im.src.names {
			if !isPage(name) {
				im.files = append(im.files, &file{source: name, address: "/" + name, linked: !isAsset(name)})
				continue
			}
			p, ok := im.readPage(name)
			if !ok {
				continue
			}
			p.mdx = componentLine.MatchString(p.body)
			at := pageStem(name)
			if base := path.Base(at); strings.EqualFold(base, "index") || strings.EqualFold(base, "readme") || base == "_index" {
				p.index, at = true, strings.TrimSuffix(path.Dir(at), ".")
			}
			p.address = "/" + at
			if own := textAt(p.front, "permalink"); strings.HasPrefix(own, "/") {
				p.address = own
			}
			im.add(p)
		}
		return nil
	}, lines: directives, attrs: true}
}

// componentLine is a line of MDX: a component that begins and ends, or an import.
var componentLine = regexp.MustCompile(`(?m)^[ \t]*</[A-Z][A-Za-z.]*>[ \t]*$|^import [\w{}*, ]+ from ['"][^'"]+['"];?$|^[ \t]*<[A-Z][A-Za-z.]*(?: [^<>]*)?/>[ \t]*$`)
