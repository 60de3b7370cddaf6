package render

import (
	"bytes"
	"errors"
	"strings"

	"vitrine/internal/artifact"
	"vitrine/internal/codec"
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
	// content is the text as feeds have it, contentDigest its hash, 0 for a page
	// that is in none.
	content       string
	contentDigest uint64
	// record is the page in the search's index, recordDigest its hash, 0
	// where it is not there.
	record       string
	recordDigest uint64
	// facts says that the page shows the facts.
	facts bool
}

// noteTwin writes a page's twin to out: the plain one, with a line below its
// title where there is one to write.
func (s *share) noteTwin(out *bytes.Buffer, plain, line []byte) {
	s.size, s.digest = len(plain), artifact.Hash(plain)
	if len(line) == 0 {
		s.first = len(plain)
		out.Write(plain)
		return
	}
	s.first, s.last = pointed(out, plain, line)
	s.between = string(plain[s.first : len(plain)-s.last])
}

// pointed writes a twin with a line below its title. Of the twin, the first bytes
// and the last are written as they are.
func pointed(out *bytes.Buffer, twin, line []byte) (first, last int) {
	title, rest := twin[:0], twin
	if bytes.HasPrefix(twin, []byte("# ")) {
		title, rest = twin, nil
		if end := bytes.IndexByte(twin, '\n'); end >= 0 {
			title, rest = twin[:end+1], bytes.TrimLeft(twin[end+1:], "\n")
		}
		out.Write(title)
		out.WriteByte('\n')
	}
	out.Write(line)
	if len(rest) > 0 {
		out.WriteByte('\n')
		out.Write(rest)
	}
	return len(title), len(rest)
}

// without is the twin that pointed was given.
func (s *share) without(markdown []byte) []byte {
	plain := make([]byte, 0, s.size)
	plain = append(plain, markdown[:s.first]...)
	plain = append(plain, s.between...)
	return append(plain, markdown[len(markdown)-s.last:]...)
}

// noteContent notes the text as feeds have it.
func (s *share) noteContent(html []byte) {
	s.content, s.contentDigest = string(html), artifact.Hash(html)
}

// noteRecord notes the page in the search's index.
func (s *share) noteRecord(record []byte) {
	s.record, s.recordDigest = string(record), artifact.Hash(record)
}

// Write writes what the page gives to the files of the whole site, for the next
// build.
func (page *Rendered) Write(w *codec.Writer) { page.share.code(codec.To(w)) }

// code writes what a page gives, or reads it.
func (s *share) code(c codec.Coder) {
	codec.Uint(c, &s.size)
	c.Hash(&s.digest)
	codec.Uint(c, &s.first)
	codec.Uint(c, &s.last)
	c.Text(&s.between)
	c.Text(&s.content)
	c.Hash(&s.contentDigest)
	c.Text(&s.record)
	c.Hash(&s.recordDigest)
	c.Bool(&s.facts)
}

// Restore takes in what Write wrote of a page that has not changed since; see
// Collect. Twin returns the page's published Markdown, and is called only where
// the page's text is needed.
func (r *Renderer) Restore(p *site.Page, written *codec.Reader, twin func() ([]byte, error)) {
	r = r.in(p)
	var s share
	s.code(codec.From(written))
	r.collectText(p, &s, func() ([]byte, error) {
		markdown, err := twin()
		if err != nil {
			return nil, err
		}
		return s.plain(markdown)
	})
	r.collectShare(p, &s)
}

// collectShare takes in what the feeds, the search's index and the sitemap need of a page.
func (r *Renderer) collectShare(p *site.Page, s *share) {
	if s.facts {
		r.factual[p] = true
		_, _ = r.factualKey.WriteString(p.Path + "\n")
	}
	if s.contentDigest != 0 {
		r.contents[p.Path] = s.content
	}
	if s.recordDigest != 0 {
		r.addRecord(s.record)
	}
	var w record64
	_, _ = r.contentKey.Write(w.bytes(s.contentDigest))
	_, _ = r.recordKey.Write(w.bytes(s.recordDigest))
}

var errTwin = errors.New("the published Markdown of a page is not what was built")

// plain is the twin without its pointer line.
func (s *share) plain(markdown []byte) ([]byte, error) {
	if len(markdown) < s.first+s.last {
		return nil, errTwin
	}
	plain := s.without(markdown)
	if artifact.Hash(plain) != s.digest {
		return nil, errTwin
	}
	return plain, nil
}

// Output is a group of files of the whole site that are made together.
type Output struct {
	// Name is unique among the groups of a site.
	Name string
	// Key is a hash of what the group is made of, but for what every page's front
	// matter, the settings, the facts and the theme say: two outputs of one name
	// and key are the same where all that is the same.
	Key  uint64
	Make func() ([]artifact.Resource, error)
}

// SiteOutputs returns everything that is not a page or an editor's file, before it
// is made. It is called after Collect, or Restore, has seen every page.
func (r *Renderer) SiteOutputs() []Output {
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
	factual := r.factualKey.Sum64()
	for _, other := range r.languages {
		factual = factual<<1 ^ other.factualKey.Sum64()
	}
	outputs = append(outputs,
		Output{"description", 0, one(r.description)},
		Output{"catalog", 0, one(r.catalog)},
		Output{"robots", 0, one(r.robots)},
		Output{"operation", 0, r.operation},
		Output{"sitemap", factual, r.sitemap},
		Output{"llms", 0, r.llms},
		Output{"security", 0, r.security},
		Output{"feeds", r.contentKey.Sum64() ^ r.factualKey.Sum64(), r.feedFiles},
		Output{"search", r.recordKey.Sum64(), r.searchFiles},
		Output{"changes", r.changesView().key, r.changeFeeds},
		Output{"skill", 0, r.skill},
		Output{"indexnow", 0, without(r.indexNow)},
		Output{"cli", 0, r.cli},
		Output{"assets", 0, without(r.assets)},
	)
	for _, other := range r.languages {
		name := func(output string) string { return output + " " + other.site.Language }
		outputs = append(append(outputs, other.fullTexts()...),
			Output{name("llms"), 0, other.llms},
			Output{name("feeds"), other.contentKey.Sum64() ^ other.factualKey.Sum64(), other.feedFiles},
			Output{name("search"), other.recordKey.Sum64(), other.searchFiles},
		)
	}
	return outputs
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
	w := codec.Writer{}
	for _, t := range f.texts {
		w.Hash(uint64(t.turn))
		w.Hash(t.digest)
		writeDate(&w, t.changed)
	}
	for _, p := range f.omitted {
		names.WriteString(p.Path)
		names.WriteByte('\n')
	}
	w.Text(names.String())
	return artifact.Hash(w.Data)
}
