package check

import (
	"fmt"
	"slices"
	"strings"

	"vitrine/internal/artifact"
	"vitrine/internal/codec"
	"vitrine/internal/rule"
	"vitrine/internal/site"
)

// questionsFile is the path of the file with the questions that the site must answer.
const questionsFile = "content/questions.yaml"

// QuestionLinks returns the references in questions.yaml to resources that must contain the answers.
func QuestionLinks(s *site.Site) []site.Reference {
	var links []site.Reference
	for _, q := range s.Questions {
		links = append(links, site.Reference{Target: q.In, Pos: q.InPos})
	}
	return links
}

// questions contains a site's questions, grouped by the resource that must contain the answer.
type questions struct {
	// pages are the questions for pages, and others are the questions for the JSON API and llms.txt files. Both are
	// keyed by path.
	pages, others map[string][]*site.Question
	// problems contains a problem for each question whose path isn't the path of a page, and for each part of an answer
	// without words to search for.
	problems []site.Problem
}

func (c *Checker) newQuestions() questions {
	q := questions{pages: make(map[string][]*site.Question), others: make(map[string][]*site.Question)}
	for i := range c.site.Questions {
		one := &c.site.Questions[i]
		if path := one.In; isOperation(path) || strings.HasSuffix(path, "/llms.txt") {
			q.others[path] = append(q.others[path], one)
		} else if p, problem := c.answering(one); p != nil {
			q.pages[p.Path] = append(q.pages[p.Path], one)
		} else if problem.Text != "" {
			q.problems = append(q.problems, problem)
		}
		for _, e := range one.Answer {
			if foldText([]byte(e.Text), true).text == "" {
				q.problems = append(q.problems, questionProblem(e.Pos, rule.NoQuestion, fmt.Sprintf("%q has no searchable words; write the content that the answer must contain", e.Written)))
			}
		}
	}
	return q
}

func isOperation(path string) bool {
	paths := artifact.OperationPaths()
	return slices.Contains(paths[:], path)
}

func questionProblem(at site.Pos, code site.Code, text string) site.Problem {
	return site.Problem{Path: questionsFile, Pos: at, Severity: site.Error, Code: code, Text: text}
}

// answering returns the page that must contain the answer to q, or a problem if there is no such page. For a withheld
// page, both results are zero, because the question isn't checked before the page is published.
func (c *Checker) answering(q *site.Question) (*site.Page, site.Problem) {
	path := q.In
	if stem, markdown := strings.CutSuffix(path, ".md"); markdown && c.index.Has(path) {
		if path = stem; !c.index.Has(path) {
			path = strings.TrimSuffix(path, "index")
		}
	}
	if slices.ContainsFunc(c.site.Withheld, func(p *site.Page) bool { return p.Path == path }) {
		return nil, site.Problem{}
	}
	target, err := c.index.Resolve(&site.Page{Path: "/", Source: questionsFile}, path)
	write, text := target.Write, ""
	switch {
	case err != nil:
		write, text = meant(err), err.Error()
	case target.Redirects:
		text = redirectText(path, target)
	case target.Page == nil || c.isNotFound(target.Path):
		text = fmt.Sprintf("%q is not a page; write the path of a page, /llms.txt, or %s", q.In, artifact.OperationPath)
	default:
		return target.Page, site.Problem{}
	}
	problem := questionProblem(q.InPos, rule.NoQuestion, fmt.Sprintf("%q cannot be checked: %s", q.Text, text))
	if write != "" && c.Source != nil {
		problem.Fix = site.EditValue(c.Source(questionsFile), q.InPos, q.In, write)
	}
	return nil, problem
}

// checkQuestions records the questions whose answers are missing from a page's Markdown or appear too late in it.
func (c *Checker) checkQuestions(f *Findings, markdown []byte) {
	if asked := c.questions.pages[f.path]; len(asked) > 0 {
		f.Problems = append(f.Problems, unanswered(asked, "the Markdown of "+f.path, newReading(markdown, false))...)
	}
}

// dependsOnQuestions writes a page's questions to w, for the hash in Depends.
func (c *Checker) dependsOnQuestions(w *codec.Writer, p *site.Page) {
	for _, q := range c.questions.pages[p.Path] {
		q.Record(codec.To(w))
	}
}

// AsksOperation reports whether the JSON API must contain the answer to a question.
func (c *Checker) AsksOperation() bool { return c.asksOthers(true) }

// AsksLLMs reports whether an llms.txt file must contain the answer to a question.
func (c *Checker) AsksLLMs() bool { return c.asksOthers(false) }

func (c *Checker) asksOthers(operation bool) bool {
	for path := range c.questions.others {
		if isOperation(path) == operation {
			return true
		}
	}
	return false
}

// Others checks the questions for the JSON API and its aliases if operation is set, and the questions for llms.txt
// files otherwise. resources must contain all resources of the selected kind. Others returns a problem for each
// question that isn't answered or whose path isn't the path of one of resources.
func (c *Checker) Others(resources []artifact.Resource, operation bool) []site.Problem {
	var problems []site.Problem
	for path, asked := range c.questions.others {
		if isOperation(path) != operation {
			continue
		}
		at := slices.IndexFunc(resources, func(r artifact.Resource) bool { return r.Path == path })
		if at < 0 {
			for _, q := range asked {
				problems = append(problems, questionProblem(q.InPos, rule.NoQuestion, fmt.Sprintf("%q cannot be checked: %q does not exist; write /llms.txt", q.Text, path)))
			}
			continue
		}
		problems = append(problems, unanswered(asked, path, newReading(resources[at].Variants[0].Body, operation))...)
	}
	return site.SortProblems(problems)
}

// part quotes a part of an expected answer for a message, truncated to 80 characters. If the part contains facts, the
// text in questions.yaml follows in parentheses.
func part(e *site.Expected) string {
	const most = 80
	text := []rune(e.Text)
	if len(text) > most {
		text = append(text[:most:most], '…')
	}
	if e.Text == e.Written {
		return fmt.Sprintf("%q", string(text))
	}
	return fmt.Sprintf("%q (%s)", string(text), e.Written)
}

// unanswered returns the problems with the questions in asked whose answers are incomplete in text or end beyond the
// question's budget. where describes text in messages.
func unanswered(asked []*site.Question, where string, text *reading) []site.Problem {
	var problems []site.Problem
	for _, q := range asked {
		var last *site.Expected
		complete, end := true, 0
		for i := range q.Answer {
			e := &q.Answer[i]
			at, ok := text.find(e.Text)
			if !ok {
				complete = false
				problems = append(problems, questionProblem(e.Pos, rule.NoAnswer, fmt.Sprintf("%q is not answered by %s, which does not contain %s; write the answer there, or correct the question", q.Text, where, part(e))))
				continue
			}
			if at > end {
				last, end = e, at
			}
		}
		if !complete || q.Budget == 0 || last == nil {
			continue
		}
		if n := artifact.Tokens(text.source[:end]); n > q.Budget {
			problems = append(problems, questionProblem(q.BudgetPos, rule.LateAnswer, fmt.Sprintf(
				"%q is answered by %s only after %d tokens, at the end of %s, and the budget is %d; move the answer up, or raise the budget", q.Text, where, n, part(last), q.Budget)))
		}
	}
	return problems
}
