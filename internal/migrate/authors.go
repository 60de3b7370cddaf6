package migrate

import (
	"maps"
	"net/url"
	"slices"
	"strings"

	"vitrine/internal/lazyregexp"
	"vitrine/internal/load/tree"
	"vitrine/internal/migrate/convert"
	"vitrine/internal/migrate/oldsite"
	"vitrine/internal/migrate/source"
)

// authorKey matches the author keys that can be part of a URL path. The import refers to authors with other keys by
// name.
var authorKey = lazyregexp.New(`^[A-Za-z0-9][A-Za-z0-9_-]*$`)

// authors returns the names or keys of a page's authors, from the keys author and authors of the front matter f. There,
// an author is a name, a map with a name, or a key in the old site's authors file. For such a key, authors returns the
// key in lower case and records the person for authors.yaml. Otherwise, it returns the name.
func (im *importer) authors(f *tree.Node) []string {
	var names []string
	for _, one := range slices.Concat(source.ListOf(source.Get(f, "author")), source.ListOf(source.Get(f, "authors"))) {
		name := source.Fallback(source.Text(one), source.TextAt(one, "name", "title", "key"))
		person, known := im.Authors[name]
		if known && authorKey.MatchString(name) && person.Name != "" {
			name = strings.ToLower(name)
			im.people[name] = person
		} else {
			// Some authors write their names as "[Name](https://…) (Company)".
			name = source.OneLine(convert.Plain(source.Fallback(person.Name, name)), oldsite.MaxTag)
		}
		if name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// authorLine returns the YAML value of the key author for names: a string, or a list in flow style.
func authorLine(names []string) string {
	var quoted []string
	for _, name := range names {
		quoted = append(quoted, source.Quoted(source.EscapeBraces(name)))
	}
	if len(quoted) == 1 {
		return quoted[0]
	}
	return "[" + strings.Join(quoted, ", ") + "]"
}

// authorsText returns the content of authors.yaml, which contains the people that pages name by key. It returns "" if
// there are no such people.
func (im *importer) authorsText() string {
	if len(im.people) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("# The people who write here, by the keys that pages name in author.\n")
	for _, key := range slices.Sorted(maps.Keys(im.people)) {
		person := im.people[key]
		b.WriteString(source.Quoted(key) + ":\n  name: " + source.Quoted(source.OneLine(convert.Plain(person.Name), oldsite.MaxTag)) + "\n")
		if u, err := url.Parse(person.URL); err == nil && (u.Scheme == "https" || u.Scheme == "http") && u.Host != "" {
			b.WriteString("  url: " + source.Quoted(u.String()) + "\n")
		}
		if bio := source.OneLine(convert.Plain(person.Bio), oldsite.MaxLine); bio != "" {
			b.WriteString("  bio: " + source.Quoted(bio) + "\n")
		}
	}
	return b.String()
}
