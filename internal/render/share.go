package render

import (
	"bytes"
	"context"
	"errors"
	"strings"

	"vitrine/internal/artifact"
	"vitrine/internal/codec"
	"vitrine/internal/record"
	"vitrine/internal/site"
)

// noteTwin writes the published twin of a page to out: plain, with the pointer line after the title. If line is empty,
// it writes plain unchanged. noteTwin also sets t to the data that the function without needs to restore plain.
func noteTwin(t *record.Twin, out *bytes.Buffer, plain, line []byte) {
	t.Bytes, t.Digest = len(plain), artifact.Hash(plain)
	if len(line) == 0 {
		t.First = len(plain)
		out.Write(plain)
		return
	}
	t.First, t.Last = pointed(out, plain, line)
	t.Between = string(plain[t.First : len(plain)-t.Last])
}

// pointed writes twin to out with line after the title. first and last are the numbers of bytes at the start and the
// end of twin that it writes unchanged.
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

// without reverses noteTwin: it returns markdown, the published twin, without the pointer line. t contains the data
// that noteTwin set.
func without(t *record.Twin, markdown []byte) []byte {
	plain := make([]byte, 0, t.Bytes)
	plain = append(plain, markdown[:t.First]...)
	plain = append(plain, t.Between...)
	return append(plain, markdown[len(markdown)-t.Last:]...)
}

// Record stores the page's contributions to site-wide files in to, the page's record for the next build.
func (page *Rendered) Record(to *record.Page) {
	to.Share, to.Texts = page.share, page.given
}

// Restore is like Collect, but for an unchanged page. s is the page's contribution from its record in the previous
// build. given returns the page's feed article and search entry, and twin returns the page's published Markdown.
// Restore and the site's outputs call these functions only if they need the text.
func (r *Renderer) Restore(p *site.Page, s *record.Share, given func() (record.Texts, error), twin func() ([]byte, error)) error {
	r = r.in(p)
	r.collectText(p, s, func() ([]byte, error) {
		markdown, err := twin()
		if err != nil {
			return nil, err
		}
		return plainTwin(&s.Twin, markdown)
	})
	return r.collectShare(p, s, given)
}

// collectShare adds w, p's contribution, to the data for the feeds, the search index, and the sitemap. given returns
// p's feed article and search entry.
func (r *Renderer) collectShare(p *site.Page, w *record.Share, given func() (record.Texts, error)) error {
	if w.ShowsFacts {
		r.factual[p] = true
		_, _ = r.factualKey.WriteString(p.Path + "\n")
	}
	if w.Feed != 0 {
		r.articles[p.Path] = given
	}
	var err error
	if w.Search != 0 {
		err = r.searchIndex.add(p, given)
	}
	var n record64
	_, _ = r.contentKey.Write(n.bytes(w.Feed))
	_, _ = r.searchIndex.key.Write(n.bytes(w.Search))
	return err
}

var errTwin = errors.New("the published Markdown of a page differs from its record in the build")

// plainTwin returns markdown, a published twin, without the pointer line. It returns errTwin if markdown isn't the twin
// that t describes.
func plainTwin(t *record.Twin, markdown []byte) ([]byte, error) {
	if len(markdown) < t.First+t.Last {
		return nil, errTwin
	}
	text := without(t, markdown)
	if artifact.Hash(text) != t.Digest {
		return nil, errTwin
	}
	return text, nil
}

// An Output is a group of site-wide files that are rendered together.
type Output struct {
	// Name identifies the group. It is unique within a site.
	Name string
	// Key is a hash of the group's inputs, except the front matter of pages, the settings, the facts, and the theme. If
	// these four inputs are unchanged, groups with the same name and key have the same files.
	Key uint64
	// Make renders the group's files.
	Make func() ([]artifact.Resource, error)
}

// SiteOutputs returns the groups of site-wide files: all files except authors' files and those that Resources returns.
// It doesn't render them. It must be called after Collect or Restore has been called for every page. The functions Make
// return the error of ctx if it is done.
func (r *Renderer) SiteOutputs(ctx context.Context) []Output {
	one := func(make func() (artifact.Resource, error)) func() ([]artifact.Resource, error) {
		return func() ([]artifact.Resource, error) {
			resource, err := make()
			return []artifact.Resource{resource}, err
		}
	}
	unfailing := func(make func() []artifact.Resource) func() ([]artifact.Resource, error) {
		return func() ([]artifact.Resource, error) { return make(), nil }
	}
	outputs := []Output{{"problems", 0, unfailing(r.problems)}}
	outputs = append(outputs, r.fullTexts(ctx)...)
	factual := r.factualKey.Sum64()
	for _, other := range r.languages {
		factual = factual<<1 ^ other.factualKey.Sum64()
	}
	outputs = append(outputs,
		Output{"description", 0, one(r.description)},
		Output{"catalog", 0, one(r.catalog)},
		Output{"robots", 0, one(r.robots)},
		Output{"operation", 0, r.operation},
		Output{"sitemap", factual ^ r.datesKey(), r.sitemap},
		Output{"llms", 0, r.llms},
		Output{"security", 0, r.security},
		Output{"feeds", r.contentKey.Sum64() ^ r.factualKey.Sum64(), r.feedFiles},
		Output{"list feeds", r.factualKey.Sum64(), r.listFeeds},
		Output{"search", r.searchIndex.key.Sum64(), r.searchFiles},
		Output{"changes", changesKey(r.changesView()), r.changeFeeds},
		Output{"skill", 0, r.skill},
		Output{"indexnow", 0, unfailing(r.indexNow)},
		Output{"cli", 0, r.cli},
		Output{"assets", 0, unfailing(r.assets)},
	)
	for _, other := range r.languages {
		name := func(output string) string { return output + " " + other.site.Language }
		outputs = append(append(outputs, other.fullTexts(ctx)...),
			Output{name("llms"), 0, other.llms},
			Output{name("feeds"), other.contentKey.Sum64() ^ other.factualKey.Sum64(), other.feedFiles},
			Output{name("list feeds"), other.factualKey.Sum64(), other.listFeeds},
			Output{name("search"), other.searchIndex.key.Sum64(), other.searchFiles},
		)
	}
	return outputs
}

// record64 is a buffer for the little-endian bytes of a number, for hashing.
type record64 [8]byte

func (w *record64) bytes(n uint64) []byte {
	for i := range w {
		w[i] = byte(n >> (8 * i))
	}
	return w[:]
}

// key returns a hash of the collected text and of the paths of the omitted pages.
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
