package search

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// longest is the maximum number of significant characters of a word. Longer words, such as base64 data, are cut to this
// length.
const longest = 40

// unspaced reports whether r belongs to a script without spaces between words. Text in such a script is indexed in
// pairs of letters, which requires no dictionary. Hangul is also indexed in pairs, because particles are attached to
// its words. templates/assets/search-engine.js implements this file identically, which TestScriptSplitsWordsEqually
// checks.
func unspaced(r rune) bool {
	switch {
	case r < 0x0e00:
		return false
	case r < 0x0f00, // Thai, Lao
		0x1000 <= r && r < 0x10a0, // Myanmar
		0x1780 <= r && r < 0x1800, // Khmer
		0x3005 <= r && r <= 0x3007,
		0x3040 <= r && r < 0x3100, 0x31f0 <= r && r < 0x3200, // Hiragana, Katakana
		0x3400 <= r && r < 0x4dc0, 0x4e00 <= r && r < 0xa000, 0xf900 <= r && r < 0xfb00, // Han
		0xac00 <= r && r < 0xd7b0, // Hangul
		0xff66 <= r && r < 0xffa0, // half-width Katakana
		0x20000 <= r && r < 0x32000:
		return true
	}
	return false
}

// mark reports whether r only modifies the previous character, so comparisons ignore it. Such characters are combining
// accents and the points of Hebrew and Arabic.
func mark(r rune) bool {
	return r >= 0x300 && (r < 0x370 || 0x591 <= r && r < 0x5c8 && r != 0x5be && r != 0x5c0 && r != 0x5c3 && r != 0x5c6 ||
		0x610 <= r && r < 0x61b || r == 0x640 || 0x64b <= r && r < 0x660 || r == 0x670 || 0x6d6 <= r && r < 0x6dd ||
		0x1ab0 <= r && r < 0x1b00 || 0x1dc0 <= r && r < 0x1e00 || 0x20d0 <= r && r < 0x2100 || 0xfe20 <= r && r < 0xfe30)
}

// letters replaces letters with their equivalents for comparison, in addition to Unicode's decompositions.
var letters = strings.NewReplacer(
	"ß", "ss", "æ", "ae", "œ", "oe", "ø", "o", "đ", "d", "ð", "d", "ł", "l", "ħ", "h", "þ", "th", "ı", "i", "ς", "σ",
	"ى", "ي", "ی", "ي", "ک", "ك", "ة", "ه", "ٱ", "ا", "ך", "כ", "ם", "מ", "ן", "נ", "ף", "פ", "ץ", "צ",
)

// Fold returns word in lower case and without accents, for comparison. Variants of Arabic letters and final forms of
// Hebrew letters are replaced by their base letters.
func Fold(word string) string {
	ascii := true
	for i := range len(word) {
		c := word[i]
		if c >= 0x80 {
			ascii = false
			break
		}
	}
	if word = lower(word); ascii {
		return word
	}
	return norm.NFC.String(letters.Replace(unmarked(word)))
}

// lower returns word in lower case, converted letter by letter regardless of the language.
func lower(word string) string {
	return strings.Map(unicode.ToLower, word)
}

// unmarked returns text in Unicode's compatibility decomposition (NFKD), without marks. The sound marks of Kana and the
// vowels of Indic scripts stay because they distinguish words.
func unmarked(text string) string {
	return strings.Map(func(r rune) rune {
		if mark(r) {
			return -1
		}
		return r
	}, norm.NFKD.String(text))
}

// inWord reports whether r can be part of a word.
func inWord(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r)
}

// words calls visit for each word in text, unchanged except that long words are truncated. In scripts without spaces
// between words, it calls visit for pairs of letters instead; see pairs.
func words(text string, visit func(word string)) {
	for i := 0; i < len(text); {
		if c := text[i]; c < utf8.RuneSelf {
			if !asciiWord(c) {
				i++
				continue
			}
		}
		end, kind := wordEnd(text, i)
		switch word := text[i:end]; kind {
		case spaced:
			visit(cutOff(word))
		case paired:
			pairs(word, visit)
		}
		i = end
	}
}

func asciiWord(c byte) bool { return c-'0' < 10 || c|0x20-'a' < 26 }

// Kinds of runs of characters. A run is ignored (nothing), a word in a script that separates words with spaces
// (spaced), or letters that are indexed in pairs (paired).
const (
	nothing = iota
	spaced
	paired
)

// wordEnd returns the end and the kind of the run that starts at text[begin].
func wordEnd(text string, begin int) (end, kind int) {
	for end = begin; end < len(text); {
		if c := text[end]; c < utf8.RuneSelf {
			if !asciiWord(c) || kind == paired {
				return end, kind
			}
			kind = spaced
			end++
			continue
		}
		r, size := utf8.DecodeRuneInString(text[end:])
		is := nothing
		switch {
		case kind == paired && unicode.IsMark(r):
			is = paired
		case unspaced(r) && inWord(r):
			is = paired
		case inWord(r):
			is = spaced
		}
		if end == begin {
			if kind = is; is == nothing {
				return begin + size, nothing
			}
		} else if is != kind {
			return end, kind
		}
		end += size
	}
	return end, kind
}

// pairs calls visit for each pair of adjacent letters in run and for the last letter, so that a search for a single
// letter also finds the last one.
func pairs(run string, visit func(string)) {
	for i, size := 0, letterSize(run); i < len(run); {
		next := letterSize(run[i+size:])
		visit(run[i : i+size+next])
		i, size = i+size, next
	}
}

// letterSize returns the size in bytes of the first letter in text, including the sound marks of Kana that follow it.
func letterSize(text string) int {
	_, size := utf8.DecodeRuneInString(text)
	for size < len(text) {
		r, more := utf8.DecodeRuneInString(text[size:])
		if r != 0x3099 && r != 0x309a && r != 0xff9e && r != 0xff9f {
			break
		}
		size += more
	}
	return size
}

// cutOff truncates word to at most longest characters.
func cutOff(word string) string {
	if len(word) <= longest {
		return word
	}
	n := 0
	for i := range word {
		if n++; n > longest {
			return word[:i]
		}
	}
	return word
}
