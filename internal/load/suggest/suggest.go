// Package suggest finds the word that an editor most likely meant. It returns the same suggestion
// for the same input, and none if no word is close enough to help.
package suggest

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// longest is the maximum length, in characters, of a word that is compared. All names that Vitrine knows are much
// shorter.
const longest = 40

// Nearest returns the word in known that is nearest to word. It returns "" if all differ by more typos than limit
// allows, or if word has more than longest characters. It ignores case and the separators "-", "_", and space. If word
// is in known, it returns word. Among equally near words, it returns the first.
func Nearest(word string, known []string) string {
	if utf8.RuneCountInString(word) > longest {
		return ""
	}
	folded := fold(word)
	best, distance := "", limit(folded)+1
	for _, candidate := range known {
		if candidate == word {
			return candidate
		}
		if d := levenshtein(folded, fold(candidate)); d < distance {
			best, distance = candidate, d
		}
	}
	return best
}

// Same reports whether two words differ only in case and separators.
func Same(a, b string) bool {
	return utf8.RuneCountInString(a) <= longest && slices.Equal(fold(a), fold(b))
}

// Slip reports whether word and meant differ by one typo. Both must have at least 5 characters, because short words are
// often similar by chance.
func Slip(word, meant string) bool {
	a, b := fold(word), fold(meant)
	const least = 5
	return len(a) >= least && len(b) >= least && len(a) <= longest && levenshtein(a, b) == 1
}

// Slips returns the number of typos between two words: added, omitted, changed, or swapped letters.
func Slips(a, b string) int { return levenshtein(fold(a), fold(b)) }

// limit returns the maximum number of typos in a misspelling of a word of that length: one in a short word, up to three
// in a long one.
func limit(word []rune) int {
	return min(max(len(word)/3, 1), 3)
}

func fold(word string) []rune {
	return []rune(strings.NewReplacer("-", "", "_", "", " ", "").Replace(strings.ToLower(word)))
}

// levenshtein returns the minimum number of insertions, deletions, substitutions, and swaps of adjacent characters that
// turn a into b.
func levenshtein(a, b []rune) int {
	before, previous, current := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range previous {
		previous[j] = j
	}
	for i := 1; i <= len(a); i++ {
		current[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			current[j] = min(previous[j]+1, current[j-1]+1, previous[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				current[j] = min(current[j], before[j-2]+1)
			}
		}
		before, previous, current = previous, current, before
	}
	return previous[len(b)]
}
