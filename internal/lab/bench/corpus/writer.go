package corpus

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"time"
)

// Range of a post's target number of words. A post that has reached its target starts no more paragraphs, but a list or
// a table of fewer than 100 words may follow.
const (
	leastWords = 600
	mostWords  = 930
)

// writer writes one post.
type writer struct {
	random     *rand.Rand
	vocabulary []string
	out        strings.Builder
	// count is the number of words written so far.
	count int
}

// post writes post number i.
func (w *writer) post(i int) Post {
	p := Post{
		Name:        name(i),
		Title:       fmt.Sprintf("%s %d", capital(w.words(4, 7)), i),
		Description: capital(w.words(10, 16)) + ".",
		Date:        time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC).AddDate(0, 0, i%2000),
		Tags:        w.tags(),
	}
	w.count = 0
	target := leastWords + w.random.IntN(mostWords-leastWords)
	// One of the first three sections ends with a list, one with code, and one with a table, in random order.
	extras := w.random.Perm(3)
	for section := 0; w.count < target || section < len(extras); section++ {
		w.section(i, target, extras[section%len(extras)])
	}
	p.Body = w.out.String()
	return p
}

// tags returns two distinct words.
func (w *writer) tags() []string {
	first := w.word()
	for {
		if second := w.word(); second != first {
			return []string{first, second}
		}
	}
}

// section writes a heading, one or more paragraphs up to the word limit, and other content such as a list. Every
// section links to an earlier post, except in post 0, so that builds have links to check.
func (w *writer) section(post, target, extra int) {
	fmt.Fprintf(&w.out, "## %s\n\n", capital(w.words(3, 6)))
	w.paragraph()
	for range w.random.IntN(3) {
		if w.count < target {
			w.paragraph()
		}
	}
	if post > 0 {
		fmt.Fprintf(&w.out, "%s in [%s](/blog/%s).\n\n", capital(w.words(3, 8)), w.words(2, 4), name(w.random.IntN(post)))
	}
	switch extra {
	case 0:
		w.list()
	case 1:
		w.code()
	case 2:
		w.table()
	}
}

func (w *writer) paragraph() {
	for range 3 + w.random.IntN(3) {
		sentence := capital(w.words(8, 18))
		switch w.random.IntN(6) {
		case 0:
			fmt.Fprintf(&w.out, "%s, see [%s](https://example.com/%s). ", sentence, w.words(1, 3), w.word())
		case 1:
			fmt.Fprintf(&w.out, "%s with **%s** and `%s`. ", sentence, w.words(1, 2), w.word())
		case 2:
			fmt.Fprintf(&w.out, "%s, *%s*. ", sentence, w.words(1, 4))
		default:
			w.out.WriteString(sentence + ". ")
		}
	}
	w.out.WriteString("\n\n")
}

func (w *writer) list() {
	for range 3 + w.random.IntN(4) {
		fmt.Fprintf(&w.out, "- %s\n", w.words(5, 10))
	}
	w.out.WriteByte('\n')
}

// code writes a few lines of code in one of the most common languages.
func (w *writer) code() {
	a, b, n := w.word(), w.word(), w.random.IntN(1000)
	switch w.random.IntN(4) {
	case 0:
		fmt.Fprintf(&w.out, "```go\nfunc %[1]s(n int) int {\n\tif n < 2 {\n\t\treturn n\n\t}\n\treturn %[2]s(n-1) + %[3]d // %[2]s\n}\n```\n\n", a, b, n)
	case 1:
		fmt.Fprintf(&w.out, "```json\n{\n  \"%[1]s\": %[3]d,\n  \"%[2]s\": [true, null, \"%[1]s\"]\n}\n```\n\n", a, b, n)
	case 2:
		fmt.Fprintf(&w.out, "```bash\nfor f in %[1]s-*.txt; do\n  grep -c \"%[2]s\" \"$f\" | head -n %[3]d\ndone\n```\n\n", a, b, n)
	default:
		fmt.Fprintf(&w.out, "```python\ndef %[1]s(%[2]s):\n    if not %[2]s:\n        return %[3]d\n    return sum(len(x) for x in %[2]s)\n```\n\n", a, b, n)
	}
}

func (w *writer) table() {
	w.out.WriteString("| Name | Count |\n| --- | ---: |\n")
	for range 4 {
		fmt.Fprintf(&w.out, "| %s | %d |\n", w.words(1, 3), w.random.IntN(1000))
	}
	w.out.WriteByte('\n')
}

func (w *writer) words(least, most int) string {
	words := make([]string, least+w.random.IntN(most-least+1))
	for i := range words {
		words[i] = w.word()
	}
	return strings.Join(words, " ")
}

func (w *writer) word() string {
	w.count++
	return w.vocabulary[w.random.IntN(len(w.vocabulary))]
}

func vocabulary() []string {
	return strings.Fields(`about across again aim answer argue ask basis begin build buyer call careful caseload
		change clear coach compare cost count credit daily decide deliver detail draft early effort end
		example expect fact feedback figure finish form given goal habit hear help hold idea instance keep
		kind later lead learn leave letter level line listen long look manager matter measure meet moment
		month move need note number objection offer open order outcome pace page part people plan practice
		price problem proof question quiet quote reach read reason record repeat reply report rest review
		right rule sale sample scene second sense share short simple skill small speak stage start step
		story sure talk team tell term thing time topic trust turn understand useful value view voice wait
		watch week whole word work write year`)
}

func capital(s string) string {
	return strings.ToUpper(s[:1]) + s[1:]
}
