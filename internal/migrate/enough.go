package migrate

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"vitrine/internal/migrate/source"
)

// ErrTooFew is wrapped by the error for an import that finds no pages or too few of the site's pages.
var ErrTooFew = errors.New("too few pages were found")

// enough returns an error that wraps ErrTooFew if the import finds no pages. Unless Options.Partial is set, enough also
// returns such an error if the source contains at least five Markdown files that seem to be part of the site and more
// than half of them would be missing, or if the source contains at least five documents in another format and more than
// two of these documents per page.
func (im *importer) enough() error {
	read := map[string]bool{}
	for _, p := range im.Pages {
		read[p.Source] = true
	}
	for _, n := range im.Notes {
		read[n.File] = true
	}
	for _, f := range im.Files {
		// The old site publishes the file verbatim, so the file isn't a missing page.
		read[f.Source] = true
	}
	others := im.otherSites()
	left, total := map[string]int{}, 0
	for _, name := range im.Src.Names {
		if !source.IsPage(name) || !im.ofSite(name) || slices.ContainsFunc(others, func(dir string) bool { return strings.HasPrefix(name, dir+"/") }) {
			continue
		}
		if total++; !read[name] {
			left[path.Dir(name)]++
		}
	}
	missing := 0
	for _, n := range left {
		missing += n
	}
	for _, n := range im.Omitted {
		missing -= n
	}
	other, unread := im.otherFormat()
	switch {
	case unread > len(im.Pages)*2 && unread > 4 && !im.opt.Partial:
		return fmt.Errorf("%w: %d in %s, which was read as a site built with %s, but %s; or use --partial to import only the Markdown", ErrTooFew, len(im.Pages), im.folders(), im.Kind.Name, other.advice(unread))
	case len(im.Pages) == 0:
		return fmt.Errorf("%w: none in %s, which was read as a site built with %s; specify the folder that contains the site, or set its kind with --from", ErrTooFew, im.folders(), im.Kind.Name)
	case missing*2 > total && total > 4 && !im.opt.Partial:
		names := source.SortedKeys(left)
		slices.SortStableFunc(names, func(a, b string) int { return left[b] - left[a] })
		return fmt.Errorf("%w: %d of %d Markdown files in %s, which was read as a site built with %s, would be missing; most of them are in %s; specify the folder that contains the site, set its kind with --from, or add --partial to import the rest",
			ErrTooFew, missing, total, im.folders(), im.Kind.Name, strings.Join(names[:min(len(names), 5)], ", "))
	}
	return nil
}

// otherSites returns the folders of other sites in the source, which need separate imports.
func (im *importer) otherSites() (dirs []string) {
	for _, name := range im.Src.Names {
		switch source.Stem(name) {
		case "book", "mkdocs", "docusaurus.config", "conf", "hugo", "_config", ".eleventy", "eleventy.config", "astro.config":
			if dir := path.Dir(name); !source.IsPage(name) && dir != "." && dir != im.Base && !strings.HasPrefix(im.Base+"/", dir+"/") && path.Ext(name) != ".json" {
				dirs = append(dirs, dir)
			}
		}
	}
	return dirs
}

// folders returns the folders that were searched for pages, separated by commas, or the site's folder if there are
// none.
func (im *importer) folders() string {
	list := slices.Clone(im.ContentDirs)
	slices.Sort(list)
	if list = slices.Compact(list); len(list) == 0 {
		return im.Base
	}
	return strings.Join(list, ", ")
}

// notSite lists names of folders whose Markdown belongs to programs, tests, old versions, or internal documents.
const notSite = "node_modules packages package test tests __tests__ spec fixtures examples example vendor themes archetypes versioned_docs i18n scripts e2e crates benchmarks snippets partials templates demo demos playground"

// ofSite reports whether a Markdown file seems to be part of the site: it is in a subfolder of the site's folder, or in
// a folder with a documentation name. Files in folders such as tests or examples aren't part of the site.
func (im *importer) ofSite(name string) bool {
	rel, within := strings.CutPrefix(name, strings.TrimPrefix(im.Base+"/", "./"))
	parts := strings.Split(rel, "/")
	if !within && !source.HasWord(docNames, strings.ToLower(parts[0])) || len(parts) == 1 {
		return false
	}
	return !slices.ContainsFunc(parts, func(part string) bool {
		return source.HasWord(notSite, strings.ToLower(part)) || strings.HasPrefix(part, "versioned_") || strings.HasPrefix(part, "_") && part != "_posts" && part != "_docs" || strings.HasPrefix(part, ".") || strings.EqualFold(part, "readme.md") && len(parts) > 1
	})
}
