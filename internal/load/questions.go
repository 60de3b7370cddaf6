package load

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"vitrine/internal/facts"
	"vitrine/internal/folder"
	"vitrine/internal/load/tree"
	"vitrine/internal/rule"
	"vitrine/internal/site"
)

// questionsPath is the path of the optional file with the questions that the site must answer.
const questionsPath = folder.Content + "/questions.yaml"

// questionFields returns a reader for one question.
func questionFields(q *site.Question) reader {
	answer := each(&q.Answer, func(e *site.Expected) reader {
		return noting(&e.Pos, written(text(&e.Written)))
	})
	answered := reader{read: func(r *report, v value) {
		if answer.read(r, v); v.Kind == tree.List && len(v.Items) == 0 {
			r.errorf(v.Pos, "%s: the answer is empty; write the words or the facts that it must contain", v.name)
		}
	}, draw: answer.draw}
	return noting(&q.Pos, closed(
		field{"question", "a customer's question, such as What does Team cost?", "The question, in a customer's words.", line(&q.Text)},
		field{"in", "the path whose content must answer the question, such as /pricing, /llms.txt, or /api/v1/marketing",
			"The path of the content that must contain the answer: a page (vitrine checks its Markdown), an llms.txt file, or the JSON API.", noting(&q.InPos, text(&q.In, isAnswering()))},
		field{"answer", "a list of the required words or facts, such as ['{{ price \"Team\" }}']",
			"Words and facts that the content must contain, in any order. Write a fact as in a page, but in quotes, such as `'{{ price \"Team\" }}'`.", answered},
		field{"budget", "", "The maximum number of tokens, of about four characters each, from the beginning of the content to the end of the last word or fact in answer. Default: no limit.",
			optional(noting(&q.BudgetPos, between(1, 1_000_000, func(n int64) { q.Budget = int(n) })))},
	))
}

func isAnswering() check {
	return check{plainPath, pathPattern, []string{"/pricing", "/llms.txt", "/api/v1/marketing"}}
}

// readQuestions returns the questions in root, the content of questions.yaml, without expanding fact expressions.
func readQuestions(r *report, root *tree.Node) []site.Question {
	var questions []site.Question
	if root.Kind != tree.Null {
		each(&questions, questionFields).read(r, value{root, "questions", root.Pos})
	}
	return questions
}

// questions reads questions.yaml, if the file exists, and expands the fact expressions in the answers. l.values must
// contain the facts in all languages.
func (l *loader) questions(s *site.Site) {
	// Don't stop at other errors: document reports them, for example if the path is a folder.
	if _, err := l.folder.Stat(questionsPath); errors.Is(err, fs.ErrNotExist) {
		return
	}
	root, r := l.document(questionsPath, "a list of questions")
	if root == nil {
		return
	}
	type asked struct{ text, in string }
	first := make(map[asked]int)
	for _, q := range readQuestions(r, root) {
		if q.Text == "" || q.In == "" {
			continue
		}
		key := asked{strings.ToLower(q.Text), q.In}
		if line, twice := first[key]; twice {
			r.errorf(q.Pos, "the question %q for %s is already on line %d; remove one of the two", q.Text, q.In, line).Code = rule.NoQuestion
			continue
		}
		first[key] = q.Pos.Line
		q.Answer = l.expected(r, s, &q)
		s.Questions = append(s.Questions, q)
	}
	l.problems = append(l.problems, r.problems...)
}

// expected returns the parts of an expected answer with fact expressions replaced by their values, in the language of
// the resource that must contain the answer. It reports invalid expressions, and omits the parts that contain them.
func (l *loader) expected(r *report, s *site.Site, q *site.Question) []site.Expected {
	values := l.values[site.LanguageOf(&s.Config, folder.Content+q.In)]
	var parts []site.Expected
	for _, e := range q.Answer {
		if e.Written == "" {
			continue // already reported
		}
		texts, offset, err := expectedTexts(values, e.Written, site.Reserved(q.In))
		if err != nil {
			at := (&factExpander{source: r.source}).place(e.Pos, expressionAt(e.Written, offset))
			r.errorf(at, "%v", err).Code = rule.FactUnknown
			continue
		}
		for _, text := range texts {
			parts = append(parts, site.Expected{Text: text, Written: e.Written, Pos: e.Pos})
		}
	}
	return parts
}

// expectedTexts returns the strings that the content must contain for written, a part of an answer: one string, the
// items of a list, or the cells of a table without its header. If inJSON is set, it returns the facts that an
// expression uses, such as the number and the currency of a price, because JSON contains unformatted values. For a
// list, it returns the items in both cases. If err isn't nil, offset is the byte offset of the invalid expression in
// written.
func expectedTexts(values *facts.Values, written string, inJSON bool) (texts []string, offset int, err error) {
	pieces := facts.Pieces(written)
	if len(pieces) != 1 || !pieces[0].Expression {
		text, _, faults := values.ExpandText(written)
		if len(faults) > 0 {
			return nil, faults[0].Offset, faults[0].Err
		}
		return []string{text}, 0, nil
	}
	v, err := values.Expand(pieces[0].Text)
	switch {
	case err != nil:
		return nil, 0, err
	case v.Form == facts.Meant:
		return nil, 0, fmt.Errorf("{{%s}} produces no text; use a fact such as {{ name }}", pieces[0].Text)
	case inJSON && v.Form != facts.List:
		for _, path := range v.Uses {
			fact, err := values.Text(path)
			if err != nil {
				return nil, 0, err
			}
			texts = append(texts, fact.Text)
		}
		return texts, 0, nil
	case v.Form == facts.Table:
		for _, row := range v.Rows[1:] {
			texts = append(texts, row...)
		}
		return texts, 0, nil
	case v.Form == facts.List:
		return v.Items, 0, nil
	}
	return []string{v.Text}, 0, nil
}
