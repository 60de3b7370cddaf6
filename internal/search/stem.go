package search

import (
	"embed"
	"fmt"
	"strings"
	"unicode"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/arabic"
	"github.com/blevesearch/snowballstem/danish"
	"github.com/blevesearch/snowballstem/dutch"
	"github.com/blevesearch/snowballstem/english"
	"github.com/blevesearch/snowballstem/finnish"
	"github.com/blevesearch/snowballstem/french"
	"github.com/blevesearch/snowballstem/german"
	"github.com/blevesearch/snowballstem/hungarian"
	"github.com/blevesearch/snowballstem/irish"
	"github.com/blevesearch/snowballstem/italian"
	"github.com/blevesearch/snowballstem/norwegian"
	"github.com/blevesearch/snowballstem/portuguese"
	"github.com/blevesearch/snowballstem/romanian"
	"github.com/blevesearch/snowballstem/russian"
	"github.com/blevesearch/snowballstem/spanish"
	"github.com/blevesearch/snowballstem/swedish"
	"github.com/blevesearch/snowballstem/tamil"
	"github.com/blevesearch/snowballstem/turkish"
	"golang.org/x/text/unicode/norm"
)

// stemmers are what Snowball 2.2.0 makes of its algorithms for JavaScript, as it
// came, with its licence: `snowball algorithms/NAME.sbl -js -n NAMEStemmer`. The Go
// module holds what it makes of the same algorithms.
//
//go:embed stemmers/*.js stemmers/LICENSE
var stemmers embed.FS

// algorithm returns the stemmer of a language by its tag, such as "en-GB". name is "" if there is
// no stemmer; then words are compared unchanged.
func algorithm(language string) (name string, stem func(*snowballstem.Env) bool) {
	primary, _, _ := strings.Cut(strings.ToLower(language), "-")
	switch primary {
	case "ar":
		return "arabic", arabic.Stem
	case "da":
		return "danish", danish.Stem
	case "de":
		return "german", german.Stem
	case "en":
		return "english", english.Stem
	case "es":
		return "spanish", spanish.Stem
	case "fi":
		return "finnish", func(env *snowballstem.Env) bool {
			return strings.ContainsFunc(env.Current(), isNotFinnish) || finnish.Stem(env)
		}
	case "fr":
		return "french", french.Stem
	case "ga":
		return "irish", irish.Stem
	case "hu":
		return "hungarian", hungarian.Stem
	case "it":
		return "italian", italian.Stem
	case "nb", "nn", "no":
		return "norwegian", norwegian.Stem
	case "nl":
		return "dutch", dutch.Stem
	case "pt":
		return "portuguese", portuguese.Stem
	case "ro":
		return "romanian", romanian.Stem
	case "ru":
		return "russian", russian.Stem
	case "sv":
		return "swedish", swedish.Stem
	case "ta":
		return "tamil", tamil.Stem
	case "tr":
		return "turkish", turkish.Stem
	}
	return "", nil
}

// Stemmer is the script that stems words in the browser as the index does, a module
// whose default export is a function from a word in lower case to its stem; nil for
// a language without one.
func Stemmer(language string) []byte {
	name, _ := algorithm(language)
	if name == "" {
		return nil
	}
	return script(name)
}

func script(name string) []byte {
	base, own, stem := embedded("base.js"), embedded(name+".js"), "stemmer.stemWord(word)"
	if name == "finnish" {
		stem = "/[^" + finnishLetters + "]/.test(word) ? word : " + stem
	}
	return fmt.Appendf(nil, "/*!\n"+embedded("LICENSE")+"*/\nlet BaseStemmer, %sStemmer;\n%s%sconst stemmer = new %sStemmer();\nexport default (word) => %s;\n", name, base, own, name, stem)
}

func embedded(name string) string {
	body, err := stemmers.ReadFile("stemmers/" + name)
	if err != nil {
		// A file is missing from the program, which a test of all languages finds.
		panic(err)
	}
	return string(body)
}

// stem is the folded stem of a word. env is the algorithm's memory.
func stem(env *snowballstem.Env, run func(*snowballstem.Env) bool, word string) string {
	if run == nil || strings.ContainsFunc(word, isNoLetter) {
		return Fold(word)
	}
	// Snowball takes composed letters; with which points and hamzas an Arabic word is
	// written, or a Russian one with which e, is the writer's choice and no other word.
	word = strings.ReplaceAll(norm.NFC.String(lower(word)), "ё", "е")
	if strings.ContainsFunc(word, isArabic) {
		// Snowball only knows the article with a plain alef.
		word = strings.ReplaceAll(unmarked(word), "ٱ", "ا")
	}
	env.SetCurrent(word)
	run(env)
	if stemmed := Fold(env.Current()); stemmed != "" {
		return stemmed
	}
	return Fold(word)
}

// finnishLetters are the letters of words that are stemmed in Finnish: the treatment of others, in
// foreign names, changed between versions of Snowball.
const finnishLetters = "abcdefghijklmnopqrstuvwxyzåäöšž"

func isNotFinnish(r rune) bool { return !strings.ContainsRune(finnishLetters, r) }

// isNoLetter reports whether a character is in no word that has forms: versions of
// Snowball take numbers apart in different ways.
func isNoLetter(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) }

func isArabic(r rune) bool { return 0x600 <= r && r < 0x780 }
