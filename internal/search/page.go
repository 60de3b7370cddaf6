package search

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/blevesearch/snowballstem"

	"vitrine/internal/codec"
)

// pieceSize is the approximate size in bytes of a piece. To show a result, a search fetches one piece of the page's
// text.
const pieceSize = 6 << 10

// Page is a page to index.
type Page struct {
	// Path is the page's URL path, including the site's base path. Title and Description are plain text.
	Path, Title, Description string
	Tags                     []string
	Headings                 []Heading
	// Twin is the page as Markdown, without content about other pages, such as links to them.
	Twin []byte
	// Aside reports whether the page ranks after other pages, unless its title contains a searched word.
	Aside bool
}

// Analyzer extracts the words from the pages of one language. It is safe for concurrent use.
type Analyzer struct {
	run     func(*snowballstem.Env) bool
	workers sync.Pool
}

// NewAnalyzer returns an Analyzer for the language with the given tag.
func NewAnalyzer(language string) *Analyzer {
	_, run := algorithm(language)
	return &Analyzer{run: run}
}

// Analyzed is the index data of a page.
type Analyzed struct {
	// Pieces contains the page's text, split at the ends of sections or within long sections. Each piece is JSON:
	// [path, title, [[anchor, heading, text], …]].
	Pieces [][]byte
	// Terms contains the page's search terms in the format expected by a Builder.
	Terms []byte
}

// knownWords is the number of cached words above which a worker isn't reused, so that its cache doesn't grow
// indefinitely.
const knownWords = 1 << 16

// recentBits is the number of hash bits that select an element of recent.
const recentBits = 11

// worker analyzes one page at a time. It caches the words of earlier pages, because pages share most of their words.
type worker struct {
	env   *snowballstem.Env
	run   func(*snowballstem.Env) bool
	known map[string]*form
	stems map[string]*term
	// recent caches the most recent forms, indexed by a hash of their bytes, because most words on a page repeat a
	// recent word.
	recent [1 << recentBits]*form
	// terms lists the terms of the page in order of appearance.
	terms []*term
	// turn is the number of pages processed so far, including the current page.
	turn int
}

// form is a word as written, with its folded spelling and its term. turn is the value of worker.turn for the most
// recent page that contains the word.
type form struct {
	word, folded string

	term *term
	turn int
}

// term is a stem with its data for one page, which turn identifies; see worker.turn. All forms of the stem share the
// term.
type term struct {
	stem  string
	forms []string

	turn int
	// fields is a bit set of the page's fields, other than running text, in which the term occurs.
	fields int
	// count is the number of occurrences in running text. here is the term's score in the current piece: an occurrence
	// in a heading scores 4, and any other occurrence scores 1. most is the highest score in any piece.
	count, here, most int
	// best is the number of the piece with the highest score, and piece is the number of the current piece.
	best, piece int
}

// Fields of a page other than its running text, as bits of term.fields.
const (
	inTitle = 1 << iota
	inHeading
	inLead
)

// Page analyzes p and returns its index data.
func (a *Analyzer) Page(p *Page) Analyzed {
	w, ok := a.workers.Get().(*worker)
	if !ok || len(w.known) > knownWords {
		w = &worker{env: snowballstem.NewEnv(""), run: a.run, known: make(map[string]*form), stems: make(map[string]*term)}
	}
	defer a.workers.Put(w)
	w.turn++
	w.terms = w.terms[:0]
	// Add the title first so that the first piece is the best piece for its words.
	title := w.take(p.Title, inTitle, 0)
	w.take(p.Description, inLead, 0)
	for _, tag := range p.Tags {
		w.take(tag, inLead, 0)
	}
	var done Analyzed
	length := 0
	for number, piece := range pieces(sections(p.Twin, p.Headings, true)) {
		for _, s := range piece {
			w.take(s.heading, inHeading, number)
			length += w.take(s.text, 0, number) + w.take(s.cells, 0, number)
		}
		done.Pieces = append(done.Pieces, marshalPiece(p, piece))
	}
	done.Terms = w.write(length, title, p.Aside)
	return done
}

// pieces groups a page's sections into lists of about pieceSize bytes, and splits longer sections. It returns at least
// one list.
func pieces(all []section) [][]section {
	list := [][]section{nil}
	size := 0
	for _, s := range all {
		for first := true; first || s.text != ""; first = false {
			if size > 0 && size+min(len(s.text), pieceSize) > pieceSize {
				list, size = append(list, nil), 0
			}
			part := clip(s.text, pieceSize)
			last := len(list) - 1
			list[last] = append(list[last], section{s.id, s.heading, strings.TrimRight(part, " "), s.cells})
			size += len(part) + len(s.heading)
			s.text, s.cells = s.text[len(part):], ""
		}
	}
	return list
}

// clip returns at most size bytes from the start of text, cut after a word if possible and never within a character.
func clip(text string, size int) string {
	if len(text) <= size {
		return text
	}
	if space := strings.LastIndexByte(text[:size], ' '); space > size/2 {
		return text[:space+1]
	}
	for size > 0 && text[size]&0xc0 == 0x80 {
		size--
	}
	return text[:size]
}

// marshalPiece returns a piece of p as JSON, in the format of Analyzed.Pieces.
func marshalPiece(p *Page, piece []section) []byte {
	size := 0
	for _, s := range piece {
		size += len(s.text) + len(s.heading) + len(s.id) + 16
	}
	out := make([]byte, 0, size+size/16+len(p.Path)+len(p.Title)+16)
	out = append(appendText(append(appendText(append(out, '['), p.Path), ','), p.Title), ",["...)
	for i, s := range piece {
		if i > 0 {
			out = append(out, ',')
		}
		out = appendText(append(out, '['), s.id)
		out = appendText(append(out, ','), s.heading)
		out = append(appendText(append(out, ','), s.text), ']')
	}
	return append(out, "]]"...)
}

// appendText appends text as a JSON string.
func appendText(to []byte, text string) []byte {
	to = append(to, '"')
	if !utf8.ValidString(text) {
		text = strings.ToValidUTF8(text, "\uFFFD")
	}
	plain := 0
	for i := range len(text) {
		c := text[i]
		if c >= ' ' && c != '"' && c != '\\' {
			continue
		}
		to = append(to, text[plain:i]...)
		if plain = i + 1; c < ' ' {
			to = fmt.Appendf(to, "\\u%04x", c)
		} else {
			to = append(to, '\\', c)
		}
	}
	return append(append(to, text[plain:]...), '"')
}

// take adds the words in text to the page's terms and returns the number of words. field is the bit of the field that
// contains text, or 0 for running text. piece is the number of the piece that contains text.
func (w *worker) take(text string, field, piece int) (count int) {
	words(text, func(word string) {
		count++
		f := w.form(word)
		t := f.term
		if t.turn != w.turn {
			*t = term{stem: t.stem, forms: t.forms[:0], turn: w.turn, piece: -1}
			w.terms = append(w.terms, t)
		}
		if f.turn != w.turn {
			f.turn = w.turn
			t.forms = append(t.forms, f.folded)
		}
		if t.piece != piece {
			t.piece, t.here = piece, 0
		}
		if t.fields |= field; field == 0 {
			t.count++
		}
		t.here++
		if field == inHeading {
			t.here += 3
		}
		if t.here > t.most {
			t.most, t.best = t.here, piece
		}
	})
	return count
}

// form returns the data of word, from the cache if possible.
func (w *worker) form(word string) *form {
	hash := uint32(len(word))
	for i := range len(word) {
		hash = (hash ^ uint32(word[i])) * 0x01000193
	}
	recent := &w.recent[hash*0x9e3779b1>>(32-recentBits)]
	if f := *recent; f != nil && f.word == word {
		return f
	}
	f := w.known[word]
	if f == nil {
		f = w.learn(word)
	}
	*recent = f
	return f
}

func (w *worker) learn(word string) *form {
	stemmed := stem(w.env, w.run, word)
	t := w.stems[stemmed]
	if t == nil {
		t = &term{stem: stemmed}
		w.stems[stemmed] = t
	}
	f := &form{word: strings.Clone(word), folded: Fold(word), term: t}
	w.known[f.word] = f
	return f
}

// write encodes the page's terms, each with its stem, its level and best piece, and its forms. length is the number of
// words in the page's text, and title is the number of words in its title. If aside is set, terms get the lowest level
// unless they occur in the title.
func (w *worker) write(length, title int, aside bool) []byte {
	out := codec.Writer{Data: make([]byte, 0, 12*len(w.terms))}
	out.Uint(uint64(len(w.terms)))
	for _, t := range w.terms {
		out.Text(t.stem)
		grade := 0
		if !aside || t.fields&inTitle != 0 {
			grade = level(t, length, title)
		}
		out.Uint(uint64(t.best*levels + grade))
		// The length of the encoded forms precedes them. It usually takes one byte.
		start := len(out.Data)
		out.Data = append(out.Data, 0)
		for i, f := range t.forms {
			if !slices.Contains(t.forms[:i], f) {
				out.Text(f)
			}
		}
		if size := len(out.Data) - start - 1; size < 0x80 {
			out.Data[start] = byte(size)
		} else {
			out.Data = slices.Replace(out.Data, start, start+1, binary.AppendUvarint(nil, uint64(size))...)
		}
	}
	return out.Data
}

// levels is the number of levels of relevance that a page can have for a word.
const levels = 8

// level returns the relevance of a page for a word. It works like BM25 with b = 3/4 and k1 = 6/5, but uses integers, so
// the result is the same on every machine. A word in the title outweighs all its occurrences elsewhere on a page,
// especially if the title is short. A heading outweighs text. BM25's average page length is a constant here because a
// change on another page must not change this page's record.
func level(t *term, length, title int) int {
	const usual = 400
	// n is in hundredths. A word that fills the page approaches 100.
	n := 100 * t.count * 20 * usual / (t.count*20*usual + 24*(usual/4+length*3/4) + 1)
	for _, f := range []struct{ field, worth int }{{inTitle, 300 + 200/max(title, 2)}, {inHeading, 130}, {inLead, 60}} {
		if t.fields&f.field != 0 {
			n += f.worth
		}
	}
	grade := 0
	for _, least := range [levels - 1]int{20, 45, 75, 110, 170, 300, 340} {
		if n >= least {
			grade++
		}
	}
	return grade
}
