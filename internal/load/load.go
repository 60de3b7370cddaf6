// Package load reads a site's folder into a site.Site. In one run, it reports every problem that it finds in the files,
// with positions, sorted by file and line. It doesn't read any file outside content/, even if a symbolic link points to
// the file. The site depends only on the folder and the options. Limits on the size and the nesting depth of a file
// bound the time and memory for reading it, and invalid content never causes a panic.
//
// Other packages check the relations between pages, such as links and conflicting paths.
package load

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"

	"vitrine/internal/facts"
	"vitrine/internal/folder"
	"vitrine/internal/load/tree"
	"vitrine/internal/rule"
	"vitrine/internal/site"
)

// maxFacts is the maximum size in bytes of a YAML file in content/, such as product.yaml or site.yaml.
const maxFacts = 1 << 20

// Options configure a call to Load.
type Options struct {
	// Drafts includes drafts and scheduled pages in the site. Previews set Drafts.
	Drafts bool
	// Now is the current time. A page with a later date is scheduled.
	Now time.Time
	// TitleOf returns the plain text of the first H1 in source, or "" if there is none. source is a page's entire file,
	// and body is the byte offset of its Markdown. If the file contains no H1, Load calls TitleOf again with the title
	// of the page's hero, if any, as a Markdown heading. TitleOf is called concurrently, and only for pages without a
	// title in front matter. If TitleOf is nil, Load reports such pages as errors.
	TitleOf func(path string, source []byte, body int) string
	// Facts, if not nil, is called with the site's settings and facts before the first call to TitleOf. The map is
	// keyed by language tag, with "" for the site's default language.
	Facts func(*site.Config, map[string]*facts.Values)
	// Tree lists the entries of the folder. If Tree is nil, Load scans the folder itself.
	Tree *folder.Tree
	// Memory returns the results of an earlier load with the same facts and stores the results of this load. It may be
	// nil.
	Memory Memory
}

// Memory caches the results of loading page files between loads. Load calls the methods concurrently for different
// files. zone is the site's time zone, on which the dates in a result depend.
type Memory interface {
	// Restore returns the earlier result for the named file. ok is false if there is no result or the file has changed.
	Restore(name string, zone *time.Location) (source Source, ok bool)
	// Keep stores the result of the current load for a file that Restore didn't return.
	Keep(name string, zone *time.Location, source Source)
}

// Load reads content/ in a site's folder. It returns mistakes in the content as problems, and an error only if the
// folder itself can't be read or ctx is done. The site contains all pages and settings that could be read, but must not
// be published if a problem is an error. The site is nil if the folder contains no site files or Load returns an error.
func Load(ctx context.Context, f *folder.Folder, opt Options) (*site.Site, []site.Problem, error) {
	l := loader{folder: f, tree: opt.Tree, opt: opt}
	if l.tree == nil {
		l.tree = new(folder.Tree)
		l.tree.Scan(f)
	}
	if _, err := f.Stat("."); err != nil {
		return nil, nil, fmt.Errorf("reading the site's folder: %w", err)
	}
	if err := ctx.Err(); err != nil {
		return nil, nil, fmt.Errorf("loading the site: %w", err)
	}
	if l.nothing() {
		return nil, []site.Problem{{Path: folder.Content, Severity: site.Error, Code: rule.Unreadable, Text: noSite}}, nil
	}
	s := &site.Site{Now: opt.Now, Config: defaultConfig()}
	if l.isFolder() {
		l.facts(s)
		l.views(s)
		if opt.Facts != nil {
			opt.Facts(&s.Config, l.values)
		}
		l.questions(s)
		l.authors(s)
		l.content(ctx, s)
		l.checkAuthors(s)
		l.checkVersions(s)
	}
	documentation(s)
	l.templateLinks()
	l.foreignFolders()
	l.languageFiles(&s.Config)
	if err := ctx.Err(); err != nil {
		return nil, nil, fmt.Errorf("loading the site: %w", err)
	}
	return s, site.SortProblems(l.problems), nil
}

const noSite = "there is no site in this folder; create one with vitrine new site NAME, or use --root to specify the folder that contains content/"

// nothing reports whether the folder contains no site files: no page, and no file with facts or settings, such as
// product.yaml. It returns false if a folder can't be read.
func (l *loader) nothing() bool {
	if info, err := l.folder.Stat(folder.Content); err != nil {
		return errors.Is(err, fs.ErrNotExist)
	} else if !info.IsDir() {
		return false
	}
	return l.tree.Whole() && !slices.ContainsFunc(l.tree.Files(folder.Content), func(name string) bool {
		return isPage(name) || strings.HasPrefix(name, folder.Content+"/product.") || strings.HasPrefix(name, folder.Content+"/site.")
	})
}

// loader is the state of one call to Load.
type loader struct {
	folder   *folder.Folder
	tree     *folder.Tree
	opt      Options
	problems []site.Problem
	// product is the content of product.yaml, or nil if the file can't be read.
	product *tree.Node
	// wrongFacts contains the positions of problems in product.yaml.
	wrongFacts map[site.Pos]bool
	// values are the facts that pages can use, keyed by language tag.
	values map[string]*facts.Values
	// unsure reports whether the list of the site's languages may be incomplete because some settings couldn't be read.
	unsure bool
}

// facts reads product.yaml and site.yaml and sets the defaults that depend on the product.
func (l *loader) facts(s *site.Site) {
	if root, r := l.document(productPath, productHint); root != nil {
		l.product, s.Product = root, readProduct(r, root)
		placeholders(r, root)
		l.problems = append(l.problems, r.problems...)
		l.wrongFacts = make(map[site.Pos]bool)
		for _, p := range r.problems {
			l.wrongFacts[p.Pos] = true
		}
	}
	if root, r := l.document(configPath, configHint); root != nil {
		s.Config = readConfig(r, root)
		s.FactLinks = factLinks(l.product, s.Config.BaseURL)
		placeholders(r, root)
		l.unsure = slices.ContainsFunc(r.problems, func(p site.Problem) bool {
			return p.Severity == site.Error && strings.HasPrefix(p.Text, "languages: ")
		})
		l.problems = append(l.problems, r.problems...)
	} else {
		l.unsure = true
	}
	if s.Config.Description == "" {
		s.Config.Description = strings.Join(strings.Fields(s.Product.Description), " ")
	}
	if s.Config.CLIName == "" {
		s.Config.CLIName = commandName(s.Product.Name)
	}
}

// document reads the named YAML file. If the file can't be read or parsed, document adds the problems to l.problems and
// returns a nil tree. Otherwise, the caller must add the problems in the report to l.problems. hint describes the
// expected content, for the message about a missing file.
func (l *loader) document(name, hint string) (*tree.Node, *report) {
	r := &report{path: name}
	source, err := readFile(l.folder, name, maxFacts)
	if err != nil {
		r.errorf(site.Pos{}, "%s", l.explain(name, hint, err)).Code = rule.Unreadable
		l.problems = append(l.problems, r.problems...)
		return nil, r
	}
	r.source = source
	root, faults := tree.YAML(source, 1)
	if faults != nil {
		r.faults(faults)
		l.problems = append(l.problems, r.problems...)
		return nil, r
	}
	return root, r
}

// FactsProblems returns the problems in source, the content of the named file, that don't depend on other files. name
// must be the path of product.yaml, site.yaml, questions.yaml, authors.yaml, or a _sidebar.yaml file.
func FactsProblems(name string, source []byte) []site.Problem {
	r := &report{path: name, source: source}
	root, faults := tree.YAML(source, 1)
	switch {
	case faults != nil:
		r.faults(faults)
	case name == productPath:
		readProduct(r, root)
		placeholders(r, root)
	case name == configPath:
		readConfig(r, root)
		placeholders(r, root)
	case name == questionsPath:
		readQuestions(r, root)
	case name == site.AuthorsFile:
		readAuthors(r, root)
		placeholders(r, root)
	case IsSidebar(name):
		readSidebar(r, root)
	}
	return r.problems
}

// explain returns the message for err, the error from reading the named YAML file. For a missing file, the message
// suggests how to create the file.
func (l *loader) explain(name, hint string, err error) string {
	if !errors.Is(err, fs.ErrNotExist) {
		return err.Error()
	}
	short := strings.TrimSuffix(name, ".yaml") + ".yml"
	if _, err := l.folder.Stat(short); err == nil {
		return fmt.Sprintf("the file does not exist; rename %s to %s", path.Base(short), path.Base(name))
	}
	return "the file does not exist; create it with " + hint
}

// isFolder reports whether content is a folder. If content is a file or a rejected symbolic link, isFolder adds a
// problem. If content is missing, it returns true, because the method facts reports the missing files.
func (l *loader) isFolder() bool {
	info, err := l.folder.Stat(folder.Content)
	text := "this is a file, but content must be the folder that contains product.yaml, site.yaml, and the pages; rename the file"
	var link *folder.Link
	switch {
	case errors.As(err, &link):
		text = printable(link.Text())
	case err != nil || info.IsDir():
		return true
	}
	l.problems = append(l.problems, site.Problem{Path: folder.Content, Severity: site.Error, Code: rule.Unreadable, Text: text})
	return false
}

// templateLinks adds a problem for each symbolic link at or under templates/ that must not be followed.
func (l *loader) templateLinks() {
	for _, name := range l.tree.Links() {
		if name != folder.Templates && !within(name, folder.Templates) {
			continue
		}
		if _, err := l.folder.Stat(name); err != nil {
			l.problems = append(l.problems, site.Problem{Path: printable(name), Severity: site.Error, Code: rule.Unreadable, Text: linkProblem(err)})
		}
	}
}

// foreignFolders warns about folders of other generators, such as _posts, at the root of the site's folder.
func (l *loader) foreignFolders() {
	entries, err := l.tree.List(".")
	if err != nil {
		return
	}
	for _, e := range entries {
		advice := map[string]string{
			"_posts": "articles go in content/blog/", "_layouts": "templates go in templates/", "_includes": "partials go in templates/partials/", "layouts": "templates go in templates/",
			"archetypes": "vitrine new writes the front matter of pages", "themes": "changes to the theme go in templates/",
		}[e.Name()]
		if advice != "" {
			l.problems = append(l.problems, site.Problem{Path: e.Name(), Severity: site.Warning, Code: rule.ForeignFile, Text: "this folder belongs to another generator and is ignored: " + advice + "; move the files you need, and remove the folder"})
		}
	}
}

// content walks content/, reads its pages and sidebars, and lists its other files.
func (l *loader) content(ctx context.Context, s *site.Site) {
	if _, err := l.folder.Stat(folder.Content); errors.Is(err, fs.ErrNotExist) {
		return
	}
	w := walker{site: l.folder, tree: l.tree}
	w.folder(ctx, folder.Content, 0, false)
	l.problems = append(l.problems, w.problems...)
	for _, page := range l.readPages(ctx, w.pages, &s.Config) {
		if (page.Draft || page.Scheduled) && !l.opt.Drafts {
			s.Withheld = append(s.Withheld, page)
		} else {
			s.Pages = append(s.Pages, page)
		}
	}
	slices.SortStableFunc(s.Pages, comparePages)
	l.boundTags(s.Pages)
	inheritDocs(s.Pages)
	childlessAreNoLists(s.Pages)
	slices.SortStableFunc(s.Withheld, comparePages)
	l.sidebars(s, w.sidebars)
	s.Files = publicFiles(w.files, s, l.opt.Drafts)
	l.published(s.Files, s.Config.StaticAllowed)
	l.names(w.pages)
	for _, f := range s.Files {
		l.names([]string{f.Source})
	}
	l.reservedFolders(s)
	slices.SortStableFunc(s.Pages, comparePages)
	slices.SortStableFunc(s.Files, func(a, b site.File) int { return strings.Compare(a.Path, b.Path) })
}

// inheritDocs assigns the documentation layout to all pages under a documentation page, except articles, the blog's
// index, and pages that specify a layout.
func inheritDocs(pages []*site.Page) {
	docs := make(map[string]bool)
	for _, p := range pages {
		if p.Layout == "docs" {
			docs[p.Path] = true
		}
	}
	for _, p := range pages {
		if p.LayoutPos != (site.Pos{}) || p.IsPost() || p.Local() == "/blog" {
			continue
		}
		for at := p.Path; at != "/" && len(docs) > 0; {
			// Pages of another language aren't under the default language's home page.
			if at = path.Dir(at); docs[at] && (at != "/" || p.Language == "") {
				p.Layout = "docs"
				break
			}
		}
	}
}

// childlessAreNoLists changes a page's layout from list to page if no listed pages are directly under it. It skips the
// blog's index and pages that specify a layout.
func childlessAreNoLists(pages []*site.Page) {
	parents := make(map[string]bool)
	for _, p := range pages {
		if !p.Unlisted {
			parents[path.Dir(p.Path)] = true
		}
	}
	for _, p := range pages {
		if p.Layout == "list" && p.LayoutPos == (site.Pos{}) && !parents[p.Path] && p.Local() != "/blog" {
			p.Layout = "page"
		}
	}
}

func comparePages(a, b *site.Page) int { return strings.Compare(a.Path, b.Path) }

// publicFiles removes the files of withheld pages from files and returns the rest. Unless drafts is set, it also
// removes the files in folders of drafts. A file belongs to the page with the nearest index.md, in the file's folder or
// above. No file belongs to the index.md of content/ or of a language folder. Files in static/ don't belong to any
// page.
func publicFiles(files []site.File, s *site.Site, drafts bool) []site.File {
	bundles := make(map[string]bool)
	note := func(pages []*site.Page, withheld bool) {
		for _, p := range pages {
			dir, base := path.Split(p.Source)
			if stem, _ := site.CutPage(base); stem == "index" && (p.Language == "" || p.Local() != "/") {
				bundles[path.Clean(dir)] = withheld
			}
		}
	}
	note(s.Pages, false)
	note(s.Withheld, true)
	return slices.DeleteFunc(files, func(f site.File) bool {
		if within(f.Source, folder.Static) {
			return false
		}
		if inDrafts(f.Source) && !drafts {
			return true
		}
		for dir := path.Dir(f.Source); dir != folder.Content && dir != "."; dir = path.Dir(dir) {
			if withheld, bundle := bundles[dir]; bundle {
				return withheld
			}
		}
		return false
	})
}
