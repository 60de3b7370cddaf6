package report

import (
	"embed"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"strings"
	texttemplate "text/template"
	"unicode"

	"vitrine/internal/readers"
)

//go:embed report.html report.md
var pages embed.FS

// WriteJSON writes the report as JSON.
func (r *Report) WriteJSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(r)
}

// WriteHTML writes the report as a self-contained page that includes its styles and plots and loads no other resources.
func (r *Report) WriteHTML(w io.Writer) error {
	t, err := template.New("report.html").Funcs(functions()).ParseFS(pages, "report.html")
	if err != nil {
		return fmt.Errorf("reading the report template: %w", err)
	}
	return t.Execute(w, r)
}

// WriteMarkdown writes the report as Markdown.
func (r *Report) WriteMarkdown(w io.Writer) error {
	t, err := texttemplate.New("report.md").Funcs(functions()).ParseFS(pages, "report.md")
	if err != nil {
		return fmt.Errorf("reading the report template: %w", err)
	}
	return t.Execute(w, r)
}

func functions() texttemplate.FuncMap {
	return texttemplate.FuncMap{
		"label": label, "number": number, "percent": percent, "size": size, "cell": cell, "columns": columns, "kinds": kinds,
		"legend": legend,
	}
}

// label returns the name that a report shows for the family f.
func label(f readers.Family) string {
	return map[readers.Family]string{
		readers.People: "People", readers.Search: "Search engines", readers.AISearch: "AI search", readers.AIUser: "AI, for a user",
		readers.Training: "AI training", readers.Feeds: "Feed readers", readers.Tool: "Our tool", readers.Other: "Other programs",
	}[f]
}

// number formats n with narrow no-break spaces between groups of three digits.
func number(n int64) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "\u202f" + s[i:]
	}
	return s
}

func percent(share float64) string { return fmt.Sprintf("%.1f %%", 100*share) }

func size(n int64) string {
	switch {
	case n >= 1e9:
		return fmt.Sprintf("%.1f GB", float64(n)/1e9)
	case n >= 1e6:
		return fmt.Sprintf("%.1f MB", float64(n)/1e6)
	}
	return fmt.Sprintf("%.1f kB", float64(n)/1e3)
}

// cell returns s, which is text from a request, as a code span for a cell of a Markdown table. It replaces characters
// that would end the cell, the span, or the line.
func cell(s string) string {
	s = strings.Map(func(c rune) rune {
		if unicode.IsControl(c) || unicode.Is(unicode.Bidi_Control, c) || c == '`' || c == '|' {
			return '\ufffd'
		}
		return c
	}, s)
	return "`" + s + "`"
}

// kinds lists the representations sent to a family, with the share of each in percent.
func kinds(r Reader) string {
	var total int64
	for _, n := range r.Representations {
		total += n
	}
	var parts []string
	for _, k := range readers.Representations() {
		if n := r.Representations[k]; n > 0 {
			parts = append(parts, fmt.Sprintf("%s %.0f %%", k, 100*float64(n)/float64(total)))
		}
	}
	return strings.Join(parts, ", ")
}
