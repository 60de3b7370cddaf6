// Package migrate reads a site made for another generator and writes a Vitrine site. It doesn't change the source or
// read files outside the source. It reports every word that a page loses. Content that can't be converted remains in
// the page, in a comment or as code, and the report lists it with advice. Every old address either works in the new
// site or is listed in the report. A repeated import doesn't change files that the user has edited since the previous
// import.
//
// Each supported generator is a kind of site: a description (see oldsite.Kind) and a few functions that read the site's
// folder. The kinds share all other code, which walks the folder, maps front matter, recognizes code in Markdown,
// converts tags and links, and writes the report.
package migrate

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"

	"vitrine/internal/build"
	"vitrine/internal/lazyregexp"
	"vitrine/internal/markdown"
	"vitrine/internal/migrate/convert"
	"vitrine/internal/migrate/kinds"
	"vitrine/internal/migrate/oldsite"
	"vitrine/internal/migrate/source"
)

// Options specify which site to import, how much of it to import, and where to write the new site.
type Options struct {
	// From is the folder of the old site. To is the folder of the new site. If To is "", the new site is written to
	// From with the suffix "-vitrine".
	From, To string
	// Kind is one of the names that Kinds returns, or "" to detect the kind of site.
	Kind string
	// Built is the folder of the published old site, or its sitemap.xml. The import checks that the new site serves or
	// redirects all addresses in this folder or sitemap. If Built is "", the import checks no addresses.
	Built string
	// Progress, if not nil, is notified of each converted page.
	Progress build.Progress
	// Replace removes files that an earlier import wrote and this import doesn't, unless the user has changed them.
	Replace bool
	// Map is the path of a component map, or "" if there is none. A component map is a YAML file with the replacement
	// text for each component.
	Map string
	// Partial allows an import to omit more than half of the source's Markdown files, or many documents in other
	// formats. Otherwise, Import returns an error that wraps ErrTooFew.
	Partial bool
	// Versions specifies that all versions of the documentation are imported, instead of only the newest version.
	Versions bool
	// NoCheck disables the check of the new site and the repair of the errors that the check finds.
	NoCheck bool
}

// Result describes the outcome of an import. Its JSON encoding is the machine-readable report; see ReportJSON.
type Result struct {
	// Kind is the name of the old site's kind. To is the folder of the new site.
	Kind string `json:"kind"`
	To   string `json:"-"`
	// Pages is the number of imported pages, Drafts is the number of drafts among these pages, and Files is the number
	// of copied files.
	Pages  int `json:"pages"`
	Files  int `json:"files"`
	Drafts int `json:"drafts"`
	// Omitted is the number of omitted Markdown files, keyed by the reason for the omission.
	Omitted map[string]int `json:"omitted,omitempty"`
	// Kept lists the files that the import didn't write because the user has changed, deleted, or created them since
	// the previous import.
	Kept []string `json:"kept,omitempty"`
	// Left lists the files from an earlier import that this import neither wrote nor removed.
	Left []string `json:"left,omitempty"`
	// LostWords lists words that occur less often on the new page than in its source, keyed by source file.
	LostWords map[string][]string `json:"lostWords,omitempty"`
	// Addresses reports how the new site handles the old addresses that Options.Built contains.
	Addresses Addresses `json:"addresses"`
	// Problems contains the number of problems that vitrine check finds in the new site, for each level and code.
	Problems []Count `json:"problems"`
	// BadPages is the number of files in which the check finds errors.
	BadPages int `json:"pagesWithErrors"`
	// Notes lists the unconverted content, sorted by file and line.
	Notes []convert.Note `json:"notes"`
}

// Count is the number of problems reported for a rule at one level.
type Count struct {
	Code     string `json:"code"`
	Severity string `json:"severity"`
	Number   int    `json:"number"`
	// Example is the text of the first of these problems, with its location.
	Example string `json:"example"`
}

// Kinds returns the names of the supported kinds of sites.
func Kinds() []string {
	var names []string
	for _, k := range kinds.All() {
		names = append(names, k.Name)
	}
	return names
}

// ErrUnknownKind is wrapped by the error that Import returns if Options.Kind is unknown or no kind matches the source.
var ErrUnknownKind = errors.New("unknown kind of site")

// Import reads the site in opt.From and writes a Vitrine site to opt.To. If the new site still has errors after the
// repair, Import returns both the result and an error that wraps ErrFails.
func Import(ctx context.Context, opt Options) (result *Result, err error) {
	if opt.To == "" {
		opt.To = filepath.Clean(opt.From) + "-vitrine"
	}
	if err := apart(opt.From, opt.To); err != nil {
		return nil, err
	}
	src, err := source.Open(ctx, opt.From)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, src.Close()) }()
	im := &importer{opt: opt, Site: oldsite.New(src), people: make(map[string]oldsite.Author)}
	im.AllVersions = opt.Versions
	if err := im.choose(); err != nil {
		return nil, err
	}
	if err := im.readMap(); err != nil {
		return nil, err
	}
	if err := im.Kind.Read(im.Site); err != nil {
		return nil, fmt.Errorf("reading the site as %s: %w", im.Kind.Name, err)
	}
	if err := im.enough(); err != nil {
		return nil, err
	}
	im.titleFrom = im.findName()
	for name, why := range src.Refused {
		im.Note(convert.Note{File: name, What: "the file or folder " + name, Why: why, Do: "put a regular file or folder in its place, and import again"})
	}
	if err := im.turn(ctx); err != nil {
		return nil, err
	}
	old, err := im.oldAddresses(ctx)
	if err != nil {
		return nil, err
	}
	result = &Result{Kind: im.Kind.Name, To: opt.To, Pages: len(im.Pages), Omitted: im.Omitted, LostWords: map[string][]string{}, Addresses: im.answered(old)}
	im.result = result
	for _, p := range im.Pages {
		if p.Draft {
			result.Drafts++
		}
		im.countLost(p)
	}
	w, err := openTarget(opt.To)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, w.close()) }()
	if err := im.writeAll(ctx, w); err != nil {
		return nil, err
	}
	result.Kept = w.kept
	if !opt.NoCheck {
		if err := im.repair(ctx, w); err != nil {
			return nil, err
		}
	}
	if err := w.finish(); err != nil {
		return nil, err
	}
	im.locate(im.Notes)
	sortNotes(im.Notes)
	result.Notes = im.Notes
	return result, errors.Join(w.report(result), result.failed())
}

// failed returns an error if the new site still has errors, and nil otherwise. The report is written in either case.
func (r *Result) failed() error {
	if r.BadPages == 0 {
		return nil
	}
	return fmt.Errorf("%w in %d files in %s; run vitrine check --root %s, and fix them", ErrFails, r.BadPages, r.To, r.To)
}

// importer holds the state of one import.
type importer struct {
	*oldsite.Site
	opt Options
	// These maps contain the pages and the copied files. Pages are keyed by source, by old and new address, and by the
	// name of the new file. Files are keyed by source and by old address. See known.
	bySource, byAddress, byName map[string]*oldsite.Page
	fileBySource, fileByAddress map[string]*oldsite.File
	result                      *Result
	// settings specifies the settings that the import omits from the new site.
	settings plainer
	// titleFrom is the file in which findName found the site's name, or "the folder's name". It is "" if the name is in
	// the settings or unknown.
	titleFrom string
	// docs are the addresses where documentation starts.
	docs map[string]bool
	// taken maps addresses in use, in lower case, to the names of their files.
	taken map[string]string
	// people contains the authors that pages name by key. The keys are in lower case.
	people map[string]oldsite.Author
}

// apart returns an error if the target folder is in the source folder or contains it.
func apart(from, to string) error {
	source, err := real(from)
	if err != nil {
		return fmt.Errorf("finding the folder to import: %w", err)
	}
	target, err := real(to)
	if err != nil {
		return fmt.Errorf("finding the output folder: %w", err)
	}
	within := func(dir, name string) bool {
		rel, err := filepath.Rel(dir, name)
		return err == nil && filepath.IsLocal(rel)
	}
	switch {
	case within(source, target):
		return fmt.Errorf("the new site cannot be inside the imported folder, which is never changed; specify a folder other than %s with --to", to)
	case within(target, source):
		return fmt.Errorf("the imported folder is inside %s; specify a separate folder with --to", to)
	}
	return nil
}

// real returns the absolute path of name with symbolic links resolved. If the file doesn't exist yet, it resolves only
// the existing part.
func real(name string) (string, error) {
	name, err := filepath.Abs(name)
	if err != nil {
		return "", err
	}
	found, err := filepath.EvalSymlinks(name)
	if !errors.Is(err, os.ErrNotExist) || name == filepath.Dir(name) {
		return found, err
	}
	dir, err := real(filepath.Dir(name))
	return filepath.Join(dir, filepath.Base(name)), err
}

// choose sets the kind of the site and the site's folder in the source. It returns an error that wraps ErrUnknownKind
// if no kind matches.
func (im *importer) choose() error {
	for _, k := range kinds.All() {
		if im.opt.Kind != "" && k.Name != im.opt.Kind {
			continue
		}
		base, found := k.Detect(im.Src)
		if found || im.opt.Kind != "" {
			if im.Kind, im.Base = k, base; base == "" {
				im.Base = "."
			}
			return nil
		}
	}
	if im.opt.Kind != "" {
		return fmt.Errorf("%w: %s; want one of %s", ErrUnknownKind, im.opt.Kind, strings.Join(Kinds(), ", "))
	}
	if f, count := im.otherFormat(); count > 0 {
		return fmt.Errorf("%w: no Markdown found in %s; %s", ErrUnknownKind, im.opt.From, f.advice(count))
	}
	return fmt.Errorf("%w: no Markdown found in %s; specify the generator with --from", ErrUnknownKind, im.opt.From)
}

// turn converts all pages: first their front matter and addresses, then their text, and finally their links.
func (im *importer) turn(ctx context.Context) error {
	im.findLanguages()
	im.findDocs()
	im.labelFolders()
	im.sections()
	im.SortPages()
	im.Wanted = map[string]bool{}
	for _, p := range im.Pages {
		for _, m := range fragments.FindAllStringSubmatch(p.Body, -1) {
			im.Wanted[m[1]] = true
		}
	}
	for _, p := range im.Pages {
		im.fields(p)
	}
	im.orders()
	im.place()
	im.unpublished()
	im.known()
	if im.opt.Progress != nil {
		im.opt.Progress.Begin(len(im.Pages))
		defer im.opt.Progress.End()
	}
	im.Math = im.hasMath()
	parser := markdown.New(markdown.Options{})
	for _, p := range im.Pages {
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("importing: %w", err)
		}
		im.text(p)
		im.findAnchors(p, parser)
		if im.opt.Progress != nil {
			im.opt.Progress.Step()
		}
	}
	for _, p := range im.Pages {
		im.relink(p)
		im.finishFront(p)
	}
	return nil
}

// text converts the text of one page, except for its links, and sets the title of the page.
func (im *importer) text(p *oldsite.Page) {
	p.Out = convert.New(&im.Site.Site, im.syntaxOf(p), &p.Document).Convert(p.Body)
	im.titled(p)
}

// titled sets a page's missing title to the first heading, the sidebar label, or a title derived from the file's name.
// It removes a heading that repeats the title, because the theme shows the title above the text. If the page contains
// only that heading, titled keeps the heading and removes a title that was set in the front matter.
func (im *importer) titled(p *oldsite.Page) {
	first, rest, _ := strings.Cut(strings.TrimLeft(p.Out, "\n"), "\n")
	if under, after, _ := strings.Cut(rest, "\n"); underline.MatchString(under) && strings.TrimSpace(first) != "" {
		first, rest = "# "+first, after
	}
	heading, level := "", 0
	if m := convert.ATX.FindStringSubmatch(first); m != nil {
		heading, level = m[3], len(m[2])
	}
	words := source.OneLine(convert.Plain(heading), oldsite.MaxTitle)
	given := p.Title != ""
	if !given && im.Kind.Docs && level != 1 {
		p.Title = p.Sidebar
	}
	p.Title = source.OneLine(source.Fallback(p.Title, source.Fallback(words, oldsite.TitleOf(p))), oldsite.MaxTitle)
	same := words != "" && strings.EqualFold(words, p.Title)
	switch {
	case !same || given && level != 1 || !given && level != 1 && p.Title != p.Sidebar:
	case strings.TrimSpace(rest) != "":
		p.Dropped, p.Out = heading, strings.TrimLeft(rest, "\n")
	case given:
		p.Title = ""
	}
}

var underline = lazyregexp.New(`^==*[ \t]*$`)

// finishFront resolves the image in a page's front matter. If the file doesn't exist, finishFront removes the image
// from the front matter and adds a note.
func (im *importer) finishFront(p *oldsite.Page) {
	if p.Image == "" {
		return
	}
	target, gone := im.resolve(p, p.Image, true)
	if gone != "" {
		im.Note(convert.Note{File: p.Source, Line: lineWith(p.Text, p.Image), What: "the page's image " + p.Image, Why: gone, Do: "use an image that exists"})
		target = ""
	}
	p.Image = target
}

// syntaxOf returns the syntax of a page's text. It enables MDX for .mdx files, for pages with components, and for all
// Docusaurus pages, and disables MDX for other .md files. It disables the line syntax for HTML pages.
func (im *importer) syntaxOf(p *oldsite.Page) *convert.Syntax {
	mdx := p.Mdx || path.Ext(p.Source) == ".mdx" || im.Kind.Mdx && (im.Kind.Name == "docusaurus" || path.Ext(p.Source) != ".md")
	if mdx == im.Kind.Mdx && !p.Html {
		return &im.Kind.Syntax
	}
	s := im.Kind.Syntax
	if s.Mdx = mdx; p.Html {
		s.Lines = nil
	}
	return &s
}
