//go:build proof

package search_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"vitrine/internal/search"
)

// most is the maximum number of bytes that a search among 10,000 pages may load, including scripts.
const most = 150_000

// vocabulary returns n words that resemble a language: they consist of syllables and endings, and earlier, more
// frequent words are shorter.
func vocabulary(random *rand.Rand, n int) []string {
	begins := strings.Fields("b br c ch cl cr d dr f fl fr g gr h j k l m n p pl pr qu r s sc sh sl sp st str t th tr v w")
	vowels := strings.Fields("a e i o u ai ea ee io ou")
	ends := strings.Fields("b ck d g l ll m n nd ng nt p r rd rk rn s ss st t th x")
	endings := append(strings.Fields("s ed ing er ly ness ment ation able ity ous"), "", "", "", "", "")
	pick := func(list []string) string { return list[random.IntN(len(list))] }
	seen := make(map[string]bool)
	var list []string
	for len(list) < n {
		word := ""
		for range 1 + random.IntN(1+min(3, 1+len(list)/500)) {
			word += pick(begins) + pick(vowels)
		}
		if word += pick(ends) + pick(endings); !seen[word] {
			seen[word] = true
			list = append(list, word)
		}
	}
	return list
}

// frequent returns a random word with the frequencies of words in prose: it picks the n-th word about once in 10n
// calls.
func frequent(random *rand.Rand, words []string) string {
	return words[min(len(words)-1, int(math.Exp(random.Float64()*math.Log(float64(len(words)+1))))-1)]
}

// corpus returns n pages, each with the given number of sections of perSection words returned by word.
func corpus(n, sections, perSection int, word func(page int) string) []search.Page {
	pages := make([]search.Page, n)
	for i := range pages {
		p := &pages[i]
		line := func(words int) string {
			list := make([]string, words)
			for j := range list {
				list[j] = word(i)
			}
			return strings.Join(list, " ")
		}
		p.Path, p.Title = fmt.Sprintf("/section/page-%05d", i), line(4)
		twin := "# " + p.Title + "\n\n"
		for s := range sections {
			h := search.Heading{ID: fmt.Sprintf("s%d", s), Text: line(3)}
			p.Headings = append(p.Headings, h)
			twin += "## " + h.Text + "\n\n" + line(perSection) + "\n\n"
		}
		p.Twin = []byte(twin)
	}
	return pages
}

// misspelt returns word with the given number of random typos.
func misspelt(random *rand.Rand, word string, errors int) string {
	letters := []rune(word)
	for range errors {
		i := random.IntN(len(letters))
		other := 'a' + random.Int32N(26)
		switch random.IntN(4) {
		case 0:
			letters[i] = other
		case 1:
			letters = slices.Delete(letters, i, i+1)
		case 2:
			letters = slices.Insert(letters, i, other)
		default:
			if i > 0 {
				letters[i], letters[i-1] = letters[i-1], letters[i]
			}
		}
	}
	return string(letters)
}

// A search among 10,000 pages loads no more than its limit, for any kind of text, and finds misspelled words.
func TestSearchDownloadSize(t *testing.T) {
	const n = 10_000
	random := rand.New(rand.NewPCG(5, 6))
	words := vocabulary(random, 60_000)
	letters := []rune("abcdefghijklmnopqrstuvwxyz")
	unique := func() string {
		word := make([]rune, 5+random.IntN(9))
		for i := range word {
			word[i] = letters[random.IntN(26)]
		}
		return string(word)
	}
	kinds := []struct {
		name, language string
		sections, per  int
		word           func(page int) string
	}{
		{"natural", "en", 4, 70, func(int) string { return frequent(random, words) }},
		{"long", "en", 6, 150, func(int) string { return words[random.IntN(20_000)] }},
		{"rare", "en", 2, 40, func(int) string { return unique() }},
		{"codes", "de", 2, 40, func(page int) string { return fmt.Sprintf("sku%05d%03d", page, random.IntN(1000)) }},
		{"names", "fr", 2, 40, func(int) string { return "prä" + unique() }},
		{"everywhere", "en", 2, 150, func(int) string { return words[random.IntN(300)] }},
		{"chinese", "zh", 3, 20, func(int) string {
			run := make([]rune, 8)
			for i := range run {
				run[i] = 0x4e00 + rune(2500*math.Pow(random.Float64(), 3))
			}
			return string(run)
		}},
	}
	if os.Getenv("VITRINE_SEARCH_SIZE") == "" {
		kinds = kinds[:1] // make search-size also tests the other kinds, which takes three minutes
	}
	for _, k := range kinds {
		t.Run(k.name, func(t *testing.T) {
			pages := corpus(n, k.sections, k.per, k.word)
			x := index(t, k.language, true, pages)
			var queries []string
			for range 10 {
				queries = append(queries, k.word(random.IntN(n)))
				queries = append(queries, k.word(1)+" "+k.word(2), k.word(3)+" "+k.word(4)+" "+k.word(5))
				wrong := func() string { return misspelt(random, k.word(6), 1+random.IntN(2)) }
				queries = append(queries, wrong(), wrong()+" "+wrong()+" "+wrong(), k.word(7)[:3], k.word(6)[:3]+" "+k.word(7)[:3]+" "+k.word(8)[:3])
			}
			largest, sum, slowest := 0, 0, 0.0
			for i, a := range x.find(t, true, queries...) {
				size := a.Bytes + x.scripts
				sum += size
				slowest = max(slowest, a.MS)
				if size > most {
					t.Errorf("%q loads %d bytes in %d files", queries[i], size, a.Files)
				}
				largest = max(largest, size)
			}
			t.Logf("%d files; scripts %d bytes; a search loads %d bytes on average, %d at most, and takes %.0f ms at most", x.files, x.scripts, sum/len(queries), largest, slowest)
			if k.name != "natural" && k.name != "rare" {
				return
			}
			for errors := 1; errors <= 2; errors++ {
				var meant, asked []string
				for len(meant) < 100 {
					word := pages[random.IntN(n)].Headings[0].Text
					word = strings.Fields(word)[random.IntN(3)]
					if len(word) < 5 || errors == 2 && len(word) < 10 {
						continue
					}
					if wrong := misspelt(random, word, errors); len(wrong) >= 5 && (errors == 1 || len(wrong) >= 9) {
						meant, asked = append(meant, word), append(asked, wrong)
					}
				}
				right, wrong := x.find(t, true, meant...), x.find(t, true, asked...)
				found := 0
				for i := range meant {
					if wrong[i].Count > 0 {
						found++
					} else if errors == 1 {
						t.Logf("%q is not found as %q", meant[i], asked[i])
					}
					if right[i].Count == 0 {
						t.Errorf("%q is not found", meant[i])
					}
				}
				t.Logf("%d of %d words with %d errors are found", found, len(meant), errors)
			}
		})
	}
}
