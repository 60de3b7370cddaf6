package search

import (
	"encoding/binary"
	"math/bits"
	"slices"
	"strings"
	"unicode"

	"vitrine/internal/codec"
)

const (
	// whole is the maximum size in bytes, before compression, of an index in a single file.
	whole = 192 << 10
	// mostPostings is the maximum number of pages in a stem's list. It limits the size of the entry that a search
	// loads. If more pages contain the stem, the list omits the least relevant pages.
	mostPostings = 12_000
	// Minimum numbers of letters in a word: shortestForm for any entry, shortestTypo for a backward entry (used by
	// searches with one typo), and shortestMiddle for a middle entry (used by searches with two typos). A searched word
	// can be two letters longer than the indexed word, so shortestMiddle is two less than the minimum for searches with
	// two typos.
	shortestMiddle, shortestTypo, shortestForm = 7, 4, 3
)

// Kinds of entries. An entry's kind is the first byte of its key.
const (
	// The key of a wordKind entry is the word, and the key of a backwardKind entry is the reversed word. The key of a
	// middleKind entry is three letters from the middle of the word, followed by the word. One typo leaves at least one
	// half of a word correct. Two typos leave the start, the end, or the middle correct.
	backwardKind = "b"
	middleKind   = "m"
	// pageKind is the kind of entries that contain pieces of pages. Their keys consist of the page's number and the
	// piece's number.
	pageKind = "p"
	// stemKind is the kind of entries that list the pages of a stem. Their key is the stem.
	stemKind = "s"
	wordKind = "w"
)

// Record is a page's data in the index. Pieces and Terms are the same as in Analyzed, except that a piece stored in its
// own file is replaced by the eight-byte hash in the file's name.
type Record struct {
	Pieces []string
	Terms  string
}

// Root locates the first file that a search loads.
type Root struct {
	// File is the hash in the name of the first file.
	File uint64
	// Depth is the number of levels of files below this file, or 0 if this file contains all entries.
	Depth int
}

// Builder builds the index from the records of pages, which the caller adds in order. It retains only the data for the
// index, which is much smaller than the records.
type Builder struct {
	stems map[string]*postings
	// words contains the stem of each form, keyed by form. If a form has several stems, it is the first in sorted
	// order.
	words  map[string]string
	pieces []entry
	// pages is the number of pages.
	pages int
}

// NewBuilder returns a Builder with no pages.
func NewBuilder() *Builder {
	return &Builder{stems: make(map[string]*postings), words: make(map[string]string)}
}

// Add adds r, the record of the next page.
func (b *Builder) Add(r Record) {
	b.addTerms(b.pages, r.Terms)
	for i, piece := range r.Pieces {
		key := binary.BigEndian.AppendUint32([]byte(pageKind), uint32(b.pages))
		b.pieces = append(b.pieces, entry{string(binary.BigEndian.AppendUint16(key, uint16(i))), []byte(piece)})
	}
	b.pages++
}

// Build builds the index and passes each file to publish, which must return the hash in the file's name. Identical
// records produce identical files.
func (b *Builder) Build(publish func(body []byte) (hash uint64, err error)) (Root, error) {
	entries := append(b.entries(), b.pieces...)
	slices.SortFunc(entries, func(a, b entry) int { return strings.Compare(a.key, b.key) })
	return writeTable(entries, publish)
}

// postings lists the pages that contain a stem.
type postings struct {
	stem string
	// list contains for each page the distance from the previous page and the level. If the page's best piece isn't its
	// first, the number of the best piece follows.
	list []byte
	last int
	// counts contains the number of pages at each level.
	counts [levels]int
	forms  string
}

// addTerms adds the terms of a page. It clones the strings that it retains, because a substring would keep all terms of
// the page in memory.
func (b *Builder) addTerms(page int, terms string) {
	in := codec.NewReader(terms)
	for range in.Count() {
		stem, grade, forms := in.Text(), int(in.Uint()), in.Text()
		p := b.stems[stem]
		if p == nil {
			p = &postings{stem: strings.Clone(stem), last: -1}
			b.stems[p.stem] = p
		}
		p.add(page, grade%levels, grade/levels)
		// Most pages have the same forms of a word as the previous page.
		if forms != p.forms {
			p.forms = strings.Clone(forms)
			b.addForms(p.stem, p.forms)
		}
	}
}

func (p *postings) add(page, level, piece int) {
	n := uint64(page-p.last)<<4 | uint64(level)<<1
	p.last = page
	p.counts[level]++
	if piece > 0 {
		n |= 1
	}
	if p.list = binary.AppendUvarint(p.list, n); piece > 0 {
		p.list = binary.AppendUvarint(p.list, uint64(piece))
	}
}

func (b *Builder) addForms(stem, forms string) {
	for in := codec.NewReader(forms); in.OK() && !in.Done(); {
		form := in.Text()
		// Forms that differ only in accents may have two stems; use the first in sorted order for both, so that the
		// index doesn't depend on the order of pages.
		if was, known := b.words[form]; !known || stem < was {
			b.words[form] = stem
		}
	}
}

// pages returns the number of pages that contain the stem.
func (p *postings) pages() (n int) {
	for _, count := range p.counts {
		n += count
	}
	return n
}

// value encodes p as all, the number of pages that contain the stem, followed by the list of pages. If there are more
// than mostPostings pages in p, the list omits the least relevant ones.
func (p *postings) value(all int) []byte {
	value := binary.AppendUvarint(nil, uint64(all))
	if p.pages() <= mostPostings {
		return append(value, p.list...)
	}
	least, kept := levels, 0
	for least > 0 && kept < mostPostings {
		least--
		kept += p.counts[least]
	}
	// From the lowest level in the list, include only the first few pages.
	drop := kept - mostPostings
	few := p.counts[least] - drop
	short := &postings{last: -1}
	page := -1
	for list := p.list; len(list) > 0; {
		n, size := binary.Uvarint(list)
		list = list[size:]
		page += int(n >> 4)
		level, piece := int(n>>1)%levels, uint64(0)
		if n&1 != 0 {
			piece, size = binary.Uvarint(list)
			list = list[size:]
		}
		if level == least {
			few--
		}
		if level > least || level == least && few >= 0 {
			short.add(page, level, int(piece))
		}
	}
	return append(value, short.list...)
}

// entries returns all entries of stems and words.
func (b *Builder) entries() []entry {
	list := make([]entry, 0, len(b.stems)+3*len(b.words))
	for stem, p := range b.stems {
		list = append(list, entry{stemKind + stem, p.value(p.pages())})
	}
	for form, stem := range b.words {
		value := wordValue(form, stem, byte(bits.Len(uint(b.stems[stem].pages()))))
		for _, key := range wordKeys(form) {
			list = append(list, entry{key, value})
		}
	}
	return list
}

// indexed reports whether form gets its own entries. This requires at least shortestForm characters, and a script that
// separates words with spaces.
func indexed(form string) bool {
	letters, _ := lettersOf(form)
	return len(letters) >= shortestForm && !unspaced(letters[0])
}

// wordKeys returns the keys of a form's entries, or nil if the form isn't indexed.
func wordKeys(form string) []string {
	if !indexed(form) {
		return nil
	}
	letters, onlyLetters := lettersOf(form)
	keys := append(make([]string, 0, 3), wordKind+form)
	if !onlyLetters || len(letters) < shortestTypo {
		return keys
	}
	if keys = append(keys, backwardKind+reversed(letters)); len(letters) >= shortestMiddle {
		middle := (len(letters) - 3) / 2
		keys = append(keys, middleKind+string(letters[middle:middle+3])+form)
	}
	return keys
}

// wordValue encodes often, the frequency of a form's stem, and the stem itself: the number of leading bytes that the
// stem shares with the form, followed by the stem's other bytes.
func wordValue(form, stem string, often byte) []byte {
	same := sharedPrefix(form, stem)
	return append([]byte{often, byte(same)}, stem[same:]...)
}

func lettersOf(form string) (letters []rune, only bool) {
	letters, only = []rune(form), true
	for _, r := range letters {
		only = only && unicode.IsLetter(r)
	}
	return letters, only
}

func reversed(letters []rune) string {
	var out strings.Builder
	for _, r := range slices.Backward(letters) {
		out.WriteRune(r)
	}
	return out.String()
}

func sharedPrefix(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && n < 255 && a[n] == b[n] {
		n++
	}
	return n
}
