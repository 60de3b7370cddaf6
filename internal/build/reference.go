package build

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"vitrine/internal/apidoc"
	"vitrine/internal/folder"
	"vitrine/internal/render/theme"
	"vitrine/internal/rule"
	"vitrine/internal/site"
)

// maxDescription is the maximum size in bytes of an OpenAPI description.
const maxDescription = 32 << 20

// references adds the pages that are generated from the OpenAPI descriptions that the site's pages name.
func (b *builder) references(s *site.Site, t *theme.Theme) {
	var made []*site.Page
	for _, p := range s.Pages {
		if len(p.OpenAPI) == 0 {
			continue
		}
		source := apidoc.Source{Page: p, Word: t.Words(p.Language), Read: func(name string) ([]byte, error) {
			publishPart(s, name)
			return b.readDescription(name)
		}}
		for _, ref := range p.OpenAPI {
			name := path.Join(path.Dir(p.Source), ref.Target)
			text, err := b.readDescription(name)
			if err != nil {
				b.problems = append(b.problems, site.Problem{Path: p.Source, Pos: ref.Pos, Severity: site.Error, Code: rule.Description, Text: noDescription(name, err)})
				continue
			}
			source.Files = append(source.Files, apidoc.File{Name: name, Path: publishedAt(s, name), Text: text})
		}
		pages, problems := apidoc.Pages(source)
		b.problems = append(b.problems, problems...)
		made = append(made, pages...)
	}
	if len(made) == 0 {
		return
	}
	taken := make(map[string]bool)
	for _, p := range s.Pages {
		taken[p.Path] = true
	}
	// A hand-written page replaces a generated page at the same path.
	made = slices.DeleteFunc(made, func(p *site.Page) bool { return taken[p.Path] })
	for _, p := range made {
		b.switches.Pages[p.Source] = p.Diagnostics
	}
	s.Pages = append(s.Pages, made...)
	slices.SortStableFunc(s.Pages, func(a, b *site.Page) int { return strings.Compare(a.Path, b.Path) })
}

// publishedAt returns the path at which the named file is published, or "" if the site has no such file.
func publishedAt(s *site.Site, name string) string {
	for i := range s.Files {
		if s.Files[i].Source == name {
			return s.Files[i].Path
		}
	}
	return ""
}

// publishPart marks the named file as published, because a published description refers to it.
func publishPart(s *site.Site, name string) {
	for i := range s.Files {
		if s.Files[i].Source == name {
			s.Files[i].OnLink = false
		}
	}
}

// readDescription reads an OpenAPI description or a file to which a description refers.
func (b *builder) readDescription(name string) ([]byte, error) {
	if !strings.HasPrefix(name, folder.Content+"/") {
		return nil, fmt.Errorf("it is outside %s/; move it into that folder", folder.Content)
	}
	return b.folder.ReadLimited(name, maxDescription)
}

// noDescription returns the message about the OpenAPI description name, which can't be read because of err.
func noDescription(name string, err error) string {
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Sprintf("there is no file %s; write the path of the OpenAPI description relative to the page's folder", name)
	}
	return fmt.Sprintf("%s cannot be read: %v", name, err)
}
