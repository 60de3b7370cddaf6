package scaffold

import (
	"bytes"
	"embed"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"text/template"
	"time"

	"vitrine/internal/schema"
)

//go:embed all:site all:starts
var siteFiles embed.FS

// siteData is the data for the files of a new site.
type siteData struct {
	Title string
	// Day is the date of the first article.
	Day string
	Release
}

// Starts returns the names of the example sites, which are the valid values of start for Site.
func Starts() []string { return []string{"product", "library", "clinic"} }

// Site returns the files of a new site: facts to replace, pages, settings for code editors, schemas, and deploy files.
// start is the example whose files replace the plain site's files (see Starts), or "" for the plain site.
func Site(start, title string, day time.Time, release Release) ([]File, error) {
	data := siteData{Title: title, Day: day.Format(time.DateOnly), Release: release}
	files, err := filled("site", data)
	if err == nil && start != "" {
		var own []File
		own, err = filled("starts/"+start, data)
		files = replaced(files, own)
	}
	if err != nil {
		return nil, fmt.Errorf("creating the site files: %w", err)
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

// filled executes every embedded template under folder with data and returns the resulting files.
func filled(folder string, data siteData) ([]File, error) {
	var files []File
	err := fs.WalkDir(siteFiles, folder, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		body, err := fill(name, data)
		files = append(files, File{strings.TrimPrefix(name, folder+"/"), body})
		return err
	})
	return files, err
}

// replaced merges files and own into one list, sorted by name. If both contain a file with the same name, the list
// contains the file in own.
func replaced(files, own []File) []File {
	files = slices.DeleteFunc(files, func(f File) bool {
		return slices.ContainsFunc(own, func(o File) bool { return o.Name == f.Name })
	})
	files = append(files, own...)
	slices.SortFunc(files, func(a, b File) int { return strings.Compare(a.Name, b.Name) })
	return files
}

// fill executes an embedded template with data. The delimiters are [[ and ]], because workflows and pages contain
// braces.
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
