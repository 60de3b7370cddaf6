package migrate

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"vitrine/internal/migrate/source"
)

// format is a document format that the import can't read.
type format struct {
	name string
	// ends are the file extensions, separated by spaces.
	ends string
	// convert is a command that writes one file as Markdown. $1 is the file, and ${1%.*} is its name without the
	// extension.
	convert string
}

// formats lists document formats that sites use instead of Markdown.
var formats = []format{
	{"reStructuredText", ".rst .rest", `pandoc -f rst -t gfm "$1" -o "${1%.*}.md"`},
	{"AsciiDoc", ".adoc .asciidoc .asc", `npx downdoc "$1"`},
	{"Org", ".org", `pandoc -f org -t gfm "$1" -o "${1%.*}.md"`},
	{"Quarto", ".qmd", `quarto render "$1" --to gfm`},
	{"R Markdown", ".rmd", `quarto render "$1" --to gfm`},
	{"Textile", ".textile", `pandoc -f textile -t gfm "$1" -o "${1%.*}.md"`},
	{"MediaWiki", ".mediawiki .wiki", `pandoc -f mediawiki -t gfm "$1" -o "${1%.*}.md"`},
	{"Jupyter notebooks", ".ipynb", `jupyter nbconvert --to markdown "$1"`},
}

// otherFormat returns the most common document format other than Markdown, and the number of documents in that format.
// count is 0 if there is no such document.
func (im *importer) otherFormat() (most format, count int) {
	for _, f := range formats {
		n := 0
		for _, name := range im.Src.Names {
			if source.HasWord(f.ends, strings.ToLower(path.Ext(name))) && !ofRepository(name) {
				n++
			}
		}
		if n > count {
			most, count = f, n
		}
	}
	return most, count
}

// ofRepository reports whether a file belongs to the repository instead of the site: a top-level file with a name in
// upper case, such as README.rst, or a file in a folder of programs or tests.
func ofRepository(name string) bool {
	if !strings.Contains(name, "/") {
		stem := source.Stem(name)
		return stem == strings.ToUpper(stem)
	}
	return slices.ContainsFunc(strings.Split(path.Dir(name), "/"), func(folder string) bool {
		return source.HasWord(notSite, strings.ToLower(folder))
	})
}

// advice returns a message with the number of documents in the format and the command that converts them.
func (f format) advice(count int) string {
	ends := strings.Fields(f.ends)
	documents := "documents are"
	if count == 1 {
		documents = "document is"
	}
	return fmt.Sprintf("%d %s %s (%s), which cannot be imported; convert a copy of the folder with: find . -name '*%s' -exec sh -c '%s' _ {} \\; and import the copy",
		count, documents, f.name, strings.Join(ends, ", "), ends[0], f.convert)
}
