package render

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"slices"

	"vitrine/internal/artifact"
	"vitrine/internal/codec"
	"vitrine/internal/plan"
	"vitrine/internal/search"
	"vitrine/internal/site"
)

const (
	// searchApart is the number of pages from which the text of each is in files of
	// its own, of which a search loads those of the results that it shows. A small
	// site's texts are in the index.
	searchApart = 50
	// searchListed is how many pages of a section the page of the search lists.
	searchListed = 200
	// searchFile is the name of the index's files, but for the hash in it, and
	// searchFiles where they are published.
	searchFile, searchFiles = "search.bin", "/assets/search.%s.bin"
	// searchEngine is the asset that looks through the index.
	searchEngine = "search-engine.js"
)

// searchSection are the site's pages as the page of the search lists them,
// for readers without scripts.
type searchSection struct {
	Title string
	Pages []summary
	// More is how many pages the list leaves out.
	More int
}

func (r *Renderer) searchSections() []searchSection {
	var out []searchSection
	for _, s := range r.sections.list {
		shown := s.pages[:min(searchListed, len(s.pages))]
		out = append(out, searchSection{Title: s.Title, Pages: r.summaries(shown), More: len(s.pages) - len(shown)})
	}
	return out
}

// searcher makes the index of the site's pages in one language.
type searcher struct {
	analyzer *search.Analyzer
	packer   search.Packer
	// apart says that the texts are files of their own.
	apart bool
}

func newSearcher(s *site.Site) *searcher {
	return &searcher{analyzer: search.NewAnalyzer(s.Config.Language), apart: len(s.Pages) >= searchApart}
}

// hasSearch reports whether the site has a page for the search.
func (r *Renderer) hasSearch() bool {
	p := r.lists.Pages[plan.SearchPath]
	return p != nil && plan.IsSearch(p)
}

// searched reports whether a page is in the index.
func (r *Renderer) searched(p *site.Page) bool {
	return r.siteView.HasSearch && !p.Unlisted && p.List == nil && p.Path != plan.NotFoundPath
}

// noteSearch notes the page in the search's index, and makes the files with its text.
func (r *Renderer) noteSearch(done *Rendered, page *pageView, twin []byte) error {
	p := search.Page{Path: string(page.Path), Title: page.Title, Description: oneLine(page.Description), Tags: page.Tags, Twin: twin}
	for _, h := range page.Headings {
		p.Headings = append(p.Headings, search.Heading{ID: h.ID, Text: h.Text})
	}
	analyzed := r.searcher.analyzer.Page(&p)
	pieces := make([]string, len(analyzed.Pieces))
	for i, piece := range analyzed.Pieces {
		if pieces[i] = string(piece); !r.searcher.apart {
			continue
		}
		body, err := r.searcher.packer.Pack(piece)
		if err != nil {
			return err
		}
		// A page that repeats itself may have a piece twice.
		if file := Asset(hashedPath(searchFile, body), body); !slices.ContainsFunc(done.texts, func(f artifact.Resource) bool { return f.Path == file.Path }) {
			done.texts = append(done.texts, file)
		}
		pieces[i] = string(binary.BigEndian.AppendUint64(nil, artifact.Hash(body)))
	}
	var w codec.Writer
	c := codec.To(&w)
	c.Texts(&pieces)
	terms := string(analyzed.Terms)
	c.Text(&terms)
	done.share.noteRecord(w.Data)
	return nil
}

// searchFiles makes the index: its files under hashed names, and the one by which
// a search begins.
func (r *Renderer) searchFiles() ([]artifact.Resource, error) {
	if !r.siteView.HasSearch {
		return nil, nil
	}
	records := make([]search.Record, len(r.records))
	for i, written := range r.records {
		c := codec.From(codec.NewReader(written))
		c.Texts(&records[i].Pieces)
		c.Text(&records[i].Terms)
	}
	var files []artifact.Resource
	made := make(map[uint64]bool)
	root, err := search.Build(records, func(body []byte) (uint64, error) {
		hash := artifact.Hash(body)
		if !made[hash] {
			made[hash] = true
			files = append(files, Asset(hashedPath(searchFile, body), body))
		}
		return hash, nil
	})
	if err != nil {
		return nil, fmt.Errorf("making the search's index: %w", err)
	}
	start := struct {
		Root    string `json:"root"`
		Depth   int    `json:"depth"`
		Pages   int    `json:"pages"`
		Files   string `json:"files"`
		Engine  string `json:"engine"`
		Stemmer string `json:"stemmer,omitempty"`
	}{Root: fmt.Sprintf(searchFiles, fmt.Sprintf("%016x", root.File)), Depth: root.Depth, Pages: len(records), Files: fmt.Sprintf(searchFiles, "*")}
	if start.Engine, err = assetPath(r.theme.assets, searchEngine); err != nil {
		return nil, fmt.Errorf("making the search's index: %w", err)
	}
	if script := search.Stemmer(r.site.Config.Language); script != nil {
		file := Asset(hashedPath("search-stemmer.js", script), script)
		start.Stemmer, files = file.Path, append(files, file)
	}
	body, err := json.Marshal(start)
	if err != nil {
		return nil, fmt.Errorf("listing the search's index: %w", err)
	}
	return append(files, r.textFile(plan.SearchIndexPath, typeJSON, append(body, '\n'))), nil
}
