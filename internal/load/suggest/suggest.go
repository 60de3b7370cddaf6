// Package suggest finds the word that an editor most likely meant. It always makes the same suggestion for the same
// input, and makes no suggestion if no known word is similar enough.
package suggest

import (
	"math"
	"math/bits"
	"slices"
	"unicode"
	"unicode/utf8"
)

// longest is the maximum length, in characters, of the words compared. All names known to Vitrine are much shorter.
const longest = 40

// Nearest returns the word in known that is nearest to word. It returns "" if word has more than longest characters or
// differs from all known words by more typos than limit allows. It ignores case and the separators "-", "_", and space.
// If word is in known, it returns word. Among equally near words, it returns the first.
func Nearest(word string, known []string) string {
	if utf8.RuneCountInString(word) > longest {
		return ""
	}
	folded := fold(nil, word)
	best, distance := "", limit(folded)+1
	var buffer []rune
	var r rows
	for _, candidate := range known {
		if candidate == word {
			return candidate
		}
		buffer = fold(buffer[:0], candidate)
		if d := r.levenshtein(folded, buffer, distance-1); d < distance {
			best, distance = candidate, d
		}
	}
	return best
}

// Same reports whether two words are equal apart from case and separators.
func Same(a, b string) bool {
	return utf8.RuneCountInString(a) <= longest && slices.Equal(fold(nil, a), fold(nil, b))
}

// Slip reports whether word and meant differ by one typo. Both must have at least 5 characters, because short words are
// often similar by chance.
func Slip(word, meant string) bool {
	a, b := fold(nil, word), fold(nil, meant)
	const least = 5
	return len(a) >= least && len(b) >= least && len(a) <= longest && new(rows).levenshtein(a, b, 1) == 1
}

// Slips returns the number of typos between two words: added, omitted, changed, or swapped letters.
func Slips(a, b string) int {
	return new(rows).levenshtein(fold(nil, a), fold(nil, b), math.MaxInt)
}

// limit returns the maximum number of typos in a misspelling of word: a third of its length, but at least one and at
// most three.
func limit(word []rune) int {
	return min(max(len(word)/3, 1), 3)
}

// fold appends the characters of word to dst, in lower case and without separators, and returns the extended slice.
func fold(dst []rune, word string) []rune {
	for _, r := range word {
		if r != '-' && r != '_' && r != ' ' {
			dst = append(dst, unicode.ToLower(r))
		}
	}
	return dst
}

// List is a sorted list of words. Its method Nearest is faster than the function Nearest.
type List struct {
	words []string
	// letters contains the set of characters of each word; see the function letters.
	letters []uint64
}

// NewList returns a list of words. It sorts words in place and keeps the slice.
func NewList(words []string) *List {
	slices.Sort(words)
	l := &List{words: words, letters: make([]uint64, len(words))}
	for i, word := range words {
		l.letters[i] = letters(word)
	}
	return l
}

// Nearest returns the same result as the function Nearest with the words in l for which allowed returns true.
func (l *List) Nearest(word string, allowed func(string) bool) string {
	if utf8.RuneCountInString(word) > longest {
		return ""
	}
	folded, set := fold(nil, word), letters(word)
	best, distance := -1, limit(folded)+1
	var buffer []rune
	var r rows
	// Compare words with the fewest different characters first, because a near word rules out most other words.
	for least := 0; least < distance || least == distance && best >= 0; least++ {
		for i, candidate := range l.words {
			if leastSlips(set, l.letters[i]) != least || !allowed(candidate) {
				continue
			}
			if candidate == word {
				return candidate
			}
			buffer = fold(buffer[:0], candidate)
			if d := r.levenshtein(folded, buffer, distance); d < distance || d == distance && best > i {
				best, distance = i, d
			}
		}
	}
	if best < 0 {
		return ""
	}
	return l.words[best]
}

// Words returns the words in order. The caller must not change them.
func (l *List) Words() []string { return l.words }

// letters returns the set of characters in word, in lower case and without separators. Each ASCII letter and digit has
// a different bit. Other characters share these bits.
func letters(word string) (set uint64) {
	const size = 39 // no two lower-case ASCII letters or digits have the same remainder
	for _, r := range word {
		if r != '-' && r != '_' && r != ' ' {
			set |= 1 << (uint32(unicode.ToLower(r)) % size)
		}
	}
	return set
}

// leastSlips returns a lower bound for the number of typos between two words with the character sets a and b. Each typo
// adds at most one character and removes at most one character.
func leastSlips(a, b uint64) int {
	return max(bits.OnesCount64(a&^b), bits.OnesCount64(b&^a))
}

// rows are three rows of a distance matrix. Their memory is reused when a word is compared with many other words.
type rows struct{ before, previous, current []int }

// levenshtein returns the minimum number of insertions, deletions, substitutions, and swaps of adjacent characters that
// turn a into b. If this number exceeds most, levenshtein returns some number larger than most.
func (r *rows) levenshtein(a, b []rune, most int) int {
	if difference := max(len(a)-len(b), len(b)-len(a)); difference > most {
		return difference
	}
	r.before, r.previous, r.current = sized(r.before, len(b)+1), sized(r.previous, len(b)+1), sized(r.current, len(b)+1)
	before, previous, current := r.before, r.previous, r.current
	for j := range previous {
		previous[j] = j
	}
	least := 0
	for i := 1; i <= len(a); i++ {
		leastBefore := least
		current[0], least = i, i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			d := min(previous[j]+1, current[j-1]+1, previous[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				d = min(d, before[j-2]+1)
			}
			current[j], least = d, min(least, d)
		}
		before, previous, current = previous, current, before
		// Every later row depends only on the last two rows, so its values can't be smaller.
		if min(least, leastBefore) > most {
			return least
		}
	}
	return previous[len(b)]
}

// sized returns a slice of n numbers with arbitrary values. The slice reuses the memory of s if possible.
func sized(s []int, n int) []int {
	return slices.Grow(s[:0], n)[:n]
}
