package scaffold

import (
	"bytes"
	"embed"
	"fmt"
	"io/fs"
	"strings"
	"text/template"
	"time"

	"vitrine/internal/schema"
)

//go:embed all:site
var siteFiles embed.FS

// siteData is what the files of a new site say of themselves.
type siteData struct {
	Title string
	// Day is the date of the first article.
	Day string
}

// Site begins a site with facts to replace, three pages, the settings of
// editors, the schemas, and a workflow.
func Site(title string, day time.Time) ([]File, error) {
	data := siteData{Title: title, Day: day.Format(time.DateOnly)}
	var files []File
	err := fs.WalkDir(siteFiles, "site", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		body, err := fill(name, data)
		files = append(files, File{strings.TrimPrefix(name, "site/"), body})
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("making the files of a site: %w", err)
	}
	schemas, err := schema.Files()
	if err != nil {
		return nil, err
	}
	for _, s := range schemas {
		files = append(files, File{strings.TrimPrefix(s.Path, "/"), s.Body})
	}
	snippets, err := schema.Snippets()
	if err != nil {
		return nil, err
	}
	return append(files, File{".vscode/vitrine.code-snippets", snippets}), nil
}

// fill puts the site's own words into a file. Its marks are [[ and ]], as
// braces belong to workflows and to pages.
func fill(name string, data siteData) ([]byte, error) {
	text, err := siteFiles.ReadFile(name)
	if err != nil {
		return nil, err
	}
	t, err := template.New(name).Delims("[[", "]]").Option("missingkey=error").Funcs(template.FuncMap{"quote": quote, "front": front}).Parse(string(text))
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	if err := t.Execute(&out, data); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}
