package site

import (
	"strings"

	"vitrine/internal/codec"
)

// Question is a question of content/questions.yaml: something that the site is to answer where it says.
type Question struct {
	Text string
	Pos  Pos
	// In is the path of what is to answer: a page, an llms.txt or the JSON operation.
	In    string
	InPos Pos
	// Answer is what has to stand there, all of it.
	Answer []Expected
	// Budget is how many tokens may be read until the answer is complete; 0 for any number.
	Budget    int
	BudgetPos Pos
}

// Expected is a part of an answer.
type Expected struct {
	// Text is the part with the facts put in, Written as questions.yaml has it.
	Text, Written string
	Pos           Pos
}

// MoveQuestions has answers that name an address of the site, which is built for another base, expect it there.
func (s *Site) MoveQuestions(from, to string) {
	for i := range s.Questions {
		for j := range s.Questions[i].Answer {
			e := &s.Questions[i].Answer[j]
			e.Text = strings.ReplaceAll(e.Text, from+"/", to+"/")
		}
	}
}

// Record writes a question for a hash, or reads it.
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
