package site

import (
	"strings"

	"vitrine/internal/codec"
)

// Question is a question in content/questions.yaml. A resource of the site must contain the answer.
type Question struct {
	Text string
	Pos  Pos
	// In is the path of the resource that must contain the answer: a page, an llms.txt file, or the JSON API.
	In    string
	InPos Pos
	// Answer contains the required parts of the answer.
	Answer []Expected
	// Budget is the maximum number of tokens from the start of the resource to the end of the answer, or 0 for no
	// limit.
	Budget    int
	BudgetPos Pos
}

// Expected is a required part of an answer.
type Expected struct {
	// Text is the part of the answer with facts inserted. Written is the same part as written in questions.yaml.
	Text, Written string
	Pos           Pos
}

// MoveQuestions replaces the base URL from with the base URL to in the expected answers. A build for another base URL
// needs this, because answers may contain URLs of the site.
func (s *Site) MoveQuestions(from, to string) {
	for i := range s.Questions {
		for j := range s.Questions[i].Answer {
			e := &s.Questions[i].Answer[j]
			e.Text = strings.ReplaceAll(e.Text, from+"/", to+"/")
		}
	}
}

// Record writes q to c or reads it from c, depending on the mode of c.
func (q *Question) Record(c codec.Coder) {
	c.Text(&q.Text)
	q.Pos.Record(c)
	c.Text(&q.In)
	q.InPos.Record(c)
	codec.List(c, &q.Answer, func(e *Expected) {
		c.Text(&e.Text)
		c.Text(&e.Written)
		e.Pos.Record(c)
	})
	codec.Uint(c, &q.Budget)
	q.BudgetPos.Record(c)
}
