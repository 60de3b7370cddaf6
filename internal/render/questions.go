package render

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"vitrine/internal/markdown"
	"vitrine/internal/render/view"
	"vitrine/internal/search"
	"vitrine/internal/site"
)

// answered is a question on a page with the answer, both as plain text, for the page's structured data.
type answered struct{ question, answer string }

// questionMarks are the characters that end a question: in Latin and most other scripts, in Chinese and Japanese, in
// Arabic, in Greek (two characters), and in Armenian.
const questionMarks = "?？؟;\u037e՞"

// fewestQuestions is the minimum number of headings with questions in a list of questions and answers. A single heading
// with a question is probably incidental.
const fewestQuestions = 2

// questions returns the questions and answers on p. They come from p's sections or, if the sections contain no
// questions, from p's text. questions uses the text only if it has at least fewestQuestions headings of level 2, and if
// all of these headings are questions with answers. It never uses the text of an article. questions returns nil if it
// finds no questions.
func (r *Renderer) questions(p *site.Page, doc *markdown.Document) ([]answered, error) {
	if asked := sectionQuestions(doc); len(asked) > 0 {
		return asked, nil
	}
	if p.Layout == "post" {
		return nil, nil
	}
	var asked []search.Heading
	for _, h := range doc.Headings() {
		if h.Level == 2 {
			last, _ := utf8.DecodeLastRuneInString(strings.TrimSpace(h.Text))
			if !strings.ContainsRune(questionMarks, last) {
				return nil, nil
			}
			asked = append(asked, search.Heading{ID: h.ID, Text: h.Text})
		}
	}
	if len(asked) < fewestQuestions {
		return nil, nil
	}
	text := r.buffers.get()
	defer r.buffers.put(text)
	if err := doc.WriteMarkdown(text, r.site.Config.BaseURL); err != nil {
		return nil, err
	}
	answers := search.Answers(text.Bytes(), asked)
	all := make([]answered, len(asked))
	for i, h := range asked {
		if answers[h.ID] == "" {
			return nil, nil
		}
		all[i] = answered{h.Text, answers[h.ID]}
	}
	return all, nil
}

// writeQuestions writes a comma and the node with a page's questions and answers (schema.org/FAQPage).
func writeQuestions(w *bytes.Buffer, page *view.Page, asked []answered) {
	w.WriteString(`,{"@type":"FAQPage"`)
	o := object{w}
	o.text("@id", string(page.URL)+"#questions")
	o.text("url", string(page.URL))
	o.name("mainEntity")
	for i, q := range asked {
		w.WriteByte("[,"[min(i, 1)])
		w.WriteString(`{"@type":"Question"`)
		o.text("name", q.question)
		o.name("acceptedAnswer")
		w.WriteString(`{"@type":"Answer"`)
		o.text("text", q.answer)
		w.WriteString("}}")
	}
	w.WriteString("]}")
}
