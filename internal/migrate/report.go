package migrate

import (
	"bytes"
	"cmp"

	"vitrine/internal/migrate/convert"

	_ "embed"
	"encoding/json"
	"fmt"
	"html/template"
	"path"
	"slices"
	"strings"
)

// locate sets the field Page of each note about a page.
func (im *importer) locate(notes []convert.Note) {
	for i, n := range notes {
		if p := im.bySource[strings.ToLower(n.File)]; p != nil {
			notes[i].Page = path.Join("content", p.Name)
		}
	}
}

func sortNotes(notes []convert.Note) {
	slices.SortStableFunc(notes, func(a, b convert.Note) int { return cmp.Or(strings.Compare(a.File, b.File), a.Line-b.Line) })
}

//go:embed report.html
var reportText string

// Names of the reports, in the new site's folder.
const (
	ReportHTML = "import-report.html"
	ReportJSON = "import-report.json"
)

// summary describes one kind of unconverted content, with the number of notes about it.
type summary struct {
	What   string
	Number int
	Do     string
}

// report writes the reports and, if there are unknown components, a draft component map.
func (t *target) report(r *Result) error {
	data, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return fmt.Errorf("writing the report: %w", err)
	}
	page, err := template.New("report").Parse(reportText)
	if err != nil {
		return fmt.Errorf("reading the report's template: %w", err)
	}
	var b bytes.Buffer
	if err := page.Execute(&b, map[string]any{"R": r, "Sums": summaries(r.Notes)}); err != nil {
		return fmt.Errorf("writing the report: %w", err)
	}
	files := map[string][]byte{ReportJSON: append(data, '\n'), ReportHTML: b.Bytes()}
	if draft := draftMap(r.Notes); draft != "" {
		files[ComponentsName] = []byte(draft)
	}
	for name, body := range files {
		if err := t.replace(name, body); err != nil {
			return fmt.Errorf("writing the report: %w", err)
		}
	}
	return nil
}

// summaries counts the notes about each kind of unconverted content, and returns the kinds, most frequent first.
func summaries(notes []convert.Note) []summary {
	at := map[string]int{}
	var list []summary
	for _, n := range notes {
		what := n.What
		for _, many := range []string{"a link to ", "the anchor ", "the address ", "the file ", "the image ", "the page's image "} {
			if strings.HasPrefix(what, many) {
				what = strings.TrimSpace(many) + " …"
			}
		}
		i, ok := at[what]
		if !ok {
			i = len(list)
			at[what] = i
			list = append(list, summary{What: what, Do: n.Do})
		}
		list[i].Number++
	}
	slices.SortStableFunc(list, func(a, b summary) int { return b.Number - a.Number })
	return list
}
