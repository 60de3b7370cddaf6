package render

import (
	"bytes"
	"errors"
	"strings"

	"vitrine/internal/artifact"
	"vitrine/internal/record"
	"vitrine/internal/site"
)

// share is what a page gives to the files of the whole site, so that it need not
// be rendered again for them.
type share struct {
	// size and digest are of the twin without its pointer line. Of the published
	// twin, the first bytes and the last are the same, and between them are words
	// of its own.
	size        int
	digest      uint64
	first, last int
	between     string
	// content is the text as feeds have it, content.digest its hash.
	content       string
	contentDigest uint64
	// record is the page in the search's index, as JSON.
	record       string
	recordDigest uint64
}

func (page *Rendered) share() share {
	s := share{
		size: len(page.plain), digest: artifact.Hash(page.plain),
		content: string(page.content), contentDigest: digest(page.content),
		record: string(page.record), recordDigest: digest(page.record),
	}
	for s.first < min(len(page.plain), len(page.Markdown)) && page.plain[s.first] == page.Markdown[s.first] {
		s.first++
	}
	for from := s.first; ; from++ {
		rest := page.plain[from:]
		if len(rest) <= len(page.Markdown)-s.first && bytes.HasSuffix(page.Markdown, rest) {
			s.last, s.between = len(rest), string(page.plain[s.first:from])
			return s
		}
	}
}

// Write writes what the page gives to the files of the whole site, for the next
// build.
func (page *Rendered) Write(w *record.Writer) {
	s := page.share()
	w.Uint(uint64(s.size))
	w.Hash(s.digest)
	w.Uint(uint64(s.first))
	w.Uint(uint64(s.last))
	w.Text(s.between)
	w.Text(s.content)
	w.Hash(s.contentDigest)
	w.Text(s.record)
	w.Hash(s.recordDigest)
}

func readShare(r *record.Reader) share {
	return share{
		size: int(r.Uint()), digest: r.Hash(), first: int(r.Uint()), last: int(r.Uint()), between: r.Text(),
		content: r.Text(), contentDigest: r.Hash(), record: r.Text(), recordDigest: r.Hash(),
	}
}

// Recall takes in what Write wrote of a page that has not changed since; see
// Gather. Twin returns the page's published Markdown, and is called only where
// the page's text is needed.
func (r *Renderer) Recall(p *site.Page, written *record.Reader, twin func() ([]byte, error)) {
	s := readShare(written)
	r.gatherText(p, s.size, s.digest, func() ([]byte, error) {
		markdown, err := twin()
		if err != nil {
			return nil, err
		}
		return s.plain(markdown)
	})
	if s.contentDigest != 0 {
		r.contents[p.Path] = []byte(s.content)
	}
	r.noteShare(s.contentDigest, s.recordDigest)
	if s.recordDigest != 0 {
		r.records = append(r.records, s.record)
	}
}

var errTwin = errors.New("the published Markdown of a page is not what was built")

// plain is the twin without its pointer line.
func (s *share) plain(markdown []byte) ([]byte, error) {
	if len(markdown) < s.first+s.last {
		return nil, errTwin
	}
	plain := make([]byte, 0, s.size)
	plain = append(plain, markdown[:s.first]...)
	plain = append(plain, s.between...)
	plain = append(plain, markdown[len(markdown)-s.last:]...)
	if artifact.Hash(plain) != s.digest {
		return nil, errTwin
	}
	return plain, nil
}

// Output is a group of files of the whole site that are made together.
type Output struct {
	// Name tells the group from others of the site.
	Name string
	// Key is a hash of what the group is made of, but for what every page's front
	// matter, the settings, the facts and the theme say: two outputs of one name
	// and key are the same where all that is the same.
	Key  uint64
	Make func() ([]artifact.Resource, error)
}

// Deferred returns everything that is not a page or an editor's file, before it
// is made. It is called after Gather, or Recall, has seen every page.
func (r *Renderer) Deferred() []Output {
	one := func(make func() (artifact.Resource, error)) func() ([]artifact.Resource, error) {
		return func() ([]artifact.Resource, error) {
			resource, err := make()
			return []artifact.Resource{resource}, err
		}
	}
	without := func(make func() []artifact.Resource) func() ([]artifact.Resource, error) {
		return func() ([]artifact.Resource, error) { return make(), nil }
	}
	outputs := []Output{{"problems", 0, without(r.problems)}}
	outputs = append(outputs, r.fullTexts()...)
	return append(outputs,
		Output{"description", 0, one(r.description)},
		Output{"catalog", 0, one(r.catalog)},
		Output{"robots", 0, one(r.robots)},
		Output{"operation", 0, r.operation},
		Output{"sitemap", 0, r.sitemap},
		Output{"llms", 0, r.llms},
		Output{"security", 0, r.securityIfAny},
		Output{"feeds", r.contentKey.Sum64(), r.feedFiles},
		Output{"search", r.recordKey.Sum64(), r.searchFiles},
		Output{"cli", 0, r.cli},
		Output{"assets", 0, without(r.assets)},
	)
}

// digest is 0 for nothing.
func digest(data []byte) uint64 {
	if data == nil {
		return 0
	}
	return artifact.Hash(data)
}

// noteShare notes what the feeds and the search's index are made of.
func (r *Renderer) noteShare(content, record uint64) {
	var w record64
	_, _ = r.contentKey.Write(w.bytes(content))
	_, _ = r.recordKey.Write(w.bytes(record))
}

// record64 is a number as it is hashed.
type record64 [8]byte

func (w *record64) bytes(n uint64) []byte {
	for i := range w {
		w[i] = byte(n >> (8 * i))
	}
	return w[:]
}

// key is a hash of what a fullText is made of.
func (f *fullText) key() uint64 {
	var names strings.Builder
	w := record.Writer{}
	for _, t := range f.texts {
		w.Hash(uint64(t.turn))
		w.Hash(t.digest)
	}
	for _, p := range f.omitted {
		names.WriteString(p.Path)
		names.WriteByte('\n')
	}
	w.Text(names.String())
	return artifact.Hash(w.Data)
}
