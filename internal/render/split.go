package render

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"vitrine/internal/artifact"
	"vitrine/internal/plan"
	"vitrine/internal/render/media"
	"vitrine/internal/render/plaintext"
	"vitrine/internal/render/view"
)

// A splitter moves sections of llms.txt to separate files. It always moves large sections, and then, one at a time, the
// longest of the remaining sections. It also writes the llms.txt of each version of the documentation.
type splitter struct {
	r *Renderer
	// sections are the site's sections. The links of large sections point to the files in large.
	sections []linkSection
	// shown are the current sections of llms.txt. The links of sections that next has moved point to the files in
	// files.
	shown []linkSection
	large []artifact.Resource
	files []artifact.Resource
	// moved is the set of titles of the sections that have been moved to files.
	moved map[string]bool
	// merged reports whether merge has merged all sections into one.
	merged bool
}

func newSplitter(r *Renderer) *splitter {
	s := &splitter{r: r, sections: slices.Clone(r.sections.list), moved: make(map[string]bool)}
	for i := range s.sections {
		if section := &s.sections[i]; section.overview != "" && r.sections.version(section.folder) < 0 {
			section.Links = s.move(*section)
			s.moved[section.Title] = true
		}
	}
	for _, version := range r.sections.versions {
		links := s.move(version)
		for i := range s.sections {
			if section := &s.sections[i]; section.overview == version.overview {
				section.Links, s.moved[section.Title] = links, true
			}
		}
	}
	s.large, s.files, s.shown = s.files, nil, s.sections
	return s
}

// all returns the files of all moved sections, including large sections and the versions of the documentation.
func (s *splitter) all() []artifact.Resource { return append(slices.Clip(s.large), s.files...) }

// lists returns the current sections of llms.txt.
func (s *splitter) lists() []view.LinkSection {
	all := make([]view.LinkSection, len(s.shown))
	for i := range s.shown {
		all[i] = s.shown[i].LinkSection
	}
	return all
}

// next moves the longest remaining section to separate files, or merges all sections if moving one section wouldn't
// shorten llms.txt. It returns false if neither is possible.
func (s *splitter) next() bool {
	longest, length := -1, 0
	for i := range s.shown {
		if n := s.shown[i].length(); n > length && !s.moved[s.shown[i].Title] {
			longest, length = i, n
		}
	}
	// Moving a section of one or two lines wouldn't shorten llms.txt.
	if longest < 0 || len(s.shown[longest].Links) < 3 {
		return s.merge()
	}
	s.shown = slices.Clone(s.shown)
	section := &s.shown[longest]
	section.Links = s.move(*section)
	s.moved[section.Title] = true
	return true
}

// merge merges all sections into one section in separate files, for sites with so many sections that even the links to
// their files are too long. It returns false if the sections have already been merged or there is only one.
func (s *splitter) merge() bool {
	if s.merged || len(s.sections) < 2 {
		return false
	}
	whole := linkSection{LinkSection: view.LinkSection{Title: s.r.word("llmsPages")}, slug: "all"}
	for _, section := range s.sections {
		whole.Links = append(whole.Links, section.Links...)
	}
	s.merged, s.files = true, nil
	whole.Links = s.move(whole)
	s.moved[whole.Title] = true
	s.shown = []linkSection{whole}
	return true
}

// length returns the approximate length of the section's links in characters.
func (s *linkSection) length() int {
	n := 0
	for _, l := range s.Links {
		n += utf8.RuneCountInString(l.String()) + 1
	}
	return n
}

// move writes the links of section to one or more files and returns links to these files. The files are Markdown,
// except the section's own llms.txt, which is plain text.
func (s *splitter) move(section linkSection) []view.LinkLine {
	parts := section.parts(llmsBudget - 2500 - 2*utf8.RuneCountInString(s.r.site.Product.Description))
	links, paths := make([]view.LinkLine, len(parts)), make([]string, len(parts))
	for i, lines := range parts {
		path, title := s.r.site.At(llmsFolder)+section.slug+".md", section.Title
		if i > 0 {
			path = fmt.Sprintf("%s%s/%d.md", s.r.site.At(llmsFolder), section.slug, i+1)
		}
		if len(parts) > 1 {
			title = s.r.word("llmsPart", "title", section.Title, "number", i+1, "count", len(parts))
		}
		if i == 0 && section.overview != "" {
			path = section.overview
		} else {
			path = s.r.freePath(path)
		}
		paths[i] = path
		links[i] = view.LinkLine{Title: title, URL: s.r.url(path), Note: s.r.word("llmsCount", "count", len(lines))}
	}
	for i, lines := range parts {
		title, path := links[i].Title, paths[i]
		if i+1 < len(parts) {
			// Add a link to the next part for readers who open only this part.
			lines = append(slices.Clip(lines), links[i+1])
		}
		var body strings.Builder
		about := s.r.word("llmsSection", "address", s.r.url(s.r.site.At(plan.LLMsPath)))
		if section.about != "" {
			about += "\n\n" + plaintext.Markdown(section.about)
		}
		fmt.Fprintf(&body, "# %s: %s\n\n> %s\n\n%s\n\n## %s\n\n",
			plaintext.Markdown(s.r.site.Config.Title), plaintext.Markdown(title), plaintext.Markdown(s.r.site.Product.Description), about, section.Title)
		for _, l := range lines {
			body.WriteString(l.String())
			body.WriteByte('\n')
		}
		kind := media.Markdown
		if path == section.overview {
			kind = media.Text
		}
		s.files = append(s.files, s.r.textFile(path, kind, []byte(body.String())))
	}
	return links
}

// parts divides the links of a section into parts of at most budget characters. Each part contains at least one line.
func (s *linkSection) parts(budget int) [][]view.LinkLine {
	var parts [][]view.LinkLine
	left := 0
	for _, l := range s.Links {
		n := utf8.RuneCountInString(l.String()) + 1
		if len(parts) == 0 || n > left {
			parts, left = append(parts, nil), budget
		}
		parts[len(parts)-1] = append(parts[len(parts)-1], l)
		left -= n
	}
	return parts
}
