package search

import "github.com/blevesearch/snowballstem"

// Words returns the words found by the index in text, each as written, folded, and stemmed.
func Words(language, text string) [][3]string {
	_, run := algorithm(language)
	env := snowballstem.NewEnv("")
	list := [][3]string{}
	words(text, func(word string) { list = append(list, [3]string{word, Fold(word), stem(env, run, word)}) })
	return list
}

// Sections returns the anchor, heading, and text of each section of a page.
func Sections(twin string, headings []Heading) [][3]string {
	var list [][3]string
	for _, s := range sections([]byte(twin), headings, true) {
		list = append(list, [3]string{s.id, s.heading, s.text})
	}
	return list
}

const (
	PieceSize    = pieceSize
	MostPostings = mostPostings
)
