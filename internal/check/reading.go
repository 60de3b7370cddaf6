package check

import (
	"bytes"
	"encoding/json"
	"html"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// reading is a document in a form that can be searched for answers.
type reading struct {
	// source is the text in Unicode's composed form (NFC).
	source []byte
	// forms are the folded forms of the text. Markdown has two forms: one without link targets, and one with link
	// targets.
	forms []foldedText
}

func newReading(source []byte, isJSON bool) *reading {
	r := &reading{source: norm.NFC.Bytes(source)}
	if isJSON {
		r.forms = []foldedText{foldJSON(r.source)}
	} else {
		r.forms = []foldedText{foldText(r.source, false), foldText(r.source, true)}
	}
	return r
}

// find returns the byte offset of the end of the first occurrence of text in the source. ok is false if the source
// doesn't contain text.
func (r *reading) find(text string) (end int, ok bool) {
	wanted := foldText(norm.NFC.Bytes([]byte(text)), true).text
	for i := range r.forms {
		if at, found := r.forms[i].find(wanted); found && (!ok || at < end) {
			end, ok = at, true
		}
	}
	return end, ok
}

// foldedText is text in a form for searching: words in lower case, separated by single spaces, without punctuation and
// Markdown syntax. It contains meaningful symbols, such as currency signs.
type foldedText struct {
	text string
	// ends contains, for each byte of text, the byte offset in the source at which the corresponding character ends.
	ends []int32
}

// find returns the byte offset, in the source, of the end of the first occurrence of words as complete words. ok is
// false if there is none.
func (f *foldedText) find(words string) (end int, ok bool) {
	for from := 0; words != ""; {
		at := strings.Index(f.text[from:], words)
		if at < 0 {
			break
		}
		begin, behind := from+at, from+at+len(words)
		before, _ := utf8.DecodeLastRuneInString(f.text[:begin])
		first, size := utf8.DecodeRuneInString(words)
		last, _ := utf8.DecodeLastRuneInString(words)
		after, _ := utf8.DecodeRuneInString(f.text[behind:])
		if !joined(before, first) && !joined(last, after) {
			return int(f.ends[behind-1]), true
		}
		from = begin + size
	}
	return 0, false
}

// joined reports whether two adjacent characters belong to the same word or number. It returns false for letters in
// Korean, which appends particles to words, and in scripts without spaces between words, so that a match may start and
// end at each of these letters.
func joined(a, b rune) bool {
	if isPoint(a) || isPoint(b) {
		return true // foldText keeps points only within numbers
	}
	inWord := func(r rune) bool {
		return (unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)) && r != utf8.RuneError &&
			!unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar, unicode.Tibetan)
	}
	return inWord(a) && inWord(b)
}

func isPoint(r rune) bool {
	return r == '.' || r == ',' || r == '’' || r == '\'' || r == '٫' || r == '٬'
}

// folder builds a foldedText.
type folder struct {
	text strings.Builder
	ends []int32
	// spaced reports whether the last character of text is a space, and number reports whether it is a digit.
	spaced, number bool
}

func (f *folder) add(r rune, end int) {
	n, _ := f.text.WriteRune(r)
	for range n {
		f.ends = append(f.ends, int32(end))
	}
	f.spaced, f.number = r == ' ', unicode.IsDigit(r)
}

func (f *folder) space(end int) {
	if !f.spaced {
		f.add(' ', end)
	}
}

// character adds the folded form of r, which may be a space or nothing. next is the character after r, and end is the
// byte offset of the end of r in the source.
func (f *folder) character(r, next rune, end int) {
	switch {
	case unicode.IsLetter(r), unicode.IsDigit(r), unicode.IsMark(r) && !unicode.In(r, unicode.Variation_Selector):
		f.add(unicode.ToLower(r), end)
	case isPoint(r) && f.number && unicode.IsDigit(next), unicode.Is(unicode.Sc, r), strings.ContainsRune("%‰°+", r), r == '#' && !f.spaced:
		f.add(r, end)
	case strings.ContainsRune("*`~\\[]", r), unicode.In(r, unicode.Cf, unicode.Variation_Selector):
		// Skip Markdown syntax within words and invisible characters.
	default:
		f.space(end)
	}
}

func (f *folder) done() foldedText {
	text := strings.TrimSuffix(f.text.String(), " ")
	return foldedText{text, f.ends[:len(text)]}
}

// foldText folds Markdown or plain words. links reports whether to include link targets.
func foldText(source []byte, links bool) foldedText {
	f := &folder{spaced: true}
	for i := 0; i < len(source); {
		r, size := utf8.DecodeRune(source[i:])
		if r == ']' && !links && bytes.HasPrefix(source[i:], []byte("](")) {
			if end := destinationEnd(source[i+1:]); end > 0 {
				i += 1 + end
				continue
			}
		}
		if r == '&' {
			if end := bytes.IndexByte(source[i:min(len(source), i+12)], ';'); end > 0 {
				if meant := html.UnescapeString(string(source[i : i+end+1])); meant[0] != '&' || len(meant) == 1 {
					i += end + 1
					for _, r := range meant {
						f.character(r, 0, i)
					}
					continue
				}
			}
		}
		i += size
		next, _ := utf8.DecodeRune(source[i:])
		f.character(r, next, i)
	}
	return f.done()
}

// destinationEnd returns the offset after the closing parenthesis that matches the parenthesis at the start of text, or
// 0 if there is none on the same line.
func destinationEnd(text []byte) int {
	depth := 0
	for i, c := range text {
		switch c {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return i + 1
			}
		case '\n':
			return 0
		}
	}
	return 0
}

// foldJSON folds the strings, numbers, and Booleans in JSON. A match can't span two values.
func foldJSON(source []byte) foldedText {
	f := &folder{spaced: true}
	d := json.NewDecoder(bytes.NewReader(source))
	d.UseNumber()
	for {
		token, err := d.Token()
		if err != nil {
			return f.done()
		}
		var text string
		switch value := token.(type) {
		case string:
			text = value
		case json.Number:
			text = value.String()
		case bool:
			if text = "false"; value {
				text = "true"
			}
		default:
			continue
		}
		end := int(d.InputOffset())
		for at, r := range text {
			next, _ := utf8.DecodeRuneInString(text[at+utf8.RuneLen(r):])
			f.character(r, next, end)
		}
		f.add('\n', end)
		f.spaced = true
	}
}
