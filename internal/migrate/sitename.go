package migrate

import (
	"path"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"vitrine/internal/lazyregexp"
	"vitrine/internal/migrate/convert"
	"vitrine/internal/migrate/source"
)

// genericNames lists words that don't identify a site.
const genericNames = "readme docs doc documentation website site web www blog home index introduction overview welcome content src source app frontend pages public main master new old temp tmp import in out book wiki guide"

// sentenceEnd matches the text after the site's name in a heading or title, such as " – Documentation".
var sentenceEnd = lazyregexp.New(`\s+[-–—|·]\s.*$|[:：].*$`)

// findName sets the name of a site whose settings don't specify one. It takes the name from the README, package.json,
// or the folder's name, and returns the file or "the folder's name". It returns "" if it finds no name or the settings
// specify one. If the site has no description, findName uses the package's description.
func (im *importer) findName() (from string) {
	if im.Title != "" {
		return ""
	}
	for _, dir := range []string{im.Base, "."} {
		name := path.Join(dir, "package.json")
		data, err := im.Src.Data(name)
		if err == nil {
			im.Description = source.Fallback(im.Description, source.OneLine(source.TextAt(data, "description"), 300))
		}
		for _, readme := range []string{"README.md", "readme.md", "Readme.md"} {
			if text, err := im.Src.Text(path.Join(dir, readme)); err == nil && im.named(headingOf(text)) {
				return path.Join(dir, readme)
			}
		}
		if err != nil {
			continue
		}
		_, own, scoped := strings.Cut(source.TextAt(data, "name"), "/")
		if !scoped {
			own = source.TextAt(data, "name")
		}
		if im.named(source.Fallback(source.TextAt(data, "displayName"), source.TitleCase(own))) {
			return name
		}
	}
	dir, err := filepath.Abs(im.opt.From)
	if err == nil && (im.named(source.TitleCase(filepath.Base(dir))) || im.named(source.TitleCase(filepath.Base(filepath.Dir(dir))))) {
		return "the folder's name"
	}
	return ""
}

// named sets the site's name to name, without any text after a separator, and returns true. It returns false if the
// result isn't a suitable name because it has more than 60 characters or fewer than three letters, or consists only of
// generic words.
func (im *importer) named(name string) bool {
	name = strings.TrimSpace(sentenceEnd.ReplaceAllString(name, ""))
	letters, own := 0, false
	for _, r := range lettersOf(name) {
		if r < '0' || r > '9' {
			letters++
		}
	}
	for word := range strings.FieldsSeq(strings.ToLower(name)) {
		own = own || !source.HasWord(genericNames, word)
	}
	if letters < 3 || !own || utf8.RuneCountInString(name) > 60 {
		return false
	}
	im.Title = name
	return true
}

// headingOf returns the text of the first level-one heading in a README, or "" if there is none.
func headingOf(text string) string {
	f := convert.NewFences(false)
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if f.Line(line) {
			continue
		}
		if m := convert.ATX.FindStringSubmatch(line); m != nil && m[2] == "#" {
			return strings.TrimSpace(convert.Plain(pictures.ReplaceAllString(convert.GivenID.ReplaceAllString(m[3], ""), "")))
		}
	}
	return ""
}

// pictures matches Markdown images, optionally enclosed in links.
var pictures = lazyregexp.New(`\[?!\[[^\]]*\]\([^)]*\)(?:\]\([^)]*\))?`)
