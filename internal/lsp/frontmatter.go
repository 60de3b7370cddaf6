package lsp

import (
	"bytes"
	"cmp"
	"fmt"
	"strings"

	"vitrine/internal/site"
)

// parted adds translationOf to page, a translation, if a move changes the path of page or of the original page so that
// the two paths differ in more than the language tag. paths maps moved sources to their new URL paths.
func (c *changes) parted(page *site.Page, paths map[string]string) {
	original := page.In("")
	if page.Language == "" || page.Text != nil || page.Translates() != "" || original == nil || original.Text != nil {
		return
	}
	at := site.Page{Path: cmp.Or(paths[page.Source], page.Path), Language: page.Language}
	to := cmp.Or(paths[original.Source], original.Path)
	if at.Local() == to || at.Path == page.Path && to == original.Path {
		return
	}
	source := c.text(page.Source).source
	edit := frontMatter(source, page, "translationOf", fmt.Sprintf("%q", site.RefTo(to)))
	for i, other := range c.edits[page.Source] {
		if other.Start == edit.Start && other.Old == edit.Old {
			// The edit that adds the alias starts at the same position, and may also create the front matter.
			if begun, ok := strings.CutSuffix(other.New, "---\n\n"); ok {
				c.edits[page.Source][i].New = begun + strings.TrimPrefix(edit.New, "---\n")
			} else {
				c.edits[page.Source][i].New += strings.TrimPrefix(edit.New, edit.Old)
			}
			return
		}
	}
	c.add(page.Source, edit)
}

// alias returns the edit that adds a page's current path to the aliases in its front matter. If at, the page's new
// path, is one of the aliases, the current path replaces it. The edit is zero for the home page and the 404 page.
func alias(source []byte, page *site.Page, at string) site.Edit {
	old := page.Path
	if old == "/" || old == "/404" {
		return site.Edit{}
	}
	for _, a := range page.Aliases {
		if a.Path == at {
			// The page moves back to an old path.
			return site.EditValue(source, a.Pos, at, old)
		}
	}
	quoted := fmt.Sprintf("%q", old)
	front, line := source[:min(page.Body, len(source))], 0
	for text := range bytes.Lines(front) {
		trimmed := strings.TrimSpace(string(text))
		if rest, ok := strings.CutPrefix(strings.TrimLeft(trimmed, `"`), "aliases"); ok && strings.HasPrefix(trimmed, "aliases") == (trimmed[0] == 'a') {
			if open := bytes.IndexByte(text, '['); open >= 0 {
				separator := ", "
				if strings.HasPrefix(strings.TrimSpace(string(text[open+1:])), "]") {
					separator = ""
				}
				return site.Edit{Start: line + open, Old: "[", New: "[" + quoted + separator}
			}
			if value := strings.TrimSpace(strings.TrimLeft(rest, `": =`)); value != "" {
				return site.Edit{Start: line + bytes.Index(text, []byte(value)), Old: value, New: "[" + quoted + ", " + value + "]"}
			}
			next, _, _ := bytes.Cut(source[line+len(text):], []byte("-"))
			return site.Edit{Start: line + len(text), New: string(next) + "- " + quoted + "\n"}
		}
		line += len(text)
	}
	return frontMatter(source, page, "aliases", "["+quoted+"]")
}

// frontMatter returns the edit that adds key and value at the start of a page's front matter. The edit creates the
// front matter if necessary. value must be valid in all front matter syntaxes. The edit is zero if the front matter
// begins with an empty line.
func frontMatter(source []byte, page *site.Page, key, value string) site.Edit {
	front := source[:min(page.Body, len(source))]
	opening, rest, _ := bytes.Cut(front, []byte("\n"))
	written := key + ": " + value + "\n"
	switch strings.TrimSpace(string(bytes.TrimPrefix(opening, []byte("\uFEFF")))) {
	case "":
		if len(bytes.TrimSpace(rest)) == 0 {
			return site.Edit{Start: bytes.Count(front, []byte("\uFEFF")) * len("\uFEFF"), New: "---\n" + written + "---\n\n"}
		}
		return site.Edit{}
	case "+++", "---toml":
		written = key + " = " + value + "\n"
	case "{", ";;;", "---json":
		brace := bytes.IndexByte(front, '{')
		return site.Edit{Start: brace, Old: "{", New: "{\n\"" + key + "\": " + value + ","}
	}
	return site.Edit{Start: len(opening) + 1, New: written}
}
