package migrate

import (
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// FuzzImport replaces the content of one file of an old site, such as its settings or its sidebar. The import must not
// panic, but it may return an error.
func FuzzImport(f *testing.F) {
	names, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(names) < 9 {
		f.Fatalf("%d archives, %v", len(names), err)
	}
	var sites [][]txtar.File
	for _, name := range names {
		archive, err := txtar.ParseFile(name)
		if err != nil {
			f.Fatal(err)
		}
		var files []txtar.File
		for _, file := range archive.Files {
			if strings.HasPrefix(file.Name, "in/") {
				// FuzzText covers Markdown files.
				if filepath.Ext(file.Name) != ".md" && filepath.Ext(file.Name) != ".mdx" {
					f.Add(uint8(len(sites)), uint8(len(files)), file.Data)
				}
				files = append(files, file)
			}
		}
		sites = append(sites, files)
	}
	f.Fuzz(func(t *testing.T, site, replaced uint8, data []byte) {
		files := sites[int(site)%len(sites)]
		dir := t.TempDir()
		for i, file := range files {
			if i == int(replaced)%len(files) {
				file.Data = data
			}
			write(t, filepath.Join(dir, file.Name), file.Data)
		}
		opt := Options{From: filepath.Join(dir, "in"), To: filepath.Join(dir, "out"), NoCheck: true}
		if _, err := Import(t.Context(), opt); err != nil {
			t.Log(err)
		}
	})
}
