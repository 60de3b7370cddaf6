package render

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"vitrine/internal/artifact"
	"vitrine/internal/site"
)

const (
	llmsPath     = "/llms.txt"
	llmsFullPath = "/llms-full.txt"
	// llmsFolder holds the sections of llms.txt that are files of their own.
	llmsFolder = "/llms/"
	// llmsBudget is the size in characters that llms.txt, and each file that a
	// section of it moves to, stays under.
	llmsBudget = 50_000
)

// textData is what the plain-text files of a theme are executed with.
type textData struct {
	Site     *siteView
	Product  *site.Product
	Sections []linkSection
	Optional []linkLine
	LLMsFull bool

	// For robots.txt.
	Sitemap string
	Signals string
	Groups  []agentGroup

	// For security.txt.
	Contact, Expires, Canonical, Language string
}

// linkSection is an H2 section of llms.txt: nothing but links.
type linkSection struct {
	Title string
	Links []linkLine
	// slug names the section's files.
	slug  string
	pages []*site.Page
}

// linkLine is one link of llms.txt: "- [Title](URL): Note".
type linkLine struct {
	Title, URL, Note string
}

// String is the line as it is written, without its end.
func (l linkLine) String() string {
	if l.Note == "" {
		return "- [" + l.Title + "](" + l.URL + ")"
	}
	return "- [" + l.Title + "](" + l.URL + "): " + l.Note
}

// text executes a plain-text file of the theme. Its lines end with LF, and it
// ends with one.
func (r *Renderer) text(name string, data textData) ([]byte, error) {
	var out bytes.Buffer
	if err := r.writeText(&out, name, data); err != nil {
		return nil, err
	}
	return endedOnce(out.Bytes()), nil
}

func (r *Renderer) writeText(out io.Writer, name string, data textData) error {
	t, ok := r.theme.text[name]
	if !ok {
		return fmt.Errorf("the theme has no text/%s", name)
	}
	data.Site, data.Product = &r.siteView, &r.site.Product
	if err := t.Execute(out, data); err != nil {
		return fmt.Errorf("making %s: %w", name, err)
	}
	return nil
}

// endedOnce is a text with one LF at its end.
func endedOnce(text []byte) []byte { return append(bytes.TrimRight(text, "\n"), '\n') }

// llms renders llms.txt. Where it would be too long, its longest sections move
// to files of their own until it is not.
func (r *Renderer) llms() ([]artifact.Resource, error) {
	data := textData{Sections: r.sections.list, Optional: r.optional(), LLMsFull: true}
	split := newSplitter(r)
	for {
		// No character takes more bytes.
		short := shortText{left: utf8.UTFMax * llmsBudget}
		err := r.writeText(&short, "llms.txt", data)
		if err != nil && !errors.Is(err, errLong) {
			return nil, err
		}
		if body := endedOnce(short.text.Bytes()); err == nil && utf8.RuneCount(body) < llmsBudget {
			return append(split.files, r.textFile(llmsPath, typeText, body)), nil
		}
		if !split.next(&data) {
			body, err := r.text("llms.txt", data)
			return append(split.files, r.textFile(llmsPath, typeText, body)), err
		}
	}
}

// shortText takes a text in while there are bytes left for it, not counting the ends
// of its lines: of a text that is too long the rest need not be made.
type shortText struct {
	text bytes.Buffer
	left int
}

var errLong = errors.New("the text is too long")

// Write implements io.Writer.
func (t *shortText) Write(text []byte) (int, error) {
	t.left -= len(text) - bytes.Count(text, []byte("\n"))
	if t.left < 0 {
		return 0, errLong
	}
	return t.text.Write(text)
}

// optional are the links that a reader who is short of space leaves out.
func (r *Renderer) optional() []linkLine {
	var links []linkLine
	if tags := r.lists.pages[tagsPath]; tags != nil && !tags.Unlisted {
		links = append(links, r.linkTo(tags))
	}
	for _, f := range r.feeds() {
		links = append(links, linkLine{Title: linkTitle(f.title), URL: markdownURL(r.url(f.path)), Note: "the newest articles in full"})
	}
	for _, full := range r.sections.full {
		links = append(links, linkLine{
			Title: "Full text: " + full.title, URL: markdownURL(r.url(full.path)), Note: "the text of this section in one file",
		})
	}
	return links
}

// linkTo is the line that leads to a page's Markdown.
func (r *Renderer) linkTo(p *site.Page) linkLine {
	return linkLine{
		Title: linkTitle(p.Title),
		URL:   markdownURL(r.url(p.MarkdownPath())),
		Note:  oneLine(p.Description),
	}
}

// linkTitle makes a title safe between brackets: the reference parser knows no
// escapes there.
func linkTitle(title string) string {
	if !strings.ContainsAny(title, "[]") {
		return oneLine(title)
	}
	return strings.NewReplacer("[", "(", "]", ")").Replace(oneLine(title))
}

// oneLine makes every white space a single space, and none at the ends.
func oneLine(s string) string {
	if isASCII(s) && !strings.ContainsAny(s, "\t\n\v\f\r") && !strings.Contains(s, "  ") && s == strings.TrimSpace(s) {
		return s
	}
	return strings.Join(strings.Fields(s), " ")
}
