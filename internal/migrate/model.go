package migrate

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"

	bcp "golang.org/x/text/language"

	"vitrine/internal/load/tree"
)

// kind is a kind of site: how its folder is read, and what its pages say beyond Markdown.
type kind struct {
	name string
	// detect returns how surely a source is of the kind, 0 for not at all, and the
	// folder in it that holds the site.
	detect func(s *source) (base string, found bool)
	// read finds pages, files and settings.
	read func(im *importer) error

	// expand resolves what the site's templates replace before Markdown is read, in
	// code too. lines turns signs of its own that stand on lines.
	expand, lines func(c *conv, text string) string
	// tags writes components by name.
	tags map[string]handler
	// anchors makes a heading's anchor as the kind does.
	anchors func(text string) string
	// mdx, vue: components in the text; markdownInHTML: Markdown is read there; attrs:
	// lists of attributes in braces.
	// htmlBlocks: no code by indentation in a block of HTML.
	mdx, vue, markdownInHTML, attrs, htmlBlocks bool
	// docs says that sections are documentation.
	docs bool
	// unseen takes signs off a text that no reader sees, when words are counted.
	unseen func(text string) string
}

// page is a page of the old site.
type page struct {
	// source is its file, below the source.
	source string
	// text is the whole file, body what follows the front matter.
	text, body string
	front      *tree.Node
	// address is the old one: a path that begins with "/", with the trailing slash
	// or ".html" that it had. others are more that led here.
	address string
	others  []string
	// index says that the page stands for its folder.
	index bool
	// html says that the body is HTML.
	html bool
	// made says that no file is behind the page, mdx that it has components whatever
	// its name says.
	made, mdx bool

	title, description, sidebar, author, image string
	date, updated                              time.Time
	tags                                       []string
	order                                      int
	draft, unlisted, docs                      bool
	params                                     []tree.Member

	// path is the new address, name the new file below content/.
	path, name string
	// out is the new text. anchorsOf maps old anchors to new ones.
	out     string
	anchors map[string]string
	// given are parameters that the page was handed down.
	given []*tree.Node
	// dropped is the heading that became the title.
	dropped string
}

// file is a file that is copied.
type file struct {
	source string
	// address is the old one, name the new file below content/, path the new
	// address.
	address, name, path string
	// linked says that it is copied only where a page links to it.
	linked, needed bool
}

// item is an entry of the navigation.
type item struct {
	Label, Path string
}

// settings are what is known of the site itself.
type settings struct {
	title, description, url, language, timeZone, repository string
	// basePath is what every old address begins with.
	basePath   string
	navigation []item
	languages  []language
}

type language struct{ Tag, Title string }

// Known reports whether there is such a language: tools name the folders of languages as they like.
func (l language) Known() bool {
	_, err := bcp.Parse(l.Tag)
	return err == nil && !strings.Contains(l.Tag, "_")
}

// importer is one run.
type importer struct {
	src  *source
	kind *kind
	// base is the folder of the site in the source, "." for the source itself.
	base string
	opt  Options
	settings
	config *tree.Node
	// data is for what the kind keeps.
	data any

	pages []*page
	files []*file
	notes []Note
	// redirects are old addresses that lead to others.
	redirects [][2]string
	// staticDirs are folders whose files stand at the root, contentDirs those that
	// links with "/" may begin in.
	staticDirs, contentDirs []string

	// wanted are the anchors that some link asks for.
	wanted map[string]bool
	// bySource, byAddress and byPath find pages, files those that are copied.
	bySource, byAddress         map[string]*page
	fileBySource, fileByAddress map[string]*file
	result                      *Result
	kinds                       map[string]*kind
	components                  map[string]handler
	authors                     map[string]string
	// taken has the addresses that are given away, in lower case.
	taken map[string]string
}

// kindOf is the kind that a page's text is read as: MDX in files that end so, no signs
// on lines in HTML.
func (im *importer) kindOf(p *page) *kind {
	mdx := p.mdx || path.Ext(p.source) == ".mdx" || im.kind.mdx && (im.kind.name == "docusaurus" || path.Ext(p.source) != ".md")
	if mdx == im.kind.mdx && !p.html {
		return im.kind
	}
	key := fmt.Sprint(mdx, p.html)
	if im.kinds[key] == nil {
		k := *im.kind
		if k.mdx = mdx; p.html {
			k.lines = nil
		}
		im.kinds[key] = &k
	}
	return im.kinds[key]
}

// add notes a page.
func (im *importer) add(p *page) *page {
	if p.front == nil {
		p.front = &tree.Node{Kind: tree.Map}
	}
	im.pages = append(im.pages, p)
	return p
}

// readPage reads a file with front matter.
func (im *importer) readPage(name string) (*page, bool) {
	text, err := im.src.text(name)
	if err != nil {
		im.failed(name, "the page", err)
		return nil, false
	}
	p := &page{source: name, text: text}
	p.front, p.body, err = splitFront(text)
	if err != nil {
		im.note(Note{File: name, Line: 1, What: "the front matter", Why: "it cannot be read: " + err.Error(), Do: "write its keys again by hand"})
		p.front = &tree.Node{Kind: tree.Map}
		head := strings.TrimSuffix(strings.TrimSuffix(text, p.body), "\n")
		p.body = sign + ":::warning[Not carried over: the front matter]\n" + codeFence("yaml", head) + "\n" + sign + ":::\n\n" + p.body
	}
	return p, true
}

// Extensions of the files that are pages, and of those that pages show or offer.
const (
	pageFiles  = ".md .mdx .markdown .mkd .mkdn .mdown"
	assetFiles = ".png .apng .jpg .jpeg .gif .webp .avif .svg .ico .bmp .mp3 .m4a .aac .ogg .oga .opus .wav .flac .mp4 .m4v .webm .ogv .mov .vtt" +
		" .pdf .epub .zip .gz .tgz .tar .bz2 .xz .zst .7z .woff .woff2 .ttf .otf"
)

// isPage reports whether a file is Markdown, by its name.
func isPage(name string) bool { return hasWord(pageFiles, strings.ToLower(path.Ext(name))) }

// isAsset reports whether a file is what pages show or offer.
func isAsset(name string) bool { return hasWord(assetFiles, strings.ToLower(path.Ext(name))) }

// stem is a name without its folder and extension.
func stem(name string) string {
	base := path.Base(name)
	return strings.TrimSuffix(base, path.Ext(base))
}

// cleanAddress is an address in the form in which addresses are compared: without what
// stands for a folder's page.
func cleanAddress(s string) string {
	s = "/" + strings.Trim(s, "/")
	s = path.Clean(s)
	s, _ = cutSuffixes(s, "/index.html", "/index.htm", ".html", ".htm")
	if s == "" || s == "/index" {
		return "/"
	}
	return s
}

// sluggish makes part of an address as most generators do.
func sluggish(s string) string {
	var b strings.Builder
	dash := false
	for _, r := range strings.ToLower(s) {
		switch {
		case unicode.IsLetter(r), unicode.IsDigit(r), unicode.IsMark(r), r == '_', r == '.':
			if dash && b.Len() > 0 {
				b.WriteByte('-')
			}
			dash = false
			b.WriteRune(r)
		default:
			dash = true
		}
	}
	return b.String()
}

// slug makes an anchor as Vitrine does, which is as GitHub does.
func slug(text string) string {
	var b strings.Builder
	for _, r := range strings.TrimSpace(text) {
		switch {
		case r == ' ':
			b.WriteByte('-')
		case r == '-' || r == '_' || unicode.In(r, unicode.Letter, unicode.Mark, unicode.Nd, unicode.Nl, unicode.Pc):
			b.WriteRune(unicode.ToLower(r))
		}
	}
	return b.String()
}

var dateForms = []string{time.RFC3339Nano, time.RFC3339, "2006-01-02T15:04:05", "2006-01-02 15:04:05 -0700", "2006-01-02 15:04:05 -07:00", "2006-01-02 15:04:05 MST",
	"2006-01-02 15:04:05Z07:00", "2006-01-02 15:04:05", "2006-01-02 15:04 -0700", "2006-01-02 15:04", "2006-01-02T15:04Z07:00", "2006-01-02T15:04", "2006-01-02", "2006-1-2", "2006/01/02", "2006/01/02 15:04:05",
	"January 2, 2006", "Jan 2, 2006", "2 January 2006", "2 Jan 2006", "Mon, 02 Jan 2006 15:04:05 -0700", "01/02/2006", "Jan 2 2006", "2006-01"}

// date reads a date in one of the forms that people write.
func date(s string) (time.Time, bool) {
	for _, form := range dateForms {
		if t, err := time.Parse(form, strings.TrimSpace(s)); err == nil && t.Year() > 1 {
			return t, true
		}
	}
	return time.Time{}, false
}

// dated is a file name that begins with a date.
var dated = regexp.MustCompile(`^(\d{4})-(\d{1,2})-(\d{1,2})[-_](.+)$`)

// cutDate takes the date off a name.
func cutDate(name string) (time.Time, string, bool) {
	m := dated.FindStringSubmatch(name)
	if m == nil {
		return time.Time{}, name, false
	}
	t, ok := date(m[1] + "-" + m[2] + "-" + m[3])
	if !ok {
		return time.Time{}, name, false
	}
	return t, m[4], true
}

// sortPages puts them in the order of their sources.
func (im *importer) sortPages() {
	slices.SortStableFunc(im.pages, func(a, b *page) int { return strings.Compare(a.source, b.source) })
}

// titleCase makes a title of part of a path.
func titleCase(s string) string {
	s = strings.Join(strings.FieldsFunc(s, func(r rune) bool { return r == '-' || r == '_' || r == ' ' }), " ")
	for i, r := range s {
		return string(unicode.ToTitle(r)) + s[i+len(string(r)):]
	}
	return s
}

// titleOf is the title of a page that has none: its file's name.
func titleOf(p *page) string {
	name := stem(p.source)
	switch strings.ToLower(name) {
	case "index", "_index", "readme":
		name = path.Base(path.Dir(p.source))
		if name == "." || name == "/" {
			name = "Home"
		}
	}
	_, name, _ = cutDate(name)
	return fallback(titleCase(name), "Untitled")
}
