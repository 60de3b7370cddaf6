package lsp

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"vitrine/internal/check"
	"vitrine/internal/fix"
	"vitrine/internal/folder"
	"vitrine/internal/load"
	"vitrine/internal/site"
)

// changes are edits in the files of a site, and a renamed file. newName is "" if no file is renamed.
type changes struct {
	project          *project
	edits            map[string][]site.Edit
	oldName, newName string
	// texts caches the files that have been read, by name.
	texts map[string]*text
}

func (c *changes) text(name string) *text {
	if c.texts == nil {
		c.texts = make(map[string]*text)
	}
	if c.texts[name] == nil {
		c.texts[name] = c.project.text(name)
	}
	return c.texts[name]
}

func (c *changes) add(name string, edit site.Edit) {
	if edit != (site.Edit{}) {
		c.edits[name] = append(c.edits[name], edit)
	}
}

// write returns the changes as an edit for the client.
func (c *changes) write() (*workspaceEdit, error) {
	p := c.project
	can := p.server.client.Capabilities.Workspace.WorkspaceEdit
	edit := &workspaceEdit{}
	for _, name := range slices.Sorted(maps.Keys(c.edits)) {
		t := c.text(name)
		_, made, err := fix.Apply(t.source, c.edits[name])
		if err != nil {
			return nil, failed("%s: %v", name, err)
		}
		var edits []textEdit
		for _, e := range made {
			edits = append(edits, textEdit{t.span(e.Start, e.Start+len(e.Old)), e.New})
		}
		if !can.DocumentChanges {
			if edit.Changes == nil {
				edit.Changes = make(map[string][]textEdit)
			}
			edit.Changes[p.uri(name)] = edits
			continue
		}
		document := &documentID{URI: p.uri(name)}
		if d := p.open[name]; d != nil {
			document.Version = d.version
		}
		edit.DocumentChanges = append(edit.DocumentChanges, documentChange{TextDocument: document, Edits: edits})
	}
	if c.newName != "" {
		if !can.DocumentChanges || !slices.Contains(can.ResourceOperations, "rename") {
			return nil, failed("this editor cannot rename files for a language server (documentChanges with rename); %s", c.byHand())
		}
		edit.DocumentChanges = append(edit.DocumentChanges, documentChange{Kind: "rename", OldURI: p.uri(c.oldName), NewURI: uriOf(p.file(c.newName))})
	}
	return edit, nil
}

// byHand returns instructions for renaming the file manually, for editors that can't rename files for the server.
func (c *changes) byHand() string {
	rename := fmt.Sprintf("rename %s to %s in its file list", c.oldName, c.newName)
	if c.project.server.client.Capabilities.Workspace.FileOperations.WillRename {
		return rename + ", and the links change with it"
	}
	return rename + ", then correct the links that are reported as broken"
}

// prepared is the result of prepareRename.
type prepared struct {
	Range       textRange `json:"range"`
	Placeholder string    `json:"placeholder"`
}

// prepareRename returns the renameable text at a position: the destination of a link to a page of the site, or a
// heading. It returns nil if there is neither.
func (d *document) prepareRename(params documentParams) (*prepared, error) {
	offset := d.offset(params.Position)
	if l, target, ok := d.pageAt(offset); ok && target.Page.Text == nil {
		name, _, _ := strings.Cut(l.destination, "#")
		name, _, _ = strings.Cut(name, "?")
		return &prepared{d.span(l.start, l.start+len(name)), name}, nil
	}
	if d.project.live == nil || d.project.live.Index() == nil {
		return nil, nil
	}
	all := d.project.headings(d.name, d.text)
	i := headingAt(all, params.Position.Line)
	if i < 0 {
		return nil, nil
	}
	return &prepared{d.span(all[i].start, all[i].end), string(d.source[all[i].start:all[i].end])}, nil
}

// pageAt returns the link at a position and its target. ok is false if the target isn't a page, or if the link is only
// an anchor.
func (d *document) pageAt(offset int) (l linkPlace, target site.Target, ok bool) {
	if l, ok = d.linkAt(offset); !ok || strings.HasPrefix(l.destination, "#") {
		return l, target, false
	}
	target, err := d.project.live.Index().Resolve(l.from, l.destination)
	return l, target, err == nil && target.Page != nil
}

// rename renames the page that a link points to, or a heading, and updates every link to it.
func (d *document) rename(params documentParams) (*workspaceEdit, error) {
	offset := d.offset(params.Position)
	p := d.project
	if p.live == nil || p.live.Index() == nil {
		return nil, failed("the site is still being checked; try again in a moment")
	}
	c := &changes{project: p, edits: make(map[string][]site.Edit)}
	if l, target, ok := d.pageAt(offset); ok {
		if target.Page.Text != nil {
			return nil, failed("%s is a page of the theme; it has no file to rename", target.Path)
		}
		var err error
		if c.newName, err = p.newName(l.from, target.Page.Source, params.NewName); err != nil {
			return nil, err
		}
		c.oldName = target.Page.Source
		if err := c.move(map[string]string{c.oldName: c.newName}); err != nil {
			return nil, err
		}
		return c.write()
	}
	if err := c.renameHeading(d, params); err != nil {
		return nil, err
	}
	return c.write()
}

// newName returns a page's new file. written is the text that the user typed in place of a link to the page.
func (p *project) newName(from *site.Page, source, written string) (string, error) {
	name := path.Join(path.Dir(from.Source), written)
	if strings.HasPrefix(written, "/") {
		if name = folder.Content + written; path.Base(source) == "index.md" {
			name += "/index.md"
		}
	}
	stem, isPage := site.CutPage(name)
	if !isPage {
		stem, name = name, name+path.Ext(source)
	}
	below, inside := strings.CutPrefix(stem, folder.Content+"/")
	if problem := load.NameProblem(below); !inside || problem != "" {
		return "", failed("%q is not a valid page path; write a path such as /pricing, or the name of a file in the content folder", written)
	}
	if name == source {
		return "", failed("%q is the current name; choose another", written)
	}
	if _, err := os.Lstat(p.file(name)); err == nil || p.open[name] != nil {
		return "", failed("the file %s already exists", name)
	}
	return name, nil
}

// renameHeading changes the text of a heading, and updates the links to all anchors that change as a result.
func (c *changes) renameHeading(d *document, params documentParams) error {
	p := d.project
	was := p.headings(d.name, d.text)
	i := headingAt(was, params.Position.Line)
	if i < 0 {
		return failed("there is neither a link to a page nor a heading here")
	}
	h := was[i]
	if strings.TrimSpace(params.NewName) == "" || strings.ContainsAny(params.NewName, "\r\n") {
		return failed("a heading must be one line of text")
	}
	edit := site.Edit{Start: h.start, Old: string(d.source[h.start:h.end]), New: params.NewName}
	c.add(d.name, edit)
	now := p.headings(d.name, newText(slices.Concat(d.source[:h.start], []byte(edit.New), d.source[h.end:]), d.utf8))
	if len(now) != len(was) {
		return failed("%q would not be one heading; remove other Markdown syntax", params.NewName)
	}
	// The number in the anchor of another heading with the same text may change.
	anchors := make(map[string]string)
	for i := range was {
		anchors[was[i].id] = now[i].id
	}
	page, _ := p.live.Page(d.name)
	for l := range p.links(page.Path) {
		if anchor := anchors[l.anchor]; l.path == page.Path && anchor != "" && anchor != l.anchor {
			path, _, _ := strings.Cut(l.destination, "#")
			c.redirect(l, path+"#"+anchor)
		}
	}
	return nil
}

// redirect changes the destination of a link. If the source doesn't contain the destination literally, for example
// because it contains a fact expression, the link stays unchanged, and the next check reports it as broken.
func (c *changes) redirect(l foundLink, destination string) {
	if destination == l.destination {
		return
	}
	source := c.text(l.from.Source).source
	if l.from.Source == configFile || l.from.Source == questionsFile || inFrontMatter(l) {
		c.add(l.from.Source, site.EditValue(source, l.pos, l.destination, destination))
		return
	}
	if at, ok := check.DestinationAt(source, l.pos, l.destination); ok {
		c.add(l.from.Source, site.Edit{Start: at, Old: l.destination, New: destination})
	}
}

// inFrontMatter reports whether a link is the image, the cover, or translationOf in its page's front matter.
func inFrontMatter(l foundLink) bool {
	for _, r := range []site.Reference{l.from.Image, l.from.Cover.Src, l.from.TranslationOf} {
		if l.pos == r.Pos && l.destination == r.Target {
			return true
		}
	}
	return false
}

// willRenameFiles returns the edits for files that the client is about to rename: new destinations for the links to
// them, and aliases for the old addresses of pages.
func (s *Server) willRenameFiles(raw json.RawMessage) (any, error) {
	var params renameFilesParams
	if err := json.Unmarshal(raw, &params); err != nil {
		return nil, &rpcError{codeInvalidParams, err.Error()}
	}
	var c *changes
	moves := make(map[string]string)
	for _, f := range params.Files {
		from, ok := pathOf(f.OldURI)
		to, okTo := pathOf(f.NewURI)
		p := s.projectOf(from)
		if !ok || !okTo || p == nil || p.live == nil || p.live.Index() == nil || c != nil && c.project != p {
			continue
		}
		c = &changes{project: p, edits: make(map[string][]site.Edit)}
		from, _ = filepath.Rel(p.root, from)
		to, _ = filepath.Rel(p.root, to)
		p.expand(moves, filepath.ToSlash(from), filepath.ToSlash(to))
	}
	if c == nil || len(moves) == 0 {
		return nil, nil
	}
	if err := c.move(moves); err != nil {
		return nil, err
	}
	return c.write()
}

// expand adds the new name of a renamed file, or of each file in a renamed folder, to moves.
func (p *project) expand(moves map[string]string, from, to string) {
	one := func(source string) {
		if source == from {
			moves[source] = to
		} else if below, ok := strings.CutPrefix(source, from+"/"); ok {
			moves[source] = to + "/" + below
		}
	}
	for _, page := range slices.Concat(p.live.Site().Pages, p.live.Site().Withheld) {
		one(page.Source)
	}
	for _, f := range p.live.Site().Files {
		one(f.Source)
	}
}

// move updates a site's links for renamed files, and adds aliases for the old addresses.
func (c *changes) move(moves map[string]string) error {
	p := c.project
	// paths maps moved sources to their new addresses, and sources maps current addresses to their sources. published is
	// false if a moved page isn't published, so that links to it don't resolve.
	paths, sources := make(map[string]string), make(map[string]string)
	published := true
	for _, f := range p.live.Site().Files {
		if to, moved := moves[f.Source]; moved {
			paths[f.Source], sources[f.Path] = load.FilePath(to), f.Source
		}
	}
	for _, page := range slices.Concat(p.live.Site().Pages, p.live.Site().Withheld) {
		to, moved := moves[page.Source]
		if !moved || page.Text != nil {
			continue
		}
		text := c.text(page.Source).source
		at := p.live.PathAt(to, text)
		paths[page.Source], sources[page.Path] = at, page.Source
		if !p.live.Publishes(page.Source) {
			published = false
		} else if at != "" && at != page.Path {
			c.add(page.Source, alias(text, page, at))
		}
	}
	for _, page := range p.live.Site().Pages {
		c.parted(page, paths)
	}
	var leading []string
	if published {
		leading = slices.Collect(maps.Keys(sources))
	}
	for l := range p.links(leading...) {
		from, fromMoved := moves[l.from.Source]
		if !fromMoved {
			if sources[l.path] == "" && (l.path != "" || published) {
				continue
			}
			from = l.from.Source
		}
		rel, _ := site.CutTail(l.destination)
		at := cmp.Or(l.path, rel)
		source := cmp.Or(sources[at], p.sourceAt(at))
		if scheme, _ := site.Scheme(rel); l.path == "" && scheme == "" && rel != "" && rel[0] != '/' {
			// The link points to a draft, or outside of content/.
			if source = path.Join(path.Dir(l.from.Source), rel); moves[source] == "" && moves[source+".md"] != "" {
				source += ".md"
			}
		}
		to, moved := moves[source]
		if source == "" || !moved && !fromMoved {
			continue
		}
		if !moved {
			to = source
		}
		c.redirect(l, p.following(l, from, source, to, paths[source]))
	}
	return nil
}

// following returns a link from one file to another, in the same form as the current link: an absolute URL, a path from
// the root, or a relative path. at is the target's new address, or "" if it doesn't change.
func (p *project) following(l foundLink, from, source, to, at string) string {
	link, tail := site.CutTail(l.destination)
	base := p.live.Site().Config.BaseURL
	switch {
	case link == "":
		return l.destination
	case strings.HasPrefix(link, base):
		if at == "" {
			return l.destination
		}
		return base + string(site.RefTo(at)) + tail
	case link[0] == '/':
		if at == "" {
			return l.destination
		}
		return string(site.RefTo(at)) + tail
	}
	rel := relative(path.Dir(from), to)
	if rel == "" {
		return string(site.RefTo(at)) + tail
	}
	// If the link had no extension, the new link has none either.
	for _, end := range []string{"/index.md", ".md", "/index.markdown", ".markdown"} {
		if strings.HasSuffix(source, end) && !strings.HasSuffix(link, path.Base(source)) && strings.HasSuffix(rel, end) {
			rel = strings.TrimSuffix(rel, end)
			break
		}
	}
	if strings.HasPrefix(link, "./") && !strings.HasPrefix(rel, ".") {
		rel = "./" + rel
	}
	return escaped(rel) + tail
}
