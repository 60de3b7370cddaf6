package render

import (
	"fmt"
	"slices"

	"github.com/cespare/xxhash/v2"

	"vitrine/internal/codec"
	"vitrine/internal/record"
	"vitrine/internal/search"
	"vitrine/internal/site"
)

// searchIndex collects the entries of the search index, page by page. After the last page, it builds a new index or
// derives one from the previous build's index.
type searchIndex struct {
	config *site.Config
	// updates reports whether the index may be derived from the previous build's index. If it is true, kept collects
	// functions that return the entries. Otherwise, add adds each entry to builder immediately.
	updates bool
	kept    []func() (record.Texts, error)
	builder *search.Builder
	// pages is the number of collected entries. It is also the number of the next entry, because entries are numbered
	// from 0.
	pages int
	// was maps the paths of rerendered pages to their entries in the previous build.
	was map[string]string
	// changed maps the numbers of changed entries to their records in the previous build.
	changed map[int]search.Record
	// unnumbered reports whether the numbers of entries may differ from their numbers in the previous build.
	unnumbered bool
	versions   []searchVersion
	// key is a hash of the hashes of all entries.
	key *xxhash.Digest
}

func newSearchIndex(config *site.Config) searchIndex {
	return searchIndex{
		config: config, builder: search.NewBuilder(), key: xxhash.New(),
		was: make(map[string]string), changed: make(map[int]search.Record),
	}
}

// readRecord decodes a record written by noteSearch.
func readRecord(written string) (record search.Record) {
	c := codec.From(codec.NewReader(written))
	c.Texts(&record.Pieces)
	c.Text(&record.Terms)
	return record
}

// noteChanged compares given, the new entry of the rerendered page p, with p's entry in the previous build, and sets
// changed or unnumbered if they differ. It must be called before add.
func (x *searchIndex) noteChanged(p *site.Page, given *record.Texts) {
	was, known := x.was[p.Path]
	switch is := given.Entry != ""; {
	case is != known:
		x.unnumbered = true
	case is && was != given.Entry:
		x.changed[x.pages] = readRecord(was)
	}
}

// add adds p's entry, which given returns, to the index.
func (x *searchIndex) add(p *site.Page, given func() (record.Texts, error)) error {
	x.noteVersion(p)
	x.pages++
	if x.updates {
		x.kept = append(x.kept, given)
		return nil
	}
	texts, err := given()
	if err == nil {
		x.builder.Add(readRecord(texts.Entry))
	}
	return err
}

// at reads the entry with the given number, using the function in kept.
func (x *searchIndex) at(number int) (search.Record, error) {
	given, err := x.kept[number]()
	return readRecord(given.Entry), err
}

// update derives the index from the previous build's index, last; see search.Update for the other parameters. If the
// index can't be derived, the error wraps search.ErrRebuild.
func (x *searchIndex) update(last search.Before, publish func([]byte) (uint64, error), keep func(uint64)) (search.Root, error) {
	if x.unnumbered {
		return search.Root{}, search.ErrRebuild
	}
	last.Changed = x.changed
	return search.Update(last, search.Records{Count: len(x.kept), At: x.at}, publish, keep)
}

// build builds a new index from all entries and returns its root. It passes the content of each file to publish, which
// returns the content's hash.
func (x *searchIndex) build(publish func([]byte) (uint64, error)) (search.Root, error) {
	for number := range x.kept {
		record, err := x.at(number)
		if err != nil {
			return search.Root{}, fmt.Errorf("reading entry %d of the search index: %w", number, err)
		}
		x.builder.Add(record)
	}
	return x.builder.Build(publish)
}

// searchVersion is a version of the documentation in the search index. Pages contains the numbers of the version's
// entries as half-open ranges.
type searchVersion struct {
	Label string   `json:"label"`
	Pages [][2]int `json:"pages"`
}

// noteVersion adds the number of p's entry, which must be the next entry, to the version that contains p. It does
// nothing if p isn't in a version.
func (x *searchIndex) noteVersion(p *site.Page) {
	of := site.VersionOf(x.config, p)
	if of == nil {
		return
	}
	if x.versions == nil {
		x.versions = make([]searchVersion, len(x.config.Versions))
		for i, v := range x.config.Versions {
			x.versions[i].Label = v.Label
		}
	}
	v := &x.versions[slices.IndexFunc(x.config.Versions, func(v site.Version) bool { return v.Path == of.Path })]
	if last := len(v.Pages) - 1; last >= 0 && v.Pages[last][1] == x.pages {
		v.Pages[last][1]++
	} else {
		v.Pages = append(v.Pages, [2]int{x.pages, x.pages + 1})
	}
}

// searchVersions returns the versions with pages in the index, or nil if there are fewer than two.
func (x *searchIndex) searchVersions() []searchVersion {
	found := slices.DeleteFunc(slices.Clone(x.versions), func(v searchVersion) bool { return len(v.Pages) == 0 })
	if len(found) < 2 {
		return nil
	}
	return found
}
