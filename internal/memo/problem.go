package memo

import (
	"vitrine/internal/record"
	"vitrine/internal/site"
)

// WriteProblems writes problems.
func WriteProblems(w *record.Writer, problems []site.Problem) {
	w.Uint(uint64(len(problems)))
	for _, p := range problems {
		w.Text(p.Path)
		WritePos(w, p.Pos)
		w.Uint(uint64(p.Severity))
		w.Text(string(p.Code))
		w.Text(p.Text)
	}
}

// ReadProblems reads what WriteProblems wrote, nil for none.
func ReadProblems(r *record.Reader) []site.Problem {
	n := r.Count()
	if n == 0 {
		return nil
	}
	problems := make([]site.Problem, n)
	for i := range problems {
		p := &problems[i]
		p.Path, p.Pos, p.Severity = r.Text(), ReadPos(r), site.Severity(r.Uint())
		p.Code, p.Text = site.Code(r.Text()), r.Text()
	}
	return problems
}

// WritePos writes a place in a source.
func WritePos(w *record.Writer, p site.Pos) {
	w.Uint(uint64(p.Line))
	w.Uint(uint64(p.Col))
}

// ReadPos reads what WritePos wrote.
func ReadPos(r *record.Reader) site.Pos {
	return site.Pos{Line: int(r.Uint()), Col: int(r.Uint())}
}
