package render

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"vitrine/internal/artifact"
	"vitrine/internal/codec"
	"vitrine/internal/plan"
	"vitrine/internal/record"
	"vitrine/internal/render/media"
	"vitrine/internal/render/plaintext"
	"vitrine/internal/render/theme"
	"vitrine/internal/render/view"
	"vitrine/internal/search"
	"vitrine/internal/site"
)

const (
	// searchApart is the minimum number of pages on a site whose index doesn't contain the text of pages. The text is
	// then in separate files, so that a search loads only the text of the results that it shows.
	searchApart = 50
	// searchListed is the maximum number of pages that the search page lists for each section.
	searchListed = 200
	// searchEngine is the name of the script that searches the index in the browser.
	searchEngine = "search-engine.js"
)

func (r *Renderer) searchSections() []view.SearchSection {
	var out []view.SearchSection
	for i, s := range append(slices.Clip(r.sections.list), r.sections.old(&r.site.Config)...) {
		shown := s.pages[:min(searchListed, len(s.pages))]
		title, folder := s.Title, site.RefTo(s.folder)
		if blog := r.lists.Pages[s.folder]; blog != nil && s.folder == r.site.At(plan.BlogPath) {
			title = blog.Title
		}
		if i >= len(r.sections.list) {
			// Omit the folder of an old version, because the search has no filter for it. Readers select the version
			// instead.
			folder = ""
		}
		out = append(out, view.SearchSection{Title: title, Folder: folder, Pages: r.summaries(shown), More: len(s.pages) - len(shown)})
	}
	return out
}

// A searcher creates the search index entries of pages in one language.
type searcher struct {
	analyzer *search.Analyzer
	packer   search.Packer
	// apart reports whether the text of pages is in files separate from the index; see searchApart.
	apart bool
}

func newSearcher(s *site.Site) *searcher {
	return &searcher{analyzer: search.NewAnalyzer(s.Config.Language), apart: len(s.Pages) >= searchApart}
}

// hasSearch reports whether the site has a search page.
func (r *Renderer) hasSearch() bool {
	p := r.lists.Pages[r.site.At(plan.SearchPath)]
	return p != nil && plan.IsSearch(p)
}

// searched reports whether p is in the search index.
func (r *Renderer) searched(p *site.Page) bool {
	return r.siteView.HasSearch && !p.Unlisted && p.List == nil && !plan.IsNotFound(p)
}

// noteSearch creates the search index entry of the page written. page is the view of written, and twin is the Markdown
// to index. If r.searcher.apart is true, it also creates the files with the page's text. In search results, the theme's
// pages about the JSON API and the tool rank after the site's pages.
func (r *Renderer) noteSearch(done *Rendered, written *site.Page, page *view.Page, twin []byte) error {
	p := search.Page{Path: r.site.Config.Mount() + string(page.Path), Title: page.Title, Description: plaintext.OneLine(page.Description), Tags: page.Tags, Twin: twin, Aside: plan.IsHelper(written)}
	for _, h := range page.Headings {
		p.Headings = append(p.Headings, search.Heading{ID: h.ID, Text: h.Text})
	}
	analyzed := r.searcher.analyzer.Page(&p)
	if r.searcher.apart {
		for i, piece := range analyzed.Pieces {
			body, err := r.searcher.packer.Pack(piece)
			if err != nil {
				return err
			}
			// Publish a piece of text only once, even if the page repeats the text.
			hash := artifact.Hash(body)
			if file := Asset(r.searchPath(hash), body); !slices.ContainsFunc(done.texts, func(f artifact.Resource) bool { return f.Path == file.Path }) {
				done.texts = append(done.texts, file)
			}
			analyzed.Pieces[i] = binary.BigEndian.AppendUint64(nil, hash)
		}
	}
	// This format must match readRecord.
	w := codec.Writer{Data: make([]byte, 0, len(analyzed.Terms)+16)}
	w.Uint(uint64(len(analyzed.Pieces)))
	for _, piece := range analyzed.Pieces {
		w.Bytes(piece)
	}
	w.Bytes(analyzed.Terms)
	done.share.Search, done.given.Entry = artifact.Hash(w.Data), string(w.Data)
	return nil
}

// searchBeginning is the content of search.json, the first file that a search loads.
type searchBeginning struct {
	Root    string `json:"root"`
	Depth   int    `json:"depth"`
	Pages   int    `json:"pages"`
	Files   string `json:"files"`
	Engine  string `json:"engine"`
	Stemmer string `json:"stemmer,omitempty"`
	// Versions are the versions of the documentation, the current version first.
	Versions []searchVersion `json:"versions,omitempty"`
}

// searchPattern returns the pattern for the paths of the index files, with %s in place of the hash. The pattern
// contains the language, because only one output may publish a path, and the indexes of two languages with the same
// text may contain equal files.
func (r *Renderer) searchPattern() string {
	if r.site.Language == "" {
		return "/assets/search.%s.bin"
	}
	return "/assets/search-" + r.site.Language + ".%s.bin"
}

// searchPath returns the path of the index file with the given hash.
func (r *Renderer) searchPath(hash uint64) string {
	return fmt.Sprintf(r.searchPattern(), fmt.Sprintf("%016x", hash))
}

// Before records p's search entry in the previous build. was contains this entry, if there is one. The call must
// precede the new rendering of p. If it is missing for an indexed page, the build creates a new index instead of
// updating the previous build's index.
func (r *Renderer) Before(p *site.Page, was record.Texts) {
	if was.Entry != "" {
		r.in(p).searchIndex.was[p.Path] = was.Entry
	}
}

// lastRoot returns the root of the previous build's index. ok is false if the root can't be read or if that index has a
// different number of pages.
func (r *Renderer) lastRoot() (root search.Root, ok bool) {
	if r.lastFile == nil {
		return root, false
	}
	written, err := r.lastFile(r.site.At(plan.SearchIndexPath)[1:])
	if err != nil {
		return root, false
	}
	var start searchBeginning
	if err := json.Unmarshal(written, &start); err != nil {
		return root, false
	}
	begin, end, _ := strings.Cut(r.site.Config.Mount()+r.searchPattern(), "%s")
	hash, ok := strings.CutPrefix(strings.TrimSuffix(start.Root, end), begin)
	file, err := strconv.ParseUint(hash, 16, 64)
	return search.Root{File: file, Depth: start.Depth}, ok && err == nil && start.Pages == r.searchIndex.pages
}

// lastSearchFile reads the file with the given hash from the previous build's index. It returns artifact.ErrBytes if
// the content doesn't match the hash.
func (r *Renderer) lastSearchFile(hash uint64) ([]byte, error) {
	body, err := r.lastFile(r.searchPath(hash)[1:])
	if err == nil && artifact.Hash(body) != hash {
		err = artifact.ErrBytes
	}
	return body, err
}

// updateSearch derives the index from the previous build's index. It calls publish with the content of each new file,
// and keep with the hash of each unchanged file. If the index can't be derived, the error wraps search.ErrRebuild.
// updateSearch returns errors of publish unchanged.
func (r *Renderer) updateSearch(publish func([]byte) (uint64, error), keep func(uint64)) (search.Root, error) {
	root, ok := r.lastRoot()
	if !ok {
		return search.Root{}, search.ErrRebuild
	}
	return r.searchIndex.update(search.Before{Root: root, Read: r.lastSearchFile}, publish, keep)
}

// searchFiles returns the files of the search index, including search.json, the first file that a search loads. It
// returns nil if the site has no search page.
func (r *Renderer) searchFiles() ([]artifact.Resource, error) {
	if !r.siteView.HasSearch {
		return nil, nil
	}
	var files []artifact.Resource
	made := make(map[uint64]bool)
	add := func(hash uint64, file func() artifact.Resource) {
		if !made[hash] {
			made[hash] = true
			files = append(files, file())
		}
	}
	publish := func(body []byte) (uint64, error) {
		hash := artifact.Hash(body)
		add(hash, func() artifact.Resource { return Asset(r.searchPath(hash), body) })
		return hash, nil
	}
	root, err := r.updateSearch(publish, func(hash uint64) {
		add(hash, func() artifact.Resource { return Kept(r.searchPath(hash)) })
	})
	if errors.Is(err, search.ErrRebuild) {
		files, made = nil, make(map[uint64]bool)
		root, err = r.searchIndex.build(publish)
	}
	if err != nil {
		return nil, fmt.Errorf("creating the search index: %w", err)
	}
	start := searchBeginning{Root: r.searchPath(root.File), Depth: root.Depth, Pages: r.searchIndex.pages, Files: fmt.Sprintf(r.searchPattern(), "*"), Versions: r.searchIndex.searchVersions()}
	if start.Engine, err = r.theme.Asset(searchEngine); err != nil {
		return nil, fmt.Errorf("finding the search script: %w", err)
	}
	if script := search.Stemmer(r.site.Config.Language); script != nil {
		file := Asset(theme.HashedPath("search-stemmer.js", script), script)
		if start.Stemmer = file.Path; !r.stemsLike(script) {
			files = append(files, file)
		}
	}
	body, err := json.Marshal(start)
	if err != nil {
		return nil, fmt.Errorf("encoding search.json: %w", err)
	}
	return append(files, r.textFile(r.site.At(plan.SearchIndexPath), media.JSON, append(body, '\n'))), nil
}
